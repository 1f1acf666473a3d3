/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Takes the signal, and handles signals of other senders.
 */
#include "sampler/own_signal.h"

#include <stddef.h>

#include "platform/calls.h"
#include "platform/next.h"

static signal_handler own_handler;
static struct sigaction found; /* the program's action, as the program sees it */
static int added_flags;        /* added by libc to each action */

void *own_signal_mark(void)
{
    static char mark;

    return &mark;
}

/* qemu-user takes each SIGIO for one of a file: half of the mark replaces the overrun, which is
 * lost (target_siginfo of its linux-user). */
static bool is_changed_by_qemu(const siginfo_t *info)
{
    return info->si_value.sival_ptr != own_signal_mark() &&
           info->si_overrun == (int)(intptr_t)own_signal_mark();
}

bool own_signal_is_ours(const siginfo_t *info)
{
    return info->si_code == SI_TIMER &&
           (info->si_value.sival_ptr == own_signal_mark() || is_changed_by_qemu(info));
}

uint32_t own_signal_periods(const siginfo_t *info)
{
    return info->si_overrun > 0 && !is_changed_by_qemu(info) ? 1 + (uint32_t)info->si_overrun : 1;
}

static bool is_own_handler(const struct sigaction *action)
{
    return own_handler && (action->sa_flags & SA_SIGINFO) != 0 &&
           action->sa_sigaction == own_handler;
}

/* libc leaves its own signals out of any mask: a thread that is cancelled would leave a record half
 * written.  A fault in a trace that others cut must find its handler (record/guard.h). */
static bool mask_all(void)
{
    struct signal_action action;

    if (!signal_action_exchange(OWN_SIGNAL, NULL, &action))
        return false;
    action.mask = ~(UINT64_C(1) << (SIGBUS - 1));
    return signal_action_exchange(OWN_SIGNAL, &action, NULL);
}

bool own_signal_take(signal_handler handler)
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

    return next.sigaction(OWN_SIGNAL, NULL, &now) == 0 && is_own_handler(&now);
}

void own_signal_hide(struct sigaction *action)
{
    if (is_own_handler(action))
        *action = found;
}

/* A thread's own signals come first.  Returns: whether there was one. */
static bool take_pending(siginfo_t *info)
{
    const struct timespec at_once = {0, 0};
    uint64_t signals = OWN_SIGNAL_BIT;

    return (calls_pending_signals() & OWN_SIGNAL_BIT) != 0 &&
           calls_system(SYS_rt_sigtimedwait, &signals, info, &at_once, sizeof signals) > 0;
}

/* Sends the signal back to its target: one of pthread_kill waits for this thread, any other for the
 * process.  If a sender pretends to be another process, Linux requires the number of the calling
 * thread. */
static void put_back(siginfo_t *info)
{
    int thread = (int)calls_system(SYS_gettid);

    if (info->si_code == SI_TKILL)
        calls_system(SYS_rt_tgsigqueueinfo, calls_getpid(), thread, OWN_SIGNAL, info);
    else
        calls_system(SYS_rt_sigqueueinfo, thread, OWN_SIGNAL, info);
}

/* Signals of other senders: one to the thread, and one to the process. */
struct foreign {
    siginfo_t signals[2 + 1]; /* and room for one of ours */
    unsigned count;
};

/* Returns: the periods of ours. */
static uint32_t take_all_pending(struct foreign *foreign)
{
    uint32_t periods = 0;

    foreign->count = 0;
    while (foreign->count < 2 && take_pending(&foreign->signals[foreign->count])) {
        if (own_signal_is_ours(&foreign->signals[foreign->count]))
            periods += own_signal_periods(&foreign->signals[foreign->count]);
        else
            foreign->count++;
    }
    return periods;
}

static void put_all_back(struct foreign *foreign)
{
    while (foreign->count > 0)
        put_back(&foreign->signals[--foreign->count]);
}

uint32_t own_signal_drop_pending(void)
{
    struct foreign foreign;
    uint32_t periods = take_all_pending(&foreign);

    put_all_back(&foreign);
    return periods;
}

/* Ignoring a signal makes Linux discard it in each thread where it is pending.  Another thread may
 * set an action meanwhile: the action that the shim's replaced shows this. */
static void ignore_for_a_moment(bool gives_back)
{
    const struct signal_action ignoring = {.handler = (signal_handler)(void *)SIG_IGN};
    struct signal_action then, replaced;

    if (!signal_action_exchange(OWN_SIGNAL, &ignoring, &then))
        return;
    if (gives_back && then.handler == own_handler)
        then = signal_action_of(&found);
    if (signal_action_exchange(OWN_SIGNAL, &then, &replaced) &&
        replaced.handler != ignoring.handler)
        signal_action_exchange(OWN_SIGNAL, &replaced, NULL);
}

static void discard(bool gives_back)
{
    uint64_t blocked = calls_block_signals(UINT64_MAX);
    struct foreign foreign;

    take_all_pending(&foreign);
    ignore_for_a_moment(gives_back);
    put_all_back(&foreign);
    calls_block_signals(blocked);
}

void own_signal_discard(void)
{
    discard(false);
}

void own_signal_give_back(void)
{
    discard(true);
}

/* In a call that unblocked the signal, the context has the mask from before that call. */
void own_signal_end_program(siginfo_t *info, ucontext_t *context)
{
    const struct signal_action standard = {.handler = (signal_handler)(void *)SIG_DFL};
    pid_t process_id = calls_getpid();
    long thread = calls_system(SYS_gettid);

    sigdelset(&context->uc_sigmask, OWN_SIGNAL);
    signal_action_exchange(OWN_SIGNAL, &standard, NULL);
    if (calls_system(SYS_rt_tgsigqueueinfo, process_id, thread, OWN_SIGNAL, info) != 0)
        calls_system(SYS_tgkill, process_id, thread, OWN_SIGNAL);
}
