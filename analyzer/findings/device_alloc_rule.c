/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * DEVICE-ALLOC: memory of a device that one place obtains and gives back again and again.
 *
 * The trace has no time of these calls, so the finding is a place, without a gain.
 */
#include <stdlib.h>

#include "devices/block_rows.h"
#include "findings/context.h"
#include "findings/device_place.h"
#include "findings/finding.h"
#include "findings/texts.h"
#include "model/session.h"
#include "model/session_unknown.h"

static const uint64_t least_again = 200;  /* fewer are no loop worth a change */
static const uint64_t most_commands = 20; /* for each such allocation: with more it hardly counts */

/* A block that a place obtained, or gave back. */
struct change {
    uint32_t chain;
    uint64_t time_ns;
    uint64_t bytes; /* 0: given back */
};

static void add_change(struct array *changes, uint32_t chain, uint64_t time_ns, uint64_t bytes)
{
    struct change *change = array_add(changes);

    *change = (struct change){chain, time_ns, bytes};
}

/* Blocks of a pool cost the program no call of the device. */
static void fill_changes(struct array *changes, const struct session *session)
{
    const struct session_device_block *block = session->devices.blocks.items;

    array_init(changes, sizeof(struct change));
    for (size_t i = 0; i < session->devices.blocks.count; i++) {
        if (block[i].bytes == 0 || !block_rows_are_in(session, block[i].device, block[i].place))
            continue;
        add_change(changes, block[i].chain, block[i].start_ns, block[i].bytes);
        if (block[i].end_ns != SESSION_UNKNOWN)
            add_change(changes, block[i].chain, block[i].end_ns, 0);
    }
}

/* By place and time; memory is given back before it is obtained again. */
static int compare_changes(const void *left, const void *right)
{
    const struct change *a = left, *b = right;

    if (a->chain != b->chain)
        return a->chain < b->chain ? -1 : 1;
    if (a->time_ns != b->time_ns)
        return a->time_ns < b->time_ns ? -1 : 1;
    return a->bytes < b->bytes ? -1 : a->bytes > b->bytes;
}

/* A place that obtained memory after it had given back as many blocks. */
struct place_again {
    uint32_t chain;
    uint64_t calls;
    uint64_t bytes;
};

/* Returns: the place with most of such calls; their sum over all places is `calls`. */
static struct place_again find_again(const struct session *session, uint64_t *calls)
{
    struct place_again most = {SESSION_NONE, 0, 0}, place = most;
    struct array changes;
    uint64_t spare = 0;

    *calls = 0;
    fill_changes(&changes, session);
    if (changes.count > 0)
        qsort(changes.items, changes.count, sizeof(struct change), compare_changes);
    for (size_t i = 0; i < changes.count; i++) {
        const struct change *change = array_at(&changes, i);

        if (i == 0 || change->chain != place.chain) {
            place = (struct place_again){change->chain, 0, 0};
            spare = 0;
        }
        if (change->bytes == 0) {
            spare++;
        } else if (spare > 0) {
            spare--;
            ++*calls;
            place.calls++;
            place.bytes += change->bytes;
        }
        if (place.calls > most.calls)
            most = place;
    }
    array_fini(&changes);
    return most;
}

static uint64_t count_commands(const struct session *session)
{
    uint64_t commands = 0;

    for (size_t i = 0; i < session->devices.sums.count; i++)
        commands += session_command_sum_at(&session->devices, i)->calls;
    return commands;
}

void rule_device_alloc(const struct findings_context *context, struct findings *findings)
{
    const struct session *session = context->session;
    uint64_t calls, commands = count_commands(session);
    const struct place_again most = find_again(session, &calls);
    struct finding *finding;

    if (session->devices.devices.count == 0) {
        findings_skip(findings, device_unseen_text);
        return;
    }
    if (most.calls < least_again || most.calls * most_commands < commands) {
        findings_pass(findings, device_alloc_passed_text, said_count(calls));
        return;
    }
    finding = findings_add_doubt(findings, false, FINDING_CONFIDENCE_MEDIUM);
    say(&finding->title, device_alloc_title_text, said_count(calls));
    say(&finding->evidence, device_alloc_text, said_count(most.calls),
        said_bytes((double)most.bytes / (double)most.calls), said_count(commands));
    device_place_say(&finding->evidence, context, most.chain);
    finding_add_number(finding, "calls", (double)calls);
    finding_add_number(finding, "bytes", (double)most.bytes);
}
