/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds the busiest device in the judged time.
 */
#include "findings/device_judged.h"

#include "devices/stretch.h"
#include "findings/context.h"
#include "model/session.h"

void device_judge(struct device_judged *judged, const struct findings_context *context)
{
    const struct session *session = context->session;
    struct busy busy;

    *judged = (struct device_judged){0};
    if (!stretch_find_judged(&busy, session, context->options.find_frames))
        return;
    judged->span_ns = (double)(busy.to_ns - busy.from_ns);
    for (uint32_t i = 0; i < session->devices.devices.count; i++) {
        busy_measure(&busy, session, i);
        if (busy.commands > 0 && (!judged->device || busy.busy_ns > judged->busy.busy_ns)) {
            gaps_sum(judged->gaps, session, &busy);
            judged->device = session_device_at(&session->devices, i);
            judged->index = i;
            judged->busy = busy;
        }
        array_fini(&busy.gaps);
    }
}

double device_judged_idle(const struct device_judged *judged)
{
    return judged->span_ns - judged->busy.busy_ns;
}
