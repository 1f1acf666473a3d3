/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Balances of lanes, their sum, and its peak.
 *
 * The sum and the balances are in memory that outlives a fork; the peak is in struct process.  The
 * header has copies for the case that the process is killed: a store into it may be lost while the
 * trace becomes a file, but the next one is complete again.
 */
#include "record/live_heap.h"

#include <limits.h>

#include "platform/clock.h"
#include "platform/link_list.h"
#include "platform/memory.h"
#include "platform/next.h"
#include "platform/next_find.h"
#include "record/extended.h"
#include "record/incidents.h"
#include "record/passed.h"
#include "record/process.h"
#include "record/settings.h"
#include "record/stages.h"

enum { PIECE_SIZE = 4096, BALANCES = PIECE_SIZE / sizeof(struct lane_balance) - 1 };

struct page {
    _Atomic(struct page *) next;
    struct lane_balance balances[BALANCES];
};

_Static_assert(sizeof(struct page) == PIECE_SIZE, "no byte of a page is lost");

size_t (*live_heap_usable_size)(void *block);
atomic_bool live_heap_is_before;

enum { SEEN_ENOUGH = 16 }; /* new blocks, whose word before was right */

/* A change that has a record of its own: a share of the peak, and more bytes than a start-up. */
enum { MOVE_SHARE = 8, MOVE_LEAST = 1 << 20 };

/* 60 such records a second; of those that a quiet time left, 256 at once. */
static const uint64_t move_period_ns = UINT64_C(1000000000) / 60;
static const uint64_t move_credit_ns = UINT64_C(1000000000) / 60 * 256;

static atomic_bool may_be_before; /* the allocator is glibc's */
static atomic_uint seen_before;

static _Atomic int64_t sum;
static _Atomic(struct page *) first_page;

/* Returns: the page with `before` pages before it; NULL when memory is refused. */
static struct page *find_page(unsigned before)
{
    _Atomic(struct page *) *place = &first_page;

    for (;; before--) {
        struct page *page = atomic_load_explicit(place, memory_order_acquire);

        if (!page) {
            page = memory_keep(sizeof *page);
            atomic_store_explicit(place, page, memory_order_release);
        }
        if (!page || before == 0)
            return page;
        place = &page->next;
    }
}

bool live_heap_give(struct lane *lane)
{
    unsigned place = lane->number - 1;
    struct page *page = find_page(place / BALANCES);

    if (page)
        lane->balance = &page->balances[place % BALANCES];
    return page != NULL;
}

static int64_t read_balance(const struct lane_balance *balance)
{
    return atomic_load_explicit(&balance->bytes, memory_order_relaxed) +
           passed_live_bytes(single_read(&balance->obtained), single_read(&balance->returned));
}

/* A balance that is on its way to the sum is missing for a moment.
 * Returns: the sum with the balances of the first `count` lanes. */
static int64_t add_all(unsigned count)
{
    struct page *page = atomic_load_explicit(&first_page, memory_order_acquire);
    int64_t bytes = 0;

    for (; page && count > 0; page = atomic_load_explicit(&page->next, memory_order_acquire))
        for (size_t i = 0; i < BALANCES && count > 0; i++, count--)
            bytes += read_balance(&page->balances[i]);
    return bytes + atomic_load(&sum);
}

static void clear_balances(void)
{
    for (struct page *page = first_page; page; page = page->next)
        for (size_t i = 0; i < BALANCES; i++)
            page->balances[i] = (struct lane_balance){0};
}

/* Two threads that note a peak at once may exchange their times, which are close. */
static void note_peak(int64_t bytes, uint64_t now)
{
    struct live_heap *heap = &process->live_heap;
    int64_t peak = atomic_load(&heap->peak);

    while (bytes > peak && !atomic_compare_exchange_weak(&heap->peak, &peak, bytes))
        continue;
    if (bytes > peak)
        atomic_store(&heap->peak_ticks, now);
}

/* Blocks whose records were lost may make the sum negative. */
static uint64_t at_least_none(int64_t bytes)
{
    return bytes > 0 ? (uint64_t)bytes : 0;
}

static void store(uint64_t *field, uint64_t value)
{
    atomic_store_explicit((_Atomic uint64_t *)field, value, memory_order_relaxed);
}

static void tell(int64_t bytes, uint64_t now)
{
    struct trace_header *header = process->file.header;

    note_peak(bytes, now);
    incidents_check_heap(bytes, now);
    store(&header->heap_live_bytes, at_least_none(bytes));
    store(&header->heap_peak_bytes, at_least_none(atomic_load(&process->live_heap.peak)));
    store(&header->heap_peak_ticks, atomic_load(&process->live_heap.peak_ticks));
}

static bool is_to_count(void)
{
    return settings_has_budget() && settings.alloc != SETTINGS_ALLOC_OFF;
}

static bool is_glibc(void)
{
    uintptr_t libc = link_list_find_base((const void *)next.gnu_get_libc_version);

    return next.gnu_get_libc_version &&
           libc == link_list_find_base((const void *)next.malloc_usable_size);
}

void live_heap_start(void)
{
    if (!is_to_count())
        return;
    if (!next.malloc_usable_size)
        next_find();
    live_heap_usable_size = next.malloc_usable_size;
    if (!live_heap_usable_size)
        return;
    if (atomic_load(&seen_before) == 0)
        atomic_store(&may_be_before, is_glibc());
    atomic_store(&sum, add_all(UINT_MAX));
    clear_balances();
    store(&process->file.header->heap_first_bytes, at_least_none(atomic_load(&sum)));
    atomic_store(&process->live_heap.peak_ticks, process->file.header->start.ticks);
    atomic_store(&process->live_heap.told, atomic_load(&sum));
    tell(atomic_load(&sum), process->file.header->start.ticks);
}

/* Compare the size before a block with the usable size.  After one difference the former is never
 * used: a checking malloc of glibc up to 2.33 stores larger sizes there than it reports. */
static void see_before(const void *block, size_t usable)
{
    size_t head = live_heap_head(block);

    if ((head & LIVE_HEAP_IS_MAPPED) != 0)
        return;
    if (live_heap_size_by(head) != usable)
        atomic_store(&may_be_before, false);
    else if (atomic_fetch_add(&seen_before, 1) + 1 == SEEN_ENOUGH) {
        atomic_store(&live_heap_is_before, true);
        stages_let_pass(true);
    }
}

size_t live_heap_learn(const void *block)
{
    size_t usable = live_heap_usable_size((void *)block);

    if (atomic_load(&may_be_before) && !atomic_load(&live_heap_is_before))
        see_before(block, usable);
    return usable;
}

size_t live_heap_timed_size(const void *block, uint64_t count)
{
    size_t usable = live_heap_size(block);
    struct mean_cost_timing timing = mean_cost_begin();

    if (usable != 0 && live_heap_size(block) == usable)
        mean_cost_note(&process->live_heap.cost, mean_cost_end(&timing), count);
    return usable;
}

uint64_t live_heap_cost(void)
{
    return mean_cost_read(&process->live_heap.cost);
}

/* Returns: the sum. */
static int64_t flush(struct lane *lane)
{
    int64_t bytes;

    passed_move(lane);
    bytes = atomic_exchange_explicit(&lane->balance->bytes, 0, memory_order_relaxed);
    lane->balance->moved += bytes;
    bytes += atomic_fetch_add(&sum, bytes);
    tell(bytes, clock_read());
    return bytes;
}

static bool has_moved(int64_t bytes)
{
    const struct live_heap *heap = &process->live_heap;
    int64_t move = bytes - atomic_load_explicit(&heap->told, memory_order_relaxed);
    uint64_t size = move < 0 ? (uint64_t)-move : (uint64_t)move;

    return size >= MOVE_LEAST && size >= at_least_none(atomic_load(&heap->peak)) / MOVE_SHARE;
}

/* Records that a quiet time left over may come at once: a program frees much in a short time. */
static bool is_move_due(void)
{
    struct live_heap *heap = &process->live_heap;
    uint64_t now = clock_monotonic(), due = atomic_load(&heap->told_due_ns);

    if (due > now)
        return false;
    if (due + move_credit_ns < now)
        due = now - move_credit_ns;
    atomic_store(&heap->told_due_ns, due + move_period_ns);
    return true;
}

void live_heap_flush(struct lane *lane)
{
    flush(lane);
}

void live_heap_note(struct lane *lane)
{
    if (has_moved(flush(lane)) && stages_alloc_mode() >= STAGES_ALLOC_DRAWN && is_move_due())
        live_heap_write(lane);
}

int64_t live_heap_of(const struct lane *lane)
{
    const struct lane_balance *balance = lane->balance;

    return live_heap_usable_size && balance ? balance->moved + read_balance(balance) : INT64_MIN;
}

bool live_heap_has_grown(void)
{
    enum { WORTH_A_FILE = 8 << 20, SHORT_NS = 100000000 };
    const struct trace_header *header = process->file.header;

    return header->heap_peak_bytes >= header->heap_first_bytes + WORTH_A_FILE &&
           clock_monotonic() - header->start.monotonic_ns >= SHORT_NS;
}

void live_heap_write(struct lane *lane)
{
    const struct live_heap *heap = &process->live_heap;
    uint64_t now = clock_read();
    int64_t bytes;

    if (!live_heap_usable_size)
        return;
    bytes = add_all(process->lane_count);
    atomic_store_explicit(&process->live_heap.told, bytes, memory_order_relaxed);
    tell(bytes, now);
    extended_write(lane, now, TRACE_EXTENDED_HEAP,
                   (const uint64_t[]){process->file.header->heap_live_bytes,
                                      at_least_none(atomic_load(&heap->peak)),
                                      atomic_load(&heap->peak_ticks)},
                   3);
}

void live_heap_end(void)
{
    if (live_heap_usable_size)
        tell(add_all(process->lane_count), clock_read());
}
