/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes a run from a session.  Rows have keys that stay the same in another build of the program:
 * for kernels the name and shape, for regions the path.
 *
 * Decision: doc/decisions/gate-statistics.
 */
#include "runs/run_session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pool.h"
#include "base/text_index.h"
#include "base/utf8.h"
#include "cpu/cpu_time.h"
#include "kernels/group_samples.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_losses.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "runs/run.h"
#include "runs/run_commands.h"
#include "runs/run_devices.h"
#include "runs/run_facts.h"
#include "runs/run_ops.h"
#include "runs/run_places.h"

static double known(uint64_t count)
{
    return count == SESSION_UNKNOWN ? (double)NAN : (double)count;
}

/* Unrecorded allocations are unknown, though the tallies have 0. */
static double known_allocations(const struct session *session, uint64_t count)
{
    const char *mode = session->process.alloc_mode;

    return mode && strcmp(mode, "off") == 0 ? (double)NAN : known(count);
}

static double rate(double count, double ns)
{
    return count > 0 && ns > 0 ? count * 1e9 / ns : (double)NAN;
}

static double cpu_ns(const struct session *session)
{
    const struct trace_reading *last = &session->process.last;

    return known(last->user_ns) + known(last->system_ns);
}

/* A peak in usable bytes is compared only with peaks in usable bytes. */
static void set_peaks(struct run_row *row, const struct session_heap *heap)
{
    if (heap->usable_peak_bytes > 0)
        row->values[RUN_PEAK_USABLE] = (double)heap->usable_peak_bytes;
    if (heap->peak_unit != SESSION_HEAP_REQUESTED)
        return;
    row->values[RUN_PEAK_HEAP] = known(heap->peak_bytes);
    row->errors[RUN_PEAK_HEAP] = heap->peak_error;
}

static void add_whole(struct run *run, const struct session *session, const struct groups *groups)
{
    struct run_row *row = run_add_row(run, RUN_WHOLE, "", "");
    double bytes = 0;

    for (size_t i = 0; i < groups->rows.count; i++)
        bytes += (double)((const struct group *)array_at(&groups->rows, i))->bytes;
    row->values[RUN_CALLS] = (double)groups->calls;
    row->values[RUN_FLOPS] = (double)group_work_flops(&groups->work);
    row->values[RUN_BYTES] = groups->calls > 0 ? bytes : (double)NAN;
    row->values[RUN_TOTAL] = (double)groups->self_ns;
    row->values[RUN_WALL] = known(session->process.wall_ns);
    row->values[RUN_CPU] = cpu_ns(session);
    row->values[RUN_PEAK_RSS] = known(session->process.last.peak_rss_bytes);
    row->values[RUN_ALLOCATIONS] = known_allocations(session, session->heap.allocations);
    row->values[RUN_ALLOCATED] = known_allocations(session, session->heap.allocated_bytes);
    set_peaks(row, &session->heap);
    run_set_devices(row, session);
    row->values[RUN_ITEMS] = session->items > 0 ? (double)session->items : (double)NAN;
    row->values[RUN_ITEM_RATE] = rate((double)session->items, row->values[RUN_WALL]);
}

/* Names and shapes with several groups in one session, from several libraries or implementations:
 * these become part of the names. */
struct seen {
    struct text_index names;
    struct array counts; /* unsigned: of groups, by the number of a name */
    struct text key;
};

static void seen_fini(struct seen *seen)
{
    text_index_fini(&seen->names);
    array_fini(&seen->counts);
    text_fini(&seen->key);
}

static void make_key(struct text *key, const struct group *group)
{
    text_clear(key);
    text_index_append_part(key, group_name(group));
    text_index_append_part(key, group->shape);
}

static unsigned *seen_count(struct seen *seen, const struct group *group)
{
    long number;

    make_key(&seen->key, group);
    number = text_index_add(&seen->names, &seen->key);
    if ((size_t)number == seen->counts.count)
        return array_add(&seen->counts);
    return array_at(&seen->counts, (size_t)number);
}

static void count_names(struct seen *seen, const struct groups *groups)
{
    for (size_t i = 0; i < groups->rows.count; i++) {
        unsigned *count = seen_count(seen, array_at(&groups->rows, i));

        ++*count;
    }
}

static void make_name(struct text *name, const struct group *group, struct seen *seen)
{
    const unsigned *count = seen_count(seen, group);

    text_clear(name);
    text_append(name, group_name(group));
    if (*count > 1 && group->implementation)
        text_appendf(name, " %s", group->implementation);
    if (*count > 1 && group->library)
        text_appendf(name, " (%s)", group->library);
}

static void set_calls(struct run_row *row, const struct group *group)
{
    struct array samples;

    array_init(&samples, sizeof(double));
    group_samples_add(&samples, group);
    run_row_set_calls(row, &samples);
    if (samples.count == 0 && group->calls > 0)
        row->values[RUN_CALL] = (double)group->total_ns / (double)group->calls;
    array_fini(&samples);
}

static double known_variance(double variance)
{
    return isnan(variance) ? (double)INFINITY : variance;
}

static struct run_row *add_kernel(struct run *run, const struct group *group, const char *name)
{
    struct run_row *row = run_add_row(run, RUN_KERNEL, name, group->shape);

    row->values[RUN_CALLS] = (double)group->calls;
    if (group->owning_calls > 0) {
        row->values[RUN_FLOPS] = (double)group->flops;
        row->values[RUN_BYTES] = (double)group->bytes;
    }
    row->values[RUN_TOTAL] = (double)group->self_ns;
    if (group_is_estimate(group))
        row->errors[RUN_TOTAL] = sqrt(known_variance(group->total_variance));
    set_calls(row, group);
    return row;
}

static void add_kernels(const struct run_places *places, const struct groups *groups)
{
    struct seen seen = {0};
    struct text name;

    array_init(&seen.counts, sizeof(unsigned));
    text_init(&seen.key);
    text_init(&name);
    count_names(&seen, groups);
    for (size_t i = 0; i < groups->rows.count; i++) {
        const struct group *group = array_at(&groups->rows, i);

        make_name(&name, group, &seen);
        run_place_kernel(places, add_kernel(places->run, group, name.bytes), groups, group);
    }
    text_fini(&name);
    seen_fini(&seen);
}

/* The FLOPs of kernels called directly in a region; NAN if those of one kernel are unknown.
 * Returns: FLOPs by region, for the caller to free. */
static long double *region_flops(const struct session *session)
{
    long double *flops = memory_get_zeros(session->regions.count, sizeof *flops);

    for (size_t i = 0; i < session->slots.count; i++) {
        const struct session_slot *slot = session_slot_at(session, i);

        if (!slot->nested)
            flops[slot->region] += slot->flops_each * slot->calls;
    }
    return flops;
}

static void add_region(struct run *run, const struct session *session,
                       const struct session_region *region, long double flops)
{
    struct run_row *row = run_add_row(run, RUN_REGION, region->path, "");

    row->values[RUN_CALLS] = (double)region->calls;
    row->values[RUN_FLOPS] = (double)flops;
    row->values[RUN_TOTAL] = (double)region->exclusive_ns;
    row->values[RUN_INCLUSIVE] = (double)region->inclusive_ns;
    row->values[RUN_KERNEL_TIME] = (double)region->kernel_ns;
    row->values[RUN_CPU] = known(region->cpu_ns);
    row->values[RUN_ALLOCATIONS] = known_allocations(session, region->allocations);
    row->values[RUN_ALLOCATED] = known_allocations(session, region->allocated_bytes);
    if (session->heap.course_unit == SESSION_HEAP_REQUESTED)
        row->values[RUN_PEAK_HEAP] = known(region->peak_heap_bytes);
    row->errors[RUN_PEAK_HEAP] = region->has_estimated_heap ? (double)INFINITY : 0;
    row->values[RUN_ITEMS] = region->items > 0 ? (double)region->items : (double)NAN;
    row->values[RUN_ITEM_RATE] = rate((double)region->items, (double)region->inclusive_ns);
}

/* Region 0, code outside of all regions, is the rest of the whole. */
static void add_regions(struct run *run, const struct session *session)
{
    long double *flops = region_flops(session);

    for (size_t i = 1; i < session->regions.count; i++)
        add_region(run, session, session_region_at(session, i), flops[i]);
    free(flops);
}

/* Functions below this share of the processor time are left out: each row is a test, which makes
 * all others less sensitive. */
static const double least_function = 0.01;

static const double confidence = 0.95, deviations = 1.96; /* confidence level, for two sides */

/* Ask whether another build keeps a row's key, and no clock measured the row's time. */
static bool is_comparable(const struct cpu_time *time, const struct cpu_row *row)
{
    return row->is_named && row->kind != CPU_KERNEL && row->kind != CPU_UNNAMED &&
           row->kind != CPU_RANGE && row->samples > 0 &&
           cpu_time_share(time, row->self_ns) >= least_function;
}

/* Functions of one name count as one if only their libraries differ. */
static struct run_row *add_function(struct run *run, const struct cpu_row *of)
{
    struct run_row *row = run_find_row(run, RUN_FUNCTION, of->name, "");
    double error_ns = (of->self.high - of->self.low) / (2 * deviations);

    if (!row)
        row = run_add_row(run, RUN_FUNCTION, of->name, "");
    row->values[RUN_CPU] = isnan(row->values[RUN_CPU]) ? of->self_ns
                                                       : row->values[RUN_CPU] + of->self_ns;
    row->errors[RUN_CPU] = hypot(row->errors[RUN_CPU], error_ns);
    return row;
}

static void add_functions(const struct run_places *places, places_finder find)
{
    const struct cpu_time_options options = {CPU_BY_FUNCTION, confidence, find};
    struct cpu_time time;

    cpu_time_init(&time, places->session, &options);
    for (size_t i = 0; i < time.rows.count; i++) {
        const struct cpu_row *row = array_at(&time.rows, i);

        if (is_comparable(&time, row))
            run_place_function(places, add_function(places->run, row), &time, i);
    }
}

/* Invalid bytes of UTF-8 are escaped, so two names may become one: the last value counts.  `first`
 * is the row of the first metric. */
static void add_metric(struct run *run, size_t first, struct text_index *names,
                       const struct session_metric *metric)
{
    struct text valid;
    struct run_row *row;
    long number;

    text_init(&valid);
    utf8_append_valid(&valid, metric->name);
    number = text_index_add(names, &valid);
    text_fini(&valid);
    row = first + (size_t)number < run->rows.count ? array_at(&run->rows, first + (size_t)number)
                                                   : run_add_row(run, RUN_METRIC, metric->name, "");
    row->values[RUN_VALUE] = metric->value;
}

static void add_metrics(struct run *run, const struct session *session)
{
    size_t first = run->rows.count;
    struct text_index names = {NULL};

    for (size_t i = 0; i < session->metrics.count; i++)
        add_metric(run, first, &names, session_metric_at(session, i));
    text_index_fini(&names);
}

/* The trace is damaged, or the end of its program was not recorded. */
static bool is_cut(const struct session *session)
{
    const struct session_losses *losses = &session->losses;

    return session->process.ending == SESSION_UNSEEN || session->process.goes_on ||
           losses->torn_chunks > 0 || losses->bad_records > 0;
}

static bool is_whole(const struct session *session)
{
    return !is_cut(session) && session->losses.lost_records == 0;
}

static void add_all(struct run *run, const struct session *session, const struct groups *groups,
                    const struct analysis_options *options)
{
    const struct run_places places = {run, session, places_new(session, options->find_frames)};

    add_whole(run, session, groups);
    add_kernels(&places, groups);
    add_regions(run, session);
    if (session->sampling.count > 0)
        add_functions(&places, options->find_frames);
    run_add_ops(&places);
    run_add_commands(&places, options->warmup);
    add_metrics(run, session);
    run_add_facts(run, session, options->warmup);
}

/* Takes over rows from groups. */
typedef void (*rows_adder)(struct run *run, const struct session *session,
                           const struct groups *groups, const struct analysis_options *options);

static void take(struct run *run, const struct session *session,
                 const struct analysis_options *options, rows_adder add)
{
    struct analysis_options own = *options;
    struct groups groups;
    struct pool pool;

    run_init(run, session->process.name, session->path);
    run->realtime_start_ns = (int64_t)session->process.realtime_start_ns;
    run->pid = session->process.pid;
    run->is_whole = is_whole(session);
    run->is_cut = is_cut(session);
    run->is_drawn = session->heap.is_estimated;
    if (own.by != ANALYSIS_BY_KERNEL)
        own.by = ANALYSIS_BY_SHAPE;
    pool_enter(&pool);
    groups_init(&groups, session, &own);
    add(run, session, &groups, &own);
    pool_leave(&pool);
}

void run_of_session(struct run *run, const struct session *session,
                    const struct analysis_options *options)
{
    take(run, session, options, add_all);
}

static void add_whole_alone(struct run *run, const struct session *session,
                            const struct groups *groups, const struct analysis_options *unused)
{
    (void)unused;
    add_whole(run, session, groups);
}

void run_whole_of_session(struct run *run, const struct session *session,
                          const struct analysis_options *options)
{
    take(run, session, options, add_whole_alone);
}
