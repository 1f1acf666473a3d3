/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by all parts of a report on memory.
 */
#include "heap/memory_work.h"

#include "heap/memory_facts.h"
#include "heap/memory_options.h"
#include "heap/suppressor.h"
#include "heap/texts.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_kernels.h"
#include "model/session_unknown.h"
#include "places/place_rows.h"

void memory_work_init(struct memory_work *work, const struct session *session,
                      const struct analysis_options *options)
{
    work->session = session;
    work->options = options;
    work->places = places_new(session, options->find_frames);
    work->chains = chain_rows_new();
    work->suppressor = options->suppressions
                           ? suppressor_new(options->suppressions, session, work->places)
                           : NULL;
}

void memory_work_fini(struct memory_work *work)
{
    chain_rows_free(work->chains);
}

struct heap_view heap_view_of(const struct memory_work *work)
{
    struct heap_sums all = heap_sums_of(work->session);

    return (struct heap_view){
        .measure = work->options->measure,
        .whole = heap_sums_measure(&all, work->options->measure),
        .chains = work->chains,
        .callers = memory_callers(work->options->memory),
        .session = work->session,
    };
}

void memory_set_chain(struct value *cells, struct memory_work *work, uint32_t call)
{
    struct array chain;
    size_t owner;

    array_init(&chain, sizeof(struct place));
    places_fill_chain(work->places, call, &chain);
    owner = places_find_owner(&chain);
    if (chain.count > 0)
        place_rows_set(cells, array_at(&chain, owner));
    else
        value_set_text(&cells[PLACE_TEXT], "(no call chain)");
    chain_rows_set(work->chains, &cells[PLACE_CHAIN],
                   &(struct chain_view){&chain, owner, memory_callers(work->options->memory)});
}

const char *site_kernel(const struct session *session, const struct session_site *site)
{
    return site->binding == SESSION_NONE ? NULL
                                         : session_binding_at(session, site->binding)->symbol;
}

void memory_append_peak_site(struct text *text, const struct memory_work *work,
                             place_appender append)
{
    const struct session *session = work->session;
    const struct session_site *site;
    struct place place;

    if (!memory_is_known(&session->heap) || session->heap.peak_site >= session->sites.count)
        return;
    site = session_site_at(session, session->heap.peak_site);
    if (places_find_owner_of(work->places, site->call, &place))
        append(text, &place);
}

void memory_append_most(struct text *text, const struct memory_work *work,
                        const struct session_site *site, uint64_t bytes)
{
    bool is_estimate = work->session->heap.has_estimated_sites;
    struct place place;

    if (places_find_owner_of(work->places, site->call, &place)) {
        text_append(text, ", most by ");
        place_append_short(text, &place);
        say_part(text, memory_most_text, said_about(said_bytes((double)bytes), is_estimate));
    }
}

void memory_append_most_live(struct text *text, const struct memory_work *work)
{
    const struct session_site *site = work->session->sites.items, *most = NULL;

    for (size_t i = 0; i < work->session->sites.count; i++)
        if (site[i].live_bytes > (most ? most->live_bytes : 0))
            most = &site[i];
    if (most)
        memory_append_most(text, work, most, most->live_bytes);
}
