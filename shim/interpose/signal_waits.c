/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The calls that block signals, wait for them or ask for those that have come, exported.  A sample
 * that came while its signal was blocked must neither end such a call nor be its result.
 *
 * Budget: beyond the call itself, a comparison; for calls that unblock while they wait, one system
 * call; if the program had blocked the signal, four.
 */
#include "interpose/signal_waits.h"

#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <threads.h>
#include <time.h>

#include "hook/waits.h"
#include "interpose/joining.h"
#include "platform/attributes.h"
#include "platform/next.h"
#include "sampler/cpu_timers.h"
#include "sampler/own_signal.h"
#include "sampler/sampled_threads.h"
#include "sampler/stack_handlers.h"

/* A signal that arrived while it was blocked arrives now, at once. */
static void note_unblocking(bool is_unblocking)
{
    if (sampled_self)
        sampled_self->is_unblocking = is_unblocking;
}

EXPORT int sigprocmask(int how, const sigset_t *signals, sigset_t *old)
{
    int result;

    note_unblocking(true);
    result = next.sigprocmask(how, signals, old);
    note_unblocking(false);
    return result;
}

EXPORT int pthread_sigmask(int how, const sigset_t *signals, sigset_t *old)
{
    int result;

    note_unblocking(true);
    result = next.pthread_sigmask(how, signals, old);
    note_unblocking(false);
    return result;
}

EXPORT int sigpending(sigset_t *signals)
{
    cpu_timers_hide_pending();
    return next.sigpending(signals);
}

#define AWAIT(name, parameters, arguments)                                                         \
    EXPORT int name parameters                                                                     \
    {                                                                                              \
        bool is_paused = cpu_timers_pause_awaiting(signals);                                       \
        int result = next.name arguments;                                                          \
                                                                                                   \
        if (is_paused)                                                                             \
            cpu_timers_resume();                                                                   \
        return result;                                                                             \
    }

AWAIT(sigwait, (const sigset_t *signals, int *number), (signals, number))
AWAIT(sigwaitinfo, (const sigset_t *signals, siginfo_t *info), (signals, info))
AWAIT(sigtimedwait, (const sigset_t *signals, siginfo_t *info, const struct timespec *timeout),
      (signals, info, timeout))

/* Any thread may read the descriptor, and get its own signals. */
void signal_waits_note_descriptor(const sigset_t *signals)
{
    if (sigismember(signals, OWN_SIGNAL))
        cpu_timers_end(TRACE_SAMPLING_SIGNAL);
}

EXPORT int signalfd(int descriptor, const sigset_t *signals, int flags)
{
    signal_waits_note_descriptor(signals);
    return next.signalfd(descriptor, signals, flags);
}

/* A handler of the program that interrupts the call must know the mask of the call. */
bool signal_waits_begin_unblocking(const sigset_t *blocked, uintptr_t sp)
{
    if (blocked)
        stack_handlers_wait =
            (struct stack_handlers_wait){sp, sigismember(blocked, OWN_SIGNAL) == 1};
    return cpu_timers_pause_unblocking(blocked);
}

void signal_waits_end_unblocking(bool is_paused)
{
    stack_handlers_wait.sp = 0;
    if (is_paused)
        cpu_timers_resume();
}

#define UNBLOCK(name, parameters, arguments)                                                       \
    EXPORT int name parameters                                                                     \
    {                                                                                              \
        bool is_paused = signal_waits_begin_unblocking(blocked, STACK_POINTER());                  \
        int result = next.name arguments;                                                          \
                                                                                                   \
        signal_waits_end_unblocking(is_paused);                                                    \
        return result;                                                                             \
    }

UNBLOCK(sigsuspend, (const sigset_t *blocked), (blocked))
UNBLOCK(ppoll,
        (struct pollfd * files, nfds_t count, const struct timespec *timeout,
         const sigset_t *blocked),
        (files, count, timeout, blocked))
UNBLOCK(pselect,
        (int count, fd_set *readable, fd_set *writable, fd_set *exceptional,
         const struct timespec *timeout, const sigset_t *blocked),
        (count, readable, writable, exceptional, timeout, blocked))
UNBLOCK(epoll_pwait,
        (int queue, struct epoll_event *events, int count, int timeout, const sigset_t *blocked),
        (queue, events, count, timeout, blocked))

/* Older C libraries do not declare these. */
int epoll_pwait2(int queue, struct epoll_event *events, int count, const struct timespec *timeout,
                 const sigset_t *blocked);
int __ppoll_chk(struct pollfd *files, nfds_t count, const struct timespec *timeout,
                const sigset_t *blocked, size_t size);

UNBLOCK(epoll_pwait2,
        (int queue, struct epoll_event *events, int count, const struct timespec *timeout,
         const sigset_t *blocked),
        (queue, events, count, timeout, blocked))
UNBLOCK(__ppoll_chk,
        (struct pollfd * files, nfds_t count, const struct timespec *timeout,
         const sigset_t *blocked, size_t size),
        (files, count, timeout, blocked, size))

/* The hooks of calls that wait would pass us by. */
#define STANDING(name) {#name, (void *)name, (void *const *)&next.name}

const struct waits_standing waits_standing[] = {STANDING(sigwait),
                                                STANDING(sigwaitinfo),
                                                STANDING(sigtimedwait),
                                                STANDING(sigsuspend),
                                                STANDING(ppoll),
                                                STANDING(__ppoll_chk),
                                                STANDING(pselect),
                                                STANDING(epoll_pwait),
                                                STANDING(epoll_pwait2),
                                                STANDING(pthread_join),
                                                STANDING(pthread_timedjoin_np),
                                                STANDING(pthread_clockjoin_np),
                                                STANDING(thrd_join)};
const unsigned waits_standing_count = sizeof waits_standing / sizeof *waits_standing;
