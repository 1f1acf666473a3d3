/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Leaves of CPUID, by glibc or by the instruction.
 */
#include "platform/cpu_leaf.h"

const unsigned *(*cpu_leaf_of_libc)(unsigned index);

#if defined(__x86_64__)

#include <cpuid.h>
#include <stdint.h>

enum {
    OSXSAVE = 1 << 27, /* ECX of leaf 1, as is the next */
    AVX = 1 << 28,
    AVX512F = 1 << 16,     /* EBX of leaf 7 */
    OSPKE = 1 << 4,        /* ECX of leaf 7 */
    CONSTANT_TSC = 1 << 8, /* EDX of leaf 80000007h */
    STATE_AVX = 0x06,      /* of XCR0: what the kernel saves */
    STATE_AVX512 = 0xe6
};

/* A leaf's registers, and glibc's number of it. */
struct leaf {
    unsigned leaf;
    unsigned index;
};

static const struct leaf leaf_1 = {1, 0}, leaf_7 = {7, 1}, leaf_power = {0x80000007, 4};

enum { EAX, EBX, ECX, EDX, REGISTERS };

/* struct cpuid_feature begins with them. */
static unsigned read_register(struct leaf leaf, unsigned which)
{
    const unsigned *known = cpu_leaf_of_libc ? cpu_leaf_of_libc(leaf.index) : 0;
    unsigned words[REGISTERS] = {0};

    if (known)
        return known[which];
    __get_cpuid_count(leaf.leaf, 0, &words[EAX], &words[EBX], &words[ECX], &words[EDX]);
    return words[which];
}

static bool saves(uint32_t state)
{
    uint32_t low, high;

    if ((read_register(leaf_1, ECX) & OSXSAVE) == 0)
        return false;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low & state) == state;
}

bool cpu_leaf_has_avx(void)
{
    return (read_register(leaf_1, ECX) & AVX) != 0 && saves(STATE_AVX);
}

bool cpu_leaf_has_avx512(void)
{
    return (read_register(leaf_7, EBX) & AVX512F) != 0 && saves(STATE_AVX512);
}

bool cpu_leaf_has_keys(void)
{
    return (read_register(leaf_7, ECX) & OSPKE) != 0;
}

bool cpu_leaf_has_constant_counter(void)
{
    return (read_register(leaf_power, EDX) & CONSTANT_TSC) != 0;
}

#endif
