/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a device is used: DEVICE-MEMORY, DEVICE-OVERLAP, DEVICE-PINNED, DEVICE-DOUBLE and
 * DEVICE-NARROW.
 *
 * All but the first judge the busiest device.  Its commands are those with times.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "devices/block_rows.h"
#include "devices/device_numbers.h"
#include "findings/context.h"
#include "findings/device_judged.h"
#include "findings/device_place.h"
#include "findings/finding.h"
#include "findings/texts.h"
#include "kernels/kernel_precision.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_unknown.h"

static const double most_used = 0.9;     /* of the memory, by the specification */
static const double least_share = 0.05;  /* of the judged time */
static const uint64_t least_copies = 20; /* of one place: fewer have no next piece */
static const double least_double = 0.2;  /* of the time of kernels */
static const double least_narrow = 0.5;  /* of the time of kernels */
static const double block_threads = 256; /* a usual block: fewer fill no multiprocessor */

/* ---- DEVICE-MEMORY -------------------------------------------------------- */

/* The memory of a device at its fullest. */
struct fullest {
    uint32_t device;
    double share; /* 0: no device has a known memory */
    double used_bytes, own_bytes, all_bytes;
};

/* The driver's reading has all processes; the program's own calls are exact. */
static struct fullest measure_memory(const struct session *session, uint32_t device)
{
    const struct trace_device *fact = &session_device_at(&session->devices, device)->fact;
    struct fullest fullest = {.device = device, .all_bytes = (double)fact->memory_bytes};
    struct device_number_sum sum;

    fullest.used_bytes = fullest.own_bytes = (double)block_rows_most(session, device);
    device_number_sum(&sum, session, device, TRACE_DEVICE_MEMORY_USED);
    if (sum.count > 0 && sum.most > 0 && (double)sum.highest > fullest.used_bytes) {
        fullest.used_bytes = (double)sum.highest;
        fullest.all_bytes = (double)sum.most;
    }
    if (fullest.all_bytes > 0 && !(fact->flags & TRACE_DEVICE_SHARES_MEMORY))
        fullest.share = fullest.used_bytes / fullest.all_bytes;
    return fullest;
}

static struct fullest find_fullest(const struct session *session)
{
    struct fullest fullest = {0};

    for (uint32_t i = 0; i < session->devices.devices.count; i++) {
        struct fullest next = measure_memory(session, i);

        if (next.share > fullest.share)
            fullest = next;
    }
    return fullest;
}

/* The line that held most at the peak. */
static void say_owner(struct text *text, const struct findings_context *context, uint32_t device)
{
    const char *name = session_device_at(&context->session->devices, device)->name;
    const struct block_row *most = NULL;
    struct array rows;

    block_rows_fill(&rows, context->session, context->options.find_frames);
    for (size_t i = 0; i < rows.count; i++) {
        const struct block_row *row = array_at(&rows, i);

        if (strcmp(row->device, name) == 0 && (!most || row->peak_bytes > most->peak_bytes))
            most = row;
    }
    if (most && most->peak_bytes > 0 && most->place)
        say(text, device_memory_owner_text, said_words(most->place),
            said_bytes((double)most->peak_bytes));
    array_fini(&rows);
}

void rule_device_memory(const struct findings_context *context, struct findings *findings)
{
    const struct session *session = context->session;
    const struct fullest fullest = find_fullest(session);
    struct finding *finding;
    const char *name;

    if (!(fullest.share > 0)) {
        findings_skip(findings, device_memory_unknown_text);
        return;
    }
    name = session_device_at(&session->devices, fullest.device)->name;
    if (fullest.share < most_used) {
        findings_pass(findings, device_memory_passed_text, said_words(name),
                      said_share(fullest.share));
        return;
    }
    finding = findings_add_doubt(findings, false, FINDING_CONFIDENCE_HIGH);
    say(&finding->title, device_memory_title_text, said_words(name), said_share(fullest.share));
    say(&finding->evidence, device_memory_text, said_bytes(fullest.used_bytes),
        said_bytes(fullest.all_bytes), said_bytes(fullest.own_bytes));
    say_owner(&finding->evidence, context, fullest.device);
    finding_add_number(finding, "used_bytes", fullest.used_bytes);
    finding_add_number(finding, "memory_bytes", fullest.all_bytes);
}

/* ---- commands of the judged device ---------------------------------------- */

typedef bool (*chooser)(const struct session *session, const struct session_command_sum *sum);

struct chosen {
    double all_ns; /* of all kernels of the device */
    double run_ns; /* of the chosen ones */
    uint64_t calls;
    const struct session_command_sum *most; /* the longest of them; NULL: none */
};

static bool is_of(const struct session *session, const struct session_command_sum *sum,
                  const struct device_judged *judged)
{
    return sum->queue != SESSION_NONE && sum->timed > 0 &&
           session_queue_at(&session->devices, sum->queue)->device == judged->index;
}

static struct chosen choose(const struct session *session, const struct device_judged *judged,
                            enum trace_command_kind kind, chooser is_chosen)
{
    struct chosen chosen = {0};

    for (size_t i = 0; i < session->devices.sums.count; i++) {
        const struct session_command_sum *sum = session_command_sum_at(&session->devices, i);

        if (sum->kind != kind || !is_of(session, sum, judged))
            continue;
        chosen.all_ns += (double)sum->run_ns;
        if (!is_chosen(session, sum))
            continue;
        chosen.run_ns += (double)sum->run_ns;
        chosen.calls += sum->calls;
        if (!chosen.most || sum->run_ns > chosen.most->run_ns)
            chosen.most = sum;
    }
    return chosen;
}

/* Returns: the chosen ones' part of the time of all. */
static double share_of(const struct chosen *chosen)
{
    return chosen->all_ns > 0 ? chosen->run_ns / chosen->all_ns : 0;
}

static bool are_worth(const struct chosen *chosen, const struct device_judged *judged, double least)
{
    return share_of(chosen) >= least && chosen->run_ns >= least_share * judged->span_ns;
}

/* Add the finding, without the evidence. */
static struct finding *add_chosen(struct findings *findings, const struct chosen *chosen,
                                  const struct device_judged *judged, struct said title)
{
    const double ns = chosen->run_ns, share = share_of(chosen);
    struct finding *finding =
        findings_add(findings, &(struct finding_claim){ns, ns, FINDING_CONFIDENCE_LOW});

    say(&finding->title, title, said_share(share), said_words(judged->device->name));
    finding_add_number(finding, "share", share);
    return finding;
}

static void say_most(struct text *text, const struct findings_context *context,
                     const struct session_command_sum *most)
{
    say(text, device_longest_text, said_words(most->name ? most->name : "?"),
        said_time((double)most->run_ns));
    device_place_say(text, context, most->chain);
}

/* ---- DEVICE-OVERLAP ------------------------------------------------------- */

static bool is_any(const struct session *session, const struct session_command_sum *sum)
{
    (void)session;
    (void)sum;
    return true;
}

static const struct session_command_sum *find_longest_copy(const struct session *session,
                                                           const struct device_judged *judged)
{
    const struct chosen to = choose(session, judged, TRACE_COMMAND_TO_DEVICE, is_any);
    const struct chosen from = choose(session, judged, TRACE_COMMAND_FROM_DEVICE, is_any);

    return from.run_ns > to.run_ns ? from.most : to.most;
}

/* A copy can hide behind a kernel, if the kernel does not run behind another copy. */
void rule_device_overlap(const struct findings_context *context, struct findings *findings)
{
    const struct session_command_sum *most;
    struct device_judged judged;
    struct finding *finding;
    double saved_ns, kernels_ns;

    device_judge(&judged, context);
    if (!judged.device) {
        findings_skip(findings, device_unseen_text);
        return;
    }
    kernels_ns = judged.busy.kernel_ns - judged.busy.both_ns;
    saved_ns = judged.busy.copy_ns < kernels_ns ? judged.busy.copy_ns : kernels_ns;
    most = find_longest_copy(context->session, &judged);
    if (!most || most->calls < least_copies || saved_ns < least_share * judged.span_ns) {
        findings_pass(findings, device_overlap_passed_text, said_time(judged.busy.copy_ns));
        return;
    }
    finding = findings_add(
        findings, &(struct finding_claim){judged.busy.copy_ns, saved_ns, FINDING_CONFIDENCE_LOW});
    say(&finding->title, device_overlap_title_text, said_time(judged.busy.copy_ns));
    say(&finding->evidence, device_overlap_text, said_time(judged.busy.kernel_ns),
        said_time(judged.busy.both_ns));
    say(&finding->evidence, device_overlap_most_text, said_time((double)most->run_ns));
    device_place_say(&finding->evidence, context, most->chain);
    finding_add_number(finding, "copy_ns", judged.busy.copy_ns);
    finding_add_number(finding, "overlap_ns", judged.busy.both_ns);
}

/* ---- DEVICE-PINNED -------------------------------------------------------- */

/* Copies from or to memory of the host that is not pinned. */
struct pageable {
    uint64_t copies;
    double bytes, run_ns;
    uint32_t most; /* index of the sum with most of their time; SESSION_NONE */
};

static struct pageable find_pageable(const struct session *session,
                                     const struct device_judged *judged)
{
    double *times_ns = memory_get_zeros(session->devices.sums.count + 1, sizeof *times_ns);
    struct pageable found = {.most = SESSION_NONE};

    for (size_t i = 0; i < session->devices.commands.count; i++) {
        const struct session_command *command = session_command_at(&session->devices, i);

        if (!command->is_pageable || command->start_ns == SESSION_UNKNOWN ||
            !is_of(session, session_command_sum_at(&session->devices, command->sum), judged))
            continue;
        found.copies++;
        found.bytes += (double)command->bytes;
        found.run_ns += (double)busy_clip(&judged->busy, command->start_ns, command->end_ns);
        times_ns[command->sum] += (double)(command->end_ns - command->start_ns);
        if (found.most == SESSION_NONE || times_ns[command->sum] > times_ns[found.most])
            found.most = command->sum;
    }
    free(times_ns);
    return found;
}

/* CUPTI tells of each copy which memory it used; other interfaces tell nothing. */
void rule_device_pinned(const struct findings_context *context, struct findings *findings)
{
    const struct session *session = context->session;
    struct device_judged judged;
    struct pageable pageable;
    struct finding *finding;

    device_judge(&judged, context);
    if (!judged.device || judged.device->fact.api != TRACE_DEVICE_API_CUDA) {
        findings_skip(findings, device_pinned_unknown_text);
        return;
    }
    pageable = find_pageable(session, &judged);
    if (pageable.copies < least_copies || pageable.run_ns < least_share * judged.span_ns) {
        findings_pass(findings, device_pinned_passed_text, said_count(pageable.copies));
        return;
    }
    finding = findings_add(findings, &(struct finding_claim){pageable.run_ns, pageable.run_ns,
                                                             FINDING_CONFIDENCE_LOW});
    say(&finding->title, device_pinned_title_text, said_count(pageable.copies));
    say(&finding->evidence, device_pinned_text, said_bytes(pageable.bytes),
        said_time(pageable.run_ns));
    device_place_say(&finding->evidence, context,
                     session_command_sum_at(&session->devices, pageable.most)->chain);
    finding_add_number(finding, "copies", (double)pageable.copies);
    finding_add_number(finding, "bytes", pageable.bytes);
}

/* ---- DEVICE-DOUBLE -------------------------------------------------------- */

/* By the catalog, else by the names that libraries and compilers give such kernels. */
static bool is_double(const struct session *session, const struct session_command_sum *sum)
{
    static const char *const signs[] = {"dgemm", "double", "f64", "fp64"};

    if (sum->slot != SESSION_NONE &&
        kernel_precision_of_slot(session, session_slot_at(session, sum->slot)) == MACHINE_F64)
        return true;
    for (size_t i = 0; sum->name && i < sizeof signs / sizeof *signs; i++)
        if (strstr(sum->name, signs[i]))
            return true;
    return false;
}

void rule_device_double(const struct findings_context *context, struct findings *findings)
{
    struct device_judged judged;
    struct finding *finding;
    struct chosen chosen;

    device_judge(&judged, context);
    if (!judged.device || judged.device->fact.kind == TRACE_DEVICE_CPU) {
        findings_skip(findings, device_no_gpu_text);
        return;
    }
    chosen = choose(context->session, &judged, TRACE_COMMAND_KERNEL, is_double);
    if (!are_worth(&chosen, &judged, least_double)) {
        findings_pass(findings, device_double_passed_text, said_share(share_of(&chosen)));
        return;
    }
    finding = add_chosen(findings, &chosen, &judged, device_double_title_text);
    say(&finding->evidence, device_double_text, said_count(chosen.calls), said_time(chosen.run_ns));
    say_most(&finding->evidence, context, chosen.most);
}

/* ---- DEVICE-NARROW -------------------------------------------------------- */

static bool is_narrow(const struct session *session, const struct session_command_sum *sum)
{
    uint32_t units = session_device_of(&session->devices, sum)->fact.units;

    return sum->calls > 0 && sum->work > 0 &&
           (double)sum->work / (double)sum->calls < block_threads * units;
}

static unsigned count_queues(const struct session *session, const struct device_judged *judged)
{
    uint32_t first = SESSION_NONE;
    unsigned queues = 0;

    for (size_t i = 0; i < session->devices.sums.count && queues < 2; i++) {
        const struct session_command_sum *sum = session_command_sum_at(&session->devices, i);

        if (sum->kind != TRACE_COMMAND_KERNEL || !is_of(session, sum, judged) ||
            sum->queue == first)
            continue;
        first = sum->queue;
        queues++;
    }
    return queues;
}

/* Kernels of one queue run one after the other, also those that leave most of the device idle. */
void rule_device_narrow(const struct findings_context *context, struct findings *findings)
{
    struct device_judged judged;
    struct finding *finding;
    struct chosen chosen;

    device_judge(&judged, context);
    if (!judged.device || judged.device->fact.kind != TRACE_DEVICE_GPU ||
        judged.device->fact.units == 0) {
        findings_skip(findings, device_no_gpu_text);
        return;
    }
    chosen = choose(context->session, &judged, TRACE_COMMAND_KERNEL, is_narrow);
    if (!are_worth(&chosen, &judged, least_narrow) || count_queues(context->session, &judged) > 1) {
        findings_pass(findings, device_narrow_passed_text, said_share(share_of(&chosen)));
        return;
    }
    finding = add_chosen(findings, &chosen, &judged, device_narrow_title_text);
    say(&finding->evidence, device_narrow_text, said_count(judged.device->fact.units),
        said_count(chosen.most->work / chosen.most->calls));
    say_most(&finding->evidence, context, chosen.most);
}
