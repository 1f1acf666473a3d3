/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks that pass: their counts, and the words that hold two of them.
 */
#include "record/passed.h"

#include "record/samples.h"
#include "suite.h"

static struct trace_node node, other;
static struct lane_balance balance;
static struct lane lane;

static void begin(void)
{
    node = other = (struct trace_node){0};
    balance = (struct lane_balance){0};
    lane = (struct lane){.balance = &balance, .node = &node};
}

START_TEST(what_passes_is_moved_to_the_node)
{
    begin();
    passed_obtain(&lane, 100, 104);
    passed_obtain(&lane, 8, 24);
    ck_assert(!passed_give_back(&lane, 104));
    ck_assert_uint_eq(node.allocations, 0);
    passed_move(&lane);
    ck_assert_uint_eq(node.allocations, 2);
    ck_assert_uint_eq(node.allocated_bytes, 108);
    ck_assert_uint_eq(node.frees, 1);
    ck_assert_int_eq(balance.bytes, 24);
}
END_TEST

START_TEST(it_is_moved_once)
{
    begin();
    passed_obtain(&lane, 100, 104);
    passed_move(&lane);
    passed_move(&lane);
    ck_assert_uint_eq(node.allocations, 1);
    ck_assert_int_eq(balance.bytes, 104);
}
END_TEST

START_TEST(each_node_has_its_own)
{
    begin();
    passed_obtain(&lane, 100, 104);
    passed_change_node(&lane, &other, 7);
    passed_obtain(&lane, 50, 56);
    passed_move(&lane);
    ck_assert_uint_eq(node.allocated_bytes, 100);
    ck_assert_uint_eq(other.allocated_bytes, 50);
    ck_assert_uint_eq(lane.node_index, 7);
}
END_TEST

/* The smallest block has 24 usable bytes. */
START_TEST(a_whole_way_is_counted)
{
    const unsigned blocks = SAMPLES_WAY / SAMPLES_CALL_BYTES;

    begin();
    for (unsigned i = 0; i < blocks; i++)
        passed_obtain(&lane, 0, 24);
    passed_move(&lane);
    ck_assert_uint_eq(node.allocations, blocks);
    ck_assert_int_eq(balance.bytes, 24 * (int64_t)blocks);
}
END_TEST

START_TEST(a_thread_that_frees_alone_is_behind_after_a_way)
{
    unsigned frees = 1;

    begin();
    while (!passed_give_back(&lane, 24))
        frees++;
    ck_assert_uint_eq(frees, PASSED_BEHIND / 24 + 1);
    passed_move(&lane);
    ck_assert_uint_eq(node.frees, frees);
    ck_assert_int_eq(balance.bytes, -24 * (int64_t)frees);
}
END_TEST

START_TEST(the_largest_block_is_behind_at_once)
{
    const size_t largest = INT32_MAX / 8 * 8;

    begin();
    ck_assert(passed_give_back(&lane, largest));
    passed_move(&lane);
    ck_assert_uint_eq(node.frees, 1);
    ck_assert_int_eq(balance.bytes, -(int64_t)largest);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("passed");
    TCase *tests = tcase_create("passed");

    tcase_add_test(tests, what_passes_is_moved_to_the_node);
    tcase_add_test(tests, it_is_moved_once);
    tcase_add_test(tests, each_node_has_its_own);
    tcase_add_test(tests, a_whole_way_is_counted);
    tcase_add_test(tests, a_thread_that_frees_alone_is_behind_after_a_way);
    tcase_add_test(tests, the_largest_block_is_behind_at_once);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
