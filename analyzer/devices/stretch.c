/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stretch of a run that its devices are judged in.
 */
#include "devices/stretch.h"

#include "model/busy.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_unknown.h"
#include "steps/phases.h"

static void widen(struct busy *busy, const struct session_command *command)
{
    if (command->call_start_ns < busy->from_ns)
        busy->from_ns = command->call_start_ns;
    if (command->end_ns > busy->to_ns)
        busy->to_ns = command->end_ns;
}

/* The steps, if commands ran in them. */
static void narrow(struct busy *busy, const struct session *session, places_finder find)
{
    struct phases phases;
    bool are = false;

    phases_find(&phases, session, find, &are);
    if (!are || phases.steps == 0)
        return;
    uint64_t from = phases.border_ns[PHASE_MAIN], to = phases.border_ns[PHASE_MAIN + 1];
    if (from >= busy->to_ns || to <= busy->from_ns)
        return;
    busy->from_ns = from;
    busy->to_ns = to;
    busy->is_steady = true;
}

bool stretch_find_judged(struct busy *busy, const struct session *session, places_finder find)
{
    const struct session_devices *devices = &session->devices;

    *busy = (struct busy){.from_ns = UINT64_MAX};
    for (size_t i = 0; i < devices->commands.count; i++) {
        const struct session_command *command = session_command_at(devices, i);

        if (command->start_ns != SESSION_UNKNOWN &&
            busy_is_work(session_command_sum_at(devices, command->sum)->kind))
            widen(busy, command);
    }
    if (busy->from_ns >= busy->to_ns)
        return false;
    narrow(busy, session, find);
    return true;
}

void stretch_find_passed(struct busy *busy, const struct session *session, places_finder find)
{
    if (!stretch_find_judged(busy, session, find) || !busy->is_steady)
        *busy = (struct busy){.to_ns = session->process.wall_ns};
}
