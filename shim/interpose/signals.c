/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The calls in which a program says what signals do, exported: it must not find what is ours
 * there.  That is our handler of SIGBUS (record/guard.h), where it has none itself, the signal of
 * our samples (sampler/own_signal.h) and our signal stacks (sampler/signal_stack.h).
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

static void hide(struct sigaction *old)
{
    if (guard_is_handler(old))
        *old = (struct sigaction){.sa_handler = SIG_DFL};
}

static int exchange_bus_error(const struct sigaction *action, struct sigaction *old)
{
    int result = next.sigaction(SIGBUS, action, old);

    if (result != 0)
        return result;
    if (action && !guard_is_handler(action))
        guard_note_replaced();
    if (old)
        hide(old);
    return result;
}

static bool is_default(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) == 0 && action->sa_handler == SIG_DFL;
}

/* As long as the default action is what it asks for, the program has it. */
static int exchange_own(const struct sigaction *action, struct sigaction *old)
{
    if (action && cpu_timers_are_on()) {
        if (is_default(action))
            return own_signal_exchange(NULL, old);
        cpu_timers_end(TRACE_SAMPLING_SIGNAL);
    }
    return own_signal_exchange(action, old);
}

EXPORT int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    if (number == SIGBUS)
        return exchange_bus_error(action, old);
    if (number == OWN_SIGNAL)
        return exchange_own(action, old);
    return next.sigaction(number, action, old);
}

static sighandler_t set_bus_error(sighandler_t handler)
{
    struct sigaction before;
    sighandler_t old;

    if (next.sigaction(SIGBUS, NULL, &before) != 0)
        return next.signal(SIGBUS, handler);
    old = next.signal(SIGBUS, handler);
    if (old == SIG_ERR)
        return old;
    guard_note_replaced();
    return guard_is_handler(&before) ? SIG_DFL : old;
}

static sighandler_t set_own(sighandler_t handler)
{
    if (cpu_timers_are_on()) {
        if (handler == SIG_DFL)
            return SIG_DFL;
        cpu_timers_end(TRACE_SAMPLING_SIGNAL);
    }
    return own_signal_shield(next.signal(OWN_SIGNAL, handler));
}

EXPORT sighandler_t signal(int number, sighandler_t handler)
{
    if (number == SIGBUS)
        return set_bus_error(handler);
    if (number == OWN_SIGNAL)
        return set_own(handler);
    return next.signal(number, handler);
}

EXPORT int sigaltstack(const stack_t *stack, stack_t *old)
{
    bool is_small;
    int result = signal_stack_exchange(stack, old, &is_small);

    if (is_small)
        cpu_timers_leave_out_thread();
    return result;
}
