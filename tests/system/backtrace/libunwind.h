/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions of libunwind that chains.c needs, made from the C library's backtrace(): for a
 * machine that programs are only cross-built for.
 */
#ifndef BACKTRACE_LIBUNWIND_H
#define BACKTRACE_LIBUNWIND_H

#include <execinfo.h>
#include <stdint.h>

enum { UNW_REG_IP, CONTEXT_FRAMES = 1024 };

typedef uint64_t unw_word_t;

typedef struct {
    void *addresses[CONTEXT_FRAMES];
    int count;
} unw_context_t;

typedef struct {
    const unw_context_t *context;
    int at;
} unw_cursor_t;

/* In the asking frame itself, like libunwind's, which is a macro, too. */
#define unw_getcontext(context) ((context)->count = backtrace((context)->addresses, CONTEXT_FRAMES))

static inline void unw_init_local(unw_cursor_t *cursor, const unw_context_t *context)
{
    *cursor = (unw_cursor_t){context, 0};
}

static inline int unw_step(unw_cursor_t *cursor)
{
    return ++cursor->at < cursor->context->count;
}

static inline void unw_get_reg(const unw_cursor_t *cursor, int number, unw_word_t *value)
{
    (void)number;
    *value = (uintptr_t)cursor->context->addresses[cursor->at];
}

#endif
