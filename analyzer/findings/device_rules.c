/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Devices: GPU-70, DEVICE-SYNC, DEVICE-LAUNCH, DEVICE-COPIES and DEVICE-BUILD.
 *
 * All but the last judge the time from the first command to the end of the last one, or the steps
 * of the run.  A device's idle time is the most that a repair can save there.
 */
#include <string.h>

#include "devices/gaps.h"
#include "findings/context.h"
#include "findings/device_judged.h"
#include "findings/device_place.h"
#include "findings/finding.h"
#include "findings/texts.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_waits.h"

static const double least_busy = 0.7;        /* as the rule's name says */
static const double least_share = 0.05;      /* of the judged time or the wall time */
static const uint64_t least_waits = 50;      /* of one place: it is in a loop */
static const uint64_t least_launches = 1000; /* fewer are no loop worth a change */
static const uint64_t least_copies = 500;
static const double small_bytes = 65536; /* below, the start of a copy takes most of its time */

/* ---- GPU-70 --------------------------------------------------------------- */

static enum gap_cause find_cause(const struct device_judged *judged)
{
    enum gap_cause most = GAP_LAUNCH;

    for (enum gap_cause i = 0; i < GAP_CAUSES; i++)
        if (judged->gaps[i].ns > judged->gaps[most].ns)
            most = i;
    return most;
}

void rule_gpu_70(const struct findings_context *context, struct findings *findings)
{
    struct device_judged judged;
    struct finding *finding;
    enum gap_cause most;
    double share;

    device_judge(&judged, context);
    if (!judged.device) {
        findings_skip(findings, gpu_unread_text);
        return;
    }
    share = judged.busy.busy_ns / judged.span_ns;
    if (share >= least_busy) {
        findings_pass(findings, gpu_passed_text, said_words(judged.device->name),
                      said_share(share));
        return;
    }
    most = find_cause(&judged);
    finding = findings_add(findings, &(struct finding_claim){device_judged_idle(&judged),
                                                             device_judged_idle(&judged),
                                                             FINDING_CONFIDENCE_MEDIUM});
    say(&finding->title, gpu_title_text, said_words(judged.device->name), said_share(share));
    say(&finding->evidence, gpu_idle_text, said_time(device_judged_idle(&judged)),
        said_time(judged.span_ns));
    say(&finding->evidence, gpu_cause_text, said_time(judged.gaps[most].ns),
        said_words(gap_cause_words(most)));
    device_place_say(&finding->evidence, context, judged.gaps[most].chain);
    finding_add_number(finding, "busy_share", share);
    finding_add_number(finding, "idle_ns", device_judged_idle(&judged));
}

/* ---- DEVICE-SYNC ---------------------------------------------------------- */

static const struct session_wait *find_wait(const struct session *session, uint64_t *calls)
{
    const struct session_wait *most = NULL;

    *calls = 0;
    for (size_t i = 0; i < session->waits.count; i++) {
        const struct session_wait *wait = session_wait_at(session, i);

        if (wait->class != TRACE_WAIT_CLASS_DEVICE)
            continue;
        *calls += wait->calls;
        if (!most || wait->calls > most->calls)
            most = wait;
    }
    return most;
}

/* Behind a wait the device has nothing to do until the host has asked again. */
void rule_device_sync(const struct findings_context *context, struct findings *findings)
{
    const struct session_wait *wait;
    struct device_judged judged;
    struct finding *finding;
    uint64_t calls;
    double saved_ns;

    device_judge(&judged, context);
    if (!judged.device) {
        findings_skip(findings, device_unseen_text);
        return;
    }
    wait = find_wait(context->session, &calls);
    saved_ns = judged.gaps[GAP_DEVICE].ns + judged.gaps[GAP_LAUNCH].ns;
    if (!wait || wait->calls < least_waits || saved_ns < least_share * judged.span_ns) {
        findings_pass(findings, device_sync_passed_text, said_count(calls), said_time(saved_ns));
        return;
    }
    finding =
        findings_add(findings, &(struct finding_claim){saved_ns, saved_ns, FINDING_CONFIDENCE_LOW});
    say(&finding->title, device_sync_title_text, said_count(calls));
    say(&finding->evidence, device_sync_text, said_words(wait->function), said_count(wait->calls),
        said_time(saved_ns));
    device_place_say(&finding->evidence, context, wait->chain);
    finding_add_number(finding, "calls", (double)calls);
}

/* ---- DEVICE-LAUNCH -------------------------------------------------------- */

struct launches {
    uint64_t calls;
    double run_ns;
    double host_ns;
    const struct session_command_sum *most;
};

/* Kernels that took less time on the device than the calls that asked for them. */
static struct launches find_launches(const struct session *session)
{
    struct launches all = {0};

    for (size_t i = 0; i < session->devices.sums.count; i++) {
        const struct session_command_sum *sum = session_command_sum_at(&session->devices, i);

        if (sum->kind != TRACE_COMMAND_KERNEL || sum->timed == 0 || sum->run_ns >= sum->host_ns)
            continue;
        all.calls += sum->calls;
        all.run_ns += (double)sum->run_ns;
        all.host_ns += (double)sum->host_ns;
        if (!all.most || sum->calls > all.most->calls)
            all.most = sum;
    }
    return all;
}

void rule_device_launch(const struct findings_context *context, struct findings *findings)
{
    const struct launches launches = find_launches(context->session);
    struct device_judged judged;
    struct finding *finding;

    device_judge(&judged, context);
    if (!judged.device) {
        findings_skip(findings, device_unseen_text);
        return;
    }
    if (launches.calls < least_launches || launches.host_ns < least_share * judged.span_ns) {
        findings_pass(findings, device_launch_passed_text, said_count(launches.calls));
        return;
    }
    finding = findings_add(findings, &(struct finding_claim){launches.host_ns, launches.host_ns,
                                                             FINDING_CONFIDENCE_LOW});
    say(&finding->title, device_launch_title_text, said_count(launches.calls));
    say(&finding->evidence, device_launch_text, said_time(launches.run_ns / (double)launches.calls),
        said_time(launches.host_ns / (double)launches.calls), said_time(launches.host_ns));
    say(&finding->evidence, device_most_text,
        said_words(launches.most->name ? launches.most->name : "?"),
        said_count(launches.most->calls));
    device_place_say(&finding->evidence, context, launches.most->chain);
    finding_add_number(finding, "calls", (double)launches.calls);
}

/* ---- DEVICE-COPIES -------------------------------------------------------- */

static bool is_host_copy(const struct session_command_sum *sum)
{
    return sum->kind == TRACE_COMMAND_TO_DEVICE || sum->kind == TRACE_COMMAND_FROM_DEVICE;
}

static struct launches find_copies(const struct session *session, uint64_t *bytes)
{
    struct launches all = {0};

    *bytes = 0;
    for (size_t i = 0; i < session->devices.sums.count; i++) {
        const struct session_command_sum *sum = session_command_sum_at(&session->devices, i);

        if (!is_host_copy(sum) || sum->calls == 0 ||
            (double)sum->bytes / (double)sum->calls >= small_bytes)
            continue;
        *bytes += sum->bytes;
        all.calls += sum->calls;
        all.host_ns += (double)sum->host_ns;
        if (!all.most || sum->calls > all.most->calls)
            all.most = sum;
    }
    return all;
}

void rule_device_copies(const struct findings_context *context, struct findings *findings)
{
    struct device_judged judged;
    struct finding *finding;
    uint64_t bytes;
    const struct launches copies = find_copies(context->session, &bytes);

    device_judge(&judged, context);
    if (!judged.device) {
        findings_skip(findings, device_unseen_text);
        return;
    }
    if (copies.calls < least_copies || copies.host_ns < least_share * judged.span_ns) {
        findings_pass(findings, device_copies_passed_text, said_count(copies.calls));
        return;
    }
    finding = findings_add(
        findings, &(struct finding_claim){copies.host_ns, copies.host_ns, FINDING_CONFIDENCE_LOW});
    say(&finding->title, device_copies_title_text, said_count(copies.calls));
    say(&finding->evidence, device_copies_text, said_bytes((double)bytes / (double)copies.calls),
        said_time(copies.host_ns));
    device_place_say(&finding->evidence, context, copies.most->chain);
    finding_add_number(finding, "calls", (double)copies.calls);
    finding_add_number(finding, "bytes", (double)bytes);
}

/* ---- DEVICE-BUILD --------------------------------------------------------- */

void rule_device_build(const struct findings_context *context, struct findings *findings)
{
    const struct session_devices *devices = &context->session->devices;
    double wall_ns = (double)context->session->process.wall_ns;
    const struct session_command_sum *most = NULL;
    struct finding *finding;
    uint64_t builds = 0;
    double ns = 0;

    for (size_t i = 0; i < devices->sums.count; i++) {
        const struct session_command_sum *sum = session_command_sum_at(devices, i);

        if (sum->kind != TRACE_COMMAND_BUILD)
            continue;
        builds += sum->calls;
        ns += (double)sum->host_ns;
        if (!most || sum->host_ns > most->host_ns)
            most = sum;
    }
    if (devices->devices.count == 0) {
        findings_skip(findings, device_unseen_text);
        return;
    }
    if (!most || ns < least_share * wall_ns) {
        findings_pass(findings, device_build_passed_text, said_count(builds), said_time(ns));
        return;
    }
    finding = findings_add(findings, &(struct finding_claim){ns, ns, FINDING_CONFIDENCE_MEDIUM});
    say(&finding->title, device_build_title_text, said_count(builds), said_time(ns));
    if (most->calls > 1)
        say(&finding->evidence, device_build_again_text, said_count(most->calls));
    device_place_say(&finding->evidence, context, most->chain);
    finding_add_number(finding, "builds", (double)builds);
    finding_add_number(finding, "build_ns", ns);
}
