/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory: allocations by region, or the readings over time.
 */
#include <stdio.h>

#include "analysis/kernel_rows.h"
#include "base/units.h"

/* ---- by region --------------------------------------------------------- */

enum region_column { PATH, ALLOCATIONS, SHARE, ALLOCATED, MEAN, FREES, PEAK };

static const struct column region_columns[] = {
    [PATH] = {"path", "region", "the region that was open", UNIT_TEXT, 0},
    [ALLOCATIONS] = {"allocations", "allocations", "blocks obtained", UNIT_COUNT, 0},
    [SHARE] = {"share", "share", "of all allocated bytes", UNIT_FRACTION, 0},
    [ALLOCATED] = {"allocated_bytes", "allocated", "bytes obtained", UNIT_BYTES, 0},
    [MEAN] = {"mean_bytes", "mean", "size of a block", UNIT_BYTES, 3},
    [FREES] = {"frees", "frees", "blocks given back", UNIT_COUNT, 2},
    [PEAK] = {"peak_heap_bytes", "peak heap", "highest live heap while it was open", UNIT_BYTES, 1},
};

static const struct table_schema region_schema = {
    "memory", "Memory", region_columns, sizeof region_columns / sizeof *region_columns, "share"};

static enum status set_region(struct value *row, const struct session *session, size_t index)
{
    const struct session_region *region = array_at(&session->regions, index);

    kernel_rows_set_known(&row[ALLOCATIONS], region->allocations);
    kernel_rows_set_known(&row[ALLOCATED], region->allocated_bytes);
    kernel_rows_set_known(&row[FREES], region->frees);
    kernel_rows_set_known(&row[PEAK], region->peak_heap_bytes);
    if (region->allocations != SESSION_UNKNOWN) {
        kernel_rows_set_ratio(&row[SHARE], region->allocated_bytes, session->heap.allocated_bytes);
        kernel_rows_set_ratio(&row[MEAN], region->allocated_bytes, region->allocations);
    }
    return value_set_text(&row[PATH], index == 0 ? "(no region)" : region->path);
}

static enum status note_heap(struct table *table, const struct session_heap *heap)
{
    char peak[UNITS_SIZE], live[UNITS_SIZE], time[UNITS_SIZE];

    if (!heap->is_exact)
        return table_add_note(table, "Peak and live heap are unknown: %s.%s",
                              heap->reason ? heap->reason : "records are missing",
                              heap->allocations == SESSION_UNKNOWN ? "" : " Totals are exact.");
    return table_add_note(
        table, "Peak heap %s (%llu bytes) at %s; live at the end %s (%llu bytes) in %llu blocks.",
        units_format_bytes(peak, (double)heap->peak_bytes), (unsigned long long)heap->peak_bytes,
        units_format_time(time, (double)heap->peak_time_ns),
        units_format_bytes(live, (double)heap->live_bytes), (unsigned long long)heap->live_bytes,
        (unsigned long long)heap->live_blocks);
}

static enum status note_resident(struct table *table, const struct session_process *process)
{
    char first[UNITS_SIZE], peak[UNITS_SIZE];

    if (process->last.peak_rss_bytes == SESSION_UNKNOWN)
        return STATUS_OK;
    return table_add_note(table, "Resident memory %s at start, %s at its peak.",
                          units_format_bytes(first, (double)process->first.rss_bytes),
                          units_format_bytes(peak, (double)process->last.peak_rss_bytes));
}

static enum status build_regions(const struct session *session, struct table *table)
{
    enum status status = STATUS_OK;

    table_init(table, &region_schema);
    for (size_t i = 0; i < session->regions.count && !status; i++) {
        struct value *row = table_add_row(table);

        status = row ? set_region(row, session, i) : STATUS_OUT_OF_MEMORY;
    }
    if (!status)
        status = note_heap(table, &session->heap);
    if (!status)
        status = note_resident(table, &session->process);
    return status;
}

/* ---- over time --------------------------------------------------------- */

enum reading_column { LABEL, TIME, RSS, VMS, LIVE, PEAK_RSS };

static const struct column reading_columns[] = {
    [LABEL] = {"label", "label", "of the snapshot; (interval) for a periodic reading", UNIT_TEXT,
               0},
    [TIME] = {"time_ns", "time", "since the start", UNIT_NS, 0},
    [RSS] = {"rss_bytes", "resident", "resident memory", UNIT_BYTES, 0},
    [VMS] = {"vms_bytes", "mapped", "mapped memory", UNIT_BYTES, 1},
    [LIVE] = {"live_heap_bytes", "live heap", "allocated and not freed", UNIT_BYTES, 0},
    [PEAK_RSS] = {"peak_rss_bytes", "peak resident", "highest resident memory so far", UNIT_BYTES,
                  2},
};

static const struct table_schema reading_schema = {"memory", "Memory timeline", reading_columns,
                                                   sizeof reading_columns / sizeof *reading_columns,
                                                   NULL};

static enum status set_reading(struct value *row, const struct session_reading *reading)
{
    value_set_unsigned(&row[TIME], reading->time_ns);
    kernel_rows_set_known(&row[RSS], reading->values.rss_bytes);
    kernel_rows_set_known(&row[VMS], reading->values.vms_bytes);
    kernel_rows_set_known(&row[LIVE], reading->live_heap_bytes);
    kernel_rows_set_known(&row[PEAK_RSS], reading->values.peak_rss_bytes);
    return value_set_text(&row[LABEL], reading->label ? reading->label : "(interval)");
}

static enum status note_growth(struct table *table, const struct session *session)
{
    const struct array *readings = &session->readings;
    const struct session_reading *first, *last;
    char growth[UNITS_SIZE];
    double bytes;

    if (readings->count < 2)
        return STATUS_OK;
    first = array_at(readings, 0);
    last = array_at(readings, readings->count - 1);
    if (first->values.rss_bytes == SESSION_UNKNOWN || last->values.rss_bytes == SESSION_UNKNOWN)
        return STATUS_OK;
    bytes = (double)last->values.rss_bytes - (double)first->values.rss_bytes;
    return table_add_note(table, "Total growth of resident memory: %s%s.", bytes < 0 ? "-" : "+",
                          units_format_bytes(growth, bytes < 0 ? -bytes : bytes));
}

static enum status build_timeline(const struct session *session, struct table *table)
{
    enum status status = STATUS_OK;

    table_init(table, &reading_schema);
    for (size_t i = 0; i < session->readings.count && !status; i++) {
        struct value *row = table_add_row(table);

        status = row ? set_reading(row, array_at(&session->readings, i)) : STATUS_OUT_OF_MEMORY;
    }
    if (!status)
        status = note_growth(table, session);
    if (!status)
        status = note_heap(table, &session->heap);
    return status;
}

static enum status build(const struct session *session, const struct analysis_options *options,
                         struct table *table)
{
    return options->timeline ? build_timeline(session, table) : build_regions(session, table);
}

const struct analysis analysis_memory = {
    .name = "memory",
    .help = "Allocations by region, peak and live heap; --timeline shows the readings in order.",
    .sort_key = NULL,
    .build = build,
};
