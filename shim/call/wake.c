/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decision: doc/decisions/wakes.
 */
#include "call/wake.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include "call/awaited.h"
#include "call/wait.h"
#include "chain/callchain.h"
#include "platform/attributes.h"
#include "platform/clock.h"
#include "platform/next.h"
#include "platform/syscall_futex.h"
#include "record/extended.h"
#include "record/lane.h"
#include "record/lane_chunks.h"
#include "record/process.h"

typedef uint64_t word;
typedef word (*waking_function)(word);

enum {
    WORDS = 2,
    EARLY_MAX = 8 /* wakes of a thread before it gets a lane for them */
};

static struct wait_binding wake_bindings[];

static _Thread_local uint8_t early_wakes INITIAL_EXEC;

static void write_record(struct lane *lane, uint64_t now, word address, word chain_and_all)
{
    const uint64_t words[WORDS] = {chain_and_all, address};

    if (++lane->wakes <= lane->events_each &&
        (process->file.is_kept || lane_has_room(lane, WORDS + 1)))
        extended_write(lane, now, TRACE_EXTENDED_WAKE, words, WORDS);
}

/* A thread that only wakes costs no chunk. */
static bool is_early(void)
{
    if (lane_self->state != LANE_BLANK || early_wakes == EARLY_MAX)
        return false;
    early_wakes++;
    return true;
}

static void note(word address, bool all, const struct unwind_state *caller)
{
    uint64_t now = clock_read();
    word chain_and_all = (word)all << TRACE_CHAIN_BITS;
    struct lane *lane;

    if (!awaited_is_long(address, now, clock_ticks_of(TRACE_LONG_WAIT_NS)) || is_early())
        return;
    lane = lane_enter();
    if (!lane)
        return;
    if (lane->chain)
        chain_and_all |= callchain_take(lane, *caller);
    write_record(lane, now, address, chain_and_all);
    if (process->file.is_kept)
        lane_check_deadline(lane, now);
    lane_leave(lane);
}

/* A strict sandbox forbids the clock, too. */
static COLD void note_awaited(word address, bool all, const struct unwind_state *caller)
{
    int saved_errno = errno;

    if (awaited_is(address) && process_is_recording() && !process_is_sandboxed())
        note(address, all, caller);
    errno = saved_errno;
}

static bool wakes_all(unsigned call)
{
    return call == TRACE_WAIT_COND_BROADCAST || call == TRACE_WAIT_CND_BROADCAST;
}

#define WAKE(number)                                                                               \
    static COLD word told_##number(word a)                                                         \
    {                                                                                              \
        const struct wait_binding *binding = &wake_bindings[0##number];                            \
        const struct unwind_state caller = unwind_caller();                                        \
                                                                                                   \
        note_awaited(a, wakes_all(binding->call), &caller);                                        \
        return ((waking_function)binding->target)(a);                                              \
    }                                                                                              \
    static HOT word wake_##number(word a)                                                          \
    {                                                                                              \
        if (UNLIKELY(awaited_is(a)))                                                               \
            return told_##number(a);                                                               \
        return ((waking_function)wake_bindings[0##number].target)(a);                              \
    }

/* Octal numbers. */
#define OF_8(what, number)                                                                         \
    what(number##0) what(number##1) what(number##2) what(number##3) what(number##4)                \
        what(number##5) what(number##6) what(number##7)
#define WAKES(what) OF_8(what, 0) OF_8(what, 1)

WAKES(WAKE)

#define WAKE_ENTRY(number) [0##number] = (void *)wake_##number,

static void *const wake_entries[] = {WAKES(WAKE_ENTRY)};

static struct wait_binding wake_bindings[sizeof wake_entries / sizeof *wake_entries];

const struct wait_pool wake_pool = {wake_entries, wake_bindings,
                                    sizeof wake_entries / sizeof *wake_entries};

/* ---- futex(2) ------------------------------------------------------------ */

typedef long (*futex_function)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                               uint64_t);

/* syscall() comes here (syscall_*.S) with an operation that waits or wakes. */
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
    note_awaited(words[1], words[3] > 1, &caller);
    return ((futex_function)next.syscall)(words[0], words[1], words[2], words[3], words[4],
                                          words[5], words[6]);
}
