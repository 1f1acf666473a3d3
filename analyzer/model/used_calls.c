/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Half of the calls of a Python program are those that its chains were joined of.
 *
 * Called once, when a session is opened and no number of a call has been given out.
 */
#include "model/used_calls.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_heap.h"
#include "model/session_samples.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"

/* By call: first whether it is used, later its new number. */
struct numbers {
    uint32_t *of_call;
    void (*change)(const struct numbers *numbers, uint32_t *call);
};

static void mark(const struct numbers *numbers, uint32_t *call)
{
    if (*call != SESSION_NONE)
        numbers->of_call[*call] = 1;
}

static void renumber(const struct numbers *numbers, uint32_t *call)
{
    if (*call != SESSION_NONE)
        *call = numbers->of_call[*call];
}

static void visit_devices(const struct session_devices *devices, const struct numbers *numbers)
{
    struct session_command_sum *sum = devices->sums.items;
    struct session_command *command = devices->commands.items;
    struct session_device_block *block = devices->blocks.items;

    for (size_t i = 0; i < devices->sums.count; i++)
        numbers->change(numbers, &sum[i].chain);
    for (size_t i = 0; i < devices->commands.count; i++)
        numbers->change(numbers, &command[i].chain);
    for (size_t i = 0; i < devices->blocks.count; i++)
        numbers->change(numbers, &block[i].chain);
}

/* Everything that refers to calls, except calls. */
static void visit(const struct session *session, const struct numbers *numbers)
{
    struct session_site *site = session->sites.items;
    struct session_sample *sample = session->samples.items;
    struct session_mapping *mapping = session->mappings.items;
    struct session_wait *wait = session->waits.items;
    struct session_wait_call *wait_call = session->wait_calls.items;
    struct session_wake *wake = session->wakes.items;
    struct session_unjoined *unjoined = session->unjoined.items;

    for (size_t i = 0; i < session->sites.count; i++)
        numbers->change(numbers, &site[i].call);
    for (size_t i = 0; i < session->samples.count; i++)
        numbers->change(numbers, &sample[i].call);
    for (size_t i = 0; i < session->mappings.count; i++)
        numbers->change(numbers, &mapping[i].call);
    for (size_t i = 0; i < session->waits.count; i++)
        numbers->change(numbers, &wait[i].chain);
    for (size_t i = 0; i < session->wait_calls.count; i++)
        numbers->change(numbers, &wait_call[i].chain);
    for (size_t i = 0; i < session->wakes.count; i++)
        numbers->change(numbers, &wake[i].chain);
    for (size_t i = 0; i < session->unjoined.count; i++)
        numbers->change(numbers, &unjoined[i].chain);
    visit_devices(&session->devices, numbers);
}

/* Callers have lower numbers. */
static void mark_callers(const struct session *session, uint32_t *used)
{
    for (size_t i = session->calls.count; i-- > 1;)
        if (used[i])
            used[session_call_at(session, i)->parent] = 1;
}

static void move_calls(struct session *session, uint32_t *numbers)
{
    struct session_call *call = session->calls.items;
    uint32_t count = 1;

    numbers[0] = 0;
    for (size_t i = 1; i < session->calls.count; i++) {
        if (!numbers[i])
            continue;
        numbers[i] = count;
        call[count] = call[i];
        call[count++].parent = numbers[call[i].parent];
    }
    array_truncate(&session->calls, count);
    array_fit(&session->calls);
}

void used_calls_keep(struct session *session)
{
    struct numbers numbers = {memory_get_zeros(session->calls.count + 1, sizeof(uint32_t)), mark};

    session->calls_read = session->calls.count;
    visit(session, &numbers);
    mark_callers(session, numbers.of_call);
    move_calls(session, numbers.of_call);
    numbers.change = renumber;
    visit(session, &numbers);
    free(numbers.of_call);
}
