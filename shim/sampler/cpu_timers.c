/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Starts and ends timers, by system calls: glibc before 2.34 has timer_create in librt, and its
 * SIGEV_SIGNAL would give the signal to any thread.
 *
 * Budget: 4 µs for the start and the end of a thread.
 */
#include "sampler/cpu_timers.h"

#include <errno.h>
#include <stddef.h>
#include <sys/resource.h>
#include <time.h>

#include "platform/calls.h"
#include "platform/clock.h"
#include "platform/next.h"
#include "platform/next_find.h"
#include "record/lane.h"
#include "record/process.h"
#include "record/settings.h"
#include "record/deferral.h"
#include "sampler/cpu_linux.h"
#include "sampler/cpu_obstacles.h"
#include "sampler/cpu_sample.h"
#include "sampler/cpu_timers_parts.h"
#include "sampler/own_signal.h"
#include "sampler/sampled_threads.h"
#include "sampler/signal_stack.h"

enum { TO_THREAD = 4 /* SIGEV_THREAD_ID */, SIGNALS_PART = 4 };

/* struct sigevent of Linux. */
struct event {
    void *mark;
    int32_t signal;
    int32_t notify;
    int32_t thread;
    char rest[64 - sizeof(void *) - 3 * sizeof(int32_t)];
};

static atomic_uint off = TRACE_SAMPLING_ASKED; /* enum trace_sampling_off */
static atomic_uint timer_count;
static pthread_key_t end_key;
static bool has_end_key;

bool cpu_timers_are_on(void)
{
    return atomic_load_explicit(&off, memory_order_relaxed) == TRACE_SAMPLING_NONE;
}

void cpu_timers_set_period(int32_t timer, uint64_t ns)
{
    const struct itimerspec spec = {.it_interval.tv_nsec = ns == 0 ? 0 : CPU_PERIOD_NS,
                                    .it_value.tv_nsec = (long)ns};

    calls_system(SYS_timer_settime, timer, 0, &spec, NULL);
}

/* Timers count against the signals that a user may have pending, over all processes.  The limit is
 * asked again when timers come near it. */
static bool may_have_another(void)
{
    enum { NEAR_PART = 4 * SIGNALS_PART };
    static _Atomic uint64_t known; /* 0: not yet asked */
    uint64_t most = atomic_load_explicit(&known, memory_order_relaxed);
    unsigned count = atomic_load(&timer_count);
    struct rlimit limit;

    if (count >= most / NEAR_PART) {
        if (calls_system(SYS_prlimit64, 0, RLIMIT_SIGPENDING, NULL, &limit) != 0)
            return true;
        most = limit.rlim_cur == RLIM_INFINITY ? UINT64_MAX : limit.rlim_cur;
        atomic_store_explicit(&known, most, memory_order_relaxed);
    }
    return count < most / SIGNALS_PART;
}

/* Returns: the time between ticks of Linux, which checks the timers once a tick; CPU_PERIOD_NS: it
 * is unknown, or longer. */
static uint32_t tick_ns(void)
{
    static atomic_uint known; /* 0: not yet asked */
    struct timespec tick = {.tv_nsec = CPU_PERIOD_NS};
    uint32_t ns = atomic_load_explicit(&known, memory_order_relaxed);

    if (ns != 0)
        return ns;
    calls_system(SYS_clock_getres, CLOCK_MONOTONIC_COARSE, &tick);
    ns = tick.tv_sec > 0 || tick.tv_nsec <= 0 || tick.tv_nsec >= CPU_PERIOD_NS
             ? CPU_PERIOD_NS
             : (uint32_t)tick.tv_nsec;
    atomic_store_explicit(&known, ns, memory_order_relaxed);
    return ns;
}

/* First samples are spread over a period, because threads shorter than a period would have none
 * otherwise.  They come after the least time and some ticks of Linux. */
static uint64_t first_ns(int32_t thread)
{
    enum { GOLDEN = 0x9e3779b1 /* consecutive numbers spread evenly: Knuth, volume 3, 6.4 */ };
    uint32_t spread = (uint32_t)thread * (uint32_t)GOLDEN >> 16;

    return TRACE_SAMPLING_FIRST_NS + (uint64_t)tick_ns() * (spread % (CPU_PERIOD_NS / tick_ns()));
}

static bool make_timer(struct sampled_thread *self)
{
    struct event event = {.mark = own_signal_mark(),
                          .signal = OWN_SIGNAL,
                          .notify = TO_THREAD,
                          .thread = self->thread};
    int32_t timer;

    if (!may_have_another() ||
        calls_system(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, &event, &timer) != 0)
        return false;
    atomic_fetch_add(&timer_count, 1);
    atomic_store(&self->timer, timer);
    self->left_ns = first_ns(self->thread);
    if (self->handler_size == 0)
        cpu_timers_set_period(timer, self->left_ns);
    return true;
}

/* Any thread may end the samples while this one ends. */
static void delete_timer(struct sampled_thread *thread)
{
    int32_t timer = atomic_exchange(&thread->timer, SAMPLED_NO_TIMER);

    if (timer == SAMPLED_NO_TIMER)
        return;
    calls_system(SYS_timer_delete, timer);
    atomic_fetch_sub(&timer_count, 1);
}

/* The samples ended on another thread.  That thread may have discarded the pending signals before
 * the last signal of this thread's timer came. */
static void discard_late(struct sampled_thread *self)
{
    if (!cpu_timers_are_on())
        cpu_sample_drop_pending(self);
}

/* All signals are blocked meanwhile: the stack under a handler must not go away. */
static void end_thread(void *of)
{
    struct sampled_thread *self = of;
    uint64_t signals;

    if (self != sampled_self || process_is_sandboxed() || !sampled_thread_is_current(self))
        return;
    cpu_sample_write_rest(self);
    signals = calls_block_signals(UINT64_MAX);
    delete_timer(self);
    discard_late(self);
    signal_stack_end(self);
    sampled_self = NULL;
    sampled_threads_give(self);
    calls_block_signals(signals);
}

static void await_end(struct sampled_thread *self)
{
    if (has_end_key)
        next.pthread_setspecific(end_key, self);
}

static void count_untimed(void)
{
    struct trace_header *header = process->file.header;

    if (header) /* recording is not deferred */
        atomic_fetch_add((_Atomic uint64_t *)&header->sampling_untimed, 1);
}

/* A child that was forked in a handler may still be in it. */
static void start_here(void)
{
    struct sampled_thread *self = sampled_self ? sampled_self : sampled_threads_take();

    if (!self) {
        count_untimed();
        return;
    }
    *self = (struct sampled_thread){.timer = SAMPLED_NO_TIMER,
                                    .thread = (int32_t)calls_system(SYS_gettid),
                                    .stack = self->stack,
                                    .handler_stack = self->handler_stack,
                                    .handler_size = self->handler_size};
    sampled_self = self;
    if (!signal_stack_begin(self) || !make_timer(self))
        count_untimed();
    await_end(self);
    if (!cpu_timers_are_on())
        delete_timer(self);
    discard_late(self);
}

/* The timer of a forked child is not inherited. */
static void start(void)
{
    uint64_t signals;

    if (!cpu_timers_are_on() || (sampled_self && sampled_thread_is_current(sampled_self)))
        return;
    if (!own_signal_is_taken()) {
        cpu_timers_end(TRACE_SAMPLING_SIGNAL);
        return;
    }
    signals = calls_block_signals(UINT64_MAX);
    start_here();
    calls_block_signals(signals);
}

void cpu_timers_begin_thread(void)
{
    int saved_errno = errno;

    if (process_is_recording())
        start();
    errno = saved_errno;
}

static void fill_header(struct trace_header *header)
{
    header->sampling_off = atomic_load(&off);
    header->sampling_signal = cpu_timers_are_on() ? OWN_SIGNAL : 0;
    header->sampling_period_ns = cpu_timers_are_on() ? CPU_PERIOD_NS : 0;
}

/* If a thread starts without an intercepted call, only the first of a process is sampled: a bare
 * clone() shows no end of a thread.  A lane without a thread is no part of the trace. */
void cpu_timers_begin_lane(struct lane *lane)
{
    bool is_first = lane->thread == process->pid;

    if (lane->thread == 0)
        return;
    if (is_first) {
        start();
        fill_header(process->file.header);
    } else if (!sampled_self && cpu_timers_are_on()) {
        count_untimed();
    }
}

uint64_t cpu_timers_look_up(struct lane *lane, uint64_t now)
{
    (void)lane;
    (void)now;
    if (cpu_timers_are_on() && !own_signal_is_taken())
        cpu_timers_end(TRACE_SAMPLING_SIGNAL);
    cpu_timers_go_on_after_jump();
    return UINT64_MAX;
}

static enum trace_sampling_off find_obstacle(void)
{
    if (!settings.samples)
        return TRACE_SAMPLING_ASKED;
    if (!cpu_linux_is_fit())
        return TRACE_SAMPLING_KERNEL;
    if (cpu_obstacles_is_go())
        return TRACE_SAMPLING_SIGNAL;
    return own_signal_take(cpu_sample_on_signal) ? TRACE_SAMPLING_NONE : TRACE_SAMPLING_SIGNAL;
}

static void watch_ends(void)
{
    if (!next.pthread_key_create)
        next_find();
    if (!has_end_key && next.pthread_key_create && next.pthread_setspecific)
        has_end_key = next.pthread_key_create(&end_key, end_thread) == 0;
}

/* A forked child keeps its parent's decisions, but not its threads. */
static void decide(bool is_traced)
{
    static bool is_decided;

    if (is_decided) {
        sampled_threads_keep(sampled_self);
        atomic_store(&timer_count, 0);
        return;
    }
    is_decided = true;
    atomic_store(&off, is_traced ? TRACE_SAMPLING_TRACED : find_obstacle());
    if (cpu_timers_are_on())
        watch_ends();
}

/* The question takes as long as the rest of a small program's start.  So a process whose recording
 * is deferred asks when it begins, at its first sample at the latest. */
static bool is_traced_now(void)
{
    static bool is_asked;
    bool is_traced = settings.samples && !is_asked && cpu_obstacles_is_traced();

    is_asked = true;
    return is_traced;
}

bool cpu_timers_begin(void)
{
    bool is_traced = is_traced_now();

    decide(is_traced);
    if (is_traced)
        cpu_timers_end(TRACE_SAMPLING_TRACED);
    return true;
}

/* The first sample of a process that only computes ends the deferral. */
void cpu_timers_defer(void)
{
    decide(false);
    start();
}

void cpu_timers_leave_out_thread(void)
{
    int saved_errno = errno;
    struct sampled_thread *self = sampled_self;

    if (self && sampled_thread_is_current(self) && self->timer != SAMPLED_NO_TIMER) {
        uint64_t signals = calls_block_signals(UINT64_MAX);

        delete_timer(self);
        cpu_sample_drop_pending(self);
        calls_block_signals(signals);
        count_untimed();
    }
    errno = saved_errno;
}

/* The header of this process; NULL in a child that has not begun, or of vfork. */
static struct trace_header *own_header(void)
{
    return process && process->pid == calls_getpid() ? process->file.header : NULL;
}

void cpu_timers_note_off(enum trace_sampling_off reason, uint64_t ticks)
{
    struct trace_header *header = own_header();

    if (!header)
        return;
    header->sampling_off = reason;
    header->sampling_off_ticks = ticks;
}

/* In a child of vfork the timers are its parent's. */
static bool has_own_timers(void)
{
    return process_is_own() || deferral_is_own();
}

void cpu_timers_end(enum trace_sampling_off reason)
{
    int saved_errno = errno;
    unsigned on = TRACE_SAMPLING_NONE;

    if (has_own_timers() && atomic_compare_exchange_strong(&off, &on, reason)) {
        sampled_threads_each(delete_timer);
        own_signal_give_back();
        cpu_timers_note_off(reason, clock_read());
    }
    errno = saved_errno;
}
