/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of spec/waits.def by name, and the bindings of their wrappers.
 */
#include "hook/waits.h"

#include <string.h>

#include "call/wait.h"
#include "call/wait_pools.h"
#include "hook/scope.h"
#include "record/path.h"

enum { PLACES = 512, STARTS = 65536 / 64 };

_Static_assert((int)PLACES > 2 * (int)TRACE_WAIT_CALLS, "most searches end at once");

/* The number of a row plus one; 0 is free. */
static uint8_t places[PLACES];

_Static_assert((int)TRACE_WAIT_CALLS < UINT8_MAX, "a place holds the number of a row plus one");

/* The first two characters of all names, with a bit for each pair; this refuses most other
 * names. */
static uint64_t starts[STARTS];

static unsigned start_of(const char *name)
{
    return (unsigned)(unsigned char)name[0] << 8 | (name[0] ? (unsigned char)name[1] : 0u);
}

static bool has_name(unsigned call, const char *name)
{
    return strcmp(wait_rows[call].name, name) == 0;
}

/* Rows of one name follow one another in their order.  Exported functions need no hook. */
void waits_init(void)
{
    for (unsigned call = 0; call < TRACE_WAIT_CALLS; call++) {
        const char *name = wait_rows[call].name;
        uint32_t at = elf_hash(name) % PLACES;

        if (wait_rows[call].result == WAIT_RESULT_OURS)
            continue;
        starts[start_of(name) / 64] |= UINT64_C(1) << start_of(name) % 64;
        while (places[at] != 0)
            at = (at + 1) % PLACES;
        places[at] = (uint8_t)(call + 1);
    }
}

static int find_behind(int call, const char *name)
{
    for (uint32_t at = elf_hash(name) % PLACES; places[at] != 0; at = (at + 1) % PLACES)
        if (places[at] - 1 > call && has_name(places[at] - 1u, name))
            return places[at] - 1;
    return WAITS_NONE;
}

int waits_find(const char *name)
{
    unsigned start = start_of(name);

    return starts[start / 64] >> start % 64 & 1 ? find_behind(WAITS_NONE, name) : WAITS_NONE;
}

static bool is_python(const struct loaded *entry)
{
    const char *name = entry ? path_base_name(load_map_module(entry)->path) : "";

    return strncmp(name, "python", 6) == 0 || strncmp(name, "libpython", 9) == 0;
}

int waits_choose(int call, const struct loaded *caller)
{
    if (wait_rows[call].class != TRACE_WAIT_CLASS_GIL || is_python(caller))
        return call;
    return find_behind(call, wait_rows[call].name);
}

/* The function that tries the lock must be of the same library. */
static void *find_attempt(const char *attempt, const void *target)
{
    const struct loaded *entry = load_map_find((uintptr_t)target);
    struct elf_name name = elf_name_by_dlsym(attempt, NULL);

    return entry ? scope_find_in(entry, &name) : NULL;
}

/* Returns: whether the wrapper could be bound. */
static bool bind(struct wait_binding *binding, int call, void *target)
{
    const char *attempt = wait_rows[call].attempt;
    void *found = attempt ? find_attempt(attempt, target) : NULL;

    if (attempt && !found)
        return false;
    wait_bind(binding, (unsigned)call, target, found);
    return true;
}

/* A function of the shim that precedes libc's stays in place.  A function of another library that
 * precedes the shim's calls the shim's itself, or intends not to. */
static void *find_standing(int call, void *target)
{
    for (unsigned i = 0; i < waits_standing_count; i++)
        if (target == *waits_standing[i].behind &&
            strcmp(waits_standing[i].name, wait_rows[call].name) == 0)
            return waits_standing[i].function;
    return target;
}

bool waits_stands(const void *function)
{
    for (unsigned i = 0; i < waits_standing_count; i++)
        if (waits_standing[i].function == function)
            return true;
    return false;
}

void *waits_bind(int call, void *real)
{
    const struct wait_pool *pool = wait_pool_of((unsigned)call);
    void *target = find_standing(call, real);

    for (unsigned i = 0; i < pool->count; i++) {
        struct wait_binding *binding = &pool->bindings[i];

        if (!binding->target)
            return bind(binding, call, target) ? pool->entries[i] : NULL;
        if (binding->target == target && binding->call == (uint32_t)call)
            return pool->entries[i];
    }
    return NULL;
}
