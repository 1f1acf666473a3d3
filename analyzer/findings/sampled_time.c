/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rules on samples of processor time outside of kernels: SPIN and COPIES.
 */
#include <math.h>
#include <string.h>

#include "base/wildcard.h"
#include "cpu/own_lines.h"
#include "findings/context.h"
#include "findings/own_place.h"
#include "findings/texts.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_process.h"
#include "model/session_samples.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "waits/wait_split.h"

static const double least_spin = 0.1; /* share of the processor time */
static const double least_pool = 0.1; /* share of the spinning: a second pool with less does not
                                         matter */
static const double least_copies = 0.05;                /* share of the wall time */
static const uint64_t least_samples = 30; /* with fewer samples, a share of a tenth has an error of
                                             half */
static const uint64_t least_copy_samples = 10;

/* Time of rows, and the two rows that have most of it. */
struct part {
    double ns;
    uint64_t samples;
    const struct cpu_row *most, *second;
};

static void add_row(struct part *part, const struct cpu_row *row)
{
    part->ns += row->self_ns;
    part->samples += row->samples;
    if (!part->most || row->self_ns > part->most->self_ns) {
        part->second = part->most;
        part->most = row;
    } else if (!part->second || row->self_ns > part->second->self_ns) {
        part->second = row;
    }
}

static struct part find_spinning(const struct cpu_time *time)
{
    struct part part = {0};

    for (size_t i = 0; i < time->rows.count; i++) {
        const struct cpu_row *row = array_at(&time->rows, i);

        if (row->kind == CPU_SPIN)
            add_row(&part, row);
    }
    return part;
}

static bool is_spinning(const struct cpu_time *time, size_t sample, const void *of)
{
    const struct cpu_row *row = array_at(&time->rows, time->sample_row[sample]);

    (void)of;
    return row->kind == CPU_SPIN;
}

/* Returns: the time that spinning takes from the main thread, at most: its own spinning, its waits
 * for a processor, and its waits for the threads that spin. */
static double find_taken(const struct findings_context *context, double spun_ns)
{
    const struct session *session = context->session;
    uint32_t thread = wait_main_thread(session);
    double waits_ns = findings_waiting_for_others_ns(context), own_ns = 0;

    for (size_t i = 0; i < session->samples.count; i++)
        if (session_sample_at(session, i)->thread == thread && is_spinning(&context->time, i, NULL))
            own_ns += context->time.sample_ns[i];
    if (thread < session->threads.count &&
        session_thread_at(session, thread)->delay_ns != SESSION_UNKNOWN)
        waits_ns += (double)session_thread_at(session, thread)->delay_ns;
    return own_ns + fmin(waits_ns, spun_ns - own_ns);
}

/* If all spinning became parallel work, each processor would spend its part of it less.  Or the
 * main thread gets back what spinning takes from it. */
static double without_spinning_ns(const struct findings_context *context, double spun_ns)
{
    uint64_t allowed = context->session->process.cpu_count;
    double processors = allowed == SESSION_UNKNOWN || allowed == 0 ? 1 : (double)allowed;

    return fmin(fmax(spun_ns / processors, find_taken(context, spun_ns)), context->wall.ns);
}

/* "OpenBLAS" of "spinning while waiting for work: OpenBLAS". */
static struct said said_pool(const struct cpu_row *row)
{
    const char *mark = strstr(row->name, ": ");

    return said_words(mark ? mark + strlen(": ") : row->name);
}

/* A row is a pool: of OpenMP, of a BLAS. */
static void say_pools(struct finding *finding, const struct part *part)
{
    if (!part->second || part->second->self_ns < least_pool * part->ns)
        return;
    say(&finding->evidence, spin_pools_text, said_pool(part->most), said_time(part->most->self_ns),
        said_pool(part->second), said_time(part->second->self_ns));
    finding_advise(finding, "spin_pools");
}

/* The pool of OpenBLAS works for the kernels with most of the time. */
static void say_callers(struct finding *finding, const struct findings_context *context)
{
    struct text line;

    text_init(&line);
    if (context->groups.rows.count > 0)
        own_place_append_slot(&line, context, findings_slot(context, findings_group(context, 0)));
    text_clear(&finding->action);
    if (line.size > 0)
        say(&finding->action, spin_openblas_at_text, said_words(line.bytes));
    else
        say(&finding->action, spin_openblas_text);
    text_fini(&line);
}

/* The program's line where most of it is seen: a thread that starts the others, or waits for
 * them. */
static void append_spinning_line(struct text *place, const struct cpu_time *time)
{
    struct own_lines lines;

    own_lines_init_of(&lines, time, is_spinning, NULL);
    if (lines.rows.count > 0)
        place_append_short(place, ((const struct own_line *)array_at(&lines.rows, 0))->place);
}

static void add_spin(const struct findings_context *context, struct findings *findings,
                     const struct cpu_time *time, const struct part *part)
{
    double saved_ns = without_spinning_ns(context, part->ns);
    struct finding *finding = findings_add_waiting(
        findings, &(struct finding_claim){saved_ns, saved_ns, FINDING_CONFIDENCE_LOW}, part->ns);

    say(&finding->title, spin_title_text, said_share(part->ns / time->cpu_ns));
    append_spinning_line(&finding->place, time);
    say(&finding->evidence, spin_time_text, said_time(part->ns), said_time(time->cpu_ns),
        said_count(part->samples));
    say(&finding->evidence, spin_most_text, said_words(part->most->name));
    if (strstr(part->most->name, "ONNX Runtime")) {
        text_clear(&finding->action);
        finding_advise(finding, "spin_onnxruntime");
    } else {
        if (strstr(part->most->name, "OpenBLAS"))
            say_callers(finding, context);
        say_pools(finding, part);
    }
    finding_add_number(finding, "spun_ns", part->ns);
    finding_add_number(finding, "samples", (double)part->samples);
}

static void judge_spin(const struct findings_context *context, struct findings *findings,
                       const struct cpu_time *time)
{
    struct part part = find_spinning(time);
    double share = time->cpu_ns > 0 ? part.ns / time->cpu_ns : 0;

    if (share >= least_spin && part.samples >= least_samples)
        add_spin(context, findings, time, &part);
    else
        findings_pass(findings, spin_passed_text, said_share(share));
}

/* ---- copies between kernels ---- */

static const char *const copying[] = {
#define COPYING(pattern) pattern,
#include "findings/copying.def"
#undef COPYING
    NULL};

static bool copies(const char *function)
{
    for (size_t i = 0; copying[i]; i++)
        if (wildcard_matches(copying[i], function))
            return true;
    return false;
}

/* Copies in threads that call kernels. */
struct copies {
    double ns;
    uint64_t samples;
    double most_ns;             /* time of the longest call */
    const struct cpu_row *most; /* its row, and where it was called */
    uint32_t call;
};

static bool calls_kernels(const struct session *session, uint32_t thread)
{
    return thread != SESSION_NONE && session_thread_at(session, thread)->kernel_ns > 0;
}

static void add_copy(struct copies *of, const struct cpu_time *time, size_t index)
{
    const struct session_sample *sample = session_sample_at(time->session, index);
    double ns = time->sample_ns[index];

    of->ns += ns;
    of->samples += sample->count;
    if (ns <= of->most_ns)
        return;
    of->most_ns = ns;
    of->most = array_at(&time->rows, time->sample_row[index]);
    of->call = sample->call;
}

static struct copies find_copies(const struct cpu_time *time)
{
    struct copies of = {0};

    for (size_t i = 0; i < time->session->samples.count; i++) {
        const struct cpu_row *row = array_at(&time->rows, time->sample_row[i]);

        if (row->kind == CPU_FUNCTION && copies(row->name) &&
            calls_kernels(time->session, session_sample_at(time->session, i)->thread))
            add_copy(&of, time, i);
    }
    return of;
}

/* A function around a copy that is not a copy itself. */
static bool is_copier(const struct place *place)
{
    return place_is_telling(place) && !copies(place->function->name);
}

static void say_copier(struct text *text, const struct cpu_time *time, const struct copies *of)
{
    const struct place *copier = places_find_known(time->places, of->call, is_copier);
    struct text words;

    text_init(&words);
    if (copier)
        place_append_short(&words, copier);
    if (words.size > 0)
        say(text, copies_called_text, said_words(of->most->name), said_words(words.bytes));
    else
        say(text, copies_most_text, said_words(of->most->name));
}

/* The program's own place, which its author can change; without one, the copying function. */
static void append_place(struct text *text, const struct findings_context *context,
                         const struct copies *of)
{
    own_place_append(text, context->time.places, context->session, of->call);
    if (text->size == 0)
        text_append(text, of->most->name);
}

static void add_copies(const struct findings_context *context, struct findings *findings,
                       const struct copies *of)
{
    double ns = findings_outside_ns(context, of->ns);
    struct finding *finding =
        findings_add(findings, &(struct finding_claim){ns, ns, FINDING_CONFIDENCE_MEDIUM});

    say(&finding->title, copies_title_text, said_share(ns / context->wall.ns));
    say(&finding->evidence, copies_time_text, said_time(of->ns), said_count(of->samples));
    say_copier(&finding->evidence, &context->time, of);
    append_place(&finding->place, context, of);
    finding_add_number(finding, "copied_ns", of->ns);
    finding_add_number(finding, "samples", (double)of->samples);
}

static void judge_copies(const struct findings_context *context, struct findings *findings)
{
    struct copies of = find_copies(&context->time);
    double share = findings_outside_ns(context, of.ns) / context->wall.ns;

    if (context->wall.kernel_threads == 0)
        findings_skip(findings, no_kernel_called_text);
    else if (share >= least_copies && of.samples >= least_copy_samples)
        add_copies(context, findings, &of);
    else
        findings_pass(findings, copies_passed_text, said_share(share));
}

static bool is_sampled(const struct findings_context *context, struct findings *findings)
{
    const char *unknown = context->time.unknown;

    if (unknown)
        findings_skip(findings, time_not_sampled_text, said_words(unknown));
    return !unknown;
}

void rule_spin(const struct findings_context *context, struct findings *findings)
{
    if (is_sampled(context, findings))
        judge_spin(context, findings, &context->time);
}

void rule_copies(const struct findings_context *context, struct findings *findings)
{
    if (is_sampled(context, findings))
        judge_copies(context, findings);
}
