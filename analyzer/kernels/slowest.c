/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The slowest calls, each compared with the calls of its kernel and shape.
 */
#include "kernels/slowest.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/stage_words.h"
#include "base/pool.h"
#include "base/text.h"
#include "kernels/group_samples.h"
#include "kernels/texts.h"
#include "model/course.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/slots.h"

enum {
    WHEN,
    NAME,
    SHAPE,
    TOOK,
    LOST,
    TIMES,
    MEDIAN,
    NTH,
    THREAD,
    REGION,
    BESIDE_THREADS,
    BESIDE,
    SWITCHES,
    FAULTS,
    SPAN,
    COLUMNS
};

static const struct column columns[] = {
    [WHEN] = {"start_ns", "when", "its start, since the start of recording", UNIT_NS, 2},
    [NAME] = {"name", "kernel", "as in the table of timing", UNIT_TEXT, 0},
    [SHAPE] = {"shape", "shape", "the sizes that it was called with", UNIT_TEXT, 0},
    [TOOK] = {"duration_ns", "took", "how long it took, our own cost taken out", UNIT_NS, 0},
    [LOST] = {"lost_ns", "lost", "beyond the median of its kernel and shape", UNIT_NS, 0},
    [TIMES] = {"times_median", "of median", "its time by the median", UNIT_RATIO, 5},
    [MEDIAN] = {"median_ns", NULL, "of its kernel and shape, after warm-up", UNIT_NS, 9},
    [NTH] = {"call", "call", "which call of its kernel, shape, place and thread: 1 is the first",
             UNIT_COUNT, 3},
    [THREAD] = {"thread", "thread", "that called", UNIT_NUMBER, 4},
    [REGION] = {"region", "region", "in which it was called", UNIT_TEXT, 6},
    [BESIDE_THREADS] = {"other_threads", "beside",
                        "other threads that were inside kernels meanwhile, on average", UNIT_REAL,
                        1},
    [BESIDE] = {"other_kernel", "most of them in", "the kernel that took the most of their time",
                UNIT_TEXT, 1},
    [SWITCHES] = {"involuntary_switches", "put aside",
                  "times a thread of the process was put aside between the readings around it",
                  UNIT_COUNT, 7},
    [FAULTS] = {"major_faults", "disk faults",
                "page faults that waited for a disk, between the same readings", UNIT_COUNT, 8},
    [SPAN] = {"readings_span_ns", NULL, "time between these readings", UNIT_NS, 9},
};

static const struct table_schema schema = {"slowest", "Slowest calls", columns, COLUMNS, NULL};

/* With fewer calls, none is an outlier. */
enum { LEAST_SAMPLES = 10 };

/* Usual times of calls of one kernel and shape. */
struct like {
    const struct group *group;
    double median;
    double fence; /* longer calls are outliers */
};

struct slow_call {
    uint32_t thread; /* index */
    const struct course_call *call;
    uint64_t nth;
    double took;
    double lost;
};

struct slowest {
    const struct session *session;
    struct groups groups;
    struct like *likes;       /* one for each group */
    const struct like **slot; /* one for each slot of the session */
    uint64_t *calls;          /* calls of a slot so far */
    struct array found;       /* of struct slow_call */
};

static void learn(struct like *like, const struct group *group, double confidence)
{
    struct summary summary;

    group_samples_summarize(&summary, group, confidence);
    *like = (struct like){group, NAN, INFINITY};
    if (summary.count < LEAST_SAMPLES)
        return;
    like->median = summary.percentiles[SUMMARY_P50].value;
    like->fence = summary.upper_quartile + 1.5 * (summary.upper_quartile - summary.lower_quartile);
}

static void learn_all(struct slowest *slowest, double confidence)
{
    for (size_t i = 0; i < slowest->groups.rows.count; i++) {
        const struct group *group = array_at(&slowest->groups.rows, i);

        learn(&slowest->likes[i], group, confidence);
        for (size_t j = 0; j < group->series.count; j++)
            slowest->slot[((const struct group_series *)array_at(&group->series, j))->slot] =
                &slowest->likes[i];
    }
}

static void slowest_init(struct slowest *slowest, const struct session *session,
                         const struct analysis_options *options)
{
    struct analysis_options own = *options;
    size_t slots = session->slots.count + 1;

    own.by = ANALYSIS_BY_SHAPE;
    *slowest = (struct slowest){.session = session};
    array_init(&slowest->found, sizeof(struct slow_call));
    groups_init(&slowest->groups, session, &own);
    slowest->likes = pool_get_zeros(slowest->groups.rows.count + 1, sizeof *slowest->likes);
    slowest->slot = pool_get_zeros(slots, sizeof *slowest->slot);
    slowest->calls = pool_get_zeros(slots, sizeof *slowest->calls);
    learn_all(slowest, options->confidence);
}

static void look_at(struct slowest *slowest, uint32_t thread, const struct course_call *call)
{
    const struct session_slot *slot = session_slot_at(slowest->session, call->slot);
    const struct like *like = slowest->slot[call->slot];
    struct slow_call *found;
    double took = (double)slots_without_cost((double)course_length_ns(call),
                                             session_inner_cost_ns(slowest->session, slot));

    slowest->calls[call->slot]++;
    if (!like || !(took > like->fence))
        return;
    found = array_add(&slowest->found);
    *found =
        (struct slow_call){thread, call, slowest->calls[call->slot], took, took - like->median};
}

static int compare_lost(const void *a, const void *b)
{
    const struct slow_call *left = a, *right = b;

    if (left->lost != right->lost)
        return left->lost > right->lost ? -1 : 1;
    return (left->call->start_ns > right->call->start_ns) -
           (left->call->start_ns < right->call->start_ns);
}

static void look_at_all(struct slowest *slowest)
{
    for (uint32_t thread = 0; thread < slowest->session->courses.count; thread++) {
        const struct array *calls = &course_of(slowest->session, thread)->calls;

        for (size_t i = 0; i < calls->count; i++)
            look_at(slowest, thread, array_at(calls, i));
    }
    if (slowest->found.count > 0)
        qsort(slowest->found.items, slowest->found.count, sizeof(struct slow_call), compare_lost);
}

/* Returns: the first call that ends after a time; the calls of a course do not
 * overlap. */
static size_t find_first(const struct array *calls, uint64_t time_ns)
{
    size_t low = 0, high = calls->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (course_end_ns(array_at(calls, middle)) > time_ns)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Time of other threads in kernels, by group. */
struct company {
    double *ns; /* one for each group */
    double all_ns;
};

static void add_thread(struct company *company, const struct slowest *slowest, uint32_t thread,
                       const struct course_call *call)
{
    const struct array *calls = &course_of(slowest->session, thread)->calls;
    uint64_t end_ns = course_end_ns(call);

    for (size_t i = find_first(calls, call->start_ns); i < calls->count; i++) {
        const struct course_call *other = array_at(calls, i);
        const struct like *like = slowest->slot[other->slot];
        double ns;

        if (other->start_ns >= end_ns)
            return;
        ns = (double)(earlier(course_end_ns(other), end_ns) -
                      later(other->start_ns, call->start_ns));
        company->all_ns += ns;
        if (like)
            company->ns[like - slowest->likes] += ns;
    }
}

static bool are_whole(const struct session *session)
{
    for (uint32_t i = 0; i < session->courses.count; i++)
        if (!course_of(session, i)->is_whole)
            return false;
    return true;
}

static const struct group *find_most(const struct company *company, const struct slowest *slowest)
{
    const struct group *most = NULL;
    double most_ns = 0;

    for (size_t i = 0; i < slowest->groups.rows.count; i++)
        if (company->ns[i] > most_ns) {
            most_ns = company->ns[i];
            most = array_at(&slowest->groups.rows, i);
        }
    return most;
}

static void set_name(struct value *value, const struct group *group)
{
    struct text name;

    text_init(&name);
    text_appendf(&name, "%s%s%s", group_name(group), group->shape[0] ? " " : "", group->shape);
    value_set_text(value, name.bytes);
}

static void set_company(struct value *row, const struct slowest *slowest,
                        const struct slow_call *of)
{
    const struct session *session = slowest->session;
    struct company company = {pool_get_zeros(slowest->groups.rows.count + 1, sizeof(double)), 0};
    const struct group *most;

    for (uint32_t i = 0; i < session->courses.count; i++)
        if (i != of->thread)
            add_thread(&company, slowest, i, of->call);
    if (company.all_ns > 0 || are_whole(session))
        value_set_real(&row[BESIDE_THREADS], company.all_ns / (double)course_length_ns(of->call));
    most = find_most(&company, slowest);
    if (most)
        set_name(&row[BESIDE], most);
}

/* Set the growth of a monotonic count between two readings, if both have it. */
static void set_growth(struct value *value, uint64_t before, uint64_t after)
{
    if (before != SESSION_UNKNOWN && after != SESSION_UNKNOWN && after >= before)
        value_set_unsigned(value, after - before);
}

/* Set the columns of the last reading before a call and the first after it. */
static void set_readings(struct value *row, const struct session *session,
                         const struct course_call *call)
{
    const struct session_reading *readings = session->readings.items, *before = NULL;

    for (size_t i = 0; i < session->readings.count; i++) {
        if (readings[i].time_ns <= call->start_ns) {
            before = &readings[i];
            continue;
        }
        if (readings[i].time_ns < course_end_ns(call))
            continue;
        if (!before)
            return;
        set_growth(&row[SWITCHES], before->values.involuntary_switches,
                   readings[i].values.involuntary_switches);
        set_growth(&row[FAULTS], before->values.major_faults, readings[i].values.major_faults);
        value_set_unsigned(&row[SPAN], readings[i].time_ns - before->time_ns);
        return;
    }
}

static void set_thread(struct value *value, const struct session *session, uint32_t index)
{
    const struct session_thread *thread = session_thread_at(session, index);

    value_set_unsigned(value, thread->id);
}

static void set_place(struct value *row, const struct slowest *slowest, const struct slow_call *of)
{
    const struct session *session = slowest->session;
    const struct session_slot *slot = session_slot_at(session, of->call->slot);
    const struct session_region *region = session_region_at(session, slot->region);
    const struct group *group = slowest->slot[of->call->slot]->group;

    value_set_text(&row[NAME], group_name(group));
    if (group->shape[0] != '\0')
        value_set_text(&row[SHAPE], group->shape);
    if (slot->region != 0)
        value_set_text(&row[REGION], region->path);
    set_thread(&row[THREAD], session, of->thread);
}

static void set_row(struct value *row, const struct slowest *slowest, const struct slow_call *of)
{
    double median = slowest->slot[of->call->slot]->median;

    value_set_unsigned(&row[WHEN], of->call->start_ns);
    value_set_unsigned(&row[TOOK], (uint64_t)of->took);
    value_set_unsigned(&row[LOST], (uint64_t)llround(of->lost));
    value_set_unsigned(&row[MEDIAN], (uint64_t)llround(median));
    value_set_real(&row[TIMES], of->took / median);
    if (slots_is_numbered(session_slot_at(slowest->session, of->call->slot),
                          slowest->calls[of->call->slot]))
        value_set_unsigned(&row[NTH], of->nth);
    set_readings(row, slowest->session, of->call);
    set_place(row, slowest, of);
    set_company(row, slowest, of);
}

static void add_notes(struct table *table, const struct slowest *slowest)
{
    double lost = 0;

    for (size_t i = 0; i < slowest->found.count; i++)
        lost += ((const struct slow_call *)array_at(&slowest->found, i))->lost;
    table_say(table, slowest_found_text, said_count(slowest->found.count), said_time(lost),
              said_time((double)slowest->groups.self_ns));
    table_say(table, slowest_left_out_text, said_count(LEAST_SAMPLES));
    if (!are_whole(slowest->session))
        table_say(table, slowest_missing_text);
    stage_words_add_note(table, slowest->session, STAGES_OF_KERNELS);
}

static void fill(struct table *table, const struct slowest *slowest, size_t limit)
{
    size_t count = slowest->found.count;

    if (limit > 0 && count > limit) {
        table->rows_cut = count - limit;
        count = limit;
    }
    for (size_t i = 0; i < count; i++) {
        struct value *row = table_add_row(table);

        set_row(row, slowest, array_at(&slowest->found, i));
    }
    add_notes(table, slowest);
}

void slowest_build(const struct session *session, const struct analysis_options *options,
                   struct table *table)
{
    struct slowest slowest;

    table_init(table, &schema);
    slowest_init(&slowest, session, options);
    look_at_all(&slowest);
    fill(table, &slowest, options->limit);
}
