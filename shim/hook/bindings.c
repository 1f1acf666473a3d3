/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Giving wrapper clones to real functions.
 */
#include "hook/bindings.h"

#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

#include "call/adapter_call.h"
#include "hook/catalog.h"
#include "hook/load_map.h"
#include "platform/hash.h"
#include "record/path.h"
#include "record/tally.h"
#include "spec/plan.h"

struct binding *bindings[BINDINGS_MAX];
atomic_uint bindings_count;

static uint32_t modules[BINDINGS_MAX]; /* the module of each target; 0: none */

/* An index by target: the number of a binding plus one; 0 is free. */
enum { PLACES = 2 * BINDINGS_MAX };
static unsigned short places[PLACES];

static uint32_t module_of(const void *target)
{
    const struct loaded *entry = load_map_find((uintptr_t)target);

    return entry ? entry->module : 0;
}

/* Is the shape a few integers, each a plain argument? */
static bool is_plain(const struct binding *binding, const struct plan *plan)
{
    if (plan->words > TALLY_FEW || binding->is_sampled || binding->symbol->adapter)
        return false;
    for (unsigned i = 0; i < plan->step_count; i++) {
        const struct plan_step *step = &plan->steps[i];

        if (step->operation != PLAN_TAKE ||
            (step->access != CATALOG_INT32 && step->access != CATALOG_INT64))
            return false;
    }
    return true;
}

/* The stack words that a function may take; `known`: from its prototype.  A user's prototype may
 * lack arguments, such as vectors, or the lengths that a Fortran compiler adds and no source shows.
 * The function must get them nevertheless. */
static int count_stack_words(const struct plan *plan, int known)
{
    enum { UNIT = PLAN_STACK_ALIGN / sizeof(word) };
    int words = (known + PLAN_STACK_HIDDEN + UNIT - 1) / UNIT * UNIT;

    if (plan->has_no_proto)
        return PLAN_STACK_BLIND;
    if (!plan->is_users)
        return known;
    return words > PLAN_STACK_UNSURE ? words : PLAN_STACK_UNSURE;
}

/* Set which arguments the entry stub passes on. */
static void set_pass(struct binding *binding, const struct plan *plan)
{
    int known = plan->integers > PLAN_REGISTERS ? plan->integers - PLAN_REGISTERS : 0;
    int words = count_stack_words(plan, known);

    binding->guesses_stack = words > known;
    binding->stack_words = (uint8_t)words;
    if (is_plain(binding, plan))
        binding->reals = BINDING_IS_PLAIN;
    else if (plan->keeps_reals || plan->is_users)
        binding->reals = BINDING_KEEPS_REALS;
    else
        binding->reals = BINDING_HAS_NO_REALS;
}

/* A library that was closed and opened again has a new row. */
static bool is_same_file(uint32_t left, uint32_t right)
{
    const struct load_map_module *a, *b;

    if (left == right || left == 0 || right == 0)
        return left == right;
    a = &load_map_modules[left - 1];
    b = &load_map_modules[right - 1];
    return a->fact.build_id_size == b->fact.build_id_size &&
           memcmp(a->build_id, b->build_id, a->fact.build_id_size) == 0 &&
           strcmp(a->path, b->path) == 0;
}

/* Find the place of a binding, or the free place where it belongs. */
static unsigned find_place(const struct symbol *symbol, const void *target, uint32_t module)
{
    unsigned place = (unsigned)((uintptr_t)target * HASH_FACTOR >> 32) % PLACES;

    for (; places[place] != 0; place = (place + 1) % PLACES) {
        unsigned i = places[place] - 1u;

        if (bindings[i]->target == target && bindings[i]->symbol == symbol &&
            is_same_file(modules[i], module))
            break;
    }
    return place;
}

static struct binding *new_binding(const struct symbol *symbol, void *target, uint32_t module)
{
    struct wrapper_pool *pool = &wrapper_pools[symbol->form];
    unsigned count = bindings_count;
    struct binding *binding;

    if (pool->used == pool->count || count == BINDINGS_MAX)
        return NULL;
    binding = &pool->bindings[pool->used++];
    binding->target = target;
    binding->symbol = symbol;
    binding->owns = symbol->owns;
    binding->is_sampled = symbol->is_sampled;
    binding->id = pool->first_id + (uint32_t)(binding - pool->bindings);
    if (symbol->plan)
        set_pass(binding, symbol->plan);
    modules[count] = module;
    if (symbol->adapter && symbol->adapter->bind)
        symbol->adapter->bind(binding);
    bindings[count] = binding;
    atomic_store_explicit(&bindings_count, count + 1, memory_order_release);
    return binding;
}

/* Another library may be at an address now, so its functions get their own bindings. */
struct binding *bindings_get(const struct symbol *symbol, void *target)
{
    uint32_t module = module_of(target);
    unsigned place = find_place(symbol, target, module);
    struct binding *binding;

    if (places[place] != 0)
        return bindings[places[place] - 1];
    binding = new_binding(symbol, target, module);
    if (binding)
        places[place] = (unsigned short)bindings_count;
    return binding;
}

void *bindings_entry(const struct binding *binding)
{
    const struct wrapper_pool *pool = &wrapper_pools[binding->symbol->form];

    return wrapper_entry(pool, (unsigned)(binding - pool->bindings));
}

const void *bindings_mark(const struct binding *binding)
{
    const struct wrapper_pool *pool = &wrapper_pools[binding->symbol->form];

    return wrapper_mark(pool, (unsigned)(binding - pool->bindings));
}

/* A name of the user's may be data, or a function of ours. */
static bool is_meant(const struct symbol *symbol, const char *name, const void *target)
{
    const struct loaded *entry;

    if (!symbol->library && !symbol->plan)
        return true;
    entry = load_map_find((uintptr_t)target);
    if (!entry || elf_is_self(&entry->object) || elf_has_data(&entry->object, name))
        return false;
    return !symbol->library ||
           fnmatch(symbol->library, path_base_name(load_map_module(entry)->path), 0) == 0;
}

const struct symbol *bindings_choose(const struct symbol *row, const char *name, const void *target)
{
    while (row && !is_meant(row, name, target))
        row = catalog_next(row, name);
    return row ? catalog_choose(row, name) : NULL;
}
