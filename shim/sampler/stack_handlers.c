/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Entries for the program's handlers.
 *
 * Budget: one system call for each signal; where the stack is small, eight.
 */
#include "sampler/stack_handlers.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <ucontext.h>

#include "platform/calls.h"
#include "platform/interrupted.h"
#include "platform/keys.h"
#include "platform/next.h"
#include "platform/signal_action.h"
#include "record/process.h"
#include "sampler/cpu_timers.h"
#include "sampler/own_signal.h"

enum {
    ENTRIES = 64,
    EACH = ENTRIES / 2,
    PLAIN = 0,   /* the first entry for handlers of one argument */
    FULL = EACH, /* the first for those of SA_SIGINFO */
    SIGNALS_END = 65,
    CALL_DEPTH = 1024 /* from a wrapper to the system call; a frame of the kernel is larger */
};

_Thread_local struct stack_handlers_wait stack_handlers_wait INITIAL_EXEC;

static _Atomic(signal_handler) handlers[ENTRIES];

/* Signals whose handler serves once: the kernel removes the entry, and leaves flags and mask.  Some
 * of the handlers take one argument. */
static atomic_uint_fast64_t once, once_plain;

/* ---- a signal --------------------------------------------------------------- */

/* The system call has ended with EINTR.  After a jump out of a handler the note is an old one. */
static bool is_in_wait(const struct interrupted *at)
{
    return stack_handlers_wait.sp != 0 && stack_handlers_wait.sp - at->sp < CALL_DEPTH &&
           at->result == -EINTR;
}

/* Would the handler run with our signal blocked without us? */
static bool is_blocked_there(const ucontext_t *context)
{
    const struct interrupted at = interrupted_of(context);

    if (!is_in_wait(&at))
        return sigismember(&context->uc_sigmask, OWN_SIGNAL);
    stack_handlers_wait.sp = 0;
    return stack_handlers_wait.blocks;
}

/* Returns: whether leave() must follow. */
static bool enter(const ucontext_t *context)
{
    int saved_errno = errno;
    bool is_paused;

    if (process_is_sandboxed() || is_blocked_there(context))
        return false;
    is_paused = cpu_timers_enter_handler(context);
    errno = saved_errno;
    return is_paused;
}

/* No frame of the shim is on the program's stack, unless the timer is to go on afterwards. */
static void call(int number, siginfo_t *info, void *context, unsigned entry)
{
    signal_handler handler = atomic_load_explicit(&handlers[entry], memory_order_relaxed);
    uint32_t closed = keys_open();
    bool is_paused = enter(context);

    keys_write(closed);
    if (!is_paused) {
        handler(number, info, context);
        return;
    }
    handler(number, info, context);
    closed = keys_open();
    cpu_timers_leave_handler();
    keys_write(closed);
}

#define ENTRY(number)                                                                              \
    static void entry_##number(int signal, siginfo_t *info, void *context)                         \
    {                                                                                              \
        call(signal, info, context, 0##number);                                                    \
    }

/* Octal numbers. */
#define OF_8(what, number)                                                                         \
    what(number##0) what(number##1) what(number##2) what(number##3) what(number##4)                \
        what(number##5) what(number##6) what(number##7)
#define OF_64(what)                                                                                \
    OF_8(what, 0) OF_8(what, 1) OF_8(what, 2) OF_8(what, 3) OF_8(what, 4) OF_8(what, 5)            \
        OF_8(what, 6) OF_8(what, 7)

OF_64(ENTRY)

#define ENTRY_ROW(number) [0##number] = entry_##number,

static const signal_handler entries[ENTRIES] = {OF_64(ENTRY_ROW)};

/* ---- an action -------------------------------------------------------------- */

enum { NO_ENTRY = -1 };

/* The entry of a handler from `first` on; a new entry if it has none. */
static int entry_for(signal_handler handler, unsigned first)
{
    for (unsigned i = first; i < first + EACH; i++) {
        signal_handler present = NULL;

        if (atomic_compare_exchange_strong(&handlers[i], &present, handler) || present == handler)
            return (int)i;
    }
    return NO_ENTRY;
}

static int find_entry(signal_handler handler)
{
    for (unsigned i = 0; i < ENTRIES; i++)
        if (entries[i] == handler)
            return (int)i;
    return NO_ENTRY;
}

static bool are_any(void)
{
    return atomic_load(&handlers[PLAIN]) || atomic_load(&handlers[FULL]);
}

static uint64_t bit_of(int number)
{
    return number > 0 && number < SIGNALS_END ? UINT64_C(1) << (number - 1) : 0;
}

static void set_bit(atomic_uint_fast64_t *set, uint64_t bit, bool is_member)
{
    if (is_member)
        atomic_fetch_or(set, bit);
    else
        atomic_fetch_and(set, ~bit);
}

static bool is_to_cover(const struct sigaction *action)
{
    return cpu_timers_are_on() && !process_is_sandboxed() &&
           (action->sa_flags & SA_ONSTACK) != 0 && signal_action_is_function(action) &&
           !sigismember(&action->sa_mask, OWN_SIGNAL) && find_entry(action->sa_sigaction) < 0;
}

/* The kernel took our entry out, as the handler served once. */
static bool has_served(int number, const struct sigaction *action)
{
    enum { FLAGS = SA_ONSTACK | SA_SIGINFO | (int)SA_RESETHAND };

    return (atomic_load(&once) & bit_of(number)) != 0 && action->sa_handler == SIG_DFL &&
           (action->sa_flags & FLAGS) == FLAGS && sigismember(&action->sa_mask, OWN_SIGNAL);
}

static void restore(struct sigaction *action, bool is_plain)
{
    sigdelset(&action->sa_mask, OWN_SIGNAL);
    if (is_plain)
        action->sa_flags &= ~SA_SIGINFO;
}

/* A one-time handler that has served must read as the default action.  The kernel gets that before
 * our note changes to another action. */
static void note(int number, const struct sigaction *action, bool is_plain)
{
    uint64_t bit = bit_of(number);
    struct sigaction now;

    if ((atomic_load(&once) & bit) != 0 && next.sigaction(number, NULL, &now) == 0 &&
        has_served(number, &now)) {
        restore(&now, (atomic_load(&once_plain) & bit) != 0);
        next.sigaction(number, &now, NULL);
    }
    set_bit(&once, bit, (action->sa_flags & (int)SA_RESETHAND) != 0);
    set_bit(&once_plain, bit, is_plain);
}

/* A handler of one argument ignores the other two, on all known machines. */
void stack_handlers_cover(int number, struct sigaction *action)
{
    bool is_plain = (action->sa_flags & SA_SIGINFO) == 0;
    int entry;

    if (!is_to_cover(action))
        return;
    entry = entry_for(action->sa_sigaction, is_plain ? PLAIN : FULL);
    sigaddset(&action->sa_mask, OWN_SIGNAL);
    if (entry == NO_ENTRY)
        return;
    note(number, action, is_plain);
    action->sa_sigaction = entries[entry];
    action->sa_flags |= SA_SIGINFO;
}

void stack_handlers_uncover(int number, struct sigaction *action)
{
    int entry = find_entry(action->sa_sigaction);

    if (entry != NO_ENTRY) {
        action->sa_sigaction = atomic_load(&handlers[entry]);
        restore(action, entry < FULL);
    } else if (has_served(number, action)) {
        restore(action, (atomic_load(&once_plain) & bit_of(number)) != 0);
    }
}

sighandler_t stack_handlers_behind(sighandler_t handler)
{
    int entry = find_entry((signal_handler)(void *)handler);

    return entry == NO_ENTRY ? handler
                             : (sighandler_t)(void *)atomic_load(&handlers[entry]);
}

/* ---- all actions -------------------------------------------------------------- */

void stack_handlers_give_back(void)
{
    struct sigaction now;

    for (int number = 1; number < SIGNALS_END && are_any(); number++) {
        if (next.sigaction(number, NULL, &now) != 0 || find_entry(now.sa_sigaction) == NO_ENTRY)
            continue;
        stack_handlers_uncover(number, &now);
        next.sigaction(number, &now, NULL);
    }
}

void stack_handlers_take_again(int (*exchange)(int number, const struct sigaction *action,
                                               struct sigaction *old))
{
    struct sigaction now;

    for (int number = 1; number < SIGNALS_END && are_any(); number++)
        if (number != OWN_SIGNAL && exchange(number, NULL, &now) == 0 &&
            signal_action_is_function(&now) && (now.sa_flags & SA_ONSTACK) != 0)
            exchange(number, &now, NULL);
}
