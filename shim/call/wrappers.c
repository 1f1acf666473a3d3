/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The compiled wrappers of the built-in catalog, from the rows of kernels.def.
 *
 * A wrapper has the prototype of its form, with every integer and pointer as a word and every
 * floating-point argument as a real.  Both travel in the same registers and stack slots as the real
 * types, on x86-64 and AArch64, and pass through with all their bits.
 *
 * Decisions: doc/decisions/clock-reads-are-the-floor, two-ways-to-wrap, where-the-clock-is-read.
 */
#include "call/entry.h"
#include "call/probe.h"
#include "call/shape.h"
#include "python/sites.h"

/* How to read a term of the shape from an argument. */
#define INT32(argument) ((int32_t)(argument))
#define INT64(argument) ((int64_t)(argument))
#define INT32_AT(argument) (*(const int32_t *)(argument))
#define INT64_AT(argument) (*(const int64_t *)(argument))
#define LETTER_AT(argument) shape_letter(*(const char *)(argument))
#define CBLAS(argument) shape_cblas_letter((int32_t)(argument))

/* A flag at its bit of the last word. */
#define FLAG_AT(access, argument, bit)                                                             \
    ((int64_t)shape_is_nonzero(access, (const void *)(argument)) << (bit))
#define FLAG(access, argument, bit) ((int64_t)shape_is_nonzero(access, &(argument)) << (bit))

static struct binding wrapper_bindings[];

/* The bindings have their clones' numbers, so the compiler knows them. */
#define ID(binding) ((uint32_t)((binding)-wrapper_bindings) + 1)

#define FORM(number, result, parameters, types, arguments, dims, ...)                              \
    static ALWAYS_INLINE result form_##number parameters                                           \
    {                                                                                              \
        const int64_t shape[TALLY_WORDS(dims)] = {__VA_ARGS__};                                    \
        const struct probe_call call = {binding, ID(binding), sites_of((uintptr_t)CALLER()), dims, \
                                        shape};                                                    \
        struct probe probe CLEANUP(probe_leave);                                                   \
                                                                                                   \
        PROBE_ENTER(probe, call, dims, __VA_ARGS__);                                               \
        return ((result(*) types)binding->target)arguments;                                        \
    }

/* Nothing remains to do after a counted call, so it is a jump; other calls are timed in a frame of
 * their own. */
#define SAMPLED_FORM(number, result, parameters, types, arguments, timed_parameters,               \
                     timed_arguments, dims, ...)                                                   \
    static COLD result timed_##number timed_parameters                                             \
    {                                                                                              \
        const int64_t shape[TALLY_WORDS(dims)] = {__VA_ARGS__};                                    \
        const struct probe_call call = {binding, ID(binding), site, dims, shape};                  \
        struct probe probe CLEANUP(probe_leave);                                                   \
                                                                                                   \
        probe_enter_sampled(&probe, &call);                                                        \
        return ((result(*) types)binding->target)arguments;                                        \
    }                                                                                              \
                                                                                                   \
    static ALWAYS_INLINE result form_##number parameters                                           \
    {                                                                                              \
        const int64_t shape[TALLY_WORDS(dims)] = {__VA_ARGS__};                                    \
        uintptr_t site = sites_of((uintptr_t)CALLER());                                            \
        const struct probe_call call = {binding, ID(binding), site, dims, shape};                  \
                                                                                                   \
        if (LIKELY(probe_count(&call)))                                                            \
            return ((result(*) types)binding->target)arguments;                                    \
        return timed_##number timed_arguments;                                                     \
    }
#include "kernels.def"
#undef FORM
#undef SAMPLED_FORM

#define CLONE(index, form, result, parameters, arguments)                                          \
    static result clone_##index parameters                                                         \
    {                                                                                              \
        struct binding *binding = &wrapper_bindings[index];                                        \
                                                                                                   \
        return form_##form arguments;                                                              \
    }
#include "kernels.def"
#undef CLONE

static void *const entries[] = {
#define CLONE(index, form, result, parameters, arguments) (void *)clone_##index,
#include "kernels.def"
#undef CLONE
};

enum { COMPILED = sizeof entries / sizeof *entries };

static struct binding wrapper_bindings[COMPILED];

struct wrapper_pool wrapper_pools[] = {
#define POOL(form, first, clones) {entries + first, wrapper_bindings + first, clones, first + 1, 0},
#include "kernels.def"
#undef POOL
    /* The last stub is overhead.c's. */
    {NULL, entry_bindings, ENTRY_STUBS - 1, COMPILED + 1, 0},
};

const unsigned wrapper_stubs = sizeof wrapper_pools / sizeof *wrapper_pools - 1;

void *wrapper_entry(const struct wrapper_pool *pool, unsigned index)
{
    if (pool->entries)
        return pool->entries[index];
    return (void *)(entry_stubs + (size_t)index * ENTRY_STUB_SIZE);
}

const void *wrapper_mark(const struct wrapper_pool *pool, unsigned index)
{
    if (pool->entries)
        return pool->entries[index];
    return entry_marks + (size_t)index * ENTRY_MARK_SIZE;
}

static bool is_stub(const void *address)
{
    uintptr_t distance = (uintptr_t)address - (uintptr_t)entry_stubs;

    return distance < (uintptr_t)ENTRY_STUBS * ENTRY_STUB_SIZE;
}

bool wrapper_owns(const void *address)
{
    if (is_stub(address))
        return true;
    for (unsigned i = 0; i < COMPILED; i++)
        if (entries[i] == address)
            return true;
    return false;
}
