/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All rules over the readings of a session; STALL over its steps.
 */
#include "alerts/alert_find.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alerts/texts.h"
#include "base/pool.h"
#include "devices/device_numbers.h"
#include "model/session.h"
#include "model/session_process.h"
#include "steps/steps.h"

/* A median of fewer steps says little, and a pause below a second is no stall to a person. */
enum { STEPS_LEAST = 10 };
static const double stall_least_ns = 1e9;

static void note(struct alert_summary *summary, double value)
{
    summary->is_read |= !isnan(value);
    if (!isfinite(value))
        return;
    summary->last = value;
    summary->highest = fmax(summary->highest, value); /* fmax takes the number beside a NAN */
    summary->lowest = fmin(summary->lowest, value);
}

/* ---- readings -------------------------------------------------------------------------- */

static void run_rule(struct alerts *alerts, enum alert_id id)
{
    struct alert_state state = {0};

    for (size_t i = 1; i < alerts->samples.rows.count; i++) {
        struct alert_point point =
            alert_samples_measure(&alerts->samples, alert_rules[id].measure, i);

        alert_state_feed(&state, id, &point, &alerts->rows);
    }
    alert_state_end(&state, &alerts->rows);
}

static void sum_up(struct alerts *alerts)
{
    for (int i = 0; i < ALERT_MEASURES; i++)
        for (size_t j = 1; j < alerts->samples.rows.count; j++)
            note(&alerts->summaries[i],
                 alert_samples_measure(&alerts->samples, (enum alert_measure)i, j).value);
}

/* ---- steps ----------------------------------------------------------------------------- */

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

static double find_median(const struct steps *steps)
{
    const struct step *step = steps->steps.items;
    size_t count = steps->steps.count;
    double *lengths = pool_get(count * sizeof *lengths);

    for (size_t i = 0; i < count; i++)
        lengths[i] = (double)(step[i].end_ns - step[i].start_ns);
    qsort(lengths, count, sizeof *lengths, compare);
    return count % 2 != 0 ? lengths[count / 2] : (lengths[count / 2 - 1] + lengths[count / 2]) / 2;
}

static void feed_step(struct alerts *alerts, struct alert_state *state, uint64_t from_ns,
                      uint64_t to_ns)
{
    double ns = (double)(to_ns - from_ns);
    double ratio = ns / alerts->step_ns;
    const struct alert_point point = {.value = ns >= stall_least_ns ? ratio : fmin(ratio, 1),
                                      .low = (double)NAN,
                                      .high = (double)NAN,
                                      .from_ns = from_ns,
                                      .to_ns = to_ns};

    note(&alerts->summaries[ALERT_MEASURE_STEP], ratio);
    alert_state_feed(state, ALERT_STALL, &point, &alerts->rows);
}

/* Between epochs a program does other things, and so it may after its last step, if it came to an
 * end. */
static void find_stalls(struct alerts *alerts, const struct session *session,
                        const struct steps *steps)
{
    const struct step *step = steps->steps.items;
    size_t last = steps->steps.count - 1;
    struct alert_state state = {0};

    alerts->step_ns = find_median(steps);
    for (size_t i = 1; i <= last; i++)
        if (!step[i].begins_epoch && step[i].end_ns > step[i - 1].end_ns)
            feed_step(alerts, &state, step[i - 1].end_ns, step[i].end_ns);
    if (!session->process.has_last && session->process.wall_ns > step[last].end_ns)
        feed_step(alerts, &state, step[last].end_ns, session->process.wall_ns);
    alert_state_end(&state, &alerts->rows);
}

static void run_steps(struct alerts *alerts, const struct session *session)
{
    struct steps steps;

    steps_init(&steps, session);
    if (!steps.reason && steps.steps.count >= STEPS_LEAST)
        find_stalls(alerts, session, &steps);
}

/* ---- all ------------------------------------------------------------------------------- */

static int compare_begins(const void *left, const void *right)
{
    const struct alert *a = left, *b = right;

    if (a->from_ns != b->from_ns)
        return a->from_ns < b->from_ns ? -1 : 1;
    return (int)a->id - (int)b->id;
}

void alerts_find(struct alerts *alerts, const struct session *session)
{
    *alerts = (struct alerts){.step_ns = (double)NAN};
    for (int i = 0; i < ALERT_MEASURES; i++)
        alerts->summaries[i] = (struct alert_summary){false, (double)NAN, (double)NAN, (double)NAN};
    alert_samples_init(&alerts->samples, &session->process);
    array_init(&alerts->rows, sizeof(struct alert));
    alert_samples_fill(&alerts->samples, session);
    for (int i = 0; i < ALERTS; i++)
        if (i != ALERT_STALL)
            run_rule(alerts, (enum alert_id)i);
    sum_up(alerts);
    run_steps(alerts, session);
    if (alerts->rows.count > 0)
        qsort(alerts->rows.items, alerts->rows.count, sizeof(struct alert), compare_begins);
}

/* ---- reasons --------------------------------------------------------------------------- */

static const char *const source_keys[] = {
#define SOURCE(source, key, place, file, old_file) key,
#include "spec/surrounding_sources.def"
#undef SOURCE
};

/* A fact "KEY ERRNO FILE".  Returns: whether there is one for the source. */
static bool append_fact(struct text *text, const struct session_process *process, unsigned source)
{
    size_t size = strlen(source_keys[source]);

    for (size_t i = 0; i < text_list_count(&process->unread); i++) {
        const char *fact = text_list_at(&process->unread, i);
        char *rest;
        long error;

        if (strncmp(fact, source_keys[source], size) != 0 || fact[size] != ' ')
            continue;
        error = strtol(fact + size, &rest, 10);
        if (*rest == ' ' && rest[1] != '\0')
            say(text, alerts_no_file_text, said_words(rest + 1), said_words(strerror((int)error)));
        else
            say(text, alerts_no_group_text);
        return true;
    }
    return false;
}

static void append_source(struct text *text, const struct session *session,
                          enum alert_measure measure)
{
    if (append_fact(text, &session->process, alert_measures[measure].source))
        return;
    if (session->surroundings.count == 0)
        say(text, alerts_old_text);
    else if (measure == ALERT_MEASURE_OOM)
        say(text, alerts_no_limit_text);
    else if (measure == ALERT_MEASURE_THROTTLED)
        say(text, alerts_no_quota_text);
    else
        say(text, alerts_no_words_text);
}

static bool is_of_gpu(enum alert_measure measure)
{
    return measure >= ALERT_MEASURE_GPU && measure <= ALERT_MEASURE_GPU_SLOWED;
}

static void append_gpu(struct text *text, const struct session *session)
{
    for (uint32_t i = 0; i < session->devices.devices.count; i++) {
        const char *reason = device_unread_reason(session, i);

        if (reason || device_has_numbers(session, i)) {
            text_append(text, reason ? reason : alerts_gpu_lacks_text.words);
            return;
        }
    }
    say(text, alerts_no_gpu_text);
}

void alerts_append_reason(struct text *text, const struct alerts *alerts,
                          const struct session *session, enum alert_measure measure)
{
    if (!isnan(alerts->summaries[measure].last))
        return;
    if (alerts->summaries[measure].is_read)
        say(text, alerts_no_growth_text);
    else if (is_of_gpu(measure))
        append_gpu(text, session);
    else if (measure == ALERT_MEASURE_STEP)
        say(text, alerts_no_steps_text);
    else if (alerts->samples.rows.count < 2)
        say(text, alerts_no_readings_text);
    else if (alert_measures[measure].source < TRACE_SOURCES)
        append_source(text, session, measure);
    else
        say(text, alerts_no_words_text);
}
