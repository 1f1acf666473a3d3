/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The slow side of record/lane.h: giving lanes to threads, and stopping them.
 *
 * Each entry keeps errno.  The thread's lane is BUSY or replaced by another, so that nothing here
 * can record.
 *
 * Decision: doc/decisions/wiped-lanes.
 */
#include "record/lanes.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "platform/calls.h"
#include "platform/clock.h"
#include "platform/memory.h"
#include "platform/next.h"
#include "platform/next_find.h"
#include "platform/small_file.h"
#include "platform/vectors.h"
#include "record/call_draws.h"
#include "record/lane_chunks.h"
#include "record/live_heap.h"
#include "record/passed.h"
#include "record/process.h"
#include "record/process_keep.h"
#include "record/process_start.h"
#include "record/room.h"
#include "record/samples.h"
#include "record/settings.h"
#include "record/slow.h"
#include "record/tally.h"
#include "record/usage.h"

static struct lane blank_lane;                       /* every thread's first */
static struct lane busy_lane = {.state = LANE_BUSY}; /* while a thread attaches, or is hidden */
static struct lane off_lane = {.state = LANE_OFF};
static struct lane lost_lane = {.state = LANE_LOST};
static struct lane left_lane; /* BLANK: threads in a call touch nothing, as in a forked child */

_Thread_local struct lane *lane_self INITIAL_EXEC = &blank_lane;

static pthread_key_t exit_key;
static bool has_exit_key;

static atomic_uint attaching; /* threads that attach; a forked child may count its parent's */

/* Read the processor clock of another thread of this process, by the kernel's numbers of
 * clocks (linux/posix-timers.h). */
static uint64_t thread_cpu_ns(int32_t thread)
{
    enum { PER_THREAD_SCHEDULED = 6 };
    clockid_t clock = (clockid_t)((~(unsigned)thread << 3) | PER_THREAD_SCHEDULED);

    return calls_clock(clock);
}

/* How long a thread that ends was runnable without a processor.  For a short-lived thread this is
 * unknown: asking takes 25 µs. */
static uint64_t delay_at_end(const struct lane *lane)
{
    enum { SHORT_NS = 1000000 };
    uint64_t life = clock_read() - lane->thread_node->first_ticks;

    return life < clock_ticks_of(SHORT_NS) ? UINT64_MAX : usage_delay_ns(lane->thread);
}

static void note_thread_end(struct lane *lane)
{
    uint64_t cpu_ns = thread_cpu_ns(lane->thread), delay_ns = delay_at_end(lane);

    lane->thread_node->last_ticks = clock_read();
    lane->thread_node->cpu_ns = cpu_ns > lane->cpu_open_ns ? cpu_ns - lane->cpu_open_ns : 0;
    lane->thread_node->delay_ns = delay_ns == UINT64_MAX || delay_ns < lane->delay_open_ns
                                      ? UINT64_MAX
                                      : delay_ns - lane->delay_open_ns;
}

/* Runs as the thread's key destructor.  Later destructors may still allocate, so the lane is only
 * marked; it serves another thread when this one is really gone. */
static void on_thread_exit(void *of)
{
    struct lane *lane = of;

    if (!process_is_recording() || (lane->state != LANE_READY && lane->state != LANE_OFF))
        return;
    if (lane != lane_self && lane_self != &off_lane)
        return;
    note_thread_end(lane);
    lane->thread_node->unmatched +=
        lane->frame_depth; /* calls of coroutines that moved to another thread */
    lane->frame_depth = 0;
    atomic_store_explicit(&lane->is_finished, true, memory_order_release);
}

/* Before glibc 2.34 a program without libpthread has no keys. */
void lanes_watch_threads(void)
{
    struct lane *lane = lane_self;

    if (has_exit_key)
        return;
    if (!next.pthread_key_create)
        next_find();
    if (!next.pthread_key_create || !next.pthread_setspecific || !next.pthread_getspecific)
        return;
    has_exit_key = next.pthread_key_create(&exit_key, on_thread_exit) == 0;
    if (has_exit_key && lane->state == LANE_READY)
        next.pthread_setspecific(exit_key, lane);
}

static bool has_thread(const struct lane *lane)
{
    return calls_system(SYS_tgkill, process->pid, lane->thread, 0) == 0 || errno != ESRCH;
}

static bool thread_is_gone(const struct lane *lane)
{
    return atomic_load_explicit(&lane->is_finished, memory_order_acquire) && !has_thread(lane);
}

static struct lane *make_lane(void)
{
    struct lane *lane = memory_keep_wiped(sizeof *lane);

    if (!lane)
        return NULL;
    lane->state = LANE_BUSY;
    lane->number = process->lane_count + 1;
    lane->index = memory_keep_wiped(LANE_INDEX_FIRST * sizeof *lane->index);
    lane->index_mask = LANE_INDEX_FIRST - 1;
    lane->events_each = lane->events_most = settings_recorded_calls();
    return lane->index && live_heap_give(lane) ? lane : NULL;
}

/* A lane that got tallies but no chunk of events is kept for the next thread: its number is in the
 * trace, and no other lane may have it. */
static struct lane *new_lane(void)
{
    struct lane *lane = process->half_lane ? process->half_lane : make_lane();

    if (!lane)
        return NULL;
    process->half_lane = lane;
    if (!lane_claim_first(lane))
        return NULL;
    process->half_lane = NULL;
    process->lane_count++;
    for (unsigned i = 0; i < room_count; i++)
        if (rooms[i].open_lane)
            rooms[i].open_lane(lane);
    lane->next = process->lanes;
    /* A handler of TPROF_SNAPSHOT_SIGNAL goes through the list without the lock. */
    atomic_store_explicit((struct lane * _Atomic *)&process->lanes, lane, memory_order_release);
    return lane;
}

/* The thread's wait for a processor before its recording.  In the first thread, a program before an
 * exec may have waited.  Another thread waited only for its start, which counts as its own; this
 * saves three system calls. */
static uint64_t delay_before(int32_t thread)
{
    uint64_t delay_ns = thread == process->pid ? usage_delay_ns(thread) : 0;

    return delay_ns == UINT64_MAX ? 0 : delay_ns;
}

/* Decide whether calls of kernels take the paths that read the counter, or the others. */
static void adopt_clock(struct lane *lane)
{
    if (clock_is_counter)
        lane->specials &= (uint16_t)~LANE_NO_COUNTER;
    else
        lane->specials |= LANE_NO_COUNTER;
}

/* A thread's own node is never found through the index.  A lane's later thread looks up when the
 * last one would have: 10,000 short threads need no 10,000 looks. */
bool lane_open(struct lane *lane, int32_t thread, uint64_t now)
{
    uint32_t number;
    union trace_cell *cell = lane_add_cell(lane, tally_hash_thread(thread), &number);

    if (!cell)
        return false;
    if (lane->node) /* blocks that the last thread's late destructors freed */
        passed_move(lane);
    cell->node.thread = (uint32_t)thread;
    cell->node.first_ticks = now;
    cell->node.kind = TRACE_CELL_NODE;
    lane->specials = 0;
    adopt_clock(lane);
    lane->thread = thread;
    lane->thread_node = &cell->node;
    lane->thread_node_index = number;
    lane->node = &cell->node;
    lane->node_index = number;
    *lane->open = (struct trace_open){.node = number, .node_ticks = now};
    lane->frame_depth = 0;
    tally_forget_recent(lane);
    lane->region_depth = 0;
    lane->refused_regions = 0;
    lane->innermost_op = 0;
    lane->refused_ops = 0;
    lane->clock_ask_ticks = lane->clock_due_ticks = 0;
    lane->cpu_open_ns = thread_cpu_ns(thread);
    lane->delay_open_ns = delay_before(thread);
    /* The process's reading at the start of recording has the first thread's earlier time. */
    cell->node.born_ns = thread == process->pid ? 0 : lane->cpu_open_ns;
    lane->border_ticks = settings.interval_ns == 0 ? UINT64_MAX : 0;
    samples_start(lane);
    for (unsigned i = 0; i < room_count; i++)
        if (rooms[i].begin_thread)
            rooms[i].begin_thread(lane);
    atomic_store(&lane->is_finished, false);
    return true;
}

static bool give_lane(struct lane *lane)
{
    lane->state = LANE_BUSY;
    return lane_open(lane, (int32_t)calls_system(SYS_gettid), clock_read());
}

/* A lane has room for some 262,000 threads and regions; a full one is skipped. */
static struct lane *take_finished_lane(void)
{
    for (struct lane *lane = process->lanes; lane; lane = lane->next)
        if (thread_is_gone(lane) && give_lane(lane))
            return lane;
    return NULL;
}

static struct lane *take_lane(void)
{
    struct lane *lane;

    lock_take(&process->lock);
    lane = take_finished_lane();
    if (!lane) {
        lane = new_lane();
        if (lane && !give_lane(lane))
            lane = NULL;
    }
    lock_release(&process->lock);
    return lane;
}

/* A kernel's call may be the first record of a forked child, with its vector arguments still in
 * registers. */
static struct lane *attach(void)
{
    struct lane *lane = NULL;
    struct vectors vectors;

    vectors_save(&vectors);
    if (process_start()) { /* which also makes the clock ready */
        struct slow slow;

        slow_begin_unread(&slow);
        lane = take_lane();
        if (lane)
            slow.cpu_ns = lane->cpu_open_ns; /* the time until then is short */
        slow_end(&slow);
    }
    if (lane && has_exit_key)
        next.pthread_setspecific(exit_key, lane);
    vectors_restore(&vectors);
    return lane;
}

static void count_lost(void)
{
    if (process && process->file.header)
        atomic_fetch_add((_Atomic uint64_t *)&process->file.header->lost_records, 1);
}

struct lane *lanes_hide(void)
{
    struct lane *lane = lane_self;

    lane_self = &busy_lane;
    return lane;
}

/* Another thread may have stopped this one meanwhile. */
void lanes_show(struct lane *lane)
{
    if (lane_self == &busy_lane)
        lane_self = lane;
}

static REALIGNED struct lane *attach_self(void)
{
    int saved_errno = errno;
    struct lane *lane;

    lane_self = &busy_lane;
    atomic_fetch_add(&attaching, 1);
    lane = attach();
    atomic_fetch_sub(&attaching, 1);
    lane_self = lane ? lane : process_is_own() ? &lost_lane : &off_lane;
    if (lane)
        lane->holder = &lane_self;
    if (lane_self == &lost_lane)
        count_lost();
    if (lane_self == &off_lane)
        process_miss_record();
    errno = saved_errno;
    return lane;
}

/* Recording is off.  If it was off only until a sandbox was refused, the thread continues with its
 * old lane. */
static struct lane *enter_stopped(void)
{
    struct lane *lane;

    if (!process_is_recording()) {
        process_miss_record();
        return NULL;
    }
    lane = has_exit_key ? next.pthread_getspecific(exit_key) : NULL;
    lane_self = lane ? lane : &blank_lane;
    if (lane_self->state == LANE_OFF) {
        adopt_clock(lane_self);
        lane_self->state = LANE_READY;
    }
    return lane_enter();
}

/* A forked child starts over: the loss, or the decision not to record, was its parent's. */
static bool asks_anew(const struct lane *lane)
{
    return (lane == &lost_lane || lane == &off_lane) && process_is_new();
}

struct lane *lane_enter_slowly(void)
{
    struct lane *lane = lane_self;

    if (lane == &left_lane)
        return NULL;
    if (asks_anew(lane))
        return attach_self();
    switch ((enum lane_state)lane->state) {
    case LANE_BLANK: return attach_self();
    case LANE_OFF: return enter_stopped();
    case LANE_LOST: count_lost(); return NULL;
    case LANE_BUSY:
    case LANE_READY: break; /* the second never comes here */
    }
    /* The shim's own calls run on busy_lane; they are no loss to the program. */
    if (lane != &busy_lane)
        lane->thread_node->lost_records++;
    return NULL;
}

void lane_keep(void)
{
    struct slow slow;

    if (process->file.is_kept)
        return;
    slow_begin(&slow);
    process_keep_now();
    slow_end(&slow);
}

/* A process that has lived this long is worth a file, since it may be killed. */
static bool has_lived_long(void)
{
    enum { LONG_NS = 1000000000 };

    return clock_monotonic() - process->file.header->start.monotonic_ns >= LONG_NS;
}

/* A READY lane is off at once; a BUSY one looks up after its record.
 * Returns: whether no other thread is in a record, or attaches. */
static bool stop_lanes(void)
{
    bool is_still = atomic_load(&attaching) == 0;

    for (struct lane *lane = process ? process->lanes : NULL; lane; lane = lane->next) {
        uint32_t state = LANE_READY;

        if (!atomic_compare_exchange_strong((_Atomic uint32_t *)&lane->state, &state, LANE_OFF))
            is_still = is_still && (state != LANE_BUSY || lane == lane_self);
    }
    return is_still;
}

/* Calls of kernels that are open in this thread end without the counter. */
static void leave_counter(void)
{
    if (lane_self->thread_node)
        lane_self->specials |= LANE_NO_COUNTER;
}

/* The wait is bounded: a thread that jumped out of a record stays BUSY for good. */
bool lanes_stop(bool awaits_others)
{
    enum { NAP_NS = 100000, NAPS_MAX = 1000 };
    bool is_still = stop_lanes();

    leave_counter();
    process_wake_lanes();
    for (unsigned i = 0; awaits_others && !is_still && i < NAPS_MAX; i++) {
        calls_nap(NAP_NS);
        is_still = stop_lanes();
    }
    return is_still;
}

/* Ask whether the thread of a lane waits in the kernel.  "PID (NAME) STATE ...", where a name may
 * have parentheses. */
static bool is_asleep(const struct lane *lane)
{
    char path[48], text[128];
    const char *name_end;

    snprintf(path, sizeof path, "/proc/self/task/%d/stat", lane->thread);
    if (small_file_read(path, text, sizeof text) <= 0)
        return true;
    name_end = strrchr(text, ')');
    return name_end && name_end[1] == ' ' && name_end[2] != 'R';
}

/* A thread may have read its lane's address, and then lost its processor.  It has gone on once its
 * clock has. */
static void await_step(const struct lane *lane)
{
    enum { STEP_NS = 1000, NAP_NS = 1000000, NAPS_MAX = 1000 };
    uint64_t before_ns = thread_cpu_ns(lane->thread);

    for (int i = 0; i < NAPS_MAX && !is_asleep(lane); i++) {
        if (thread_cpu_ns(lane->thread) >= before_ns + STEP_NS)
            return;
        calls_nap(NAP_NS);
    }
}

static bool is_of_another(const struct lane *lane)
{
    return lane != lane_self && !atomic_load(&lane->is_finished) && has_thread(lane);
}

/* A record that opens a chunk may take long; but a record that a thread has jumped out of never
 * ends. */
void lanes_leave(void)
{
    enum { TRIES = 20 };
    bool is_still = false;

    for (int i = 0; i < TRIES && !is_still; i++)
        is_still = lanes_stop(true);
    for (struct lane *lane = process->lanes; lane; lane = lane->next)
        if (is_of_another(lane))
            atomic_store((struct lane * _Atomic *)lane->holder, &left_lane);
    for (const struct lane *lane = process->lanes; lane; lane = lane->next)
        if (is_of_another(lane))
            await_step(lane);
    lane_self = &left_lane;
}

/* Other threads may read the counter until they look up. */
bool lanes_forbid_counter(void)
{
    if (!process || process_is_sandboxed())
        return false;
    lock_take(&process->lock);
    clock_forbid_counter();
    lock_release(&process->lock);
    leave_counter();
    process_wake_lanes();
    return true;
}

void lanes_allow_counter(void)
{
    lock_take(&process->lock);
    clock_allow_counter();
    lock_release(&process->lock);
    process_wake_lanes();
}

/* A message that comes while the rooms look up sets the deadline to 0.  The 0 stays, because only
 * an earlier deadline is written; or the last room, which gets the messages, sees the message. */
static void look_up_in_rooms(struct lane *lane, uint64_t now)
{
    lane->deadline = UINT64_MAX;
    for (unsigned i = 0; i < room_count; i++) {
        uint64_t due = rooms[i].look_up ? rooms[i].look_up(lane, now) : UINT64_MAX;

        if (due < lane->deadline)
            lane->deadline = due;
    }
}

/* Every record comes here while a scan is awaited. */
void lane_look_up(struct lane *lane, uint64_t now)
{
    struct slow slow;

    if (!process_is_recording()) {
        lane_self = &off_lane;
        return;
    }
    slow_begin(&slow);
    adopt_clock(lane);
    call_draws_adopt(lane);
    samples_adopt(lane);
    look_up_in_rooms(lane, now);
    slow_end(&slow);
    if (has_lived_long() || live_heap_has_grown())
        lane_keep();
}

void lanes_end(void)
{
    for (struct lane *lane = process->lanes; lane; lane = lane->next) {
        passed_move(lane);
        if (!atomic_load(&lane->is_finished))
            note_thread_end(lane);
    }
}

void lanes_resume(void)
{
    for (struct lane *lane = process->lanes; lane; lane = lane->next)
        if (!atomic_load(&lane->is_finished)) {
            lane->thread_node->last_ticks = 0;
            lane->thread_node->cpu_ns = 0;
            lane->thread_node->delay_ns = 0;
        }
}
