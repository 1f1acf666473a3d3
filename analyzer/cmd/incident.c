/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Incidents by their numbers.
 */
#include "cmd/incident.h"

#include "base/units.h"
#include "cmd/cmd.h"
#include "incidents/quiet.h"
#include "model/outline.h"
#include "model/session.h"
#include "model/session_incidents.h"
#include "model/session_open.h"

static const struct session_incident *find(const struct session *session, size_t number,
                                           struct diagnostic *diagnostic)
{
    size_t count = session->incidents.count;

    if (number >= 1 && number <= count)
        return array_at(&session->incidents, number - 1);
    diagnostic_set(diagnostic, STATUS_USAGE,
                   "--incident %zu: the trace has %zu incident%s; tprof incidents lists them",
                   number, count, units_choose(count, "", "s"));
    return NULL;
}

enum status incident_find_window(struct session_window *window, const char *path, size_t number,
                                 struct diagnostic *diagnostic)
{
    const struct session_incident *incident;
    struct outline outline;
    struct session session;
    enum status status = session_open_totals(&session, &outline, path, diagnostic);

    if (status)
        return status;
    incident = find(&session, number, diagnostic);
    if (incident)
        *window = (struct session_window){
            .is_cut = true, .from_ns = incident->from_ns, .to_ns = incident->to_ns};
    else
        status = STATUS_USAGE;
    outline_close(&outline);
    session_close(&session);
    return status;
}

enum status incident_find_quiet(struct session_window *window, const char *named,
                                const struct cmd_options *options, struct diagnostic *diagnostic)
{
    const struct session_incident *incident;
    struct cmd_options whole = *options;
    struct session session;
    enum status status;

    whole.incident = 0;
    status = cmd_open_session(&session, named, &whole, diagnostic);
    if (status)
        return status;
    incident = find(&session, options->incident, diagnostic);
    if (!incident)
        status = STATUS_USAGE;
    else if (!quiet_find(window, &session, incident))
        status = diagnostic_set(diagnostic, STATUS_NOT_ENOUGH_DATA,
                                "--incident %zu: no quiet time of its length was recorded, before "
                                "it, behind it or at the end; a larger --capacity keeps more",
                                options->incident);
    session_close(&session);
    return status;
}
