/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Regions: where the time of the program's own marks went, as a tree.
 * Exclusive times with the rest outside all regions sum to thread time.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/stage_words.h"
#include "base/pool.h"
#include "cpu/mostly.h"
#include "document/table.h"
#include "model/region_cpu.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_spans.h"
#include "model/session_threads.h"
#include "model/slots.h"
#include "steps/look.h"
#include "steps/region_times.h"
#include "steps/texts.h"

enum column_index {
    PATH,
    CALLS,
    INCLUSIVE,
    EXCLUSIVE,
    SHARE,
    OF_PARENT,
    CPU,
    CPU_INTERVAL,
    CPU_UNKNOWN,
    KERNEL,
    FLOPS,
    RATE,
    ALLOCATIONS,
    ALLOCATED,
    PEAK,
    ITEMS,
    ITEM_RATE,
    THREADS,
    MEAN,
    FIRST,
    SAMPLES,
    SD,
    CONFIDENCE,
    MEAN_INTERVAL,
#define PERCENTILE(id, name, key, fraction, priority) id, id##_INTERVAL,
#include "statistics/percentiles.def"
#undef PERCENTILE
    MOSTLY,
    DOMAIN,
    CATEGORY,
    COLOUR,
    INTERFACE
};

static const struct column columns[] = {
    [PATH] = {"path", "region", "the region under those around it", UNIT_TEXT, 0},
    [CALLS] = {"calls", "calls", "times it ended", UNIT_COUNT, 1},
    [INCLUSIVE] = {"inclusive_ns", "inclusive", "with the regions inside", UNIT_NS, 0},
    [EXCLUSIVE] = {"exclusive_ns", "exclusive", "without the regions inside", UNIT_NS, 0},
    [SHARE] = {"share", "share", "exclusive time, of thread time", UNIT_FRACTION, 0},
    [OF_PARENT] = {"share_of_parent", "of parent", "inclusive time, of that of the region around",
                   UNIT_FRACTION, 5},
    [CPU] = {"cpu_ns", "cpu", "processor time, inclusive, by calls whose clock was read", UNIT_NS,
             4},
    [CPU_INTERVAL] = {"cpu_ci_ns", "cpu from to",
                      "interval of the processor time, with what recording takes at the borders",
                      UNIT_NS, 4},
    [CPU_UNKNOWN] = {"cpu_unknown", NULL, "why the processor time is not known; null when it is",
                     UNIT_TEXT, 0},
    [KERNEL] = {"kernel_ns", "kernels", "time in kernels called here or inside", UNIT_NS, 3},
    [FLOPS] = {"flops", "FLOPs", "of kernels called here or inside", UNIT_FLOPS, 2},
    [RATE] = {"flops_per_second", "rate", "FLOPs by inclusive time", UNIT_FLOPS_PER_SECOND, 6},
    [ALLOCATIONS] = {"allocations", "allocs", "blocks obtained here, not inside", UNIT_COUNT, 7},
    [ALLOCATED] = {"allocated_bytes", "allocated", "bytes obtained here, not inside", UNIT_BYTES,
                   8},
    [PEAK] = {"peak_heap_bytes", "peak heap", "highest live heap while it was open", UNIT_BYTES, 5},
    [ITEMS] = {"items", "items", "counted by tprof_items here; null where none were", UNIT_COUNT,
               9},
    [ITEM_RATE] = {"items_per_second", "items/s", "items counted here or inside, by inclusive time",
                   UNIT_PER_SECOND, 8},
    [THREADS] = {"threads", "threads", "that ran it", UNIT_COUNT, 9},
    [MEAN] = {"mean_ns", "mean", "a call, inclusive; of the calls after the first (--warmup)",
              UNIT_NS, 7},
    [FIRST] = {"first_ns", "first", "the first call that ended", UNIT_NS, 9},
    [SAMPLES] = {"samples", NULL, "calls in the statistics that follow, after the warm-up",
                 UNIT_COUNT, 0},
    [SD] = {"sd_ns", "sd", "standard deviation of the samples, n-1", UNIT_NS, 9},
    [CONFIDENCE] = {"confidence", NULL, "of the intervals that follow", UNIT_REAL, 0},
    [MEAN_INTERVAL] = {"mean_ci_ns", NULL, "t interval of the mean", UNIT_NS, 0},
#define PERCENTILE(id, name, key, fraction, priority)                                              \
    [id] = {key "_ns", name, "percentile of the samples, type 7", UNIT_NS, 9},                     \
    [id##_INTERVAL] = {key "_ci_ns", NULL, "interval of it by order statistics", UNIT_NS, 0},
#include "statistics/percentiles.def"
#undef PERCENTILE
    [MOSTLY] = {"mostly", "mostly",
                "row of tprof time with the most of its processor time, and the share", UNIT_TEXT,
                6},
    [DOMAIN] = {"domain", "domain", "domain of NVTX or ITT; null for the default one", UNIT_TEXT,
                9},
    [CATEGORY] = {"category", "category", "category of its first call that had one", UNIT_TEXT, 9},
    [COLOUR] = {"colour", "colour", "colour of its first call that had one", UNIT_TEXT, 9},
    [INTERFACE] = {"interface", NULL, "how the program marked it: null is tprof.h", UNIT_TEXT, 0},
};

static const struct table_schema schema = {"regions", "Regions", columns,
                                           sizeof columns / sizeof *columns, "share"};

/* Sums over a region and its inner regions. */
struct inside {
    uint64_t kernel_ns;
    uint64_t items;
    long double flops;
};

/* A region comes after its outer region.  So from the last to the first, each is complete before it
 * is added to its outer region.
 * Returns: the sums by region. */
static struct inside *sum_inside(const struct session *session)
{
    const struct session_region *regions = session->regions.items;
    struct inside *sums = pool_get_zeros(session->regions.count, sizeof *sums);

    for (size_t i = 0; i < session->slots.count; i++) {
        const struct session_slot *slot = session_slot_at(session, i);
        struct inside *sum = &sums[slot->region];

        sum->kernel_ns += slots_times(session, slot).self_ns;
        if (!slot->nested)
            sum->flops += slot->flops_each * slot->calls;
    }
    for (size_t i = 0; i < session->regions.count; i++)
        sums[i].items = regions[i].items;
    for (size_t i = session->regions.count; i-- > 1;) {
        struct inside *around = &sums[regions[i].parent];

        around->kernel_ns += sums[i].kernel_ns;
        around->items += sums[i].items;
        around->flops += sums[i].flops;
    }
    return sums;
}

static void set_percentiles(struct value *row, const struct summary *summary)
{
    static const unsigned char cells[][2] = {
#define PERCENTILE(id, name, key, fraction, priority) {id, id##_INTERVAL},
#include "statistics/percentiles.def"
#undef PERCENTILE
    };

    for (size_t i = 0; i < SUMMARY_PERCENTILES; i++) {
        const struct summary_percentile *of = &summary->percentiles[i];

        value_set_count(&row[cells[i][0]], roundl(of->value));
        value_set_interval(&row[cells[i][1]], of->interval.low, of->interval.high);
    }
}

static void set_statistics(struct value *row, const struct region_times *times, double confidence)
{
    struct summary summary;

    region_times_summarize(&summary, times, confidence);
    value_set_unsigned(&row[SAMPLES], summary.count);
    value_set_real(&row[MEAN], summary.mean);
    value_set_real(&row[SD], summary.sd);
    value_set_real(&row[CONFIDENCE], confidence);
    value_set_interval(&row[MEAN_INTERVAL], summary.mean_interval.low, summary.mean_interval.high);
    set_percentiles(row, &summary);
}

static void set_times(struct value *row, const struct session_region *region,
                      const struct region_times *times, double confidence)
{
    if (region->calls == 0 || times->laps != region->calls)
        return; /* some are missing */
    value_set_unsigned(&row[FIRST], times->first_ns);
    set_statistics(row, times, confidence);
}

/* The root is the time outside of any region: the rest. */
static uint64_t outside_ns(const struct session *session)
{
    uint64_t left = session->thread_ns;

    for (size_t i = 1; i < session->regions.count; i++) {
        uint64_t exclusive = session_region_at(session, i)->exclusive_ns;

        left -= exclusive < left ? exclusive : left;
    }
    return left;
}

static void set_path(struct value *value, const struct session_region *region)
{
    value_set_text(value, region->depth == 0 ? "(no region)" : region->path);
}

static void set_cpu(struct value *row, const struct session_region *region, double confidence)
{
    struct statistics_interval interval;

    if (region->cpu.unknown) {
        value_set_text(&row[CPU_UNKNOWN], region->cpu.unknown);
        return;
    }
    interval = region_cpu_interval(&region->cpu, confidence);
    value_set_unsigned(&row[CPU], region->cpu_ns);
    value_mark_estimate(&row[CPU], region->cpu.partial.read < region->cpu.partial.count);
    value_set_interval(&row[CPU_INTERVAL], round(interval.low), round(interval.high));
}

static void set_row(struct value *row, const struct session *session, size_t index,
                    const struct inside *inside)
{
    static const unsigned char times[] = {CALLS, INCLUSIVE, EXCLUSIVE, OF_PARENT, SHARE};
    const struct session_region *region = session_region_at(session, index);
    const struct session_region *parent = session_region_at(session, region->parent);
    uint64_t exclusive = index == 0 ? outside_ns(session) : region->exclusive_ns;
    uint64_t inclusive = index == 0 ? session->thread_ns : region->inclusive_ns;

    if (index != 0) {
        value_set_unsigned(&row[CALLS], region->calls);
        value_set_ratio(&row[OF_PARENT], inclusive,
                        region->parent == 0 ? session->thread_ns : parent->inclusive_ns);
        value_set_unsigned(&row[THREADS], region->threads);
    }
    value_set_unsigned(&row[INCLUSIVE], inclusive);
    value_set_unsigned(&row[EXCLUSIVE], exclusive);
    value_set_ratio(&row[SHARE], exclusive, session->thread_ns);
    value_set_unsigned(&row[KERNEL], inside->kernel_ns);
    value_set_count(&row[FLOPS], inside->flops);
    value_set_ratio(&row[RATE], inside->flops * 1e9L, inclusive);
    value_set_known(&row[ALLOCATIONS], region->allocations);
    value_set_known(&row[ALLOCATED], region->allocated_bytes);
    value_set_known(&row[PEAK], region->peak_heap_bytes);
    value_mark_estimate(&row[PEAK], region->has_estimated_heap);
    if (region->is_estimated)
        values_mark_estimates(row, times, sizeof times);
    if (region->items > 0)
        value_set_unsigned(&row[ITEMS], region->items);
    if (inside->items > 0)
        value_set_ratio(&row[ITEM_RATE], (long double)inside->items * 1e9L, inclusive);
    set_path(&row[PATH], region);
    look_set(&row[DOMAIN], &region->look);
}

static void add_rows(struct table *table, const struct session *session,
                     const struct analysis_options *options)
{
    struct inside *inside = sum_inside(session);
    struct region_times *times = region_times_gather(session, options);

    for (size_t i = 0; i < session->regions.count; i++) {
        struct value *row = table_add_row(table);

        set_row(row, session, i, &inside[i]);
        if (i == 0)
            continue;
        set_times(row, session_region_at(session, i), &times[i], options->confidence);
        set_cpu(row, session_region_at(session, i), options->confidence);
    }
}

static void build(const struct session *session, const struct analysis_options *options,
                  struct table *table)
{
    table_init(table, &schema);
    add_rows(table, session, options);
    mostly_fill(table, MOSTLY, session, options, CPU_TOP_OF_REGIONS);
    table_say(table, regions_whole_text, said_time((double)session->thread_ns));
    if (session->regions.count <= 1)
        table_say(table, regions_none_text);
    stage_words_add_note(table, session, STAGES_OF_REGIONS);
}

const struct analysis analysis_regions = {
    .name = "regions",
    .help = "Where the time went by the regions that the program marked.",
    .sort_key = NULL,
    .build = build,
};
