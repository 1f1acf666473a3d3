/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The wrappers of the built-in catalog, from the rows of kernels.def.
 *
 * A wrapper has the prototype of its form with every integer and pointer as
 * a word and every floating argument as a real: both travel in the same
 * registers and stack slots as the real types, on x86-64 and AArch64, and
 * pass through with all their bits.
 */
#include "hot/generic.h"
#include "hot/probe.h"
#include "hot/shape.h"

/* How a term of the shape is had from an argument. */
#define INT32(argument) ((int32_t)(argument))
#define INT64(argument) ((int64_t)(argument))
#define INT32_AT(argument) (*(const int32_t *)(argument))
#define INT64_AT(argument) (*(const int64_t *)(argument))
#define LETTER_AT(argument) shape_letter(*(const char *)(argument))
#define CBLAS(argument) shape_cblas_letter((int32_t)(argument))

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

/* ---- user kernels ------------------------------------------------------ */

#if defined(__x86_64__)
#define REGISTER_PARAMETERS word a0, word a1, word a2, word a3, word a4, word a5
#define REGISTER_TYPES word, word, word, word, word, word
#define REGISTERS a0, a1, a2, a3, a4, a5
#else
#define REGISTER_PARAMETERS word a0, word a1, word a2, word a3, word a4, word a5, word a6, word a7
#define REGISTER_TYPES word, word, word, word, word, word, word, word
#define REGISTERS a0, a1, a2, a3, a4, a5, a6, a7
#endif
#define REAL_PARAMETERS real f0, real f1, real f2, real f3, real f4, real f5, real f6, real f7
#define REAL_TYPES real, real, real, real, real, real, real, real
#define REALS f0, f1, f2, f3, f4, f5, f6, f7
#define STACK_PARAMETERS word s0, word s1, word s2, word s3, word s4, word s5, word s6, word s7
#define STACK_TYPES word, word, word, word, word, word, word, word
#define STACK s0, s1, s2, s3, s4, s5, s6, s7

static ALWAYS_INLINE void conclude_word(const struct binding *binding, const word *integers,
                                        word value)
{
    if (UNLIKELY(binding->symbol->plan->adapter))
        generic_conclude(binding, integers, value);
}

/* No adapter has a function that returns a real. */
static ALWAYS_INLINE void conclude_real(const struct binding *binding, const word *integers,
                                        real value)
{
    (void)binding;
    (void)integers;
    (void)value;
}

/* What follows a call stands outside of its probe, so that its time is not in it. */
#define GENERIC(result)                                                                            \
    static ALWAYS_INLINE result generic_##result(struct binding *binding, REGISTER_PARAMETERS,     \
                                                 REAL_PARAMETERS, STACK_PARAMETERS)                \
    {                                                                                              \
        const word integers[] = {REGISTERS, STACK};                                                \
        result value;                                                                              \
                                                                                                   \
        {                                                                                          \
            int64_t shape[CATALOG_WORDS_MAX] = {0};                                                \
            struct probe probe CLEANUP(probe_leave) = {                                            \
                .key = {{TRACE_CELL_SLOT, binding->id, 0, 0,                                       \
                         (uint16_t)binding->symbol->plan->dims, (uintptr_t)CALLER()},              \
                        shape},                                                                    \
                .owns = binding->owns};                                                            \
                                                                                                   \
            generic_prepare(binding, integers, &probe, shape);                                     \
            probe_enter(&probe);                                                                   \
            value = ((result(*)(REGISTER_TYPES, REAL_TYPES, STACK_TYPES))binding->target)(         \
                REGISTERS, REALS, STACK);                                                          \
        }                                                                                          \
        conclude_##result(binding, integers, value);                                               \
        return value;                                                                              \
    }
GENERIC(word)
GENERIC(real)

#define GENERIC_CLONE(index, result)                                                               \
    static result clone_##index(REGISTER_PARAMETERS, REAL_PARAMETERS, STACK_PARAMETERS)            \
    {                                                                                              \
        struct binding *binding = &wrapper_bindings[index];                                        \
                                                                                                   \
        return generic_##result(binding, REGISTERS, REALS, STACK);                                 \
    }
#include "kernels.def"
#undef GENERIC_CLONE

/* ---- their tables ------------------------------------------------------ */

static void *const entries[] = {
#define CLONE(index, form, result, parameters, arguments) (void *)clone_##index,
#define GENERIC_CLONE(index, result) (void *)clone_##index,
#include "kernels.def"
#undef CLONE
#undef GENERIC_CLONE
};

const unsigned wrapper_binding_count = sizeof entries / sizeof *entries;
struct binding wrapper_bindings[sizeof entries / sizeof *entries];

struct wrapper_pool wrapper_pools[] = {
#define POOL(form, first, clones) {entries + first, wrapper_bindings + first, clones, 0},
#include "kernels.def"
#undef POOL
};

#define GENERIC_POOLS(words, reals)                                                                \
    const unsigned wrapper_generic_word = words;                                                   \
    const unsigned wrapper_generic_real = reals;
#include "kernels.def"
#undef GENERIC_POOLS

bool wrapper_owns(const void *address)
{
    for (unsigned i = 0; i < wrapper_binding_count; i++)
        if (entries[i] == address)
            return true;
    return false;
}
