/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Choosing the quiet stretch.
 */
#include "incidents/quiet.h"

#include "model/session.h"
#include "model/session_holes.h"
#include "model/session_incidents.h"
#include "model/session_process.h"

struct session_window incident_window(const struct session *session,
                                      const struct session_incident *incident)
{
    uint64_t wall_ns = session->process.wall_ns;

    return (struct session_window){
        .is_cut = true,
        .from_ns = incident->from_ns,
        .to_ns = incident->to_ns < wall_ns ? incident->to_ns : wall_ns,
        .whole_ns = wall_ns,
    };
}

static bool overlaps(const struct session_window *window, uint64_t from_ns, uint64_t to_ns)
{
    return window->from_ns < to_ns && window->to_ns > from_ns;
}

static bool is_quiet(const struct session_window *window, const struct session *session)
{
    const struct session_incident *incident = session->incidents.items;
    const struct session_hole *hole = session->holes.items;

    for (size_t i = 0; i < session->incidents.count; i++)
        if (overlaps(window, incident[i].from_ns, incident[i].to_ns))
            return false;
    for (size_t i = 0; i < session->holes.count; i++)
        if (overlaps(window, hole[i].from_ns, hole[i].to_ns))
            return false;
    return window->to_ns <= session->process.wall_ns;
}

bool quiet_find(struct session_window *quiet, const struct session *session,
                const struct session_incident *incident)
{
    struct session_window own = incident_window(session, incident);
    uint64_t length = own.to_ns > own.from_ns ? own.to_ns - own.from_ns : 0;
    uint64_t wall_ns = session->process.wall_ns;
    const struct session_incident *first = array_at(&session->incidents, 0);
    const uint64_t ends[] = {own.from_ns, own.to_ns + length, first->to_ns + length, wall_ns};

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (length == 0 || ends[i] < length)
            continue;
        *quiet = own;
        quiet->from_ns = ends[i] - length;
        quiet->to_ns = ends[i];
        if (is_quiet(quiet, session))
            return true;
    }
    return false;
}
