/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the condition variable of the interpreter's lock to the state of the thread that holds the
 * lock.
 *
 * Source: struct _gil_runtime_state of Include/internal/pycore_gil.h, which is the same from 3.11
 * to 3.14: the last holder, whether it still holds, a count of switches, the condition variable.
 */
#include "python/holder.h"

#include <stdint.h>

#include "python/frames.h"

enum {
    HOLDER_BEFORE = 24, /* bytes before the condition variable */
    LOCKED_BEFORE = 16  /* an int */
};

static uint32_t read_thread(struct python_view *view, uintptr_t state)
{
    uintptr_t at = state + python.layout.thread_number;
    uint64_t id;

    if (state == 0 || state % sizeof(uintptr_t) != 0 ||
        !python_may_read(view, at, sizeof(uintptr_t)))
        return 0;
    id = python_word(at);
    return id <= INT32_MAX ? (uint32_t)id : 0;
}

uint32_t python_find_holder(uintptr_t condition)
{
    struct python_view view = {.asks = true};
    uintptr_t first = condition - HOLDER_BEFORE;

    if (!python_is_read() || !python_may_read(&view, first, HOLDER_BEFORE))
        return 0;
    if (*(const int *)(condition - LOCKED_BEFORE) != 1)
        return 0;
    return read_thread(&view, python_word(first));
}
