/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Slabs of places.
 *
 * A separate stack for each thread would be two mappings, and the kernel allows a process 65,530 in
 * all (vm.max_map_count).  So stacks are adjacent, and only the first ones have guard pages, once
 * they are taken: each fork copies all mappings.  A fresh stack took 7.3 µs, a used one 0.2 µs.
 */
#include "sampler/sampled_threads.h"

#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "platform/calls.h"
#include "platform/memory.h"

enum { SLAB_PLACES = 32, PAGE_MAX = 65536, GUARDED_SLABS = 4096 / SLAB_PLACES, GUARD_SIZE = 4096 };

struct slab {
    struct slab *next;
    _Atomic uint32_t taken; /* a bit a place */
    _Atomic uint32_t guarded;
    bool has_guards;
    struct sampled_thread places[SLAB_PLACES];
};

_Static_assert(sizeof(struct slab) <= PAGE_MAX, "the stacks begin behind it");

_Thread_local struct sampled_thread *sampled_self INITIAL_EXEC;

static _Atomic(struct slab *) slabs;
static atomic_uint slab_count;

/* A page without access ends a stack; on machines with larger pages, no stack has one. */
static void guard(struct slab *slab, unsigned place)
{
    uint32_t bit = UINT32_C(1) << place;

    if (slab->has_guards && (atomic_fetch_or(&slab->guarded, bit) & bit) == 0)
        calls_system(SYS_mprotect, slab->places[place].stack, GUARD_SIZE, PROT_NONE);
}

/* Huge pages would take 2 MiB for the first signal. */
static struct slab *new_slab(void)
{
    size_t size = PAGE_MAX + SLAB_PLACES * (size_t)SAMPLED_STACK_SIZE;
    struct slab *slab = memory_map(size);

    if (!slab)
        return NULL;
    calls_system(SYS_madvise, slab, size, MADV_NOHUGEPAGE);
    slab->has_guards = atomic_fetch_add(&slab_count, 1) < GUARDED_SLABS;
    for (unsigned i = 0; i < SLAB_PLACES; i++) {
        slab->places[i].stack = (char *)slab + PAGE_MAX + i * (size_t)SAMPLED_STACK_SIZE;
        slab->places[i].timer = SAMPLED_NO_TIMER;
    }
    return slab;
}

/* Take a place of a slab.  Returns: NULL when the slab is full. */
static struct sampled_thread *take_in(struct slab *slab)
{
    uint32_t taken = atomic_load(&slab->taken);

    while (taken != UINT32_MAX) {
        unsigned place = (unsigned)__builtin_ctz(~taken);

        if (!atomic_compare_exchange_weak(&slab->taken, &taken, taken | UINT32_C(1) << place))
            continue;
        guard(slab, place);
        return &slab->places[place];
    }
    return NULL;
}

static struct sampled_thread *take_in_new(void)
{
    struct slab *slab = new_slab();
    struct sampled_thread *thread;

    if (!slab)
        return NULL;
    thread = take_in(slab);
    slab->next = atomic_load(&slabs);
    while (!atomic_compare_exchange_weak(&slabs, &slab->next, slab))
        continue;
    return thread;
}

struct sampled_thread *sampled_threads_take(void)
{
    struct sampled_thread *thread = NULL;

    for (struct slab *slab = atomic_load(&slabs); slab && !thread; slab = slab->next)
        thread = take_in(slab);
    return thread ? thread : take_in_new();
}

static struct slab *slab_of(const struct sampled_thread *thread)
{
    for (struct slab *slab = atomic_load(&slabs); slab; slab = slab->next)
        if (thread >= slab->places && thread < slab->places + SLAB_PLACES)
            return slab;
    return NULL;
}

void sampled_threads_give(struct sampled_thread *thread)
{
    struct slab *slab = slab_of(thread);

    *thread = (struct sampled_thread){.timer = SAMPLED_NO_TIMER, .stack = thread->stack};
    atomic_fetch_and(&slab->taken, ~(UINT32_C(1) << (thread - slab->places)));
}

void sampled_threads_each(void (*visit)(struct sampled_thread *thread))
{
    for (struct slab *slab = atomic_load(&slabs); slab; slab = slab->next)
        for (unsigned i = 0; i < SLAB_PLACES; i++)
            if (atomic_load(&slab->taken) >> i & 1)
                visit(&slab->places[i]);
}

void sampled_threads_keep(const struct sampled_thread *thread)
{
    for (struct slab *slab = atomic_load(&slabs); slab; slab = slab->next)
        for (unsigned i = 0; i < SLAB_PLACES; i++)
            if (atomic_load(&slab->taken) >> i & 1 && &slab->places[i] != thread)
                sampled_threads_give(&slab->places[i]);
}

bool sampled_thread_is_current(const struct sampled_thread *thread)
{
    return thread->thread == (int32_t)calls_system(SYS_gettid);
}
