/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads the parts of a trace in the order of their references: facts first, then tallies and call
 * chains, because the events refer to these.
 */
#include "model/outline.h"

#include <string.h>

#include "model/course.h"
#include "model/cpu_samples.h"
#include "model/process.h"
#include "model/session.h"
#include "model/session_memo.h"
#include "model/session_unknown.h"
#include "model/window.h"
#include "symbols/storage.h"
#include "symbols/symbols.h"

static void fill_stages(struct session *session, const struct outline *outline)
{
    const struct trace_header *header = &outline->reader.header;
    struct session_stages *stages = &session->stages;

    stages->overhead_ppm = header->overhead_ppm;
    stages->disk_bytes = header->disk_bytes;
    for (int i = 0; i < TRACE_STAGES; i++)
        stages->exact_ns[i] = header->stage_ticks[i] == 0
                                  ? SESSION_UNKNOWN
                                  : clock_convert(&outline->clock, header->stage_ticks[i]);
    if (header->sample_bytes > 0)
        stages->exact_ns[TRACE_STAGE_BLOCKS] = 0;
}

static enum status read_parts(struct outline *outline, struct session *session,
                              const struct session_options *options)
{
    const struct reader *reader = &outline->reader;
    enum status status = facts_read(&outline->facts, reader);

    process_fill(&session->process, &reader->header);
    if (!status)
        clock_measure(&outline->clock, reader, &session->doubts);
    session->ns_per_tick = outline->clock.ns_per_tick;
    facts_settle_incidents(&outline->facts, &outline->clock);
    if (options->window.is_cut)
        window_shift_clock(&outline->clock, &options->window);
    session->framework.off_ns = SESSION_UNKNOWN;
    if (session->framework.fact.off_ticks != 0)
        session->framework.off_ns =
            clock_convert(&outline->clock, session->framework.fact.off_ticks);
    cpu_samples_fill(session, &reader->header, &outline->clock);
    fill_stages(session, outline);
    if (!status)
        tallies_read(&outline->tallies, reader);
    if (!status)
        course_make_all(session);
    return status;
}

static void describe(struct session *session, const struct reader *reader)
{
    const struct trace_header *header = &reader->header;

    session->cut =
        (struct session_cut){reader->is_truncated, reader->size, header->size, SESSION_UNKNOWN};
    session->has_holes = reader->torn_chunks > 0;
    session->is_packed = header->packed_size > 0;
    session->file_bytes = reader->size;
    session->heap.sample_bytes = header->sample_bytes;
    session->heap.usable_peak_bytes = header->heap_peak_bytes;
    session->heap.is_estimated = header->sample_bytes > 0;
    session->heap.has_estimated_sites = session->heap.is_estimated;
}

static void make_storage(struct session *session, const char *path,
                         const struct session_options *options)
{
    struct storage *storage = storage_new();

    session->storage = storage;
    session->path = storage_keep(storage, path, strlen(path));
    session->symbols = options->symbols ? symbols_share(options->symbols) : symbols_new();
    session->memo = session_memo_new();
    if (!options->symbols)
        symbols_set_root(session->symbols, options->root);
}

enum status outline_open_totals(struct outline *outline, struct session *session, const char *path,
                                const struct session_options *options,
                                struct diagnostic *diagnostic)
{
    enum status status;

    *outline = (struct outline){0};
    facts_init(&outline->facts, session, NULL);
    tallies_init(&outline->tallies, &outline->facts, &outline->clock);
    chains_init(&outline->chains, session);
    status = reader_open(&outline->reader, path, diagnostic);
    if (status)
        return status;
    make_storage(session, outline->reader.path, options);
    outline->facts.storage = session->storage;
    describe(session, &outline->reader);
    return read_parts(outline, session, options);
}

enum status outline_open(struct outline *outline, struct session *session, const char *path,
                         const struct session_options *options, struct diagnostic *diagnostic)
{
    enum status status = outline_open_totals(outline, session, path, options, diagnostic);

    outline->chains.is_later = options->leaves_heap;
    if (!status)
        chains_read(&outline->chains, &outline->reader);
    return status;
}

void outline_close(struct outline *outline)
{
    chains_fini(&outline->chains);
    tallies_fini(&outline->tallies);
    facts_fini(&outline->facts);
    reader_close(&outline->reader);
}
