/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Giving wrapper clones to real functions.
 */
#include "hook/bindings.h"

#include <fnmatch.h>
#include <stddef.h>

#include "adapter/adapter.h"
#include "cold/path.h"
#include "hook/load_map.h"
#include "spec/plan.h"

struct binding *bindings[BINDINGS_MAX];
unsigned bindings_count;

static struct binding *find_binding(const struct symbol *symbol, const void *target)
{
    struct wrapper_pool *pool = &wrapper_pools[symbol->form];

    for (unsigned i = 0; i < pool->used; i++)
        if (pool->bindings[i].target == target && pool->bindings[i].symbol == symbol)
            return &pool->bindings[i];
    return NULL;
}

/* What the entry stub passes on. */
static void set_pass(struct binding *binding, const struct plan *plan)
{
    int stacked = plan->integers - PLAN_REGISTERS;

    if (plan->has_no_proto)
        stacked = PLAN_STACK_UNKNOWN;
    binding->stack_words = (uint8_t)(stacked > 0 ? stacked : 0);
    binding->keeps_reals = plan->keeps_reals;
}

static struct binding *new_binding(const struct symbol *symbol, void *target)
{
    struct wrapper_pool *pool = &wrapper_pools[symbol->form];
    struct binding *binding;

    if (pool->used == pool->count || bindings_count == BINDINGS_MAX)
        return NULL;
    binding = &pool->bindings[pool->used++];
    binding->target = target;
    binding->symbol = symbol;
    binding->owns = symbol->owns;
    binding->is_sampled = symbol->is_sampled;
    binding->id = pool->first_id + (uint32_t)(binding - pool->bindings);
    if (symbol->plan)
        set_pass(binding, symbol->plan);
    if (symbol->adapter && symbol->adapter->bind)
        symbol->adapter->bind(binding);
    bindings[bindings_count++] = binding;
    return binding;
}

struct binding *bindings_get(const struct symbol *symbol, void *target)
{
    struct binding *binding = find_binding(symbol, target);

    return binding ? binding : new_binding(symbol, target);
}

void *bindings_entry(const struct binding *binding)
{
    const struct wrapper_pool *pool = &wrapper_pools[binding->symbol->form];

    return wrapper_entry(pool, (unsigned)(binding - pool->bindings));
}

/* What a user names may be data, or a function of ours. */
bool bindings_accept(const struct symbol *symbol, const void *target)
{
    const struct loaded *entry;

    if (!symbol->library && !symbol->plan)
        return true;
    entry = load_map_find((uintptr_t)target);
    if (!entry || elf_is_self(&entry->object))
        return false;
    return !symbol->library ||
           fnmatch(symbol->library, path_base_name(load_map_module(entry)->path), 0) == 0;
}
