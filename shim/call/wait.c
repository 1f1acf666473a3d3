/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decision: doc/decisions/waits.
 */
#include "call/wait.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <time.h>

#include "call/awaited.h"
#include "call/wait_arguments.h"
#include "call/wait_owner.h"
#include "call/waited.h"
#include "chain/callchain.h"
#include "platform/attributes.h"
#include "platform/calls.h"
#include "platform/clock.h"
#include "platform/draw.h"
#include "platform/next.h"
#include "python/frames.h"
#include "python/sites.h"
#include "record/extended.h"
#include "record/lane.h"
#include "record/lane_chunks.h"
#include "record/process.h"
#include "record/wait_cells.h"
#include "record/deferral.h"
#include "request/connections.h"

typedef uint64_t word;
typedef word (*waiting_function)(word, word, word, word, word, word);
typedef word (*clocked_function)(word, word, word, word, word, word, word);
typedef int (*attempt_function)(word);

enum {
    CPU_FIRST = 4,       /* calls whose processor time is read */
    CPU_OF = 16,         /* one in this many of the calls ... */
    CPU_NS = 100000,     /* ... that take less; reading it twice takes 0.5 to 1.4 us */
    GIL_GAP_NS = 200000, /* between futile waits that are parts of one */
    EARLY_MAX = 8,       /* waits of a thread before it gets a lane for them */
    LATE_NS = 1000000,   /* a wait of so long gets one at its end; a lane costs 4 to 10 us */
    EARLY_PYTHON = 1     /* the same in Python code: for a pool's worker that gets work */
};

static struct wait_binding wait_call_bindings[];
static struct wait_binding wait_bytes_bindings[];
static struct wait_binding wait_lock_bindings[];

/* A clocked call, in the frame of its wrapper. */
struct wait {
    struct lane *lane; /* NULL: it is not recorded */
    const struct wait_row *row;
    const struct unwind_state *caller;
    const word *words; /* arguments, in the frame of its wrapper, too */
    struct lane_place place;
    uintptr_t outer_frame;
    uint64_t asked; /* its wrapper was entered */
    uint64_t start;
    uint64_t cpu_ns; /* at its start; 0: not read */
    word result;
    word item_size;
    bool has_returned;
    bool is_early;   /* the wait is of a thread without a lane, and told in the header alone */
    bool is_awaited; /* a call that wakes it is recorded */
};

/* Waits of a thread without a lane.  A thread that only sleeps costs no chunk. */
static _Thread_local uint8_t early_waits INITIAL_EXEC;

static uint64_t long_ticks, short_ticks, cpu_ticks, gap_ticks, late_ticks; /* 0: unknown yet */

static COLD void learn_ticks(void)
{
    gap_ticks = clock_ticks_of(GIL_GAP_NS);
    short_ticks = clock_ticks_of(TRACE_SHORT_WAIT_NS);
    cpu_ticks = clock_ticks_of(CPU_NS);
    late_ticks = clock_ticks_of(LATE_NS);
    long_ticks = clock_ticks_of(TRACE_LONG_WAIT_NS);
}

/* A deeper frame on the stack is inside the wait.  A frame that a jump left behind is not. */
static bool is_inside(const struct lane *lane, const struct wait *wait)
{
    return lane->wait_frame > (uintptr_t)wait;
}

/* The place and the object of a wait. */
struct waiting {
    uint32_t call; /* enum trace_wait_call */
    uintptr_t site;
    word argument;
    uint64_t descriptor; /* UINT64_MAX: none */
    uint64_t now;
    bool is_long;
};

static struct lane_place find_cell(struct lane *lane, const struct waiting *waiting)
{
    const struct wait_row *row = &wait_rows[waiting->call];
    word argument = waiting->argument;
    struct wait_key key = {
        .call = wait_cells_call_word(waiting->call,
                                     lane->frame_depth > 0 ? TRACE_WAIT_IN_KERNEL : 0),
        .site = waiting->site,
        .address = wait_address(row, argument),
        .owner = wait_owner_find(waiting->call, argument),
    };

    key.node = wait_cells_node_word(
        lane->node_index, waited_find(waiting->descriptor, waiting->now, waiting->is_long));
    return wait_cells_find(lane, &key);
}

/* Only some of the shorter calls read the processor time, to learn whether the call takes nothing
 * else. */
static bool reads_cpu(const struct trace_wait *cell)
{
    return cell->calls < CPU_FIRST || cell->calls % CPU_OF == 0 ||
           cell->ticks / cell->calls >= cpu_ticks;
}

static uint64_t cpu_now(void)
{
    int saved_errno = errno;
    uint64_t ns = calls_clock(CLOCK_THREAD_CPUTIME_ID);

    errno = saved_errno;
    return ns;
}

static void begin(struct wait *wait, struct lane *lane)
{
    wait->lane = lane;
    wait->outer_frame = lane->wait_frame;
    lane->wait_frame = (uintptr_t)wait;
}

/* Consecutive futile waits form one wait, which ends when no other follows at once. */
static void end_gil(struct lane *lane, struct trace_wait *cell, uint64_t now, word address)
{
    if (lane->gil_address == 0 || (lane->gil_address == address && now - lane->gil_end < gap_ticks))
        return;
    cell->calls++;
    lane->gil_address = 0;
}

/* A thread that does what the lane's last one did starts where that was: its calls are short. */
static void adopt_row(struct trace_wait *cell, const union trace_cell *last)
{
    if (cell->calls != 0 || cell->untimed != 0 || !last || last->wait.short_row < TRACE_SHORT_WAITS)
        return;
    if (last->wait.call == cell->call && last->wait.site == cell->site &&
        last->wait.waited == cell->waited)
        cell->short_row = TRACE_SHORT_WAITS - CPU_FIRST;
}

/* Two places in a loop, such as those that read a header and what follows, have cells apart. */
static ALWAYS_INLINE struct lane_place *recent_place(struct lane *lane, uint32_t call,
                                                     uintptr_t site)
{
    return &lane->waits_recent[(call + (site >> 3) + (site >> 7)) % LANE_WAITS_RECENT];
}

static void enter_lane(struct wait *wait, uint32_t call, word argument)
{
    struct lane *lane = lane_enter();
    const struct waiting waiting = {call,        sites_of(wait->caller->pc),
                                    argument,    wait_descriptor(wait->row, argument),
                                    wait->asked, false};
    struct lane_place place;

    if (!lane)
        return;
    if (UNLIKELY(long_ticks == 0))
        learn_ticks();
    if (is_inside(lane, wait)) {
        lane_leave(lane);
        return;
    }
    place = find_cell(lane, &waiting);
    if (place.cell) {
        struct lane_place *recent = recent_place(lane, call, waiting.site);

        wait->place = place;
        adopt_row(&place.cell->wait, recent->cell);
        *recent = place;
        begin(wait, lane);
        lane_show_wait(lane, place.number, wait->asked);
        if (wait->row->class == TRACE_WAIT_CLASS_GIL)
            end_gil(lane, &place.cell->wait, clock_read(), argument);
        if (reads_cpu(&place.cell->wait))
            wait->cpu_ns = cpu_now();
    } else {
        lane->thread_node->lost_records++;
    }
    lane_leave(lane);
}

static void close_descriptor(const struct wait_row *row, word argument)
{
    if (row->result == WAIT_RESULT_CLOSES)
        waited_forget(wait_descriptor(row, argument));
}

/* A socket has a peer from now on, which is a better name. */
static void name_peer(const struct wait *wait)
{
    if (wait->row == &wait_rows[TRACE_WAIT_CONNECT])
        waited_forget(wait_descriptor(wait->row, wait->words[wait->row->argument]));
}

/* A strict sandbox also forbids the counter: reading it is SIGSEGV. */
static bool is_clocked(const struct wait *wait)
{
    return wait->lane || wait->is_early;
}

static bool is_in_python(void)
{
    return atomic_load_explicit(&python_mode, memory_order_relaxed) == PYTHON_IS_ON &&
           python_current_frame() != 0;
}

static bool is_early(void)
{
    return lane_self->state == LANE_BLANK &&
           (early_waits < EARLY_PYTHON || (early_waits < EARLY_MAX && !is_in_python()));
}

/* By a thread that names the address that it wakes. */
static bool is_woken(const struct wait_row *row)
{
    return row->class == TRACE_WAIT_CLASS_IDLE && row->object == WAIT_ADDRESS;
}

static COLD void enter(struct wait *wait, const struct wait_binding *binding, const word *words,
                       const struct unwind_state *caller)
{
    const struct wait_row *row = &wait_rows[binding->call];
    word argument = words[row->argument];

    *wait = (struct wait){
        .row = row, .caller = caller, .words = words, .item_size = wait_item_size(row, words)};
    if (!process_is_sandboxed())
        wait->asked = clock_read();
    if (is_early())
        wait->is_early = process_is_recording() || deferral_goes_on();
    else
        enter_lane(wait, binding->call, argument);
    close_descriptor(row, argument);
    if (is_clocked(wait))
        wait->start = clock_read();
    if (wait->lane && is_woken(row))
        wait->is_awaited = awaited_begin(argument, wait->start);
}

static void write_event(struct wait *wait, uint64_t end, uint64_t duration, uint64_t bytes)
{
    struct lane *lane = wait->lane;
    uint64_t words[3] = {(uint64_t)wait->place.number << TRACE_CHAIN_BITS, duration, bytes};

    if (wait->place.cell->wait.calls > lane->events_each)
        return;
    if (!process->file.is_kept && !lane_has_room(lane, sizeof words / sizeof *words + 1))
        return;
    if (lane->chain)
        words[0] |= callchain_take(lane, *wait->caller);
    extended_write(lane, end, TRACE_EXTENDED_WAIT, words, sizeof words / sizeof *words);
}

/* Python waits for its lock 5 ms at a time.
 * Returns: whether the wait is over; fills in when it started. */
static bool ends_gil(struct lane *lane, const struct wait *wait, uint64_t end, uint64_t *start)
{
    const struct trace_wait *cell = &wait->place.cell->wait;

    *start = lane->gil_address == cell->address ? lane->gil_start : wait->start;
    lane->gil_address = 0;
    if (!wait->has_returned || (int)wait->result != ETIMEDOUT)
        return true;
    lane->gil_address = (uintptr_t)cell->address;
    lane->gil_start = *start;
    lane->gil_end = end;
    return false;
}

static void count_call(struct trace_wait *cell, uint64_t duration)
{
    cell->calls++;
    cell->short_row++;
    if (duration < cell->min_ticks)
        cell->min_ticks = duration;
    if (duration > cell->max_ticks)
        cell->max_ticks = duration;
    if (duration < short_ticks)
        return;
    cell->short_row = 0;
    cell->slow_calls++;
    cell->slow_ticks += duration;
}

/* Short calls follow a call that was slow only because the thread was preempted. */
static void draw_next(struct lane *lane, struct trace_wait *cell)
{
    if (lane->gap_random == 0)
        lane->gap_random = (uintptr_t)lane | 1;
    if (cell->short_row >= TRACE_SHORT_WAITS)
        cell->left = (uint32_t)draw_gap(&lane->gap_random, TRACE_WAITS_PER_TIMED) - 1;
}

/* Such a call computes nothing, however long it is. */
static bool computes_nothing(const struct wait_row *row)
{
    return row->class == TRACE_WAIT_CLASS_IDLE || row->class == TRACE_WAIT_CLASS_SLEEP ||
           row->class == TRACE_WAIT_CLASS_JOIN;
}

/* A long call among many short ones counts as waiting, though nobody read its processor time: the
 * short ones are no example for it. */
static void note_cpu(const struct wait *wait, struct trace_wait *cell, uint64_t end)
{
    uint64_t now_ns = wait->cpu_ns != 0 ? cpu_now() : 0;

    if (now_ns != 0)
        cell->cpu_ns += now_ns - wait->cpu_ns;
    if (now_ns != 0 || (end - wait->start >= long_ticks && computes_nothing(wait->row)))
        cell->cpu_ticks += end - wait->start;
}

/* Returns: the first descriptor that became ready; UINT64_MAX: none did.  The kernel has just
 * written to the array, so it exists. */
static uint64_t find_ready(const struct wait *wait)
{
    const struct pollfd *polled = (const struct pollfd *)wait->words[0];

    if (!wait->has_returned || (int)wait->result <= 0)
        return UINT64_MAX;
    for (nfds_t i = 0; i < wait->words[1]; i++)
        if (polled[i].revents != 0)
            return (uint32_t)polled[i].fd;
    return UINT64_MAX;
}

/* A closed descriptor stands for nothing, and its stream is no more. */
static uint64_t find_object(const struct wait *wait)
{
    if (wait->row->object == WAIT_POLLED)
        return find_ready(wait);
    if (wait->row->result != WAIT_RESULT_CLOSES && waited_is_shared(wait->place.cell->wait.waited))
        return wait_descriptor(wait->row, wait->words[wait->row->argument]);
    return UINT64_MAX;
}

/* The object of some long calls is known, or worth its name, at their end. */
static void place_again(struct wait *wait, struct lane *lane, uint64_t end)
{
    const word argument = wait->words[wait->row->argument];
    const struct waiting waiting = {(uint32_t)(wait->row - wait_rows),
                                    sites_of(wait->caller->pc),
                                    argument,
                                    find_object(wait),
                                    end,
                                    true};
    struct lane_place place;

    if (waiting.descriptor == UINT64_MAX)
        return;
    place = find_cell(lane, &waiting);
    if (place.cell)
        wait->place = place;
}

/* Functions that wait for an address return 0 when they were woken; accept returns a descriptor;
 * those that wait for several descriptors return the number of ready ones. */
static bool is_in_vain(const struct wait *wait)
{
    int result = (int)wait->result;

    if (!wait->has_returned)
        return true;
    if (wait->row->object == WAIT_ADDRESS)
        return result != 0;
    return wait->row->object == WAIT_DESCRIPTOR ? result < 0 : result <= 0;
}

static bool waits_for_work(const struct wait *wait)
{
    return wait->row->class == TRACE_WAIT_CLASS_IDLE;
}

static uint64_t count_bytes_of(const struct wait *wait)
{
    return wait->has_returned ? wait_bytes(wait->row, wait->result, wait->item_size) : 0;
}

static void close_call(struct wait *wait, struct lane *lane, uint64_t end)
{
    if (end - wait->start >= long_ticks)
        place_again(wait, lane, end);
    struct trace_wait *cell = &wait->place.cell->wait;
    uint64_t start = wait->start;
    uint64_t bytes = count_bytes_of(wait);
    bool is_over = wait->row->class != TRACE_WAIT_CLASS_GIL || ends_gil(lane, wait, end, &start);

    cell->ticks += end - wait->start;
    cell->bytes += bytes;
    note_cpu(wait, cell, end);
    if (!is_over)
        return;
    count_call(cell, end - start);
    draw_next(lane, cell);
    if (end - start >= long_ticks)
        write_event(wait, end, end - start,
                    waits_for_work(wait) && is_in_vain(wait) ? TRACE_WAIT_IN_VAIN : bytes);
}

/* Returns: the lane; NULL when nothing can be recorded. */
static struct lane *enter_lane_late(struct wait *wait)
{
    const uint32_t call = (uint32_t)(wait->row - wait_rows);

    enter_lane(wait, call, wait->words[wait->row->argument]);
    wait->cpu_ns = 0; /* at its start: unknown */
    if (wait->lane)   /* its time begins with the wait */
        wait->lane->thread_node->first_ticks = wait->start;
    return wait->lane;
}

/* A thread that only sleeps, or waits for work, does nothing that a row would explain. */
static bool is_explained(const struct wait_row *row)
{
    return row->class == TRACE_WAIT_CLASS_NETWORK || row->class == TRACE_WAIT_CLASS_IO ||
           row->class == TRACE_WAIT_CLASS_LOCK;
}

/* A long wait ends the deferral of recording.  Its thread gets a lane if that costs a hundredth of
 * it at most: some threads only connect, ask and read one answer. */
static bool is_worth_a_lane(const struct wait *wait, uint64_t end)
{
    uint64_t ticks = end - wait->start;

    if (!wait->is_early)
        return false;
    if (UNLIKELY(long_ticks == 0))
        learn_ticks();
    return deferral_goes_on() ? ticks >= long_ticks
                              : ticks >= late_ticks && is_explained(wait->row);
}

static void close_early(const struct wait *wait, uint64_t end)
{
    struct trace_header *header = process_is_recording() ? process->file.header : NULL;

    if (header || deferral_count_wait(end - wait->start))
        early_waits++;
    if (!header)
        return;
    atomic_fetch_add((_Atomic uint64_t *)&header->early_waits, 1);
    atomic_fetch_add((_Atomic uint64_t *)&header->early_wait_ticks, end - wait->start);
}

/* A call whose wrapper lost its processor in between would look like thousands. */
static void note_own_time(const struct wait *wait, uint64_t end)
{
    uint64_t ticks = wait->start - wait->asked + (clock_read() - end);

    if (ticks < long_ticks)
        process_add_slow_ticks(ticks);
}

/* A lane that is not this thread's (a coroutine moved) or is blank (a fork) is left alone. */
static COLD void leave(struct wait *wait)
{
    struct lane *lane = wait->lane;
    int saved_errno = errno;
    uint64_t end;

    if (wait->is_awaited)
        awaited_end(wait->words[wait->row->argument]);
    if (!is_clocked(wait) || process_is_sandboxed())
        return;
    name_peer(wait);
    end = clock_read();
    if (is_worth_a_lane(wait, end))
        lane = enter_lane_late(wait);
    if (wait->is_early && !lane)
        close_early(wait, end);
    if (lane && lane == lane_self && lane->state != LANE_BLANK) {
        lane->wait_frame = wait->outer_frame;
        if (lane_enter()) {
            lane->open->wait = 0;
            close_call(wait, lane, end);
            note_own_time(wait, end);
            if (process->file.is_kept)
                lane_check_deadline(lane, end);
            lane_leave(lane);
        }
    }
    errno = saved_errno;
}

/* A function with fewer arguments ignores the others. */
static COLD word call_clocked(const word words[WAIT_WORDS], const struct wait_binding *binding,
                              const struct unwind_state *caller)
{
    struct wait wait CLEANUP(leave);

    enter(&wait, binding, words, caller);
    wait.result = ((clocked_function)binding->target)(words[0], words[1], words[2], words[3],
                                                      words[4], words[5], words[6]);
    wait.has_returned = true;
    return wait.result;
}

/* Find the cell of a short call that is only counted: it is its function's last one.
 * Returns: NULL when the call must be clocked. */
static ALWAYS_INLINE struct trace_wait *count_short(const struct wait_binding *binding,
                                                    const struct wait_row *row, word argument,
                                                    uintptr_t site)
{
    struct lane *lane = lane_self;
    const struct lane_place *place = recent_place(lane, binding->call, site);
    union trace_cell *recent = place->cell;
    struct trace_wait *cell = &recent->wait;
    uint64_t descriptor = wait_descriptor(row, argument);
    uint32_t number = waited_number(descriptor);

    if (!lane_is_idle(lane) || !recent || cell->left == 0 || cell->site != site)
        return NULL;
    if (wait_cells_word(cell, 0) != binding->call_word ||
        wait_cells_word(cell, 1) != wait_cells_node_word(lane->node_index, number))
        return NULL;
    if (cell->address != wait_address(row, argument))
        return NULL;
    cell->left--;
    cell->untimed++;
    lane_show_wait(lane, place->number, 0);
    return cell;
}

/* Other commands of fcntl() do not wait. */
static ALWAYS_INLINE bool awaits_file_lock(word command)
{
    return (int)command == F_SETLKW || (int)command == F_OFD_SETLKW;
}

/* No row has one behind the fifth. */
static ALWAYS_INLINE word pick(unsigned argument, word a, word b, word c, word d, word e)
{
    if (LIKELY(argument == 0))
        return a;
    return argument == 1 ? b : argument == 2 ? c : argument == 3 ? d : e;
}

static ALWAYS_INLINE word pass_on(word a, word b, word c, word d, word e, word f,
                                  const struct wait_binding *binding,
                                  const struct unwind_state *caller)
{
    const struct wait_row *row = &wait_rows[binding->call];
    word argument = pick(row->argument, a, b, c, d, e);
    struct trace_wait *cell;
    word result;

    cell = count_short(binding, row, argument, sites_of(caller->pc));
    if (UNLIKELY(!cell))
        return call_clocked((const word[WAIT_WORDS]){a, b, c, d, e, f}, binding, caller);
    result = ((waiting_function)binding->target)(a, b, c, d, e, f);
    if (LIKELY(lane_self->state != LANE_BLANK)) {
        cell->bytes += wait_bytes(row, result, row->result == WAIT_RESULT_ITEMS ? b : c);
        lane_self->open->wait = 0;
    }
    return result;
}

static word pass_words(const word words[WAIT_WORDS], const struct wait_binding *binding,
                       const struct unwind_state *caller)
{
    return pass_on(words[0], words[1], words[2], words[3], words[4], words[5], binding, caller);
}

static word pass_accept(const word words[WAIT_WORDS], const struct wait_binding *binding,
                        const struct unwind_state *caller)
{
    word result;

    connections_turn();
    result = pass_words(words, binding, caller);
    if ((int)result >= 0)
        connections_open((uint32_t)result, (uint32_t)words[0]);
    return result;
}

/* dup2() of a descriptor to itself closes nothing. */
static void forget_connection(const struct wait_row *row, const word words[WAIT_WORDS])
{
    if (row->argument == 0 || words[0] != words[row->argument])
        connections_close(wait_descriptor(row, words[row->argument]));
}

/* A copy from one descriptor to another. */
static word pass_copy(struct connections_call *call, const struct wait_binding *binding,
                      const struct unwind_state *caller)
{
    word result;

    call->descriptor = (uint32_t)call->words[0];
    if (call->role == CONNECTIONS_SPLICES) {
        bool is_out = connections_has((uint32_t)call->words[2]);

        call->role = is_out ? CONNECTIONS_WRITES_UNSEEN : CONNECTIONS_READS_UNSEEN;
        if (is_out)
            call->descriptor = (uint32_t)call->words[2];
    }
    connections_begin(call);
    result = pass_words(call->words, binding, caller);
    connections_end(call, result);
    return result;
}

/* A call that may concern a connection. */
static COLD word pass_served(const word words[WAIT_WORDS], const struct wait_binding *binding,
                             const struct unwind_state *caller)
{
    struct connections_call call = {.role = connections_rows[binding->call].role, .words = words};

    switch (call.role) {
    case CONNECTIONS_ACCEPTS: return pass_accept(words, binding, caller);
    case CONNECTIONS_SPLICES:
    case CONNECTIONS_WRITES_UNSEEN: return pass_copy(&call, binding, caller);
    case CONNECTIONS_CLOSES: forget_connection(&wait_rows[binding->call], words); break;
    case CONNECTIONS_NONE: connections_turn(); break;
    case CONNECTIONS_READS:
    case CONNECTIONS_READS_PIECES:
    case CONNECTIONS_READS_MESSAGE:
    case CONNECTIONS_READS_UNSEEN:
    case CONNECTIONS_WRITES:
    case CONNECTIONS_WRITES_PIECES:
    case CONNECTIONS_WRITES_MESSAGE: break; /* of the other wrappers */
    }
    return pass_words(words, binding, caller);
}

/* Before the first connection only an accept does. */
static ALWAYS_INLINE bool concerns_connections(unsigned call, const struct wait_row *row)
{
    unsigned role = connections_rows[call].role;

    return UNLIKELY(connections_marks)
               ? role != CONNECTIONS_NONE || row->class == TRACE_WAIT_CLASS_IDLE
               : role == CONNECTIONS_ACCEPTS;
}

static HOT __attribute__((noinline)) word pass(word a, word b, word c, word d, word e, word f,
                                               const struct wait_binding *binding,
                                               const struct unwind_state *caller)
{
    const struct wait_row *row = &wait_rows[binding->call];

    if (UNLIKELY(row->object == WAIT_FILE_LOCK) && !awaits_file_lock(b))
        return ((waiting_function)binding->target)(a, b, c, d, e, f);
    if (UNLIKELY(concerns_connections(binding->call, row)))
        return pass_served((const word[WAIT_WORDS]){a, b, c, d, e, f}, binding, caller);
    return pass_on(a, b, c, d, e, f, binding, caller);
}

/* For a call with a descriptor, whose result is a number of bytes; others take another path.
 * Budget: a third of the general way's. */
static ALWAYS_INLINE struct trace_wait *count_bytes(const struct wait_binding *binding,
                                                    word descriptor, uintptr_t site)
{
    struct lane *lane = lane_self;
    const struct lane_place *place = recent_place(lane, binding->call, site);
    union trace_cell *recent = place->cell;
    struct trace_wait *cell = &recent->wait;
    uint32_t number = waited_number((uint32_t)descriptor);

    if (UNLIKELY(!lane_is_idle(lane) || !recent || cell->left == 0))
        return NULL;
    if (UNLIKELY(cell->site != site || wait_cells_word(cell, 0) != binding->call_word ||
                 wait_cells_word(cell, 1) != wait_cells_node_word(lane->node_index, number)))
        return NULL;
    cell->left--;
    cell->untimed++;
    lane_show_wait(lane, place->number, 0);
    return cell;
}

static ALWAYS_INLINE void add_bytes(struct trace_wait *cell, word result)
{
    struct lane *lane = lane_self;

    if (UNLIKELY(lane->state == LANE_BLANK))
        return;
    lane->open->wait = 0;
    if (LIKELY((int64_t)result > 0))
        cell->bytes += result;
}

/* Bytes that a read leaves in the socket come again. */
static bool is_peek(const struct connections_row *row, const word words[WAIT_WORDS])
{
    return row->flags != 0 && (words[row->flags] & MSG_PEEK) != 0;
}

/* Of a connection that the process accepted. */
static COLD word call_served(const word words[WAIT_WORDS], const struct wait_binding *binding,
                             const struct unwind_state *caller)
{
    const struct connections_row *row = &connections_rows[binding->call];
    struct connections_call call = {
        .role = row->role, .descriptor = (uint32_t)words[0], .words = words};
    bool is_recorded = call.role != CONNECTIONS_NONE && !is_peek(row, words);
    struct trace_wait *cell;
    word result;

    if (is_recorded)
        connections_begin(&call);
    cell = count_bytes(binding, words[0], sites_of(caller->pc));
    if (!cell)
        result = call_clocked(words, binding, caller);
    else
        result = ((waiting_function)binding->target)(words[0], words[1], words[2], words[3],
                                                     words[4], words[5]);
    if (cell)
        add_bytes(cell, result);
    if (is_recorded)
        connections_end(&call, result);
    return result;
}

/* A lock was taken, if the attempt succeeded or found that the owner had died. */
static ALWAYS_INLINE bool has_taken(int result)
{
    return LIKELY(result == 0) || result == EOWNERDEAD;
}

#define CALL(number)                                                                               \
    static word call_##number(word a, word b, word c, word d, word e, word f)                      \
    {                                                                                              \
        const struct unwind_state caller = unwind_caller();                                        \
                                                                                                   \
        return pass(a, b, c, d, e, f, &wait_call_bindings[0##number], &caller);                    \
    }

/* A wrapper ends in a jump to its cold part, which has the same caller, so it needs no frame. */
#define CLOCKED(sort, number)                                                                      \
    static COLD word clocked_##sort##_##number(word a, word b, word c, word d, word e, word f)     \
    {                                                                                              \
        const struct unwind_state caller = unwind_caller();                                        \
                                                                                                   \
        return call_clocked((const word[WAIT_WORDS]){a, b, c, d, e, f},                            \
                            &wait_##sort##_bindings[0##number], &caller);                          \
    }

#define SERVED(number)                                                                             \
    static COLD word served_bytes_##number(word a, word b, word c, word d, word e, word f)         \
    {                                                                                              \
        const struct unwind_state caller = unwind_caller();                                        \
                                                                                                   \
        return call_served((const word[WAIT_WORDS]){a, b, c, d, e, f},                             \
                           &wait_bytes_bindings[0##number], &caller);                              \
    }

#define BYTES(number)                                                                              \
    CLOCKED(bytes, number)                                                                         \
    SERVED(number)                                                                                 \
    static HOT word bytes_##number(word a, word b, word c, word d, word e, word f)                 \
    {                                                                                              \
        const struct wait_binding *binding = &wait_bytes_bindings[0##number];                      \
        struct trace_wait *cell;                                                                   \
        word result;                                                                               \
                                                                                                   \
        if (UNLIKELY(connections_has((uint32_t)a)))                                                \
            return served_bytes_##number(a, b, c, d, e, f);                                        \
        cell = count_bytes(binding, a, sites_of((uintptr_t)CALLER()));                             \
        if (UNLIKELY(!cell))                                                                       \
            return clocked_bytes_##number(a, b, c, d, e, f);                                       \
        result = ((waiting_function)binding->target)(a, b, c, d, e, f);                            \
        add_bytes(cell, result);                                                                   \
        return result;                                                                             \
    }

#define LOCK(number)                                                                               \
    CLOCKED(lock, number)                                                                          \
    static word lock_##number(word a, word b, word c)                                              \
    {                                                                                              \
        int result = ((attempt_function)wait_lock_bindings[0##number].attempt)(a);                 \
                                                                                                   \
        return has_taken(result) ? (word)result : clocked_lock_##number(a, b, c, 0, 0, 0);         \
    }

/* Octal numbers. */
#define OF_8(what, number)                                                                         \
    what(number##0) what(number##1) what(number##2) what(number##3) what(number##4)                \
        what(number##5) what(number##6) what(number##7)
#define OF_64(what, number)                                                                        \
    OF_8(what, number##0)                                                                          \
    OF_8(what, number##1)                                                                          \
    OF_8(what, number##2)                                                                          \
    OF_8(what, number##3)                                                                          \
    OF_8(what, number##4) OF_8(what, number##5) OF_8(what, number##6) OF_8(what, number##7)
#define CALLS(what) OF_64(what, 0) OF_64(what, 1) OF_64(what, 2) OF_64(what, 3)
#define BYTES_OF(what) OF_64(what, 0)
#define LOCKS(what) OF_8(what, 0) OF_8(what, 1) OF_8(what, 2) OF_8(what, 3)

CALLS(CALL)
BYTES_OF(BYTES)
LOCKS(LOCK)

#define CALL_ENTRY(number) [0##number] = (void *)call_##number,
#define BYTES_ENTRY(number) [0##number] = (void *)bytes_##number,
#define LOCK_ENTRY(number) [0##number] = (void *)lock_##number,

static void *const call_entries[] = {CALLS(CALL_ENTRY)};
static void *const bytes_entries[] = {BYTES_OF(BYTES_ENTRY)};
static void *const lock_entries[] = {LOCKS(LOCK_ENTRY)};

static struct wait_binding wait_call_bindings[sizeof call_entries / sizeof *call_entries];
static struct wait_binding wait_bytes_bindings[sizeof bytes_entries / sizeof *bytes_entries];
static struct wait_binding wait_lock_bindings[sizeof lock_entries / sizeof *lock_entries];

const struct wait_pool wait_pools[WAIT_POOLS] = {
    {call_entries, wait_call_bindings, sizeof call_entries / sizeof *call_entries},
    {bytes_entries, wait_bytes_bindings, sizeof bytes_entries / sizeof *bytes_entries},
    {lock_entries, wait_lock_bindings, sizeof lock_entries / sizeof *lock_entries},
};

void wait_bind(struct wait_binding *binding, unsigned call, void *target, void *attempt)
{
    *binding = (struct wait_binding){
        .target = target,
        .attempt = attempt,
        .call_word = wait_cells_call_word(call, 0),
        .call = call,
    };
}

uint64_t wait_call(unsigned call, void *target, const uint64_t words[WAIT_WORDS],
                   const struct unwind_state *caller)
{
    struct wait_binding binding;

    wait_bind(&binding, call, target, NULL);
    return call_clocked(words, &binding, caller);
}
