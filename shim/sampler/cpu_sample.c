/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the interrupted registers to a record.
 *
 * All signals except SIGBUS are blocked meanwhile.  No function of libc that locks or allocates is
 * called.  The handler may wait for the process lock: no signal interrupts its holder, so the
 * holder is another thread, which runs on.  A record that was being written is not touched: the
 * period is kept, and written with the next sample.
 *
 * Budget: 12 µs with 20 new frames, including the delivery; a system call for the time in Linux,
 * and one for checking a page.
 *
 * Decision: doc/decisions/samples-of-processor-time.
 */
#include "sampler/cpu_sample.h"

#include <errno.h>
#include <stddef.h>
#include <sys/resource.h>
#include <time.h>
#include <ucontext.h>

#include "call/probe.h"
#include "chain/callchain.h"
#include "platform/calls.h"
#include "platform/clock.h"
#include "platform/interrupted.h"
#include "platform/keys.h"
#include "platform/other_stack.h"
#include "platform/own_stack.h"
#include "platform/readable.h"
#include "python/frames.h"
#include "record/extended.h"
#include "record/process.h"
#include "sampler/own_signal.h"
#include "sampler/sampled_threads.h"

/* A process with fewer periods is worth no file for their sake: a build has thousands. */
enum { PERIODS_WORTH_A_FILE = 25, PERIODS_MAX = (1 << TRACE_NOTE_BITS) - 1, PAGE = 4096 };

/* The state at a signal. */
struct interruption {
    struct sampled_thread *self;
    struct unwind_state state;
    uint32_t periods;
    bool may_follow_system_call;
    bool read_subnormals;
};

#if defined(__x86_64__)
enum { SYSTEM_CALL_SIZE = 2 };

static const unsigned char system_call[SYSTEM_CALL_SIZE] = {0x0f, 0x05};

/* A system call leaves the address after it in rcx.  Processors with FRED leave rcx unchanged, so
 * this is tried once. */
static bool leaves_address(void)
{
    uintptr_t left = 0, behind;
    long result = SYS_getpid;

    __asm__ volatile("lea 1f(%%rip), %[behind]\n\t"
                     "syscall\n"
                     "1:"
                     : "+a"(result), "+c"(left), [behind] "=&r"(behind)
                     :
                     : "r11", "memory");
    return left == behind;
}

/* Ask whether the code before the address may be a system call that was just made.  Otherwise it is
 * not read. */
static bool may_follow_system_call(const ucontext_t *context)
{
    static enum { UNTRIED, TELLS, TELLS_NOT } register_tells;
    const greg_t *registers = context->uc_mcontext.gregs;

    if (UNLIKELY(register_tells == UNTRIED))
        register_tells = leaves_address() ? TELLS : TELLS_NOT;
    return register_tells == TELLS_NOT || registers[REG_RCX] == registers[REG_RIP];
}
#else
enum { SYSTEM_CALL_SIZE = 4 };

static const unsigned char system_call[SYSTEM_CALL_SIZE] = {0x01, 0x00, 0x00, 0xd4};

static bool may_follow_system_call(const ucontext_t *context)
{
    (void)context;
    return true;
}
#endif

static struct unwind_state state_of(const ucontext_t *context)
{
    const struct interrupted at = interrupted_of(context);

    return (struct unwind_state){at.pc, at.sp, at.fp};
}

/* Running code may be executable but not readable.  The page before `pc` may be unmapped. */
static bool may_read_code(uintptr_t start, uintptr_t pc)
{
    return start / PAGE == pc / PAGE ? readable(start, SYSTEM_CALL_SIZE)
                                     : readable_at_once(start, SYSTEM_CALL_SIZE);
}

static bool follows_system_call(uintptr_t pc)
{
    uintptr_t start = pc - SYSTEM_CALL_SIZE;

    if (!may_read_code(start, pc))
        return false;
    for (unsigned i = 0; i < SYSTEM_CALL_SIZE; i++)
        if (((const unsigned char *)start)[i] != system_call[i])
            return false;
    return true;
}

/* Ask whether an address is in the shim's code. */
static bool is_own_code(uintptr_t pc)
{
    extern const char __ehdr_start[] HIDDEN, etext[] HIDDEN;

    return pc - (uintptr_t)__ehdr_start < (uintptr_t)(etext - __ehdr_start);
}

/* A call that is open around the interrupted code has its probe above that code's stack pointer;
 * other calls were left by a jump.  Calls on another stack belong to another coroutine.  On a
 * signal stack the code is that of a handler, which interrupted the call. */
static bool is_open(const void *owner, uintptr_t sp)
{
    return !(own_stack_holds(sp) || own_stack_reaches(sp)) ||
           (own_stack_holds((uintptr_t)owner) && (uintptr_t)owner >= sp);
}

/* The stack of a coroutine that was left may be gone. */
static bool may_read_probe(const struct probe *probe)
{
    return own_stack_holds((uintptr_t)probe) || readable_at_once((uintptr_t)probe, sizeof *probe);
}

/* The slot of the innermost kernel that is timed, else the node of the innermost region.  A frame
 * may be just being filled in. */
static uint32_t find_cell(const struct lane *lane, uintptr_t sp)
{
    for (unsigned depth = lane->frame_depth; depth > 0; depth--) {
        const struct probe *probe = lane->frames[depth - 1].owner;

        if (is_open(probe, sp) && may_read_probe(probe) && probe->lane == lane &&
            probe->depth == depth - 1 && probe->slot != &probe_no_slot &&
            probe->slot_number < lane->cell_count)
            return probe->slot_number;
    }
    return lane->node_index;
}

static void write_record(struct lane *lane, uint32_t periods, uint64_t packed)
{
    uint64_t now = lane->unmap_ticks ? lane->unmap_ticks : clock_read();

    for (; periods > PERIODS_MAX; periods -= PERIODS_MAX)
        extended_write_sample(lane, now, PERIODS_MAX, packed);
    extended_write_sample(lane, now, periods, packed);
}

static uint64_t pack(uint32_t chain, uint32_t cell, unsigned flags)
{
    return chain | (uint64_t)cell << TRACE_CHAIN_BITS |
           (uint64_t)flags << (TRACE_CHAIN_BITS + TRACE_CELL_BITS);
}

static void write_late(struct lane *lane, uint32_t *periods, unsigned flag)
{
    if (*periods > 0)
        write_record(lane, *periods, pack(0, lane->node_index, flag));
    *periods = 0;
}

static void write_rest(struct lane *lane, struct sampled_thread *self)
{
    write_late(lane, &self->own_periods, TRACE_SAMPLE_TPROF);
    write_late(lane, &self->blocked_periods, TRACE_SAMPLE_BLOCKED);
}

/* Blocks without chains leave the lane's place for them empty. */
static uint32_t take_chain(struct lane *lane, struct unwind_state state)
{
    bool is_for_samples = !lane->chain;
    uint32_t chain;

    if (is_for_samples) {
        lane->chain = lane->sample_chain;
        lane->calls = lane->sample_calls;
    }
    chain = lane->chain ? callchain_take_interrupted(lane, state) : 0;
    if (is_for_samples) {
        lane->chain = NULL;
        lane->calls = NULL;
    }
    return chain;
}

/* The tick of the sample counts as time in Linux if it came in Linux: in a system call, or in a
 * fault, which returns to the program's code. */
static bool is_in_fault(const struct interruption *at)
{
    enum { SECOND = 1000000000, MICROSECOND = 1000 };
    struct sampled_thread *self = at->self;
    struct rusage usage = {0};
    uint64_t before_ns = self->system_ns, before = self->faults;
    uint64_t period_ns = process->file.header->sampling_period_ns;

    calls_system(SYS_getrusage, RUSAGE_THREAD, &usage);
    self->system_ns = (uint64_t)usage.ru_stime.tv_sec * SECOND +
                      (uint64_t)usage.ru_stime.tv_usec * MICROSECOND + 1;
    self->faults = (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt;
    return before_ns != 0 && self->faults > before && self->system_ns > before_ns &&
           self->system_ns - before_ns > at->periods * period_ns / 2;
}

static void write_sample(struct lane *lane, const struct interruption *at)
{
    bool is_fault = is_in_fault(at);
    uint32_t cell = find_cell(lane, at->state.sp);
    unsigned flags = 0;
    uint32_t chain = 0;

    if (is_own_code(at->state.pc))
        flags |= TRACE_SAMPLE_TPROF;
    else if (at->may_follow_system_call && follows_system_call(at->state.pc))
        flags |= TRACE_SAMPLE_SYSCALL;
    else if (is_fault)
        flags |= TRACE_SAMPLE_FAULT;
    if (python_is_read() && python_is_collecting())
        flags |= TRACE_SAMPLE_GARBAGE;
    if (at->read_subnormals)
        flags |= TRACE_SAMPLE_SUBNORMAL;
    if (at->self->is_unblocking && at->periods > 1)
        flags |= TRACE_SAMPLE_BLOCKED;
    if (!(flags & TRACE_SAMPLE_TPROF))
        chain = take_chain(lane, at->state);
    write_record(lane, at->periods, pack(chain, cell, flags));
    write_rest(lane, at->self);
}

/* The cost of samples, for the header and the budget.  The measured time lacks the delivery of a
 * signal and the way back: they took 5.2 us (the decision has the machine).  A sample that seems to
 * have taken longer than any other lost its processor in between. */
static void note_cost(uint64_t ticks)
{
    enum { DELIVERY_NS = 5200, LONGEST_NS = 100000 };
    uint64_t longest = clock_ticks_of(LONGEST_NS);
    uint64_t all = (ticks < longest ? ticks : longest) + clock_ticks_of(DELIVERY_NS);
    uint64_t sum = atomic_fetch_add(&process->sample_ticks, all) + all;

    process_add_slow_ticks(all);
    process->file.header->sampling_cost =
        sum * TRACE_OVERHEAD_SCALE / (atomic_fetch_add(&process->samples, 1) + 1);
}

static void count_lost(uint32_t periods)
{
    if (process_is_own())
        atomic_fetch_add((_Atomic uint64_t *)&process->file.header->sampling_lost_periods, periods);
}

static void keep_when_worth(unsigned periods)
{
    if (!process->file.is_kept &&
        atomic_fetch_add(&process->sampled_periods, periods) + periods >= PERIODS_WORTH_A_FILE)
        lane_keep();
}

static void take(void *of)
{
    const struct interruption *at = of;
    uint64_t start = clock_read();
    struct lane *lane = lane_self;

    if (lane->state == LANE_BUSY) {
        at->self->own_periods += at->periods;
        return;
    }
    lane = lane_enter();
    if (!lane) {
        count_lost(at->periods);
        return;
    }
    write_sample(lane, at);
    lane_leave(lane);
    note_cost(clock_read() - start);
    keep_when_worth(at->periods);
}

/* The signal's stack may be small; it may also be the shim's own.  If the signal came before a
 * handler of the program, the interrupted code is not the program's. */
static void take_on_our_stack(struct interruption *at)
{
    uintptr_t top = (uintptr_t)at->self->stack + SAMPLED_STACK_SIZE;

    if (at->self->is_entering)
        at->self->blocked_periods += at->periods;
    else if (sampled_thread_holds(at->self, STACK_POINTER()))
        take(at);
    else
        other_stack_call(top, take, at);
}

static void take_own(const siginfo_t *info, const ucontext_t *context)
{
    struct interruption at = {sampled_self, state_of(context), own_signal_periods(info),
                              may_follow_system_call(context),
                              interrupted_read_subnormals(context)};

    if (at.self)
        take_on_our_stack(&at);
}

static __attribute__((noinline)) void take_signal(siginfo_t *info, void *context)
{
    int saved_errno = errno;

    if (!own_signal_is_ours(info))
        own_signal_end_program(info, context);
    else if (!process_is_sandboxed())
        take_own(info, context);
    errno = saved_errno;
}

void cpu_sample_on_signal(int number, siginfo_t *info, void *context)
{
    (void)number;
    keys_open();
    take_signal(info, context);
}

void cpu_sample_write_rest(struct sampled_thread *self)
{
    struct lane *lane;

    if (self->own_periods + self->blocked_periods == 0)
        return;
    lane = lane_enter();
    if (!lane)
        return;
    write_rest(lane, self);
    lane_leave(lane);
}

void cpu_sample_drop_pending(struct sampled_thread *self)
{
    self->blocked_periods += own_signal_drop_pending();
}
