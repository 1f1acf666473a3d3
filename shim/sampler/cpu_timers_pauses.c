/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stopping timers for a while: where the program waits for signals, and in a sandbox.
 *
 * A call that unblocks signals while it waits would end with a sample that came before.
 */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

#include "platform/calls.h"
#include "platform/clock.h"
#include "record/process.h"
#include "sampler/cpu_sample.h"
#include "sampler/cpu_timers.h"
#include "sampler/cpu_timers_parts.h"
#include "sampler/own_signal.h"
#include "sampler/sampled_threads.h"

/* This thread's place, if it has a timer now. */
static struct sampled_thread *timed_self(void)
{
    struct sampled_thread *self = sampled_self;

    return self && cpu_timers_are_on() && !process_is_sandboxed() &&
                   self->timer != SAMPLED_NO_TIMER && sampled_thread_is_current(self)
               ? self
               : NULL;
}

/* Since Linux 6.13 a timer that is set anew takes back its signal: what has come is taken before.
 * After that a tick may have come, before the timer stopped. */
static bool pause_self(struct sampled_thread *self)
{
    const struct itimerspec never = {0};
    struct itimerspec left = {0};
    int saved_errno = errno;

    cpu_sample_drop_pending(self);
    calls_system(SYS_timer_settime, self->timer, 0, &never, &left);
    self->left_ns = (uint64_t)left.it_value.tv_nsec;
    cpu_sample_drop_pending(self);
    errno = saved_errno;
    return true;
}

/* Where the signal is not blocked now, it comes at once, and not in the wait. */
static bool is_blocked_now(void)
{
    uint64_t blocked = 0;

    calls_system(SYS_rt_sigprocmask, SIG_SETMASK, NULL, &blocked, sizeof blocked);
    return (blocked & OWN_SIGNAL_BIT) != 0;
}

bool cpu_timers_pause_unblocking(const sigset_t *blocked)
{
    struct sampled_thread *self;

    if (!blocked || sigismember(blocked, OWN_SIGNAL))
        return false;
    self = timed_self();
    return self && is_blocked_now() && pause_self(self);
}

bool cpu_timers_pause_awaiting(const sigset_t *awaited)
{
    struct sampled_thread *self;

    if (!sigismember(awaited, OWN_SIGNAL))
        return false;
    self = timed_self();
    return self && pause_self(self);
}

/* With what is left of the period, or else a thread that often waits would have no samples. */
void cpu_timers_resume(void)
{
    int saved_errno = errno;
    struct sampled_thread *self = sampled_self;

    cpu_sample_write_rest(self);
    cpu_timers_set_period(self->timer, self->left_ns != 0 ? self->left_ns : CPU_PERIOD_NS);
    errno = saved_errno;
}

void cpu_timers_hide_pending(void)
{
    int saved_errno = errno;
    struct sampled_thread *self = timed_self();

    if (self)
        cpu_sample_drop_pending(self);
    errno = saved_errno;
}

static void stop(struct sampled_thread *thread)
{
    if (thread->timer != SAMPLED_NO_TIMER)
        cpu_timers_set_period(thread->timer, 0);
}

static void go_on(struct sampled_thread *thread)
{
    if (thread->timer != SAMPLED_NO_TIMER)
        cpu_timers_set_period(thread->timer, CPU_PERIOD_NS);
}

/* The ones of another process, as in a child, are none of ours. */
static void each(void (*visit)(struct sampled_thread *thread))
{
    int saved_errno = errno;

    if (process && process->pid == calls_getpid())
        sampled_threads_each(visit);
    errno = saved_errno;
}

void cpu_timers_stop(void)
{
    if (!cpu_timers_are_on())
        return;
    cpu_timers_note_off(TRACE_SAMPLING_SANDBOX, clock_read());
    each(stop);
    own_signal_discard();
}

void cpu_timers_go_on(void)
{
    if (!cpu_timers_are_on())
        return;
    each(go_on);
    cpu_timers_note_off(TRACE_SAMPLING_NONE, 0);
}
