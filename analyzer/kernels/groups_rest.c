/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Thread time that no kernel took: threads that called none, our own cost, and other code.
 */
#include <stdio.h>

#include "base/units.h"
#include "kernels/groups.h"
#include "model/session.h"
#include "model/session_threads.h"
#include "model/session_waits.h"

static struct groups_bystanders find_bystanders(const struct session *session)
{
    enum { WAITING_PART = 10 };
    const struct session_thread *thread = session->threads.items;
    struct groups_bystanders found = {0, 0, ""};
    bool they_wait = true;

    for (size_t i = 0; i < session->threads.count; i++) {
        uint64_t life_ns = thread[i].last_ns - thread[i].first_ns;

        if (thread[i].kernel_ns > 0 || thread[i].last_ns <= thread[i].first_ns)
            continue;
        found.ns += life_ns;
        found.count++;
        they_wait &= thread[i].cpu_ns < life_ns / WAITING_PART; /* UNKNOWN is more */
    }
    if (found.count == session->threads.count)
        found = (struct groups_bystanders){0, 0, ""};
    snprintf(found.name, sizeof found.name,
             they_wait ? "%zu idle worker thread%s" : "%zu thread%s without kernels", found.count,
             units_choose(found.count, "", "s"));
    return found;
}

/* Roughly known lives may exceed the rest. */
static uint64_t take_from(uint64_t *left_ns, uint64_t ns)
{
    uint64_t taken = ns < *left_ns ? ns : *left_ns;

    *left_ns -= taken;
    return taken;
}

/* Calls inside of kernels are part of these.  Copying the read data is part of reading. */
static uint64_t find_loading_ns(const struct session *session)
{
    uint64_t sum_ns = 0;

    for (size_t i = 0; i < session->waits.count; i++) {
        const struct session_wait *wait = session_wait_at(session, i);

        if (wait->is_input && !wait->is_in_kernel &&
            !session_region_is_own(session_region_at(session, wait->region)) &&
            session_thread_at(session, wait->thread)->kernel_ns > 0)
            sum_ns += wait->total_ns;
    }
    return sum_ns;
}

struct groups_rest groups_split_rest(const struct session *session, uint64_t kernel_ns)
{
    uint64_t left_ns = session->thread_ns > kernel_ns ? session->thread_ns - kernel_ns : 0;
    struct groups_rest rest = {.bystanders = find_bystanders(session)};

    rest.bystanders.ns = take_from(&left_ns, rest.bystanders.ns);
    rest.loading_ns = take_from(&left_ns, find_loading_ns(session));
    rest.own_ns = take_from(&left_ns, session->overhead.total_ns);
    rest.other_ns = left_ns;
    return rest;
}
