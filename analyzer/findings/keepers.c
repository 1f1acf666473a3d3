/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A call chain shows who made a block, and not who keeps it.
 *
 * Three things tell more.  A decorator in the source that caches without a limit holds arguments
 * and results of its function, also `self`.  A table that doubles while the blocks grow in number
 * has one large block, and had few before.  A std::vector in the chain keeps its memory in clear().
 * Whether they keep these blocks stays open, so the advice is conditional.
 *
 * Source: Python documentation, functools.lru_cache; its programming FAQ, on caching methods;
 * cppreference.com, std::vector::clear.
 */
#include "findings/keepers.h"

#include <stdbool.h>
#include <string.h>

#include "base/wildcard.h"
#include "cpu/own_lines.h"
#include "findings/context.h"
#include "findings/texts.h"
#include "heap/leak_growers.h"
#include "heap/leak_verdict.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "places/places.h"
#include "places/source_text.h"

static const char *const unlimited[] = {
    "^@lru_cache(None)",
    "^@lru_cache(maxsize=None)",
    "^@functools.lru_cache(None)",
    "^@functools.lru_cache(maxsize=None)",
    "^@cache$",
    "^@functools.cache$",
};

static bool is_unlimited(const char *line)
{
    while (*line == ' ' || *line == '\t')
        line++;
    for (size_t i = 0; *line == '@' && i < sizeof unlimited / sizeof *unlimited; i++)
        if (wildcard_matches(unlimited[i], line))
            return true;
    return false;
}

/* Returns: the first such line; 0: none. */
static uint32_t find_unlimited(struct source_text *source, const char *path)
{
    for (uint32_t line = 1;; line++) {
        struct text text;
        bool is_there, is_found;

        text_init(&text);
        is_there = source_text_append_whole(source, &text, path, line);
        is_found = is_there && text.size > 0 && is_unlimited(text.bytes);
        text_fini(&text);
        if (!is_there || is_found)
            return is_found ? line : 0;
    }
}

/* Returns: whether there is one. */
static bool append_cache(struct text *action, const struct session *session,
                         const struct place *owner)
{
    struct source_text source;
    enum source_state state;
    uint32_t line;

    if (!owner->function->is_python || !owner->file)
        return false;
    source_text_init(&source, session);
    source_text_find(&source, owner->file, &state);
    line = state == SOURCE_HERE ? find_unlimited(&source, owner->file) : 0;
    if (line > 0)
        say(action, leak_held_cache_text, said_words(text_base_name(owner->file)),
            said_count(line));
    return line > 0;
}

/* ---- tables that double ------------------------------------------------------------------ */

static const uint64_t least_blocks = 4, most_blocks = 64; /* a table doubles as often */
static const uint64_t most_together = 4;                  /* at the heap's peak */
static const uint64_t least_bytes = 64 * 1024;
static const uint64_t least_rise = 8; /* the largest, by the smallest block */

static bool is_table(const struct session_site *site)
{
    return site->allocations >= least_blocks && site->allocations <= most_blocks &&
           site->peak_blocks >= 1 && site->peak_blocks <= most_together &&
           site->max_size >= least_bytes && site->max_size >= least_rise * site->min_size &&
           site->peak_bytes >= site->max_size;
}

/* Returns: whether there is one that grew with the heap. */
static bool append_table(struct text *action, const struct session *session, struct places *places,
                         const struct leak_judgement *judgement)
{
    const struct session_site *most = NULL;
    const struct place *own;
    struct text line;

    for (size_t i = 0; i < session->sites.count; i++) {
        const struct session_site *site = session_site_at(session, i);

        if (is_table(site) && (!most || site->max_size > most->max_size) &&
            leak_site_growth(session, i, &judgement->window) > 0)
            most = site;
    }
    own = most ? own_lines_find(session, places, most->call) : NULL;
    if (!own)
        return false;
    text_init(&line);
    place_append_short(&line, own);
    say(action, leak_held_table_text, said_words(line.bytes));
    text_fini(&line);
    return true;
}

/* ---- vectors ----------------------------------------------------------------------------- */

static const uint64_t least_vector_bytes = 1 << 20; /* smaller ones are parts of many objects */

static bool is_in_vector(struct places *places, uint32_t call)
{
    for (; call != 0; call = places_parent(places, call)) {
        const struct call_places *of;

        places_look_up(places, call);
        of = places_known(places, call);
        for (size_t i = 0; of && i < of->count; i++)
            if (strstr(of->places[i].function->name, "std::vector<"))
                return true;
    }
    return false;
}

static void append_vector(struct text *action, const struct session *session, struct places *places,
                          const struct place *owner)
{
    for (size_t i = 0; i < session->sites.count; i++) {
        const struct session_site *site = session_site_at(session, i);
        struct place place;

        if (site->max_size >= least_vector_bytes &&
            places_find_owner_of(places, site->call, &place) && place_is_same_line(&place, owner) &&
            is_in_vector(places, site->call)) {
            say(action, leak_held_vector_text);
            return;
        }
    }
}

void keepers_append(struct text *action, const struct findings_context *context,
                    const struct leak_judgement *judgement, const struct place *owner)
{
    const struct session *session = context->session;
    struct places *places = places_new(session, context->options.find_frames);

    if (append_cache(action, session, owner) || append_table(action, session, places, judgement))
        return;
    if (!owner->function->is_python)
        append_vector(action, session, places, owner);
}
