/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pointer is read without the dynamic linker, whose functions take its lock and may allocate
 * the thread's part.  A part that the thread has not used yet has no context.
 *
 * Budget: 150 ns, mostly for two questions to the kernel whether memory is there.
 * Decision: doc/decisions/thread-contexts.
 */
#include "record/thread_context.h"

#include <string.h>

#include "platform/readable.h"

bool thread_context_is_published;

static struct thread_context_place found;

/* The record that the pointer leads to.  Attributes follow it. */
struct published {
    uint8_t trace[16];
    uint8_t span[8];
    uint8_t is_valid; /* 1; while it is changed, 0 */
    uint8_t flags;
    uint16_t attributes_size;
};

_Static_assert(sizeof(struct published) == 28, "the record of OTEP 4947");

void thread_context_found(const struct thread_context_place *place)
{
    if (__atomic_load_n(&thread_context_is_published, __ATOMIC_ACQUIRE))
        return;
    found = *place;
    __atomic_store_n(&thread_context_is_published, true, __ATOMIC_RELEASE);
}

void thread_context_gone(uintptr_t object)
{
    if (thread_context_is_published && found.object == object)
        __atomic_store_n(&thread_context_is_published, false, __ATOMIC_RELEASE);
}

static uintptr_t thread_pointer(void)
{
    return (uintptr_t)__builtin_thread_pointer();
}

/* glibc's vector of the parts of a thread: two words each.  The word before the first has their
 * count, and those of parts that are not used are all ones.
 * Source: tls.h and dl-tls.c of glibc, unchanged since 2.4. */
struct part {
    uintptr_t start;
    uintptr_t to_free;
};

enum { HEAD = 1, NO_PART = -1 };

static const struct part *find_parts(void)
{
#if defined(__x86_64__)
    return ((const struct part *const *)thread_pointer())[1];
#else
    return *(const struct part *const *)thread_pointer();
#endif
}

/* Static parts lie next to the thread pointer: before it on x86-64, behind it on AArch64, where no
 * heap is so near to 0. */
static bool is_near(intptr_t distance)
{
#if defined(__x86_64__)
    return distance < 0;
#else
    return distance > 0 && distance < 1 << 24;
#endif
}

/* Returns: the address of the thread's pointer; 0: it has none. */
static uintptr_t find_pointer(void)
{
    const struct part *parts = find_parts();
    uintptr_t start;

    if (found.distance && is_near(*found.distance))
        return thread_pointer() + (uintptr_t)*found.distance;
    if (!parts || found.module > parts[-HEAD].start)
        return 0;
    start = parts[found.module].start;
    return start == 0 || start == (uintptr_t)NO_PART ? 0 : start + found.offset;
}

bool thread_context_read(struct thread_context *context)
{
    uintptr_t pointer = find_pointer();
    const struct published *record;

    if (pointer == 0 || !readable(pointer, sizeof pointer))
        return false;
    record = *(const struct published *const *)pointer;
    if (!record || !readable((uintptr_t)record, sizeof *record) ||
        __atomic_load_n(&record->is_valid, __ATOMIC_ACQUIRE) != 1)
        return false;
    memcpy(context->trace, record->trace, sizeof context->trace);
    memcpy(context->span, record->span, sizeof context->span);
    return true;
}
