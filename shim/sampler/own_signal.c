/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Standing before the program's handler of the signal.
 */
#include "sampler/own_signal.h"

#include <stdatomic.h>
#include <stddef.h>

#include "platform/calls.h"
#include "platform/next.h"

static own_signal_handler own_handler;
static struct sigaction found; /* what the program has, as it sees it */
static int added_flags;        /* by libc to each action */

/* The program's handler behind pass_on().  Any of its flags stand in the kernel. */
static _Atomic(own_signal_handler) program_handler;
static atomic_bool takes_info;

void *own_signal_mark(void)
{
    static char mark;

    return &mark;
}

bool own_signal_is_ours(const siginfo_t *info)
{
    return info->si_code == SI_TIMER && info->si_value.sival_ptr == own_signal_mark();
}

/* A sample that was on its way when the samples ended is none of the program's signals.  The call
 * is the last, so that it leaves no frame. */
static void pass_on(int number, siginfo_t *info, void *context)
{
    if (!own_signal_is_ours(info))
        atomic_load(&program_handler)(number, info, context);
}

static bool is_function(const struct sigaction *action)
{
    return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

static bool has_handler(const struct sigaction *action, own_signal_handler handler)
{
    return (action->sa_flags & SA_SIGINFO) != 0 && action->sa_sigaction == handler;
}

/* As the kernel has it, on all machines that we know. */
struct kernel_action {
    own_signal_handler handler;
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

/* libc leaves its own signals out of any mask: a thread that is cancelled would leave a record half
 * written.  A fault in a trace that others cut must find its handler (record/guard.h). */
static bool mask_all(void)
{
    struct kernel_action action;

    if (calls_system(SYS_rt_sigaction, OWN_SIGNAL, NULL, &action, sizeof action.mask) != 0)
        return false;
    action.mask = ~(UINT64_C(1) << (SIGBUS - 1));
    return calls_system(SYS_rt_sigaction, OWN_SIGNAL, &action, NULL, sizeof action.mask) == 0;
}

bool own_signal_take(own_signal_handler handler)
{
    struct sigaction action = {.sa_sigaction = handler,
                               .sa_flags = SA_RESTART | SA_SIGINFO | SA_ONSTACK};
    struct sigaction taken;

    if (next.sigaction(OWN_SIGNAL, NULL, &found) != 0 || found.sa_handler != SIG_DFL)
        return false;
    own_handler = handler;
    sigfillset(&action.sa_mask);
    if (next.sigaction(OWN_SIGNAL, &action, NULL) != 0 ||
        next.sigaction(OWN_SIGNAL, NULL, &taken) != 0)
        return false;
    added_flags = taken.sa_flags & ~action.sa_flags;
    return mask_all();
}

void own_signal_pretend(const struct sigaction *action)
{
    found = *action;
    found.sa_flags |= added_flags;
}

bool own_signal_is_taken(void)
{
    struct sigaction now;

    return own_handler && next.sigaction(OWN_SIGNAL, NULL, &now) == 0 &&
           has_handler(&now, own_handler);
}

void own_signal_give_back(void)
{
    if (own_signal_is_taken())
        next.sigaction(OWN_SIGNAL, &found, NULL);
}

/* What the program would find. */
static void uncover(struct sigaction *action)
{
    if (has_handler(action, pass_on)) {
        action->sa_sigaction = atomic_load(&program_handler);
        if (!atomic_load(&takes_info))
            action->sa_flags &= ~SA_SIGINFO;
    } else if (own_handler && has_handler(action, own_handler)) {
        *action = found;
    } else if (own_handler && !is_function(action) && !atomic_load(&takes_info)) {
        action->sa_flags &= ~SA_SIGINFO; /* the kernel took pass_on() out: SA_RESETHAND */
    }
}

/* A handler of one argument does not see the other two, on any machine that we know. */
static void cover(struct sigaction *action)
{
    if (!own_handler)
        return;
    atomic_store(&takes_info, (action->sa_flags & SA_SIGINFO) != 0);
    if (!is_function(action))
        return;
    atomic_store(&program_handler, action->sa_sigaction);
    action->sa_sigaction = pass_on;
    action->sa_flags |= SA_SIGINFO;
}

int own_signal_exchange(const struct sigaction *action, struct sigaction *old)
{
    struct sigaction now, covered;

    if (next.sigaction(OWN_SIGNAL, NULL, &now) != 0)
        return -1;
    uncover(&now);
    if (action) {
        covered = *action;
        cover(&covered);
        if (next.sigaction(OWN_SIGNAL, &covered, NULL) != 0)
            return -1;
    }
    if (old)
        *old = now;
    return 0;
}

void (*own_signal_shield(void (*old)(int)))(int)
{
    struct sigaction now;
    own_signal_handler before = atomic_load(&program_handler);

    if (!own_handler)
        return old;
    if (next.sigaction(OWN_SIGNAL, NULL, &now) == 0 && is_function(&now) &&
        !has_handler(&now, pass_on)) {
        cover(&now);
        next.sigaction(OWN_SIGNAL, &now, NULL);
    }
    return old == (void (*)(int))(void *)pass_on ? (void (*)(int))(void *)before : old;
}
