/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The wrappers of the built-in catalog, from the rows of kernels.def.
 *
 * A wrapper has the prototype of its form with every integer and pointer as
 * a word and every floating argument as a real: both travel in the same
 * registers and stack slots as the real types, on x86-64 and AArch64, and
 * pass through with all their bits.
 */
#include <ctype.h>
#include <stddef.h>

#include "hot/probe.h"

/* How a term of the shape is had from an argument. */
#define INT32(argument) ((int32_t)(argument))
#define INT64(argument) ((int64_t)(argument))
#define INT32_AT(argument) (*(const int32_t *)(argument))
#define INT64_AT(argument) (*(const int64_t *)(argument))
#define LETTER_AT(argument) letter_of(*(const char *)(argument))
#define CBLAS(argument) cblas_letter((int32_t)(argument))

static ALWAYS_INLINE int64_t letter_of(char letter)
{
    return letter & ~0x20; /* upper case, as LAPACK's lsame compares */
}

/* The values of cblas.h, as the letters that Fortran has for them. */
static ALWAYS_INLINE int64_t cblas_letter(int32_t value)
{
    return value == 142 ? 'R' : value == 141 ? 'L' : '?';
}

#define FORM(number, result, parameters, types, arguments, dims, ...)                              \
    static ALWAYS_INLINE result form_##number parameters                                           \
    {                                                                                              \
        const int64_t shape[TALLY_WORDS(dims)] = {__VA_ARGS__};                                    \
        struct probe probe CLEANUP(probe_leave) = {                                                \
            .key = {{TRACE_CELL_SLOT, binding->id, 0, 0, dims, (uintptr_t)CALLER()}, shape},       \
            .owns = binding->owns};                                                                \
                                                                                                   \
        probe_enter(&probe);                                                                       \
        return ((result(*) types)binding->target)arguments;                                        \
    }
#include "kernels.def"
#undef FORM

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

const unsigned wrapper_binding_count = sizeof entries / sizeof *entries;
struct binding wrapper_bindings[sizeof entries / sizeof *entries];

struct wrapper_pool wrapper_pools[] = {
#define POOL(form, first, clones) {entries + first, wrapper_bindings + first, clones, 0},
#include "kernels.def"
#undef POOL
};

const unsigned wrapper_pool_count = sizeof wrapper_pools / sizeof *wrapper_pools;

bool wrapper_owns(const void *address)
{
    for (unsigned i = 0; i < wrapper_binding_count; i++)
        if (entries[i] == address)
            return true;
    return false;
}
