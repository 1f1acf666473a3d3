/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Choosing the clock, and reading it beside CLOCK_MONOTONIC.  libc's clock_gettime may belong
 * to a library that returns another time, such as faketime.  So the kernel's own is called,
 * which is in the object that the kernel maps into each process (vdso(7)).
 *
 * Decision: doc/decisions/own-system-calls.
 */
#include "platform/clock.h"

#include <stdatomic.h>
#include <sys/auxv.h>
#include <time.h>

#include "platform/calls.h"
#include "platform/elf.h"
#include "platform/fixed.h"

#if defined(__x86_64__)
static const char vdso_name[] = "__vdso_clock_gettime";
#else
static const char vdso_name[] = "__kernel_clock_gettime";
#endif

enum { PAIR_TRIES = 8, RATE_NS = 1000000, NS_UNTIL_RATE = 1000000 };

bool clock_is_counter;

static struct trace_clock_pair first_pair;
static atomic_uint_fast64_t ticks_per_ns; /* in parts of FIXED_ONE; 0: not known yet */

/* NULL: there is none, as under valgrind. */
static int (*ask_vdso)(clockid_t clock, struct timespec *now);

/* The offset from the addresses in an image to those of the process; 0 where the image has the
 * latter, as under qemu. */
static uintptr_t bias_of(uintptr_t image, const struct dl_phdr_info *info)
{
    for (unsigned i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD)
            return image - info->dlpi_phdr[i].p_vaddr;
    return image;
}

static void find_vdso(void)
{
    uintptr_t image = getauxval(AT_SYSINFO_EHDR);
    const ElfW(Ehdr) *head = (const void *)image;
    struct dl_phdr_info info = {0};
    struct elf_object vdso;
    const ElfW(Sym) *symbol = NULL;

    if (!head)
        return;
    info.dlpi_phdr = (const void *)(image + head->e_phoff);
    info.dlpi_phnum = head->e_phnum;
    info.dlpi_addr = bias_of(image, &info);
    if (elf_read(&vdso, &info))
        symbol = elf_find(&vdso, vdso_name, elf_hash(vdso_name));
    if (symbol)
        ask_vdso = (int (*)(clockid_t, struct timespec *))elf_address(&vdso, symbol);
}

uint64_t clock_monotonic(void)
{
    struct timespec now;

    if (!ask_vdso || ask_vdso(CLOCK_MONOTONIC, &now) != 0)
        return calls_clock(CLOCK_MONOTONIC);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The tightest of a few sandwiches: an interrupt inside one makes it wide. */
struct trace_clock_pair clock_read_pair(void)
{
    struct trace_clock_pair best = {0, 0};
    uint64_t width = UINT64_MAX;

    for (int i = 0; i < PAIR_TRIES; i++) {
        uint64_t before = clock_read_ordered();
        uint64_t monotonic = clock_monotonic();
        uint64_t after = clock_read_ordered();

        if (after - before >= width)
            continue;
        width = after - before;
        best.ticks = before + width / 2;
        best.monotonic_ns = monotonic;
    }
    return best;
}

void clock_init(void)
{
    find_vdso();
    clock_is_counter = clock_counter_is_constant();
    first_pair = clock_read_pair();
}

/* Pairs that are a millisecond apart give the rate to less than 0.1 %. */
static uint64_t find_rate(void)
{
    struct trace_clock_pair now = clock_read_pair();
    uint64_t passed_ns = now.monotonic_ns - first_pair.monotonic_ns;

    if (passed_ns < RATE_NS)
        return 0;
    return fixed_divide(now.ticks - first_pair.ticks, passed_ns);
}

uint64_t clock_ticks_of(uint64_t ns)
{
    uint64_t rate = atomic_load_explicit(&ticks_per_ns, memory_order_relaxed);

    if (!clock_is_counter)
        return ns;
    if (rate == 0) {
        rate = find_rate();
        atomic_store_explicit(&ticks_per_ns, rate, memory_order_relaxed);
    }
    if (rate == 0)
        return ns < NS_UNTIL_RATE ? ns : NS_UNTIL_RATE;
    return fixed_multiply(ns, rate);
}
