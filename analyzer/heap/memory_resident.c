/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Resident memory by part: when it was highest, and at each moment that was read.
 */
#include "document/table.h"
#include "heap/memory_parts.h"
#include "heap/resident.h"
#include "heap/texts.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_unknown.h"

enum part_column { WORDS, SHARE, BYTES, HUGE, KEY, LARGEST };

static const struct column part_columns[] = {
    [WORDS] = {"words", "part", "the kind of memory", UNIT_TEXT, 0},
    [SHARE] = {"share", "share", "of the resident memory at that moment", UNIT_FRACTION, 0},
    [BYTES] = {"bytes", "bytes", "resident", UNIT_BYTES, 0},
    [HUGE] = {"huge_bytes", "huge pages", "part of them in huge pages", UNIT_BYTES, 1},
    [KEY] = {"part", NULL, "the part's key in resident_moments", UNIT_TEXT, 0},
    [LARGEST] = {"largest", "largest", "the file with most of it", UNIT_PLACE, 2},
};

static const struct table_schema part_schema = {"resident", "Resident memory by part", part_columns,
                                                sizeof part_columns / sizeof *part_columns,
                                                "share"};

static const char *find_file(const struct session_resident *of, enum resident_part part)
{
    switch ((int)part) {
    case RESIDENT_FILES: return of->parts[TRACE_RESIDENT_FILES].name;
    case RESIDENT_SHM: return of->parts[TRACE_RESIDENT_SHM].name;
    case RESIDENT_SHARED: return of->parts[TRACE_RESIDENT_SHARED].name;
    }
    return NULL;
}

static void add_row(struct table *table, const struct resident_split *split,
                    const struct session_resident *of, enum resident_part part)
{
    struct value *row = table_add_row(table);

    value_set_text(&row[WORDS], resident_part_words(part));
    value_set_text(&row[KEY], resident_part_key(part));
    value_set_unsigned(&row[BYTES], split->parts[part]);
    value_set_ratio(&row[SHARE], split->parts[part], split->bytes);
    value_set_unsigned(&row[HUGE], split->huge[part]);
    value_set_text(&row[LARGEST], find_file(of, part));
}

static void add_notes(struct table *table, const struct resident_split *split,
                      const struct session *session)
{
    uint64_t peak = session->process.last.peak_rss_bytes;

    table_say(table, resident_whole_text, said_bytes((double)split->bytes),
              said_time((double)split->time_ns));
    if (peak != SESSION_UNKNOWN && peak > split->bytes)
        table_say(table, resident_peak_text, said_bytes((double)peak));
    if (split->is_usable)
        table_say(table, resident_usable_text);
    if (split->arena_bytes > 0)
        table_say(table, resident_arenas_text, said_bytes((double)split->arena_bytes));
    if (split->shared_bytes > 0)
        table_say(table, resident_shared_text, said_bytes((double)split->shared_bytes));
}

void memory_build_resident(struct memory_work *work, struct table *table)
{
    const struct session *session = work->session;
    const struct session_resident *peak = resident_find_peak(session);
    struct resident_split split;

    table_init(table, &part_schema);
    if (!peak)
        return;
    resident_split(&split, session,
                   (size_t)(peak - (const struct session_resident *)session->residents.items));
    for (unsigned part = 0; part < RESIDENT_PARTS; part++)
        if (split.parts[part] > 0)
            add_row(table, &split, peak, part);
    table_sort(table, BYTES, true);
    add_notes(table, &split, session);
}

enum { LABEL, TIME, UNIT, RESIDENT, FIRST_PART, MOMENT_COLUMNS = FIRST_PART + RESIDENT_PARTS };

static const struct column moment_columns[MOMENT_COLUMNS] = {
    [LABEL] = {"label", NULL, "of the snapshot; null for a periodic reading", UNIT_TEXT, 0},
    [TIME] = {"time_ns", NULL, "when the parts were read", UNIT_NS, 0},
    [UNIT] = {"heap_unit", NULL, "of the heap in use: requested or usable bytes", UNIT_TEXT, 0},
    [RESIDENT] = {"resident_bytes", NULL, "all parts", UNIT_BYTES, 0},
#define PART(name, key, words)                                                                     \
    [FIRST_PART + RESIDENT_##name] = {key "_bytes", NULL, words, UNIT_BYTES, 0},
#include "heap/resident.def"
#undef PART
};

static const struct table_schema moment_schema = {"resident_moments", NULL, moment_columns,
                                                  MOMENT_COLUMNS, NULL};

void memory_build_resident_moments(struct memory_work *work, struct table *table)
{
    table_init(table, &moment_schema);
    for (size_t i = 0; i < work->session->residents.count; i++) {
        struct value *row = table_add_row(table);
        struct resident_split split;

        resident_split(&split, work->session, i);
        value_set_text(&row[LABEL], split.label);
        value_set_unsigned(&row[TIME], split.time_ns);
        value_set_text(&row[UNIT], split.is_usable ? "usable" : "requested");
        value_set_unsigned(&row[RESIDENT], split.bytes);
        for (unsigned part = 0; part < RESIDENT_PARTS; part++)
            value_set_unsigned(&row[FIRST_PART + part], split.parts[part]);
    }
}
