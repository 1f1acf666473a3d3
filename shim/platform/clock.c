/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chooses the clock, and reads it together with CLOCK_MONOTONIC.  libc's clock_gettime may belong
 * to a library that returns another time, such as faketime.  So the kernel's own function is
 * called, in the object that the kernel maps into each process (vdso(7)).
 *
 * Decisions: doc/decisions/own-system-calls, forbidden-counter.
 */
#include "platform/clock.h"

#include <stdatomic.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
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

typedef int (*vdso_clock)(clockid_t clock, struct timespec *now);

/* Replaces the counter while that is forbidden, and continues from its last ticks. */
struct substitute {
    struct trace_clock_pair start;
    uint64_t rate;       /* ticks per ns in parts of FIXED_ONE */
    uint64_t last_ticks; /* last value of the counter: time does not step back behind it */
};

bool clock_is_counter;

static enum trace_clock kind;
static struct trace_clock_pair first_pair;
static struct substitute substitute;
static uint64_t forbidding;               /* calls that forbade the counter */
static atomic_uint_fast64_t ticks_per_ns; /* in units of 1 / FIXED_ONE; 0: not known yet */

/* NULL: there is none, as under valgrind, or it would read a forbidden counter. */
static _Atomic(vdso_clock) ask_vdso;

/* The offset from the addresses in an image to those of the process; 0 if the image has the
 * process's addresses, as under qemu. */
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
        symbol = elf_find(&vdso, vdso_name);
    if (symbol)
        atomic_store(&ask_vdso, (vdso_clock)elf_address(&vdso, symbol));
}

uint64_t clock_monotonic(void)
{
    vdso_clock ask = atomic_load_explicit(&ask_vdso, memory_order_relaxed);
    struct timespec now;

    if (!ask || ask(CLOCK_MONOTONIC, &now) != 0)
        return calls_clock(CLOCK_MONOTONIC);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The fence pairs with the release in clock_forbid_counter. */
static uint64_t ticks_at(uint64_t monotonic_ns)
{
    uint64_t ticks;

    atomic_thread_fence(memory_order_acquire);
    if (kind != TRACE_CLOCK_COUNTER)
        return monotonic_ns;
    ticks = substitute.start.ticks +
            fixed_multiply(monotonic_ns - substitute.start.monotonic_ns, substitute.rate);
    return ticks > substitute.last_ticks ? ticks : substitute.last_ticks;
}

uint64_t clock_read_kernel(void)
{
    return ticks_at(clock_monotonic());
}

/* The tightest of a few sandwiches: an interrupt inside one makes it wide. */
static struct trace_clock_pair read_sandwiches(void)
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

struct trace_clock_pair clock_read_pair(void)
{
    uint64_t ns;

    if (clock_is_counter)
        return read_sandwiches();
    ns = clock_monotonic();
    return (struct trace_clock_pair){ticks_at(ns), ns};
}

/* The thread that was forked or executed inherits it. */
static bool is_forbidden(void)
{
    int mode = PR_TSC_ENABLE;

    return calls_system(SYS_prctl, PR_GET_TSC, &mode) == 0 && mode == PR_TSC_SIGSEGV;
}

void clock_init(void)
{
    forbidding = is_forbidden();
    if (forbidding == 0)
        find_vdso();
    clock_is_counter = forbidding == 0 && clock_counter_is_constant();
    kind = clock_is_counter ? TRACE_CLOCK_COUNTER : TRACE_CLOCK_MONOTONIC;
    first_pair = clock_read_pair();
}

enum trace_clock clock_kind(void)
{
    return kind;
}

static uint64_t rate_until(const struct trace_clock_pair *now)
{
    return fixed_divide(now->ticks - first_pair.ticks, now->monotonic_ns - first_pair.monotonic_ns);
}

/* The longer the clocks were compared, the better is the rate. */
static void find_substitute(void)
{
    struct trace_clock_pair now = clock_read_pair();

    while (now.monotonic_ns - first_pair.monotonic_ns < RATE_NS)
        now = clock_read_pair();
    substitute.start = now;
    substitute.rate = rate_until(&now);
    substitute.last_ticks = clock_read_counter_ordered();
}

static void choose_counter(bool is_chosen)
{
    atomic_store_explicit((atomic_bool *)&clock_is_counter, is_chosen, memory_order_release);
}

void clock_forbid_counter(void)
{
    if (forbidding++ > 0)
        return;
    if (clock_is_counter)
        find_substitute();
    atomic_store(&ask_vdso, NULL);
    choose_counter(false);
}

void clock_allow_counter(void)
{
    if (--forbidding > 0)
        return;
    find_vdso();
    choose_counter(kind == TRACE_CLOCK_COUNTER);
}

/* Pairs a millisecond apart give the rate to less than 0.1 %. */
static uint64_t find_rate(void)
{
    struct trace_clock_pair now = clock_read_pair();

    return now.monotonic_ns - first_pair.monotonic_ns < RATE_NS ? 0 : rate_until(&now);
}

uint64_t clock_ticks_of(uint64_t ns)
{
    uint64_t rate = atomic_load_explicit(&ticks_per_ns, memory_order_relaxed);

    if (kind != TRACE_CLOCK_COUNTER)
        return ns;
    if (rate == 0) {
        rate = find_rate();
        atomic_store_explicit(&ticks_per_ns, rate, memory_order_relaxed);
    }
    if (rate == 0)
        return ns < NS_UNTIL_RATE ? ns : NS_UNTIL_RATE;
    return fixed_multiply(ns, rate);
}
