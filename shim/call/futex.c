/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * syscall() comes here (syscall_*.S) with an operation of futex(2) that waits or wakes.
 */
#include <limits.h>
#include <stdint.h>

#include "call/wait.h"
#include "call/wake.h"
#include "chain/callchain.h"
#include "platform/attributes.h"
#include "platform/next.h"
#include "platform/syscall_futex.h"

typedef long (*futex_function)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                               uint64_t);

HIDDEN long wait_take_futex(const uint64_t words[WAIT_WORDS], const uintptr_t *frame);

static bool wakes(uint64_t operation)
{
    return FUTEX_WAKES >> (operation & FUTEX_OPERATION) & 1;
}

long wait_take_futex(const uint64_t words[WAIT_WORDS], const uintptr_t *frame)
{
    const struct unwind_state caller = {unwind_address(frame[1]), (uintptr_t)(frame + 2), frame[0]};

    if (!wakes(words[2]))
        return (long)wait_call(TRACE_WAIT_FUTEX, (void *)next.syscall, words, &caller);
    wake_note(words[1], words[3] > 1, &caller);
    return ((futex_function)next.syscall)(words[0], words[1], words[2], words[3], words[4],
                                          words[5], words[6]);
}
