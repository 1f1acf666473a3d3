/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The trace and the span that a library of OpenTelemetry published for a thread: a thread-local
 * pointer with the name otel_thread_ctx_v1.
 *
 * Source: OTEP 4947, "Thread Context".
 */
#ifndef RECORD_THREAD_CONTEXT_H
#define RECORD_THREAD_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/attributes.h"

#define THREAD_CONTEXT_NAME "otel_thread_ctx_v1"

/* The place of the pointer in each thread. */
struct thread_context_place {
    uintptr_t object;         /* that defines it: its base */
    uintptr_t module;         /* its number among modules with thread-local variables */
    uintptr_t offset;         /* in the module's part of a thread */
    const intptr_t *distance; /* of the pointer from the thread pointer, if it is the same in all
                                threads: where the object itself has it; NULL: it does not */
};

/* In the order of the bytes, as in the W3C's Trace Context. */
struct thread_context {
    uint8_t trace[16];
    uint8_t span[8];
};

/* Does an object publish contexts?  Read without a lock. */
extern bool thread_context_is_published HIDDEN;

/* An object that publishes contexts was loaded; the first one counts.  Or any was unloaded. */
void thread_context_found(const struct thread_context_place *place);
void thread_context_gone(uintptr_t object);

/* Read the context of this thread, as its program set it last.
 * Returns: false when it has none.
 * Safety: takes no lock, allocates nothing, and survives a pointer that leads nowhere. */
bool thread_context_read(struct thread_context *context);

#endif
