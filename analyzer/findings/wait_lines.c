/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A wait has the chain of its longest call alone.  Short calls have none, and are left out.
 *
 * Source: Lib/asyncio/base_events.py and events.py of CPython; trio/_core/_run.py of Trio.
 */
#include "findings/wait_lines.h"

#include <string.h>

#include "cpu/own_lines.h"
#include "model/session.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"

static void add(struct wait_line *line, const struct session_wait *wait)
{
    if (!line->most || wait->waiting_ns > line->most->waiting_ns)
        line->most = wait;
    line->waiting_ns += (double)wait->waiting_ns;
    line->calls += wait->calls;
    line->max_ns = wait->max_ns > line->max_ns ? wait->max_ns : line->max_ns;
}

static const struct wait_line *find_most(const struct array *lines)
{
    const struct wait_line *line = lines->items, *most = NULL;

    for (size_t i = 0; i < lines->count; i++)
        if (!most || line[i].waiting_ns > most->waiting_ns)
            most = &line[i];
    return most;
}

/* The program waits for tprof itself in a region of the Python module: no fault of its lines. */
static bool is_told(const struct session *session, const struct session_wait *wait)
{
    return wait->chain != SESSION_NONE && !wait->is_in_kernel &&
           !session_region_is_own(session_region_at(session, wait->region));
}

const struct wait_line *wait_lines_gather(struct array *lines, const struct session *session,
                                          struct places *places, uint32_t thread,
                                          wait_lines_wanted is_wanted)
{
    array_init(lines, sizeof(struct wait_line));
    for (size_t i = 0; i < session->waits.count; i++) {
        const struct session_wait *wait = session_wait_at(session, i);
        const struct place *place;

        if (wait->thread != thread || !is_told(session, wait) || !is_wanted(places, wait))
            continue;
        place = own_lines_find(session, places, wait->chain);
        if (place)
            add(places_find_row(lines, place), wait);
    }
    return find_most(lines);
}

/* ---- event loops ------------------------------------------------------------------------- */

static bool has_name(const struct place *place, const char *name)
{
    return text_ends_with(place->function->name, strlen(place->function->name), name);
}

static bool is_turn(const struct place *place)
{
    return place_is_python(place) && place->file &&
           ((place_is_asyncio(place) && has_name(place, "Handle._run")) ||
            (strstr(place->file, "trio/_core/") && has_name(place, "unrolled_run")));
}

/* The loop waits for its events below the same function of Trio. */
static bool is_own_wait(const struct place *place)
{
    return place_is_python(place) && place->file && strstr(place->file, "trio/_core/_io_");
}

bool wait_lines_is_in_loop(struct places *places, uint32_t call)
{
    struct place place;

    return places_find(places, call, is_turn, &place) &&
           !places_find(places, call, is_own_wait, &place);
}
