/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How large blocks are, and how long they live.
 */
#include <stdio.h>

#include "base/units.h"
#include "document/table.h"
#include "heap/memory_parts.h"
#include "model/session.h"
#include "model/session_heap.h"

enum histogram_column { RANGE, FROM, BELOW, SHARE, COUNT, BYTES };

#define HISTOGRAM_COLUMNS(title, from, below, unit, blocks)                                        \
    {                                                                                              \
        [RANGE] = {"range", title, "from the first to below the second", UNIT_TEXT, 0},            \
        [FROM] = {from, NULL, "where the row begins", unit, 0},                                    \
        [BELOW] = {below, NULL, "where it ends", unit, 0},                                         \
        [SHARE] = {"share", "share", "of all these blocks", UNIT_FRACTION, 0},                     \
        [COUNT] = {"blocks", blocks, "so large, or so long-lived", UNIT_COUNT, 1},                 \
        [BYTES] = {"bytes", "bytes", "in these blocks", UNIT_BYTES, 2},                            \
    }

enum { COLUMNS = BYTES + 1 };

static const struct column size_columns[COLUMNS] =
    HISTOGRAM_COLUMNS("size", "from_bytes", "below_bytes", UNIT_BYTES, "obtained");
static const struct column lifetime_columns[COLUMNS] =
    HISTOGRAM_COLUMNS("lifetime", "from_ns", "below_ns", UNIT_NS, "freed");

static const struct table_schema size_schema = {"memory", "Sizes of obtained blocks", size_columns,
                                                COLUMNS, "share"};
static const struct table_schema lifetime_schema = {"memory", "Lifetimes of freed blocks",
                                                    lifetime_columns, COLUMNS, "share"};

/* Bins that are one row. */
struct stretch {
    size_t first;
    size_t end;
    uint64_t count;
    uint64_t bytes;
};

static struct stretch stretch_of(const struct session_histogram *of, size_t first, size_t end)
{
    struct stretch stretch = {first, end, 0, 0};

    for (size_t i = first; i < end; i++) {
        stretch.count += of->counts[i];
        stretch.bytes += of->bytes[i];
    }
    return stretch;
}

/* Bin 0 begins at 0, and the last has no end. */
static double edge_of(size_t bin)
{
    return bin == 0 ? 0 : (double)(UINT64_C(1) << bin);
}

/* Edges are powers of two: whole numbers of their unit, without decimals. */
static void format_edge(char buffer[UNITS_SIZE], size_t bin, enum unit unit)
{
    static const char *const prefixes[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};

    if (unit == UNIT_NS)
        units_format_time(buffer, edge_of(bin));
    else if (bin == 0)
        snprintf(buffer, UNITS_SIZE, "0 B");
    else
        snprintf(buffer, UNITS_SIZE, "%u %sB", 1u << bin % 10, prefixes[bin / 10]);
}

static void set_row(struct value *row, const struct stretch *stretch, uint64_t whole,
                    enum unit unit)
{
    char from[UNITS_SIZE], below[UNITS_SIZE], range[2 * UNITS_SIZE + 8];

    format_edge(from, stretch->first, unit);
    value_set_unsigned(&row[FROM], (uint64_t)edge_of(stretch->first));
    if (stretch->end < SESSION_BINS) {
        format_edge(below, stretch->end, unit);
        value_set_unsigned(&row[BELOW], (uint64_t)edge_of(stretch->end));
        snprintf(range, sizeof range, "%s .. %s", from, below);
    } else {
        snprintf(range, sizeof range, "from %s", from);
    }
    value_set_ratio(&row[SHARE], stretch->count, whole);
    value_set_unsigned(&row[COUNT], stretch->count);
    value_set_unsigned(&row[BYTES], stretch->bytes);
    value_set_text(&row[RANGE], range);
}

/* The bins between the first and the last non-empty bin, merged so that there are at most `limit`
 * rows. */
static void fill_rows(struct table *table, const struct session_histogram *of, size_t limit,
                      enum unit unit)
{
    size_t first = 0, end = SESSION_BINS, width = 1;
    struct stretch all = stretch_of(of, 0, SESSION_BINS);

    while (first < end && of->counts[first] == 0)
        first++;
    while (end > first && of->counts[end - 1] == 0)
        end--;
    while (limit > 0 && (end - first + width - 1) / width > limit)
        width++;
    for (; first < end; first += width) {
        struct stretch stretch =
            stretch_of(of, first, first + width < SESSION_BINS ? first + width : SESSION_BINS);
        struct value *row = table_add_row(table);

        set_row(row, &stretch, all.count, unit);
    }
}

static void add_notes(struct table *table, const struct session *session)
{
    static const unsigned char columns[] = {SHARE, COUNT, BYTES};

    for (size_t i = 0; session->heap.is_estimated && i < table_row_count(table); i++)
        values_mark_estimates(table_row(table, i), columns, sizeof columns);
    heap_rows_note_estimates(table, session, STAGES_OF_BLOCKS);
    heap_rows_note_missing(table, session);
}

void memory_build_sizes(struct memory_work *work, struct table *table, size_t limit)
{
    table_init(table, &size_schema);
    fill_rows(table, &work->session->heap.sizes, limit, UNIT_BYTES);
    add_notes(table, work->session);
}

void memory_build_lifetimes(struct memory_work *work, struct table *table, size_t limit)
{
    table_init(table, &lifetime_schema);
    fill_rows(table, &work->session->heap.lifetimes, limit, UNIT_NS);
    add_notes(table, work->session);
}
