/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rules on the operating system's figures: IOW and CPU-95.  Their titles are those of the
 * specification's diagnose_performance_issues.
 */
#include <math.h>

#include "findings/context.h"
#include "findings/texts.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_unknown.h"

static const double pressure_share = 0.20;                /* share of the wall time */
static const double busy_share = 0.90, full_share = 0.95; /* shares of the allowed processors */

/* Time that some task waited for a disk, between the first reading and the last. */
static double pressure_ns(const struct session_process *process)
{
    if (process->first.io_pressure_ns == SESSION_UNKNOWN ||
        process->last.io_pressure_ns == SESSION_UNKNOWN)
        return (double)NAN;
    return (double)(process->last.io_pressure_ns - process->first.io_pressure_ns);
}

/* A system may report waiting, but not the bytes of a process. */
static void say_own_bytes(struct text *text, const struct session *session)
{
    const struct trace_reading *last = &session->process.last;

    if (last->read_bytes == SESSION_UNKNOWN || last->written_bytes == SESSION_UNKNOWN)
        say(text, iow_own_unknown_text);
    else
        say(text, iow_own_text, said_bytes((double)last->read_bytes),
            said_bytes(fmax(0, (double)last->written_bytes - (double)session->file_bytes)));
}

static void add_iow(struct findings *findings, const struct session *session, double share)
{
    struct finding *finding = findings_add_doubt(findings, false, FINDING_CONFIDENCE_MEDIUM);

    say(&finding->evidence, iow_waited_text, said_share(share));
    say_own_bytes(&finding->evidence, session);
    finding_add_number(finding, "io_pressure", share);
}

void rule_iow(const struct findings_context *context, struct findings *findings)
{
    const struct session_process *process = &context->session->process;
    double share = pressure_ns(process) / (double)process->wall_ns;

    if (!isfinite(share))
        findings_skip(findings, iow_unknown_text);
    else if (share > pressure_share)
        add_iow(findings, context->session, share);
    else
        findings_pass(findings, iow_waited_text, said_share(share));
}

static void add_cpu(struct findings *findings, double share, uint64_t allowed)
{
    struct finding *finding = findings_add_doubt(findings, false, FINDING_CONFIDENCE_HIGH);

    say(&finding->title, share > full_share ? cpu_full_text : cpu_busy_text);
    say(&finding->evidence, cpu_used_text, said_share(share), said_count(allowed));
    finding_add_number(finding, "cpu_share", share);
}

void rule_cpu_95(const struct findings_context *context, struct findings *findings)
{
    const struct session_process *process = &context->session->process;
    double cpu_ns = (double)process->last.user_ns + (double)process->last.system_ns;
    double share = cpu_ns / (double)process->wall_ns / (double)process->cpu_count;

    if (process->cpu_count == SESSION_UNKNOWN || process->cpu_count == 0 || process->wall_ns == 0)
        findings_skip(findings, processors_unknown_text);
    else if (process->last.user_ns == SESSION_UNKNOWN)
        findings_skip(findings, cpu_unread_text);
    else if (share > busy_share)
        add_cpu(findings, share, process->cpu_count);
    else
        findings_pass(findings, cpu_used_text, said_share(share), said_count(process->cpu_count));
}
