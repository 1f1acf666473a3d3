/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The calls of a thread in their order.
 */
#include "model/course.h"

#include <check.h>

#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_threads.h"
#include "suite.h"

static struct session_course course;

static void setup(void)
{
    course = (struct session_course){.is_whole = false};
    array_init(&course.calls, sizeof(struct course_call));
}

static void teardown(void)
{
    array_fini(&course.calls);
}

static void add(uint32_t slot, uint64_t start_ns, uint64_t end_ns)
{
    const struct course_call call = {start_ns, slot, course_pack_length(end_ns - start_ns)};

    course_add(&course, &call);
}

static const struct course_call *call_at(size_t index)
{
    return array_at(&course.calls, index);
}

START_TEST(calls_follow_one_another)
{
    add(3, 100, 200);
    add(5, 250, 300);
    ck_assert_uint_eq(course.calls.count, 2);
    ck_assert_uint_eq(call_at(0)->slot, 3);
    ck_assert_uint_eq(call_at(1)->start_ns, 250);
    ck_assert_uint_eq(course_end_ns(call_at(1)), 300);
}
END_TEST

START_TEST(calls_inside_a_call_give_way_to_it)
{
    add(1, 100, 200);
    add(2, 310, 320);
    add(3, 330, 390);
    add(4, 300, 400);
    ck_assert_uint_eq(course.calls.count, 2);
    ck_assert_uint_eq(call_at(0)->slot, 1);
    ck_assert_uint_eq(call_at(1)->slot, 4);
}
END_TEST

START_TEST(lengths_are_exact_to_two_seconds_and_near_beyond)
{
    static const uint64_t lengths[] = {0, 1, 2147483647, 2147483648, 60000000000, 2000000000000};

    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const struct course_call call = {0, 0, course_pack_length(lengths[i])};
        uint64_t told = course_length_ns(&call);

        ck_assert_uint_le(told, lengths[i]);
        ck_assert_uint_le(lengths[i] - told, lengths[i] >> 31 ? 1023 : 0);
    }
}
END_TEST

/* Of 1000, the first 10 do not count; of only two calls, the last always does. */
START_TEST(a_course_computes_from_its_first_call_that_counts)
{
    uint64_t from_ns, to_ns;

    ck_assert(!course_find_span(&course, &from_ns, &to_ns));
    add(1, 100, 106);
    add(2, 200, 204);
    ck_assert(course_find_span(&course, &from_ns, &to_ns));
    ck_assert_uint_eq(from_ns, 100);
    add(3, 5000, 5990);
    ck_assert(course_find_span(&course, &from_ns, &to_ns));
    ck_assert_uint_eq(from_ns, 5000);
    ck_assert_uint_eq(to_ns, 5990);
    add(4, 7000, 7000);
    ck_assert(course_find_span(&course, &from_ns, &to_ns));
    ck_assert_uint_eq(from_ns, 5000);
    ck_assert_uint_eq(to_ns, 7000);
}
END_TEST

START_TEST(a_thread_without_calls_has_an_empty_course)
{
    const struct session session = {0};

    ck_assert_uint_eq(course_of(&session, 0)->calls.count, 0);
    ck_assert_uint_eq(course_of(&session, 7)->calls.count, 0);
}
END_TEST

/* ---- whether all calls are there ------------------------------------------------ */

static struct session made;

static void *add_to(struct array *array, size_t size)
{
    void *item;

    array_init(array, size);
    item = array_add(array);
    ck_assert_ptr_nonnull(item);
    return item;
}

/* A thread with a slot of two calls; `recorded` of them have a record. */
static void make_thread(size_t recorded)
{
    struct session_slot *slot;

    made = (struct session){.losses = {0}};
    add_to(&made.threads, sizeof(struct session_thread));
    array_init(&made.courses, sizeof(struct session_course));
    course_make_all(&made);
    slot = add_to(&made.slots, sizeof *slot);
    slot->calls = 2;
    array_init(&slot->durations_ns, sizeof(uint64_t));
    for (size_t i = 0; i < recorded; i++)
        ck_assert_ptr_nonnull(array_add(&slot->durations_ns));
}

static bool is_judged_whole(void)
{
    bool is_whole;

    course_judge_all(&made);
    is_whole = course_of(&made, 0)->is_whole;
    ck_assert_ptr_eq(course_of(&made, 1), course_of(&made, 2));
    course_fini_all(&made);
    array_fini(&((struct session_slot *)array_at(&made.slots, 0))->durations_ns);
    array_fini(&made.slots);
    array_fini(&made.threads);
    return is_whole;
}

START_TEST(a_course_is_whole_where_each_call_has_a_record)
{
    make_thread(2);
    ck_assert(is_judged_whole());
    make_thread(1);
    ck_assert(!is_judged_whole());
    make_thread(2);
    ((struct session_thread *)array_at(&made.threads, 0))->lost_records = 1;
    ck_assert(!is_judged_whole());
    make_thread(2);
    made.losses.overwritten_records = 1;
    ck_assert(!is_judged_whole());
    make_thread(2);
    made.losses.torn_chunks = 1;
    ck_assert(!is_judged_whole());
}
END_TEST

static Suite *course_suite(void)
{
    Suite *suite = suite_create("course");
    TCase *tests = tcase_create("course");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, calls_follow_one_another);
    tcase_add_test(tests, calls_inside_a_call_give_way_to_it);
    tcase_add_test(tests, lengths_are_exact_to_two_seconds_and_near_beyond);
    tcase_add_test(tests, a_course_computes_from_its_first_call_that_counts);
    tcase_add_test(tests, a_thread_without_calls_has_an_empty_course);
    tcase_add_test(tests, a_course_is_whole_where_each_call_has_a_record);
    suite_add_tcase(suite, tests);
    return suite;
}

int check_course(void)
{
    return suite_run(course_suite());
}
