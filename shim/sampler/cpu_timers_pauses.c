/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stopping timers for a while: where the program waits for signals, in its handlers on small
 * stacks, and in a sandbox.
 *
 * A call that unblocks signals while it waits would end with an earlier sample.
 */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <ucontext.h>

#include "platform/attributes.h"
#include "platform/calls.h"
#include "platform/clock.h"
#include "platform/interrupted.h"
#include "record/process.h"
#include "sampler/cpu_sample.h"
#include "sampler/cpu_timers.h"
#include "sampler/cpu_timers_parts.h"
#include "sampler/own_signal.h"
#include "sampler/sampled_threads.h"

/* This thread's entry, if it has a timer now. */
static struct sampled_thread *timed_self(void)
{
    struct sampled_thread *self = sampled_self;

    return self && cpu_timers_are_on() && !process_is_sandboxed() &&
                   self->timer != SAMPLED_NO_TIMER && sampled_thread_is_current(self)
               ? self
               : NULL;
}

/* Since Linux 6.13 setting a timer again discards its signal, so a pending one is taken before.
 * Another tick may come until the timer stops.
 * Returns: whether it ran. */
static bool stop_self(struct sampled_thread *self)
{
    const struct itimerspec never = {0};
    struct itimerspec left = {0};
    int saved_errno = errno;
    bool ran;

    cpu_sample_drop_pending(self);
    calls_system(SYS_timer_settime, self->timer, 0, &never, &left);
    ran = left.it_interval.tv_nsec != 0;
    if (ran)
        self->left_ns = (uint64_t)left.it_value.tv_nsec;
    cpu_sample_drop_pending(self);
    errno = saved_errno;
    return ran;
}

/* Restarts with the rest of the period; otherwise a thread that often waits would have no
 * samples. */
static void start_self(const struct sampled_thread *self)
{
    cpu_timers_set_period(self->timer, self->left_ns != 0 ? self->left_ns : CPU_PERIOD_NS);
}

/* Ask whether this is on the signal stack for whose handler the timer is stopped. */
static bool is_in_handler(const struct sampled_thread *self, uintptr_t sp)
{
    return sp - self->handler_stack < self->handler_size;
}

/* A wait in such a handler finds the timer stopped, and leaves it stopped. */
static bool pause_self(struct sampled_thread *self)
{
    if (is_in_handler(self, STACK_POINTER()))
        return false;
    stop_self(self);
    return true;
}

/* If the signal is not blocked now, it comes at once, and not in the wait. */
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

void cpu_timers_resume(void)
{
    int saved_errno = errno;
    struct sampled_thread *self = sampled_self;

    cpu_sample_write_rest(self);
    start_self(self);
    errno = saved_errno;
}

/* On a processor with AMX the frame of a signal has 12 KiB, and the shim's handler soon moves to a
 * stack of its own: the program's own handler may still use half of this room. */
static bool is_small(const stack_t *stack)
{
    enum { ROOM = 40960 };
    uintptr_t room = STACK_POINTER() - (uintptr_t)stack->ss_sp;

    return (stack->ss_flags & SS_DISABLE) == 0 && room < stack->ss_size && room < ROOM;
}

/* A handler that interrupts such a handler finds the timer stopped.  A handler that was left by a
 * jump never restarted it. */
static bool pause_in_handler(struct sampled_thread *self, const ucontext_t *context)
{
    bool was_left = self->handler_size != 0;

    if (was_left && is_in_handler(self, interrupted_of(context).sp))
        return false;
    if (!is_small(&context->uc_stack)) {
        cpu_timers_go_on_after_jump();
        return false;
    }
    if (!timed_self() || (!stop_self(self) && !was_left))
        return false;
    self->handler_stack = (uintptr_t)context->uc_stack.ss_sp;
    self->handler_size = context->uc_stack.ss_size;
    return true;
}

/* A sample may come at once. */
static void unblock(struct sampled_thread *self)
{
    const uint64_t signals = OWN_SIGNAL_BIT;

    if (self)
        self->is_entering = true;
    calls_system(SYS_rt_sigprocmask, SIG_UNBLOCK, &signals, NULL, sizeof signals);
    if (self)
        self->is_entering = false;
}

bool cpu_timers_enter_handler(const ucontext_t *context)
{
    struct sampled_thread *self = sampled_self;
    bool is_paused = self && pause_in_handler(self, context);

    unblock(self);
    return is_paused;
}

/* This is still the small stack: a sample waits until the handler's context is gone. */
void cpu_timers_leave_handler(void)
{
    const uint64_t signals = OWN_SIGNAL_BIT;
    int saved_errno = errno;
    struct sampled_thread *self = sampled_self;

    if (self && self->handler_size != 0) {
        self->handler_size = 0;
        if (timed_self()) {
            calls_system(SYS_rt_sigprocmask, SIG_BLOCK, &signals, NULL, sizeof signals);
            start_self(self);
        }
    }
    errno = saved_errno;
}

void cpu_timers_go_on_after_jump(void)
{
    struct sampled_thread *self = sampled_self;

    if (!self || self->handler_size == 0 || is_in_handler(self, STACK_POINTER()) || !timed_self())
        return;
    self->handler_size = 0;
    start_self(self);
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
    if (thread->timer != SAMPLED_NO_TIMER && thread->handler_size == 0)
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
