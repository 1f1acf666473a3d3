/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Owners of the heap over time, by the marks of its sites.
 *
 * An owner has thousands of small sites, so the largest sites do not show the largest owners: all
 * are named.  The owners with the most bytes at some mark have rows; the others share one.
 *
 * Decision: doc/decisions/page-read-by-a-new-user.
 */
#include "page/owners.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "base/text.h"
#include "base/text_index.h"
#include "heap/memory_facts.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "page/gaps.h"
#include "places/places.h"

enum { OWNERS_MOST = 60 }; /* in the page */

struct owner {
    char *name;
    double live[SESSION_MARKS];
    double most;
};

struct owners {
    const struct session *session;
    struct places *places;
    struct array list; /* of struct owner */
    struct text_index names;
    double others[SESSION_MARKS];
};

/* ---- owners --------------------------------------------------------------------------- */

static void append_name(struct owners *owners, uint32_t call, struct text *name)
{
    struct place place;

    if (!places_find_owner_of(owners->places, call, &place))
        text_append(name, "no call chain");
    else if (place.function->is_python)
        place_append_short(name, &place);
    else
        places_append_function(name, place.function, false);
}

static struct owner *get_owner(struct owners *owners, const struct text *name)
{
    long number = text_index_add(&owners->names, name);
    struct owner *owner;

    if ((size_t)number < owners->list.count)
        return array_at(&owners->list, (size_t)number);
    owner = array_add(&owners->list);
    owner->name = pool_copy(name->bytes);
    return owner->name ? owner : NULL;
}

static void add_live(double live[SESSION_MARKS], const struct session_heap *heap, size_t site)
{
    const struct session_mark *mark = session_mark_at(heap, site);

    for (unsigned i = 0; i < heap->mark_count; i++)
        live[i] += (double)mark->live_bytes[i];
}

static void add_site(struct owners *owners, size_t site)
{
    struct owner *owner;
    struct text name;

    text_init(&name);
    append_name(owners, session_site_at(owners->session, site)->call, &name);
    owner = get_owner(owners, &name);
    add_live(owner->live, &owners->session->heap, site);
}

static bool is_live_at_marks(const struct session_heap *heap, size_t site)
{
    const struct session_mark *mark = session_mark_at(heap, site);

    for (unsigned i = 0; i < heap->mark_count; i++)
        if (mark->live_bytes[i] > 0)
            return true;
    return false;
}

static void gather(struct owners *owners)
{
    const struct session_heap *heap = &owners->session->heap;
    const size_t rows = heap->mark_rows.count, sites = owners->session->sites.count;

    for (size_t i = 0; i < rows && i < sites; i++)
        if (is_live_at_marks(heap, i))
            add_site(owners, i);
}

static int compare_owners(const void *left, const void *right)
{
    const struct owner *a = left, *b = right;

    if (a->most < b->most || a->most > b->most)
        return a->most < b->most ? 1 : -1;
    return strcmp(a->name, b->name);
}

/* Puts the largest first; those past OWNERS_MOST join the others. */
static void rank(struct owners *owners)
{
    struct owner *owner = owners->list.items;

    for (size_t i = 0; i < owners->list.count; i++)
        for (unsigned j = 0; j < owners->session->heap.mark_count; j++)
            if (owner[i].live[j] > owner[i].most)
                owner[i].most = owner[i].live[j];
    if (owners->list.count > 1)
        qsort(owner, owners->list.count, sizeof *owner, compare_owners);
    for (size_t i = OWNERS_MOST; i < owners->list.count; i++)
        for (unsigned j = 0; j < owners->session->heap.mark_count; j++)
            owners->others[j] += owner[i].live[j];
}

/* ---- JSON ----------------------------------------------------------------------------- */

static void put_owner(struct html *html, const char *name, const double *live, unsigned count)
{
    html_put(html, "{\"name\":");
    html_string(html, name);
    html_put(html, ",\"live\":[");
    for (unsigned i = 0; i < count; i++)
        html_putf(html, "%s%.0f", i > 0 ? "," : "", live[i]);
    html_put(html, "]}");
}

static void put_owners(struct html *html, const struct owners *owners)
{
    const struct session_heap *heap = &owners->session->heap;

    html_put(html, ",\n\"marks\":[");
    for (unsigned i = 0; i < heap->mark_count; i++)
        html_putf(html, "%s%" PRIu64, i > 0 ? "," : "", heap->mark_ns[i]);
    html_put(html, "],\n\"owners\":[");
    for (size_t i = 0; i < owners->list.count && i < OWNERS_MOST; i++) {
        const struct owner *owner = array_at(&owners->list, i);

        put_owner(html, owner->name, owner->live, heap->mark_count);
        html_put(html, ",\n");
    }
    put_owner(html, "all others", owners->others, heap->mark_count);
    html_put(html, "]");
}

static void put_moments(struct html *html, const struct session_heap *heap)
{
    const struct session_moment *moment = heap->moments.items;

    html_put(html, ",\n\"time\":[");
    for (size_t i = 0; i < heap->moments.count; i++)
        html_putf(html, "%s%" PRIu64, i > 0 ? "," : "", moment[i].time_ns);
    html_put(html, "],\n\"most\":[");
    for (size_t i = 0; i < heap->moments.count; i++)
        html_putf(html, "%s%" PRIu64, i > 0 ? "," : "", moment[i].max_bytes);
    html_put(html, "]");
}

static void put_known(struct html *html, const struct page_request *request)
{
    const struct session *session = request->session;
    struct owners owners = {.session = session,
                            .places = places_new(session, request->options->find_frames)};

    text_index_init(&owners.names);
    array_init(&owners.list, sizeof(struct owner));
    if (session->heap.has_chains)
        gather(&owners);
    rank(&owners);
    put_owners(html, &owners);
}

void owners_put(struct html *html, const struct page_request *request)
{
    const struct session *session = request->session;

    html_putf(html, "{\"wall\":%" PRIu64 ",\"is_estimate\":%s", session->process.wall_ns,
              session->heap.has_estimated_sites ? "true" : "false");
    if (memory_is_known(&session->heap)) {
        put_moments(html, &session->heap);
        if (session->heap.mark_rows.count > 0)
            put_known(html, request);
    }
    html_put(html, ",\n\"gaps\":");
    gaps_put(html, session);
    html_put(html, "}");
}
