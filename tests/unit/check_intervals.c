/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of ranges of addresses, against a slow and simple
 * model of them.
 */
#include <stdlib.h>

#include "suite.h"
#include "symbols/intervals.h"

enum { SPACE = 500, MOST = 120, ROUNDS = 200 };

static void add(struct intervals *intervals, uint64_t start, uint64_t end, uint32_t value)
{
    intervals_add(intervals, start, end, value);
}

START_TEST(intervals_without_any_hold_nothing)
{
    struct intervals intervals;

    intervals_init(&intervals);
    intervals_sort(&intervals);
    ck_assert_ptr_null(intervals_find(&intervals, 0));
    intervals_fini(&intervals);
}
END_TEST

START_TEST(intervals_end_before_their_end_and_may_be_empty)
{
    struct intervals intervals;

    intervals_init(&intervals);
    add(&intervals, 10, 20, 1);
    add(&intervals, 30, 30, 2);
    add(&intervals, 50, 40, 3);
    intervals_sort(&intervals);
    ck_assert_ptr_null(intervals_find(&intervals, 9));
    ck_assert_uint_eq(intervals_find(&intervals, 10)->value, 1);
    ck_assert_uint_eq(intervals_find(&intervals, 19)->value, 1);
    ck_assert_ptr_null(intervals_find(&intervals, 20));
    ck_assert_ptr_null(intervals_find(&intervals, 30));
    ck_assert_ptr_null(intervals_find(&intervals, 45));
    intervals_fini(&intervals);
}
END_TEST

/* Of all intervals with the address: the one that starts last, then the shortest. */
static const struct interval *find_slowly(const struct intervals *intervals, uint64_t address)
{
    const struct interval *items = intervals->items.items;
    const struct interval *best = NULL;

    for (size_t i = 0; i < intervals->items.count; i++) {
        if (items[i].start > address || items[i].end <= address)
            continue;
        if (!best || items[i].start > best->start ||
            (items[i].start == best->start && items[i].end <= best->end))
            best = &items[i];
    }
    return best;
}

static void compare_all(const struct intervals *intervals)
{
    for (uint64_t address = 0; address <= SPACE; address++) {
        const struct interval *found = intervals_find(intervals, address);
        const struct interval *expected = find_slowly(intervals, address);

        ck_assert(!found == !expected);
        if (found) {
            ck_assert_uint_eq(found->start, expected->start);
            ck_assert_uint_eq(found->end, expected->end);
        }
    }
}

START_TEST(intervals_give_the_innermost_however_they_overlap)
{
    srand48(1);
    for (int round = 0; round < ROUNDS; round++) {
        struct intervals intervals;

        intervals_init(&intervals);
        for (uint32_t i = 0; i < (uint32_t)round % MOST; i++) {
            uint64_t start = (uint64_t)(lrand48() % SPACE);

            add(&intervals, start, start + (uint64_t)(lrand48() % (1 + lrand48() % SPACE)), i);
        }
        intervals_sort(&intervals);
        compare_all(&intervals);
        intervals_fini(&intervals);
    }
}
END_TEST

int check_intervals(void)
{
    Suite *suite = suite_create("intervals");
    TCase *all = tcase_create("all");

    tcase_add_test(all, intervals_without_any_hold_nothing);
    tcase_add_test(all, intervals_end_before_their_end_and_may_be_empty);
    tcase_add_test(all, intervals_give_the_innermost_however_they_overlap);
    suite_add_tcase(suite, all);
    return suite_run(suite);
}
