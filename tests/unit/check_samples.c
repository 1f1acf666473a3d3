/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The shim's sampling points on the bytes of blocks, and the table of the blocks that they hit.
 */
#include "record/samples.h"

#include <math.h>

#include "platform/clock.h"
#include "record/stages.h"
#include "suite.h"

enum { BLOCKS = 700000, UNIT = 16, DRAWS = 400000 };

/* ---- in place of the rest of the shim --------------------------------------- */

bool clock_is_counter = true;

static uint64_t distance;

uint64_t clock_read_kernel(void)
{
    return 1;
}

uint64_t stages_distance(void)
{
    return distance;
}

bool stages_throw_points(void)
{
    return distance != 0;
}

static bool is_forgetting;

void stages_forget_returned(void)
{
    is_forgetting = true;
}

static struct lane start(uint64_t mean)
{
    struct lane lane = {.thread = 1};

    distance = mean;
    samples_start(&lane);
    return lane;
}

static uintptr_t address(size_t block)
{
    return 0x7f0000000000 + block * UNIT;
}

/* ---- the proofs -------------------------------------------------------------- */

START_TEST(a_block_is_forgotten_once_however_often_it_was_remembered)
{
    ck_assert(samples_init());
    ck_assert(!samples_forget(address(1)));
    for (int i = 0; i < 20; i++)
        ck_assert(samples_remember(address(1)));
    ck_assert(samples_forget(address(1)));
    ck_assert(!samples_forget(address(1)));
}
END_TEST

START_TEST(any_number_of_blocks_is_remembered_and_each_is_forgotten_once)
{
    ck_assert(samples_init());
    for (size_t i = 0; i < BLOCKS; i++)
        ck_assert(samples_remember(address(i)));
    for (size_t i = 0; i < BLOCKS; i += 2)
        ck_assert(samples_remember(address(i)));
    ck_assert(!samples_forget(address(BLOCKS)));
    for (size_t i = 0; i < BLOCKS; i++)
        ck_assert(samples_forget(address(i)));
    for (size_t i = 0; i < BLOCKS; i++)
        ck_assert(!samples_forget(address(i)));
}
END_TEST

START_TEST(frees_look_once_a_line_is_full)
{
    size_t block = 0;

    is_forgetting = false;
    ck_assert(samples_init());
    while (!is_forgetting && block < BLOCKS)
        ck_assert(samples_remember(address(block++)));
    ck_assert_uint_ge(block, SAMPLES_LINES / 8);
    ck_assert_uint_lt(block, SAMPLES_LINES * SAMPLES_LINE);
}
END_TEST

START_TEST(where_no_drawn_block_is_near_nothing_is_looked_at)
{
    const uintptr_t near = 1000, far = 1 << 20;

    ck_assert(samples_init());
    ck_assert(samples_remember(near));
    ck_assert(samples_may_have(near + 16));
    ck_assert(!samples_may_have(far));
    ck_assert(!samples_forget(near + 16));
    ck_assert(samples_forget(near));
    ck_assert(!samples_may_have(near));
}
END_TEST

/* So they share lines of the cache. */
START_TEST(blocks_that_are_near_have_counters_that_are_near)
{
    enum { COUNTERS = 64 / sizeof *samples_near, PIECE = 1 << SAMPLES_PIECE_BITS };
    const uintptr_t first = address(1) & ~(uintptr_t)(COUNTERS * PIECE - 1);

    for (uintptr_t i = 0; i < COUNTERS; i++)
        ck_assert_uint_eq(samples_piece(first + i * PIECE) / COUNTERS,
                          samples_piece(first) / COUNTERS);
}
END_TEST

/* Ask for hits within five standard deviations of the binomial. */
static void assert_hits(double hits, double p)
{
    ck_assert_double_le(fabs(hits - DRAWS * p), 5 * sqrt(DRAWS * p * (1 - p)) + 1e-9);
}

/* Returns: whether a point hit the block, after the next point was thrown. */
static bool is_drawn(struct lane *lane, size_t size, double mean)
{
    if (!samples_hit(lane, size))
        return false;
    ck_assert_uint_eq(samples_throw(lane), (uint64_t)mean);
    return true;
}

START_TEST(a_block_is_hit_as_often_as_its_size_says)
{
    static const size_t sizes[] = {0, 16, 1000, 4096, 100000};
    const double mean = 4096, bytes = (double)sizes[_i] + SAMPLES_CALL_BYTES;
    const double p = -expm1(-bytes / mean);
    struct lane lane = start((uint64_t)mean);
    double hits = 0;

    for (int i = 0; i < DRAWS; i++)
        hits += is_drawn(&lane, sizes[_i], mean);
    assert_hits(hits, p);
}
END_TEST

START_TEST(a_block_keeps_the_distance_that_the_point_was_thrown_with)
{
    struct lane lane = start(1000);

    distance = 5000;
    while (!samples_hit(&lane, UNIT))
        continue;
    ck_assert_uint_eq(samples_throw(&lane), 1000);
    distance = 7000;
    while (!samples_hit(&lane, UNIT))
        continue;
    ck_assert_uint_eq(samples_throw(&lane), 5000);
}
END_TEST

/* Small blocks around it are hit as often as without it. */
START_TEST(a_large_block_is_always_hit_and_moves_no_point)
{
    const double mean = 1 << 24, p = -expm1(-(1000.0 + SAMPLES_CALL_BYTES) / mean);
    struct lane lane = start((uint64_t)mean);
    double hits = 0;

    for (int i = 0; i < DRAWS; i++) {
        ck_assert(samples_hit(&lane, SAMPLES_LARGE));
        ck_assert_uint_eq(samples_throw(&lane), 1);
        hits += is_drawn(&lane, 1000, mean);
    }
    assert_hits(hits, p);
}
END_TEST

START_TEST(a_hit_of_a_large_block_is_noted_and_moves_no_point)
{
    struct lane lane = start(1000000);
    uint64_t way = lane.sample_distance + lane.sample_beyond;

    ck_assert(samples_hit(&lane, SAMPLES_LARGE));
    samples_note_hit(&lane);
    samples_throw(&lane);
    ck_assert_uint_eq(lane.sample_distance + lane.sample_beyond, way);
}
END_TEST

START_TEST(a_changed_distance_is_adopted_at_once)
{
    struct lane lane = start(1 << 24);

    distance = 1000;
    samples_adopt(&lane);
    while (!samples_hit(&lane, UNIT))
        continue;
    ck_assert_uint_eq(samples_throw(&lane), 1000);
}
END_TEST

START_TEST(a_hit_is_noted_until_the_next_point_is_thrown)
{
    struct lane lane = start(1000);

    for (int i = 0; i < DRAWS; i++) {
        ck_assert(!samples_has_hit(&lane));
        if (!samples_hit(&lane, UNIT))
            continue;
        ck_assert(samples_hit(&lane, UNIT));
        samples_note_hit(&lane);
        ck_assert(samples_has_hit(&lane));
        samples_throw(&lane);
    }
}
END_TEST

START_TEST(without_a_distance_no_block_is_hit)
{
    struct lane lane = start(0);

    for (int i = 0; i < DRAWS; i++)
        ck_assert(!samples_hit(&lane, (size_t)1 << 40));
}
END_TEST

START_TEST(the_weights_of_blocks_are_right_in_the_mean_over_sizes)
{
    const uint64_t mean = 4096;
    double weights = 0, truth = 0;

    for (size_t size = 1; size < 2 * mean; size++) {
        weights += (double)samples_weigh(size, mean);
        truth += -1 / expm1(-(double)(size + SAMPLES_CALL_BYTES) / (double)mean);
    }
    ck_assert_double_le(fabs(weights / truth - 1), 0.06);
    ck_assert_uint_eq(samples_weigh(0, mean), mean / SAMPLES_CALL_BYTES + 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("samples");
    TCase *tests = tcase_create("samples");

    tcase_set_timeout(tests, 60); /* of seconds: the machine may be busy */

    tcase_add_test(tests, a_block_is_forgotten_once_however_often_it_was_remembered);
    tcase_add_test(tests, any_number_of_blocks_is_remembered_and_each_is_forgotten_once);
    tcase_add_test(tests, frees_look_once_a_line_is_full);
    tcase_add_test(tests, where_no_drawn_block_is_near_nothing_is_looked_at);
    tcase_add_test(tests, blocks_that_are_near_have_counters_that_are_near);
    tcase_add_loop_test(tests, a_block_is_hit_as_often_as_its_size_says, 0, 5);
    tcase_add_test(tests, a_block_keeps_the_distance_that_the_point_was_thrown_with);
    tcase_add_test(tests, a_large_block_is_always_hit_and_moves_no_point);
    tcase_add_test(tests, a_hit_of_a_large_block_is_noted_and_moves_no_point);
    tcase_add_test(tests, a_changed_distance_is_adopted_at_once);
    tcase_add_test(tests, a_hit_is_noted_until_the_next_point_is_thrown);
    tcase_add_test(tests, without_a_distance_no_block_is_hit);
    tcase_add_test(tests, the_weights_of_blocks_are_right_in_the_mean_over_sizes);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
