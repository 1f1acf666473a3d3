/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Facts of incidents and of the conditions that make them.
 */
#include "model/facts_parts.h"

#include "model/session.h"
#include "model/session_incidents.h"
#include "model/session_unknown.h"

static struct session_keep unknown_keep(const struct trace_keep *raw)
{
    return (struct session_keep){*raw, SESSION_UNKNOWN, SESSION_UNKNOWN};
}

enum status facts_read_keep(struct facts *facts, struct facts_payload payload)
{
    struct array *keeps = &facts->session->keeps;
    struct trace_keep raw;

    if (!facts_take(&payload, &raw, sizeof raw) || raw.cause >= TRACE_INCIDENT_CAUSES ||
        raw.obstacle >= TRACE_KEEP_OBSTACLES || keeps->count == TRACE_INCIDENT_CAUSES) {
        facts_skip(facts);
        return STATUS_OK;
    }
    *(struct session_keep *)array_add(keeps) = unknown_keep(&raw);
    return STATUS_OK;
}

/* A place that is free is no incident. */
enum status facts_read_incident(struct facts *facts, struct facts_payload payload)
{
    struct array *incidents = &facts->session->incidents;
    struct trace_incident raw;

    if (!facts_take(&payload, &raw, sizeof raw) || raw.cause > TRACE_INCIDENT_CAUSES ||
        incidents->count == TRACE_INCIDENTS_MAX) {
        facts_skip(facts);
        return STATUS_OK;
    }
    if (raw.cause != 0)
        *(struct session_incident *)array_add(incidents) = (struct session_incident){
            .raw = raw,
            .number = (uint32_t)incidents->count,
            .cause = (enum trace_incident_cause)(raw.cause - 1),
        };
    return STATUS_OK;
}

static bool is_timed(enum trace_incident_cause cause)
{
    return cause == TRACE_INCIDENT_REQUEST || cause == TRACE_INCIDENT_STEP;
}

static void settle_keep(struct session_keep *keep, const struct clock *clock)
{
    const struct trace_keep *raw = &keep->raw;

    if (raw->cause == TRACE_INCIDENT_REQUEST)
        keep->limit_ns = clock_convert_length(clock, raw->limit);
    if (is_timed((enum trace_incident_cause)raw->cause) && raw->worst != 0)
        keep->worst_ns = clock_convert_length(clock, raw->worst);
}

static void settle_incident(struct facts *facts, struct session_incident *incident,
                            const struct clock *clock)
{
    const struct trace_incident *raw = &incident->raw;
    bool has_time = is_timed(incident->cause);

    incident->start_ns = clock_convert(clock, raw->start_ticks);
    incident->end_ns = clock_convert(clock, raw->end_ticks);
    incident->from_ns = clock_convert(clock, raw->from_ticks);
    incident->to_ns = clock_convert(clock, raw->to_ticks);
    incident->missing_ns = clock_convert(clock, raw->missing_ticks);
    incident->value_ns = has_time ? clock_convert_length(clock, raw->value) : SESSION_UNKNOWN;
    incident->limit_ns = has_time ? clock_convert_length(clock, raw->limit) : SESSION_UNKNOWN;
    if (raw->subject != 0)
        incident->subject = facts_string(facts, raw->subject);
}

void facts_settle_incidents(struct facts *facts, const struct clock *clock)
{
    struct session_keep *keep = facts->session->keeps.items;
    struct session_incident *incident = facts->session->incidents.items;

    for (size_t i = 0; i < facts->session->keeps.count; i++)
        settle_keep(&keep[i], clock);
    for (size_t i = 0; i < facts->session->incidents.count; i++)
        settle_incident(facts, &incident[i], clock);
}
