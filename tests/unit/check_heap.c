/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of the replay of the heap, of its course over time, and
 * of the peaks since a moment, against slow and simple models.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/heap.h"
#include "model/heap_weight.h"
#include "model/moments.h"
#include "model/peaks.h"
#include "model/session_heap.h"
#include "suite.h"

enum { SITES = 3, REGIONS = 2, SHORT_NS = 100 };

/* A heap of two regions, whose ticks are nanoseconds. */
static void start(struct heap *heap, uint64_t sample_bytes)
{
    static const struct clock clock = {.ns_per_tick = 1};
    const struct heap_options options = {.clock = &clock,
                                         .sample_bytes = sample_bytes,
                                         .short_ns = SHORT_NS,
                                         .region_count = REGIONS};

    heap_init(heap, &options);
    for (int i = 0; i < SITES; i++)
        heap_add_site(heap);
}

/* Birth, site and size of the block are the event's; its thread is the lane's. */
static void obtain_at(struct heap *heap, struct heap_lane *lane, const struct heap_block *block)
{
    const struct reader_event event = {
        .ticks = block->birth, .address = block->address, .size = block->size};

    heap_obtain(heap, lane, &event, block->site);
}

static void obtain(struct heap *heap, uint64_t address, uint64_t size, uint64_t ticks)
{
    struct heap_lane lane = {0};
    const struct heap_block block = {.address = address, .size = size, .birth = ticks};

    obtain_at(heap, &lane, &block);
}

static void give_back_by(struct heap *heap, struct heap_lane *lane, uint64_t address,
                         uint64_t ticks)
{
    heap_free(heap, lane, &(struct reader_event){.address = address, .ticks = ticks});
}

static void give_back(struct heap *heap, uint64_t address, uint64_t ticks)
{
    struct heap_lane lane = {0};

    give_back_by(heap, &lane, address, ticks);
}

/* ---- the live heap ----------------------------------------------------- */

START_TEST(heap_knows_its_peak_to_the_byte_and_when_it_was)
{
    struct heap heap;

    start(&heap, 0);
    obtain(&heap, 0x1000, 100, 1);
    obtain(&heap, 0x2000, 23, 2);
    give_back(&heap, 0x1000, 3);
    obtain(&heap, 0x3000, 99, 4);
    ck_assert_uint_eq(heap.peak.bytes, 123);
    ck_assert_uint_eq(heap.peak.blocks, 2);
    ck_assert_uint_eq(heap.peak.ticks, 2);
    ck_assert_uint_eq(heap.live_bytes, 122);
    ck_assert_uint_eq(heap_live_blocks(&heap), 2);
    heap_fini(&heap);
}
END_TEST

START_TEST(heap_knows_who_made_the_peak)
{
    struct heap heap;
    struct heap_lane lane = {.thread = 7, .region = 1};

    start(&heap, 0);
    obtain(&heap, 0x1000, 100, 1);
    obtain_at(&heap, &lane, &(struct heap_block){0x2000, 50, 2, .site = 2});
    give_back(&heap, 0x1000, 3);
    obtain(&heap, 0x3000, 10, 4);
    ck_assert_uint_eq(heap.peak.site, 2);
    ck_assert_uint_eq(heap.peak.thread, 7);
    ck_assert_uint_eq(heap.peak.region, 1);
    heap_fini(&heap);
}
END_TEST

START_TEST(heap_counts_frees_of_what_it_does_not_know)
{
    struct heap heap;

    start(&heap, 0);
    give_back(&heap, 0x1000, 1);
    give_back(&heap, 0, 1);
    ck_assert_uint_eq(heap.unknown_frees, 2);
    ck_assert_uint_eq(heap.live_bytes, 0);
    heap_fini(&heap);
}
END_TEST

START_TEST(heap_replaces_a_block_that_is_obtained_twice)
{
    struct heap heap;

    start(&heap, 0);
    obtain(&heap, 0x1000, 100, 1);
    obtain(&heap, 0x1000, 60, 2);
    ck_assert_uint_eq(heap.missing_frees, 1);
    ck_assert_uint_eq(heap.live_bytes, 60);
    ck_assert_uint_eq(heap_live_blocks(&heap), 1);
    ck_assert_uint_eq(heap.peak.bytes, 100);
    heap_fini(&heap);
}
END_TEST

/* Times of blocks are kept in steps of 16 ticks. */
static const struct {
    uint64_t free_ticks;
    uint64_t missing;
    uint64_t live_bytes;
} order_cases[] = {
    {100, 0, 60},
    {116, 0, 60},
    {117, 1, 0},
    {5000, 1, 0},
};

START_TEST(heap_takes_a_free_that_two_threads_wrote_in_the_wrong_order)
{
    struct heap heap;

    start(&heap, 0);
    obtain(&heap, 0x1000, 100, 1);
    obtain(&heap, 0x1000, 60, 100);
    give_back(&heap, 0x1000, order_cases[_i].free_ticks);
    ck_assert_uint_eq(heap.missing_frees, order_cases[_i].missing);
    ck_assert_uint_eq(heap.live_bytes, order_cases[_i].live_bytes);
    heap_fini(&heap);
}
END_TEST

START_TEST(heap_refuses_a_block_at_no_address)
{
    struct heap heap;

    start(&heap, 0);
    obtain(&heap, 0, 100, 1);
    ck_assert_uint_eq(heap.bad_addresses, 1);
    ck_assert_uint_eq(heap.live_bytes, 0);
    heap_fini(&heap);
}
END_TEST

/* ---- what becomes of blocks -------------------------------------------- */

START_TEST(heap_calls_a_block_temporary_that_goes_before_its_thread_takes_another)
{
    struct heap heap;
    struct heap_lane lane = {.thread = 1};
    struct heap_lane other = {.thread = 2};

    start(&heap, 0);
    obtain_at(&heap, &lane, &(struct heap_block){0x1000, 1, 1, .site = 0});
    obtain_at(&heap, &other, &(struct heap_block){0x2000, 1, 2, .site = 1});
    give_back_by(&heap, &lane, 0x1000, 3);
    obtain_at(&heap, &lane, &(struct heap_block){0x3000, 1, 4, .site = 2});
    obtain_at(&heap, &lane, &(struct heap_block){0x4000, 1, 5, .site = 1});
    give_back_by(&heap, &lane, 0x3000, 6);
    give_back_by(&heap, &lane, 0x2000, 7);
    ck_assert_uint_eq(heap.sites[0].temporary, 1);
    ck_assert_uint_eq(heap.sites[1].temporary, 0);
    ck_assert_uint_eq(heap.sites[2].temporary, 0);
    ck_assert_uint_eq(heap.sites[0].strange_frees, 0);
    ck_assert_uint_eq(heap.sites[1].strange_frees, 1);
    heap_fini(&heap);
}
END_TEST

START_TEST(heap_tells_lives_by_their_length)
{
    struct heap heap;

    start(&heap, 0);
    for (uint64_t i = 0; i < 3; i++) {
        obtain(&heap, 0x1000, 8, 1000);
        give_back(&heap, 0x1000, 1000 + SHORT_NS - 1 + i);
    }
    ck_assert_uint_eq(heap.sites[0].short_lived, 2);
    ck_assert(heap.sites[0].lifetime == 3 * SHORT_NS);
    heap_fini(&heap);
}
END_TEST

/* Also where a length of time is damage. */
static const struct {
    uint64_t value;
    unsigned bin;
} bin_cases[] = {
    {0, 0},
    {1, 0},
    {2, 1},
    {3, 1},
    {4, 2},
    {63, 5},
    {64, 6},
    {65, 6},
    {UINT64_C(1) << 40, 40},
    {(UINT64_C(1) << 41) - 1, 40},
    {UINT64_C(1) << 62, 62},
};

START_TEST(heap_sorts_sizes_and_lives_by_powers_of_two)
{
    struct heap heap;

    start(&heap, 0);
    obtain(&heap, 0x1000, bin_cases[_i].value, 0);
    give_back(&heap, 0x1000, bin_cases[_i].value);
    ck_assert_uint_eq(heap.sizes.counts[bin_cases[_i].bin], 1);
    ck_assert_uint_eq(heap.sizes.bytes[bin_cases[_i].bin], bin_cases[_i].value);
    ck_assert_uint_eq(heap.lifetimes.counts[bin_cases[_i].bin], 1);
    ck_assert_uint_eq(heap.lifetimes.bytes[bin_cases[_i].bin], bin_cases[_i].value);
    heap_fini(&heap);
}
END_TEST

START_TEST(heap_takes_a_life_that_ends_before_it_begins_for_none)
{
    struct heap heap;

    start(&heap, 0);
    obtain(&heap, 0x1000, 8, 100);
    give_back(&heap, 0x1000, 5);
    ck_assert_uint_eq(heap.lifetimes.counts[0], 1);
    ck_assert(heap.sites[0].lifetime == 0);
    heap_fini(&heap);
}
END_TEST

START_TEST(heap_knows_the_smallest_and_the_largest_block_of_a_site)
{
    struct heap heap;

    start(&heap, 0);
    obtain(&heap, 0x1000, 30, 1);
    obtain(&heap, 0x2000, 10, 2);
    obtain(&heap, 0x3000, 20, 3);
    ck_assert_uint_eq(heap.sites[0].min_size, 10);
    ck_assert_uint_eq(heap.sites[0].max_size, 30);
    ck_assert_uint_eq(heap.sites[0].blocks, 3);
    heap_fini(&heap);
}
END_TEST

START_TEST(heap_books_a_free_to_the_region_where_it_was)
{
    struct heap heap;
    struct heap_lane lane = {.region = 1};

    start(&heap, 0);
    obtain(&heap, 0x1000, 30, 1);
    give_back_by(&heap, &lane, 0x1000, 2);
    ck_assert_uint_eq(heap.freed_bytes[0], 0);
    ck_assert_uint_eq(heap.freed_bytes[1], 30);
    heap_fini(&heap);
}
END_TEST

/* ---- realloc ----------------------------------------------------------- */

static void release(struct heap *heap, struct heap_lane *lane, uint64_t address, uint64_t ticks)
{
    heap_release(heap, lane, &(struct reader_event){.address = address, .ticks = ticks});
}

static void move(struct heap *heap, struct heap_lane *lane, uint64_t address, uint64_t size)
{
    const struct reader_event event = {.ticks = 9, .address = address, .size = size};

    heap_move(heap, lane, &event, 1);
}

static const struct {
    uint64_t address;
    uint64_t size;
    uint64_t grown;
    uint64_t moved;
} move_cases[] = {{0x1000, 150, 50, 0},
                  {0x1000, 100, 0, 0},
                  {0x1000, 40, 0, 0},
                  {0x2000, 150, 50, 1},
                  {0x2000, 40, 0, 1}};

START_TEST(heap_tells_what_realloc_added)
{
    struct heap heap;
    struct heap_lane lane = {0};

    start(&heap, 0);
    obtain(&heap, 0x1000, 100, 1);
    release(&heap, &lane, 0x1000, 5);
    move(&heap, &lane, move_cases[_i].address, move_cases[_i].size);
    heap_settle(&heap, &lane);
    ck_assert_uint_eq(heap.sites[1].moved, move_cases[_i].moved);
    ck_assert_uint_eq(heap.sites[1].grown_bytes, move_cases[_i].grown);
    ck_assert_uint_eq(heap.live_bytes, move_cases[_i].size);
    ck_assert_uint_eq(heap.sites[0].live_blocks, 0);
    ck_assert(heap.sites[0].lifetime == 4);
    ck_assert_uint_eq(heap.peak.bytes, move_cases[_i].size > 100 ? move_cases[_i].size : 100);
    heap_fini(&heap);
}
END_TEST

/* It was freed once, when free was called. */
START_TEST(heap_calls_a_block_that_realloc_keeps_neither_temporary_nor_short)
{
    struct heap heap;
    struct heap_lane lane = {0};

    start(&heap, 0);
    obtain_at(&heap, &lane, &(struct heap_block){0x1000, 100, 1, .site = 0});
    release(&heap, &lane, 0x1000, 5);
    move(&heap, &lane, 0x1000, 200);
    release(&heap, &lane, 0x1000, 12);
    move(&heap, &lane, 0x2000, 300);
    ck_assert_uint_eq(heap.sites[0].temporary + heap.sites[1].temporary, 0);
    ck_assert_uint_eq(heap.sites[0].short_lived + heap.sites[1].short_lived, 0);
    give_back_by(&heap, &lane, 0x2000, 20);
    ck_assert_uint_eq(heap.sites[1].temporary, 1);
    ck_assert_uint_eq(heap.sites[1].short_lived, 1);
    heap_fini(&heap);
}
END_TEST

START_TEST(heap_moves_no_block_that_realloc_was_not_given)
{
    struct heap heap;
    struct heap_lane lane = {0};
    struct heap_lane other = {0};

    start(&heap, 0);
    obtain(&heap, 0x1000, 100, 1);
    move(&heap, &lane, 0x2000, 150);
    release(&heap, &lane, 0x9000, 5);
    move(&heap, &lane, 0x3000, 150);
    release(&heap, &lane, 0x1000, 5);
    move(&heap, &other, 0x4000, 150);
    obtain_at(&heap, &lane, &(struct heap_block){0x5000, 1, 8, .site = 0});
    move(&heap, &lane, 0x6000, 150);
    ck_assert_uint_eq(heap.sites[1].moved, 0);
    ck_assert_uint_eq(heap.sites[1].grown_bytes, 0);
    heap_fini(&heap);
}
END_TEST

START_TEST(heap_counts_nothing_twice_of_a_block_that_realloc_left_alone)
{
    struct heap heap;
    struct heap_lane lane = {.thread = 3};

    start(&heap, 0);
    obtain_at(&heap, &lane, &(struct heap_block){0x1000, 100, 10, .site = 2});
    release(&heap, &lane, 0x1000, 20);
    ck_assert(heap_is_released(&lane, 0x1000));
    heap_restore(&heap, &lane, 30);
    ck_assert(!heap_is_released(&lane, 0x1000));
    heap_settle(&heap, &lane);
    const struct heap_site *site = &heap.sites[2];
    ck_assert_uint_eq(site->blocks, 1);
    ck_assert_uint_eq(site->live_blocks, 1);
    ck_assert_uint_eq(site->temporary, 0);
    ck_assert_uint_eq(site->short_lived, 0);
    ck_assert_uint_eq(heap.freed_bytes[0], 0);
    ck_assert_uint_eq(heap.peak.ticks, 10);
    give_back_by(&heap, &lane, 0x1000, 40);
    ck_assert(site->lifetime == 30);
    ck_assert_uint_eq(site->temporary, 1);
    ck_assert_uint_eq(site->strange_frees, 0);
    heap_fini(&heap);
}
END_TEST

/* A realloc is one change: the floor is the heap before or after it. */
START_TEST(heap_has_a_block_while_realloc_has_it)
{
    uint64_t size = move_cases[_i].size;
    struct heap heap;
    struct heap_lane lane = {0};

    start(&heap, 0);
    obtain(&heap, 0x1000, 100, 1);
    heap_pass_time(&heap, 5000);
    release(&heap, &lane, 0x1000, 5001);
    ck_assert_uint_eq(heap.live_bytes, 100);
    ck_assert_uint_eq(heap.sites[0].live_blocks, 1);
    move(&heap, &lane, 0x1000, size);
    ck_assert_uint_eq(heap.live_bytes, size);
    ck_assert_uint_eq(heap.moments.min, size < 100 ? size : 100);
    ck_assert_uint_eq(heap.moments.max, size < 100 ? 100 : size);
    heap_fini(&heap);
}
END_TEST

START_TEST(heap_lets_another_thread_have_the_address_that_realloc_left)
{
    struct heap heap;
    struct heap_lane lane = {0};

    start(&heap, 0);
    obtain(&heap, 0x1000, 100, 1);
    release(&heap, &lane, 0x1000, 5);
    obtain(&heap, 0x1000, 30, 7);
    ck_assert_uint_eq(heap.live_bytes, 130);
    move(&heap, &lane, 0x2000, 200);
    ck_assert_uint_eq(heap.missing_frees, 0);
    ck_assert_uint_eq(heap.live_bytes, 230);
    give_back(&heap, 0x1000, 11);
    ck_assert_uint_eq(heap.live_bytes, 200);
    heap_fini(&heap);
}
END_TEST

START_TEST(heap_takes_a_free_after_a_release_for_its_end)
{
    struct heap heap;
    struct heap_lane lane = {0};

    start(&heap, 0);
    obtain(&heap, 0x1000, 100, 1);
    release(&heap, &lane, 0x1000, 5);
    give_back_by(&heap, &lane, 0x1000, 9);
    ck_assert_uint_eq(heap.live_bytes, 0);
    ck_assert_uint_eq(heap_live_blocks(&heap), 0);
    ck_assert_uint_eq(heap.unknown_frees, 0);
    ck_assert(heap.sites[0].lifetime == 4);
    ck_assert_uint_eq(lane.records, 1);
    heap_fini(&heap);
}
END_TEST

/* As an allocator does that has no realloc of its own. */
START_TEST(heap_knows_a_realloc_that_obtains_and_frees)
{
    struct heap heap;
    struct heap_lane lane = {0};

    start(&heap, 0);
    obtain(&heap, 0x1000, 100, 1);
    release(&heap, &lane, 0x1000, 5);
    obtain_at(&heap, &lane, &(struct heap_block){0x1000, 200, 7, .site = 2});
    ck_assert_uint_eq(heap.live_bytes, 200);
    ck_assert_uint_eq(heap.missing_frees, 0);
    give_back_by(&heap, &lane, 0x1000, 9);
    ck_assert_uint_eq(heap.live_bytes, 0);
    heap_fini(&heap);
}
END_TEST

/* ---- marks --------------------------------------------------------------- */

/* One block more at site 1 in each step, and another temporary at site 0: the live bytes at each
 * mark are those obtained before it, however often the marks were halved. */
START_TEST(marks_have_what_a_site_had_live_then)
{
    const uint64_t steps = 40000, step_ticks = 400;
    struct heap heap;

    start(&heap, 0);
    for (uint64_t i = 0; i < steps; i++) {
        obtain_at(&heap, &(struct heap_lane){0},
                  &(struct heap_block){0x100000 + 16 * i, 10, i * step_ticks, .site = 1});
        obtain(&heap, 0x1000, 7, i * step_ticks);
        give_back(&heap, 0x1000, i * step_ticks);
    }
    heap_finish(&heap, steps * step_ticks);
    ck_assert_uint_ge(heap.marks.count, SESSION_MARKS / 2);
    for (uint32_t i = 0; i < heap.marks.count; i++) {
        uint64_t ticks = (uint64_t)i * MARKS_MOMENTS * heap.moments.length;

        ck_assert_uint_eq(marks_at(&heap.marks, i, 1),
                          10 * ((ticks + step_ticks - 1) / step_ticks));
        ck_assert_uint_eq(marks_at(&heap.marks, i, 2), 0);
    }
    heap_fini(&heap);
}
END_TEST

/* ---- against a model --------------------------------------------------- */

enum { ADDRESSES = 3000, STEPS = 200000 };

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return *state >> 33;
}

/* Addresses close together and far apart, so that probes collide and pass the end of the map. */
static uint64_t address_of(uint64_t number)
{
    return number % 2 ? (number + 1) * 16 : (number + 1) << 35;
}

struct model {
    uint64_t sizes[ADDRESSES]; /* plus one; 0 is not live */
    uint64_t live_bytes;
    uint64_t peak_bytes;
    uint64_t site_bytes[SITES];
    uint64_t site_peaks[SITES];
};

static void note_peak(struct model *model)
{
    if (model->live_bytes <= model->peak_bytes)
        return;
    model->peak_bytes = model->live_bytes;
    memcpy(model->site_peaks, model->site_bytes, sizeof model->site_peaks);
}

static void step(struct heap *heap, struct model *model, uint64_t number, uint64_t size)
{
    uint64_t *known = &model->sizes[number];
    struct heap_lane lane = {0};

    if (*known == 0) {
        obtain_at(
            heap, &lane,
            &(struct heap_block){address_of(number), size, 1, .site = (uint32_t)(number % SITES)});
        *known = size + 1;
        model->live_bytes += size;
        model->site_bytes[number % SITES] += size;
        note_peak(model);
    } else {
        give_back_by(heap, &lane, address_of(number), 1);
        model->live_bytes -= *known - 1;
        model->site_bytes[number % SITES] -= *known - 1;
        *known = 0;
    }
}

START_TEST(heap_agrees_with_a_simple_model_whatever_comes_and_goes)
{
    static struct model model;
    struct heap heap;
    uint64_t state = (uint64_t)_i + 1;

    memset(&model, 0, sizeof model);
    start(&heap, 0);
    for (int i = 0; i < STEPS; i++)
        step(&heap, &model, next_random(&state) % ADDRESSES, next_random(&state) % 5000);
    heap_finish(&heap, 2);
    ck_assert_uint_eq(heap.live_bytes, model.live_bytes);
    ck_assert_uint_eq(heap.peak.bytes, model.peak_bytes);
    for (int i = 0; i < SITES; i++) {
        ck_assert_uint_eq(heap.sites[i].live_bytes, model.site_bytes[i]);
        ck_assert_uint_eq(heap.sites[i].peak_bytes, model.site_peaks[i]);
    }
    ck_assert_uint_eq(heap.unknown_frees, 0);
    ck_assert_uint_eq(heap.missing_frees, 0);
    heap_fini(&heap);
}
END_TEST

/* ---- sampling ---------------------------------------------------------- */

enum { SAMPLE_BYTES = 4096, SAMPLED_BLOCKS = 20000 };

/* Draws as the shim does, by the probability that a block holds a sampled byte. */
static bool is_sampled(uint64_t *state, uint64_t size)
{
    double even = (double)next_random(state) / 0x1p31;

    return even < -expm1(-(double)(size > 0 ? size : 1) / SAMPLE_BYTES);
}

/* Blocks of 0 to 16 KiB, small ones as often as large. */
static uint64_t draw_size(uint64_t *state)
{
    return (next_random(state) % 2 << next_random(state) % 14) + next_random(state) % 7;
}

struct truth {
    uint64_t blocks;
    uint64_t bytes;
    uint64_t live_bytes;
};

/* Every third block stays. */
static void sample(struct heap *heap, struct truth *truth, uint64_t seed)
{
    uint64_t state = seed;

    for (uint64_t i = 1; i <= SAMPLED_BLOCKS; i++) {
        uint64_t size = draw_size(&state);

        truth->blocks++;
        truth->bytes += size;
        truth->live_bytes += i % 3 == 0 ? size : 0;
        if (!is_sampled(&state, size))
            continue;
        obtain(heap, i << 5, size, i);
        if (i % 3 != 0)
            give_back(heap, i << 5, i);
    }
}

static const struct heap_amount *obtained_of(const struct heap *heap)
{
    return &heap_drawn_row_at(&heap->drawn, 0)->obtained;
}

static uint64_t estimate_blocks(const struct heap_amount *amount)
{
    return amount->blocks + (amount->rest_blocks >> HEAP_BLOCK_POINT);
}

static uint64_t estimate_bytes(const struct heap_amount *amount)
{
    return amount->bytes + (amount->rest_bytes >> HEAP_BYTE_POINT);
}

/* Four standard errors: one estimate in 16,000 is farther off. */
static void assert_near(uint64_t estimate, uint64_t truth, double variance)
{
    ck_assert_msg(fabs((double)estimate - (double)truth) < 4 * sqrt(variance),
                  "%llu is far from %llu, which has a standard error of %g",
                  (unsigned long long)estimate, (unsigned long long)truth, sqrt(variance));
}

START_TEST(heap_estimates_what_was_sampled_within_its_own_error)
{
    struct heap heap;
    struct truth truth = {0};

    start(&heap, SAMPLE_BYTES);
    sample(&heap, &truth, (uint64_t)_i + 1);
    heap_finish(&heap, 2);
    const struct heap_amount *amount = obtained_of(&heap);
    ck_assert_uint_lt(amount->blocks, SAMPLED_BLOCKS / 2);
    assert_near(estimate_blocks(amount), truth.blocks, amount->blocks_variance);
    assert_near(estimate_bytes(amount), truth.bytes, amount->bytes_variance);
    assert_near(heap.live_bytes, truth.live_bytes, heap.drawn.live.bytes_variance);
    assert_near(heap.peak.bytes, truth.live_bytes, 2 * heap.peak.variance);
    heap_fini(&heap);
}
END_TEST

/* The mean over many samples of one program is the truth, and each result differs from it by its
 * stated error. */
START_TEST(heap_estimates_are_right_on_average_and_so_are_their_errors)
{
    enum { SAMPLES = 100 };
    double sum = 0;
    double squares = 0;

    for (uint64_t i = 0; i < SAMPLES; i++) {
        struct heap heap;
        struct truth truth = {0};

        start(&heap, SAMPLE_BYTES);
        sample(&heap, &truth, 1000 * i + 77);
        const struct heap_amount *amount = obtained_of(&heap);
        double off = (double)estimate_bytes(amount) - (double)truth.bytes;
        off /= sqrt(amount->bytes_variance);
        sum += off;
        squares += off * off;
        heap_fini(&heap);
    }
    ck_assert(fabs(sum / SAMPLES) < 0.4);
    ck_assert(squares / SAMPLES > 0.5 && squares / SAMPLES < 1.7);
}
END_TEST

START_TEST(heap_that_is_sampled_comes_back_to_nothing)
{
    struct heap heap;
    uint64_t state = 3;

    start(&heap, SAMPLE_BYTES);
    for (uint64_t i = 1; i <= 1000; i++)
        obtain(&heap, i << 5, draw_size(&state), i);
    for (uint64_t i = 1; i <= 1000; i++)
        give_back(&heap, i << 5, 2000);
    ck_assert_uint_eq(heap.live_bytes, 0);
    ck_assert_uint_eq(heap_live_blocks(&heap), 0);
    ck_assert_uint_eq(heap_drawn_row_at(&heap.drawn, 0)->live.rest_bytes, 0);
    heap_fini(&heap);
}
END_TEST

/* With any sizes and rates that a damaged trace may have. */
START_TEST(heap_survives_any_weight)
{
    static const uint64_t numbers[] = {1, 1000, UINT64_C(1) << 40, UINT64_MAX};
    struct heap heap;

    start(&heap, numbers[_i]);
    for (uint64_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        obtain(&heap, (i + 1) << 5, numbers[i], i);
    for (uint64_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        give_back(&heap, (i + 1) << 5, 9);
    ck_assert_uint_eq(heap.live_bytes, 0);
    heap_fini(&heap);
}
END_TEST

/* ---- moments ----------------------------------------------------------- */

START_TEST(moments_keep_the_least_the_most_and_the_last_of_each_stretch)
{
    struct moments moments;
    struct moments_state state = {50, 2, 4096, 0, 0, 0};

    moments_init(&moments, 1000, 0);
    moments_raise(&moments, 70);
    moments_lower(&moments, 50);
    ck_assert(!moments_are_over(&moments, 1000 + moments.length - 1));
    ck_assert(moments_are_over(&moments, 1000 + moments.length));
    moments_close(&moments, 1000 + moments.length, &state);
    moments_lower(&moments, 20);
    moments_finish(&moments, 1001 + moments.length, &(struct moments_state){20, 1, 0, 0, 0, 0});
    ck_assert_uint_eq(moments.count, 2);
    const struct session_moment *moment = moments.closed;
    ck_assert_uint_eq(moment[0].min_bytes, 0);
    ck_assert_uint_eq(moment[0].max_bytes, 70);
    ck_assert_uint_eq(moment[0].last_bytes, 50);
    ck_assert_uint_eq(moment[0].last_blocks, 2);
    ck_assert_uint_eq(moment[0].mapped_bytes, 4096);
    ck_assert_uint_eq(moment[1].time_ns, moments.length);
    ck_assert_uint_eq(moment[1].min_bytes, 20);
    ck_assert_uint_eq(moment[1].max_bytes, 50);
    ck_assert_uint_eq(moment[1].last_bytes, 20);
    moments_fini(&moments);
}
END_TEST

/* At any distance between events, and with any damage to their times. */
static const uint64_t far_cases[] = {
    1,         1023, 1024, 1 << 20, 1 << 21, (1 << 21) + 1, UINT64_C(1) << 40, UINT64_C(1) << 63,
    UINT64_MAX};

START_TEST(moments_are_never_too_many_and_leave_no_gap)
{
    struct moments moments;
    const struct moments_state state = {8, 1, 0, 0, 0, 0};

    moments_init(&moments, _i % 2 ? 0 : UINT64_MAX / 3, 0);
    moments_close(&moments, moments.start + 10, &state);
    moments_close(&moments, moments.start + far_cases[_i], &state);
    moments_close(&moments, moments.start + far_cases[_i] / 2, &state);
    moments_finish(&moments, moments.start + far_cases[_i], &state);
    ck_assert_uint_ge(moments.count, 1);
    ck_assert_uint_le(moments.count, SESSION_MOMENTS);
    for (size_t i = 0; i < moments.count; i++)
        ck_assert_uint_eq(moments.closed[i].time_ns, i * moments.length);
    moments_fini(&moments);
}
END_TEST

START_TEST(moments_lose_no_extreme_when_pairs_become_one)
{
    enum { PASSED = 5 * SESSION_MOMENTS };
    struct moments moments;
    uint64_t max = 0;

    moments_init(&moments, 0, 0);
    for (uint64_t i = 1; i <= PASSED; i++) {
        moments_raise(&moments, i);
        moments_close(&moments, 1024 * i, &(struct moments_state){i, i, 0, 0, 0, 0});
    }
    moments_finish(&moments, 1024 * PASSED, &(struct moments_state){0, 0, 0, 0, 0, 0});
    for (size_t i = 0; i < moments.count; i++) {
        const struct session_moment *moment = &moments.closed[i];

        ck_assert_uint_eq(moment->min_bytes, max);
        ck_assert_uint_ge(moment->max_bytes, max);
        max = moment->max_bytes;
    }
    ck_assert_uint_eq(max, PASSED);
    moments_fini(&moments);
}
END_TEST

static void pass(struct moments *moments, uint64_t until)
{
    for (uint64_t i = 1; i < until; i += 1 + i % 1000) {
        const struct moments_state state = {i * 7919 % 4096, i % 64, i % 3, 0, 0, 0};

        if (moments_are_over(moments, i))
            moments_close(moments, i, &state);
        moments_raise(moments, state.bytes);
        moments_lower(moments, state.bytes);
    }
    moments_finish(moments, until, &(struct moments_state){0, 0, 0, 0, 0, 0});
}

/* Rows: the end of a recording. */
START_TEST(moments_that_know_the_end_are_those_that_were_merged)
{
    struct moments merged, known;

    moments_init(&merged, 0, 0);
    moments_init(&known, 0, far_cases[_i]);
    pass(&merged, far_cases[_i]);
    pass(&known, far_cases[_i]);
    ck_assert_uint_eq(merged.length, known.length);
    ck_assert_uint_eq(merged.count, known.count);
    ck_assert_mem_eq(merged.closed, known.closed, merged.count * sizeof *merged.closed);
    moments_fini(&merged);
    moments_fini(&known);
}
END_TEST

/* ---- peaks ------------------------------------------------------------- */

START_TEST(peaks_look_back_to_the_moment_and_no_further)
{
    struct peaks peaks;
    uint64_t outer;
    uint64_t inner;

    peaks_init(&peaks);
    peaks_raise(&peaks, 1000);
    peaks_mark(&peaks, 10, &outer);
    peaks_raise(&peaks, 70);
    peaks_raise(&peaks, 20);
    peaks_mark(&peaks, 20, &inner);
    peaks_raise(&peaks, 50);
    peaks_raise(&peaks, 5);
    ck_assert_uint_eq(peaks_forget(&peaks, inner), 50);
    ck_assert_uint_eq(peaks_forget(&peaks, outer), 70);
    ck_assert_uint_eq(peaks.steps.count, 0);
    peaks_fini(&peaks);
}
END_TEST

enum { MOMENTS = 40 };

struct moment {
    bool is_open;
    uint64_t name;
    uint64_t highest;
};

static void change_moment(struct peaks *peaks, struct moment *moment, uint64_t value)
{
    if (moment->is_open) {
        ck_assert_uint_eq(peaks_forget(peaks, moment->name), moment->highest);
    } else {
        peaks_mark(peaks, value, &moment->name);
        moment->highest = value;
    }
    moment->is_open = !moment->is_open;
}

START_TEST(peaks_agree_with_a_simple_model_in_any_order)
{
    struct moment moments[MOMENTS] = {0};
    struct peaks peaks;
    uint64_t state = (uint64_t)_i + 7;
    uint64_t value = 0;

    peaks_init(&peaks);
    for (int i = 0; i < STEPS / 10; i++) {
        value = next_random(&state) % 300;
        peaks_raise(&peaks, value);
        for (int j = 0; j < MOMENTS; j++)
            if (moments[j].highest < value)
                moments[j].highest = value;
        change_moment(&peaks, &moments[next_random(&state) % MOMENTS], value);
    }
    peaks_fini(&peaks);
}
END_TEST

static void add_block_tests(TCase *tests)
{
    tcase_add_test(tests, heap_knows_its_peak_to_the_byte_and_when_it_was);
    tcase_add_test(tests, heap_knows_who_made_the_peak);
    tcase_add_test(tests, heap_counts_frees_of_what_it_does_not_know);
    tcase_add_test(tests, heap_replaces_a_block_that_is_obtained_twice);
    tcase_add_loop_test(tests, heap_takes_a_free_that_two_threads_wrote_in_the_wrong_order, 0,
                        sizeof order_cases / sizeof *order_cases);
    tcase_add_test(tests, heap_refuses_a_block_at_no_address);
    tcase_add_test(tests, heap_calls_a_block_temporary_that_goes_before_its_thread_takes_another);
    tcase_add_test(tests, heap_tells_lives_by_their_length);
    tcase_add_loop_test(tests, heap_sorts_sizes_and_lives_by_powers_of_two, 0,
                        sizeof bin_cases / sizeof *bin_cases);
    tcase_add_test(tests, heap_takes_a_life_that_ends_before_it_begins_for_none);
    tcase_add_test(tests, heap_knows_the_smallest_and_the_largest_block_of_a_site);
    tcase_add_test(tests, heap_books_a_free_to_the_region_where_it_was);
    tcase_add_loop_test(tests, heap_tells_what_realloc_added, 0,
                        sizeof move_cases / sizeof *move_cases);
    tcase_add_test(tests, heap_calls_a_block_that_realloc_keeps_neither_temporary_nor_short);
    tcase_add_test(tests, heap_moves_no_block_that_realloc_was_not_given);
    tcase_add_test(tests, heap_counts_nothing_twice_of_a_block_that_realloc_left_alone);
    tcase_add_loop_test(tests, heap_has_a_block_while_realloc_has_it, 0,
                        sizeof move_cases / sizeof *move_cases);
    tcase_add_test(tests, heap_lets_another_thread_have_the_address_that_realloc_left);
    tcase_add_test(tests, heap_takes_a_free_after_a_release_for_its_end);
    tcase_add_test(tests, marks_have_what_a_site_had_live_then);
    tcase_add_test(tests, heap_knows_a_realloc_that_obtains_and_frees);
    tcase_add_loop_test(tests, heap_agrees_with_a_simple_model_whatever_comes_and_goes, 0, 5);
}

static void add_sample_tests(TCase *tests)
{
    tcase_add_loop_test(tests, heap_estimates_what_was_sampled_within_its_own_error, 0, 5);
    tcase_add_test(tests, heap_estimates_are_right_on_average_and_so_are_their_errors);
    tcase_add_test(tests, heap_that_is_sampled_comes_back_to_nothing);
    tcase_add_loop_test(tests, heap_survives_any_weight, 0, 4);
}

static void add_moment_tests(TCase *tests)
{
    tcase_add_test(tests, moments_keep_the_least_the_most_and_the_last_of_each_stretch);
    tcase_add_loop_test(tests, moments_are_never_too_many_and_leave_no_gap, 0,
                        sizeof far_cases / sizeof *far_cases);
    tcase_add_test(tests, moments_lose_no_extreme_when_pairs_become_one);
    tcase_add_loop_test(tests, moments_that_know_the_end_are_those_that_were_merged, 0, 6);
}

int check_heap(void)
{
    Suite *suite = suite_create("heap");
    TCase *tests = tcase_create("heap");

    add_block_tests(tests);
    add_sample_tests(tests);
    add_moment_tests(tests);
    tcase_add_test(tests, peaks_look_back_to_the_moment_and_no_further);
    tcase_add_loop_test(tests, peaks_agree_with_a_simple_model_in_any_order, 0, 5);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
