/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The calls, waits and regions that were open, by the page of each lane.
 *
 * The page is written without a lock, so what it says is checked: a cell must be of its kind, and a
 * start cannot be later than the end of the recording.
 */
#include "model/session_opened.h"

#include <string.h>

#include "base/text.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "model/tallies.h"
#include "reader/reader_chunks.h"
#include "spec/catalog.h"
#include "symbols/storage.h"

enum { SHAPE_SIZE = 512 };

void session_opened_append_slot(struct text *text, struct tallies *tallies,
                                const struct trace_slot *raw)
{
    char shape[SHAPE_SIZE];
    struct session_slot slot;

    tallies_describe_slot(tallies, raw, &slot);
    text_append(text, session_name_slot(tallies->session, &slot));
    if (!slot.kernel || slot.dims != slot.kernel->shape_count)
        return;
    catalog_format_shape(slot.kernel, slot.shape, shape, sizeof shape);
    if (shape[0] != '\0')
        text_appendf(text, " %s", shape);
}

void session_opened_append_wait(struct text *text, struct tallies *tallies,
                                const struct trace_wait *raw)
{
    struct session_wait wait;

    tallies_describe_wait(tallies, raw, &wait);
    text_append(text, wait.function);
    if (wait.name)
        text_appendf(text, " %s", wait.name);
}

void session_opened_append_label(struct text *text, const struct facts *facts, uint32_t label)
{
    const char *words = facts_string(facts, label & ~(TRACE_LABEL_OP | TRACE_LABEL_SITE));

    if (!(label & TRACE_LABEL_OP)) {
        text_append(text, words);
        return;
    }
    /* "torch", the op's name, and possibly its inputs, with tabs between. */
    const char *name = strchr(words, '\t');
    name = name ? name + 1 : words;
    text_append_bytes(text, name, strcspn(name, "\t"));
}

/* The lane's cells from the file: its tally chunks, one after another. */
struct lane_cells {
    const struct reader *reader;
    struct reader_span tables;
};

static bool read_cell(const struct lane_cells *lane, uint64_t number, union trace_cell *cell)
{
    for (const struct reader_chunk *table = lane->tables.first; table < lane->tables.end; table++)
        if (table->sequence == number / TRACE_TALLY_CELLS && table->packed_size == 0)
            return number % TRACE_TALLY_CELLS != 0 &&
                   reader_read(lane->reader,
                               table->offset + number % TRACE_TALLY_CELLS * sizeof *cell, cell,
                               sizeof *cell) == sizeof *cell;
    return false;
}

static const char *keep(struct tallies *tallies, struct text *text)
{
    const char *kept = storage_keep(tallies->facts->storage, text->bytes, text->size);

    text_fini(text);
    return kept;
}

static uint64_t time_of(const struct tallies *tallies, uint64_t ticks)
{
    return ticks == 0 ? SESSION_UNKNOWN : clock_convert(tallies->clock, ticks);
}

static void take_wait(struct tallies *tallies, const struct lane_cells *lane,
                      const struct trace_open *open, struct session_opened *opened)
{
    union trace_cell cell;
    struct text text;

    if (open->wait == 0 || !read_cell(lane, open->wait, &cell) || cell.kind != TRACE_CELL_WAIT)
        return;
    text_init(&text);
    session_opened_append_wait(&text, tallies, &cell.wait);
    opened->wait = keep(tallies, &text);
    opened->wait_since_ns = time_of(tallies, open->wait_ticks);
}

static void take_call(struct tallies *tallies, const struct lane_cells *lane,
                      const struct trace_open *open, struct session_opened *opened)
{
    union trace_cell cell;
    struct text text;

    if (open->call == 0 || !read_cell(lane, open->call, &cell) || cell.kind != TRACE_CELL_SLOT)
        return;
    text_init(&text);
    session_opened_append_slot(&text, tallies, &cell.slot);
    opened->call = keep(tallies, &text);
    opened->call_since_ns = time_of(tallies, open->call_ticks);
}

static void take_region(struct tallies *tallies, const struct lane_cells *lane,
                        const struct trace_open *open, struct session_opened *opened)
{
    union trace_cell cell;
    struct text text;

    if (open->node == 0 || !read_cell(lane, open->node, &cell) || cell.kind != TRACE_CELL_NODE ||
        cell.node.parent == 0)
        return;
    text_init(&text);
    session_opened_append_label(&text, tallies->facts, cell.node.label);
    opened->region = keep(tallies, &text);
    opened->region_since_ns = time_of(tallies, open->node_ticks);
}

/* The last thread of a lane is the one that may be there still. */
static void take_lane(struct tallies *tallies, const struct reader *reader,
                      struct reader_span tables)
{
    const struct tallies_lane *known = tallies_find_lane(tallies, tables.first->lane);
    const struct lane_cells lane = {reader, tables};
    struct session_opened *opened;
    struct trace_open open;
    uint32_t thread;

    if (!known || known->thread_count == 0 || tables.first->sequence != 0 ||
        tables.first->packed_size != 0 ||
        reader_read(reader, tables.first->offset + sizeof(struct trace_chunk), &open,
                    sizeof open) != sizeof open)
        return;
    thread = known->first_thread + known->thread_count - 1;
    if (((const struct session_thread *)array_at(&tallies->session->threads, thread))->has_ended)
        return;
    opened = array_add(&tallies->session->opened);
    *opened = (struct session_opened){.thread = thread,
                                      .call_since_ns = SESSION_UNKNOWN,
                                      .wait_since_ns = SESSION_UNKNOWN,
                                      .region_since_ns = SESSION_UNKNOWN};
    take_call(tallies, &lane, &open, opened);
    take_wait(tallies, &lane, &open, opened);
    take_region(tallies, &lane, &open, opened);
}

void session_opened_fill(struct tallies *tallies, const struct reader *reader)
{
    struct reader_span rest = reader_chunks(reader, TRACE_TALLIES);

    if (tallies->session->process.has_last)
        return;
    while (rest.first < rest.end)
        take_lane(tallies, reader, reader_next_lane(&rest));
}
