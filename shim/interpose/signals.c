/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The calls that set the actions of signals, exported.  They hide the shim's parts from the
 * program: its handler of SIGBUS (record/guard.h), the signal of its samples
 * (sampler/own_signal.h), its signal stacks (sampler/signal_stack.h) and its entries before
 * handlers on such stacks (sampler/stack_handlers.h).
 */
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "platform/attributes.h"
#include "platform/next.h"
#include "record/guard.h"
#include "sampler/cpu_timers.h"
#include "sampler/own_signal.h"
#include "sampler/signal_stack.h"
#include "sampler/stack_handlers.h"

/* Our handler of SIGBUS comes before the action that this call sets. */
static int exchange(int number, const struct sigaction *action, struct sigaction *old)
{
    struct sigaction wanted;
    int result;

    if (action) {
        wanted = *action;
        stack_handlers_cover(number, &wanted);
    }
    result = next.sigaction(number, action ? &wanted : NULL, old);
    if (result == 0 && old && number == SIGBUS)
        guard_hide(old);
    if (result == 0 && old)
        stack_handlers_uncover(number, old);
    if (result == 0 && action && number == SIGBUS)
        guard_note_set();
    return result;
}

static bool is_default(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) == 0 && action->sa_handler == SIG_DFL;
}

/* While the program wants the default action, it sees the default, and the shim keeps the signal.
 * A child that has not started to record may have set another action. */
static bool leaves_to_us(const struct sigaction *action)
{
    if (!cpu_timers_are_on())
        return false;
    if (is_default(action))
        return own_signal_is_taken();
    cpu_timers_end(TRACE_SAMPLING_SIGNAL);
    return false;
}

static int exchange_own(const struct sigaction *action, struct sigaction *old)
{
    struct sigaction wanted;
    bool is_left, has_wanted = action != NULL;
    int result;

    if (has_wanted)
        wanted = *action;
    is_left = has_wanted && leaves_to_us(&wanted);
    result = next.sigaction(OWN_SIGNAL, has_wanted && !is_left ? &wanted : NULL, old);
    if (result == 0 && old)
        own_signal_hide(old);
    if (result == 0 && is_left)
        own_signal_pretend(&wanted);
    return result;
}

EXPORT int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    return number == OWN_SIGNAL ? exchange_own(action, old) : exchange(number, action, old);
}

/* The ways to set a handler without sigaction; libc's versions call libc's own sigaction. */
typedef sighandler_t (*setter)(int number, sighandler_t handler);

static sighandler_t set_bus_error(setter set, sighandler_t handler)
{
    struct sigaction before = {0}, shown;
    bool is_known = next.sigaction(SIGBUS, NULL, &before) == 0;
    sighandler_t old;

    shown = before;
    guard_hide(&shown);
    stack_handlers_uncover(SIGBUS, &shown);
    old = set(SIGBUS, handler);
    guard_note_set();
    return is_known && old == before.sa_handler ? shown.sa_handler : old;
}

/* Ours is left in a child of vfork. */
static sighandler_t hide_own(sighandler_t old)
{
    struct sigaction action = {.sa_handler = old, .sa_flags = SA_SIGINFO};

    own_signal_hide(&action);
    return action.sa_handler;
}

static sighandler_t set_own(setter set, sighandler_t handler)
{
    struct sigaction wanted = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;

    if (handler != SIG_DFL || set != next.signal || !leaves_to_us(&wanted)) {
        cpu_timers_end(TRACE_SAMPLING_SIGNAL);
        return hide_own(set(OWN_SIGNAL, handler));
    }
    sigaddset(&wanted.sa_mask, OWN_SIGNAL);
    return exchange_own(&wanted, &old) == 0 ? old.sa_handler : SIG_ERR;
}

static sighandler_t set(setter function, int number, sighandler_t handler)
{
    if (number == SIGBUS)
        return set_bus_error(function, handler);
    if (number == OWN_SIGNAL)
        return set_own(function, handler);
    return stack_handlers_behind(function(number, handler));
}

EXPORT sighandler_t signal(int number, sighandler_t handler)
{
    return set(next.signal, number, handler);
}

#define SETTER(name)                                                                               \
    EXPORT sighandler_t name(int number, sighandler_t handler)                                     \
    {                                                                                              \
        return set(next.name, number, handler);                                                    \
    }

/* POSIX has dropped it, but libc still exports it. */
sighandler_t bsd_signal(int number, sighandler_t handler);

SETTER(bsd_signal)
SETTER(sysv_signal)
SETTER(__sysv_signal)
SETTER(sigset)

EXPORT int sigignore(int number)
{
    int result;

    if (number == OWN_SIGNAL)
        cpu_timers_end(TRACE_SAMPLING_SIGNAL);
    result = next.sigignore(number);
    if (number == SIGBUS)
        guard_note_set();
    return result;
}

/* It sets the action again. */
EXPORT int siginterrupt(int number, int interrupts)
{
    if (number == OWN_SIGNAL)
        cpu_timers_end(TRACE_SAMPLING_SIGNAL);
    return next.siginterrupt(number, interrupts);
}

EXPORT int sigaltstack(const stack_t *stack, stack_t *old)
{
    bool is_small;
    int result = signal_stack_exchange(stack, old, &is_small);

    if (is_small)
        cpu_timers_leave_out_thread();
    return result;
}
