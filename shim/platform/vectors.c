/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Vector registers, written and read whole.
 */
#include "platform/vectors.h"

#include "platform/cpu_leaf.h"

#if defined(__AVX__)
#error                                                                                             \
    "the shim must be compiled without AVX: leave -mavx and -mavx2 out of CFLAGS (-march may stay)"
#endif

#if defined(__x86_64__)
enum { LOWER_WORDS = 2 };

/* Bytes of a register of this machine, if more than a stub saves; else 0. */
static unsigned register_bytes;

void vectors_init(void)
{
    if (cpu_leaf_has_avx512())
        register_bytes = 64;
    else if (cpu_leaf_has_avx())
        register_bytes = 32;
}

#define EACH_REGISTER(instruction) ".irp i, 0, 1, 2, 3, 4, 5, 6, 7\n\t" instruction "\n\t.endr"

static bool have_uppers(const struct vectors *vectors)
{
    uint64_t any = 0;

    for (unsigned i = 0; i < VECTORS; i++)
        for (unsigned word = LOWER_WORDS; word < register_bytes / sizeof any; word++)
            any |= vectors->words[i][word];
    return any != 0;
}

void vectors_save(struct vectors *vectors)
{
    vectors->are_kept = false;
    if (register_bytes == 0)
        return;
    if (register_bytes == 64)
        __asm__ volatile(EACH_REGISTER("vmovups %%zmm\\i, 64*\\i(%0)")
                         :
                         : "r"(vectors->words)
                         : "memory");
    else
        __asm__ volatile(EACH_REGISTER("vmovups %%ymm\\i, 64*\\i(%0)")
                         :
                         : "r"(vectors->words)
                         : "memory");
    vectors->are_kept = have_uppers(vectors);
}

/* Upper parts that were 0 still are.  Writing them would slow down code without AVX, because the
 * processor would count them as in use. */
void vectors_restore(const struct vectors *vectors)
{
    if (!vectors->are_kept)
        return;
    if (register_bytes == 64)
        __asm__ volatile(EACH_REGISTER("vmovups 64*\\i(%0), %%zmm\\i")
                         :
                         : "r"(vectors->words)
                         : "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6",
                           "xmm7");
    else
        __asm__ volatile(EACH_REGISTER("vmovups 64*\\i(%0), %%ymm\\i")
                         :
                         : "r"(vectors->words)
                         : "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6",
                           "xmm7");
}
#else
void vectors_init(void)
{
}

void vectors_save(struct vectors *vectors)
{
    vectors->are_kept = false;
}

void vectors_restore(const struct vectors *vectors)
{
    (void)vectors;
}
#endif
