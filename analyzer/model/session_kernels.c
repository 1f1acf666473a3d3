/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The name of a slot's kernel, and the part of its time that is our own cost.
 */
#include "model/session_kernels.h"

#include <math.h>

#include "model/python.h"
#include "model/session.h"
#include "symbols/storage.h"

const struct catalog *session_read_catalog(const struct session *session)
{
    struct storage *storage = session->storage;
    bool is_later = storage && storage->catalog_text.size > 0;
    unsigned count = is_later ? session->catalog.kernel_count : 0;

    for (unsigned i = 0; i < count; i++)
        (void)catalog_later_get(&storage->later, i);
    return &session->catalog;
}

const char *session_name_slot(const struct session *session, const struct session_slot *slot)
{
    const struct session_binding *binding = session_binding_at(session, slot->binding);

    return slot->kernel && slot->kernel != binding->kernel ? slot->kernel->name : binding->symbol;
}

const struct session_module *session_find_module(const struct session *session, uint64_t address)
{
    const struct session_module *module = session->modules.items;
    const struct session_module *found = NULL;

    if (python_is_site(address)) {
        const struct trace_site *site = python_codes_find_site(session->python.codes, address);

        address = site ? site->address : 0;
    }
    for (size_t i = 0; i < session->modules.count; i++) {
        const struct trace_module *fact = &module[i].fact;

        if (address < fact->start || address >= fact->end)
            continue;
        if (!found || fact->epoch > found->fact.epoch)
            found = &module[i];
    }
    return found;
}

double session_inner_cost_ns(const struct session *session, const struct session_slot *slot)
{
    const struct catalog_kernel *kernel = slot->kernel;

    if (kernel && !kernel->is_compiled)
        return session->overhead.entry_inner_ns;
    return session->overhead.kernel_inner_ns;
}

uint64_t session_without_cost(const struct session *session, const struct session_slot *slot,
                              uint64_t ns)
{
    double cost_ns = round(session_inner_cost_ns(session, slot) * (double)slot->calls);

    return (double)ns > cost_ns ? (uint64_t)llround((double)ns - cost_ns) : 0;
}

double session_timed_ns(const struct session *session, const struct session_slot *slot)
{
    double untimed_cost_ns =
        session_inner_cost_ns(session, slot) * (double)(slot->calls - slot->timed_calls);

    return fmax(0, (double)slot->total_ns - (double)slot->estimated_ns - untimed_cost_ns);
}
