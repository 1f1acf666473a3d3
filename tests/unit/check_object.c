/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The shim's table of objects: found, forgotten, replaced, full, shared by threads; and its stored
 * shapes.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "call/object.h"
#include "record/facts.h"
#include "record/lane.h"
#include "record/process.h"
#include "suite.h"

enum { KERNEL = 7, MANY = 20000, THREADS = 4, ROUNDS = 20000 };

/* ---- what the table needs of the shim ----------------------------------- */

static struct trace_header header;
static struct process own_process = {.file = {.header = &header}};
static _Thread_local struct lane own_lane = {.state = LANE_READY};
static atomic_uint flushes;

struct process *process = &own_process;
_Thread_local struct lane *lane_self INITIAL_EXEC;

struct lane *lane_enter_slowly(void)
{
    return NULL;
}

void facts_flush_now(void)
{
    flushes++;
}

/* ---- the tests ------------------------------------------------------------ */

static struct object_shape make_shape(int64_t first, const char *text)
{
    struct object_shape shape = {.kernel = KERNEL, .count = 3, .owns = true};

    shape.values[0] = first;
    strncpy(shape.text, text, sizeof shape.text - 1);
    return shape;
}

static const void *object_of(uintptr_t number)
{
    return (const void *)(0x10000 + number * 16);
}

static const struct object_shape *remember(uintptr_t number, int64_t first)
{
    struct object_shape shape = make_shape(first, "jit");

    return object_remember(object_of(number), &shape);
}

static void setup(void)
{
    lane_self = &own_lane;
    object_init();
    ck_assert_ptr_null(object_places);
}

START_TEST(an_object_is_found_until_it_is_forgotten)
{
    const struct object_shape *shape = remember(1, 5);

    ck_assert_ptr_nonnull(shape);
    ck_assert_uint_eq(shape->id, 1);
    ck_assert_ptr_eq(object_find(object_of(1)), shape);
    ck_assert_ptr_null(object_find(object_of(2)));
    object_forget(object_of(1));
    ck_assert_ptr_null(object_find(object_of(1)));
    object_forget(object_of(1));
    object_forget(NULL);
}
END_TEST

START_TEST(equal_shapes_are_kept_once)
{
    struct object_shape other = make_shape(5, "ref");
    const struct object_shape *shape = remember(1, 5);

    ck_assert_ptr_eq(remember(2, 5), shape);
    ck_assert_ptr_ne(remember(3, 6), shape);
    ck_assert_ptr_ne(object_remember(object_of(4), &other), shape);
    ck_assert_uint_eq(atomic_load(&object_shape_count), 3);
    ck_assert_uint_eq(flushes, 3);
    ck_assert_int_eq(object_shapes[0].values[0], 5);
    ck_assert_str_eq(object_shapes[2].text, "ref");
}
END_TEST

START_TEST(an_address_that_serves_again_has_its_new_shape)
{
    remember(1, 5);
    remember(1, 6);
    ck_assert_int_eq(object_find(object_of(1))->values[0], 6);
    object_forget(object_of(1));
    ck_assert_ptr_null(object_find(object_of(1)));
}
END_TEST

START_TEST(what_cannot_be_told_is_in_the_table_without_a_fact)
{
    ck_assert_ptr_eq(object_remember(object_of(1), &object_unknown), &object_unknown);
    ck_assert_ptr_eq(object_find(object_of(1)), &object_unknown);
    ck_assert_uint_eq(atomic_load(&object_shape_count), 0);
    ck_assert_uint_eq(header.lost_shapes, 0);
}
END_TEST

START_TEST(a_shape_can_be_kept_without_an_object)
{
    struct object_shape shape = make_shape(5, "jit");

    ck_assert_ptr_eq(object_remember(object_of(1), &object_open), &object_open);
    ck_assert_ptr_eq(object_remember(NULL, &shape), &object_shapes[0]);
    ck_assert_ptr_eq(object_find(object_of(1)), &object_open);
}
END_TEST

START_TEST(all_of_many_objects_are_found)
{
    for (uintptr_t i = 0; i < MANY; i++)
        remember(i, (int64_t)i % 100);
    for (uintptr_t i = 0; i < MANY; i += 2)
        object_forget(object_of(i));
    for (uintptr_t i = 0; i < MANY; i++) {
        const struct object_shape *shape = object_find(object_of(i));

        ck_assert(i % 2 ? shape && shape->values[0] == (int64_t)i % 100 : !shape);
    }
    ck_assert_uint_eq(header.lost_shapes, 0);
}
END_TEST

START_TEST(a_full_table_loses_objects_and_counts_them)
{
    uintptr_t found = 0;

    for (uintptr_t i = 0; i < 2 * OBJECT_PLACES; i++)
        remember(i, 1);
    for (uintptr_t i = 0; i < 2 * OBJECT_PLACES; i++)
        found += object_find(object_of(i)) != NULL;
    ck_assert_uint_eq(found + header.lost_shapes, 2 * OBJECT_PLACES);
    ck_assert_uint_gt(found, OBJECT_PLACES / 2);
}
END_TEST

START_TEST(shapes_without_room_are_unknown_and_counted)
{
    for (int64_t i = 0; i < OBJECT_SHAPES + 10; i++) {
        const struct object_shape *shape = remember(1, i);

        ck_assert(i < OBJECT_SHAPES ? shape->values[0] == i : shape == &object_unknown);
    }
    ck_assert_uint_eq(header.lost_shapes, 10);
    ck_assert_int_eq(remember(1, 3)->values[0], 3);
}
END_TEST

START_TEST(nothing_is_remembered_while_a_record_is_written)
{
    own_lane.state = LANE_BUSY;
    ck_assert_ptr_null(remember(1, 5));
    own_lane.state = LANE_READY;
    ck_assert_ptr_null(object_find(object_of(1)));
}
END_TEST

static const struct object_shape *remember_model(const char *text)
{
    struct object_shape shape = make_shape(9, text);

    shape.is_numbered = true;
    return object_remember(NULL, &shape);
}

START_TEST(numbered_shapes_count_from_1_in_their_kernel)
{
    struct object_shape other = make_shape(7, "encoder");

    other.kernel = KERNEL + 1;
    object_remember(NULL, &other);
    ck_assert_int_eq(remember_model("encoder")->values[0], 1);
    ck_assert_int_eq(remember_model("decoder")->values[0], 2);
    ck_assert_int_eq(remember_model("encoder")->values[0], 1);
    ck_assert_int_eq(remember_model("vocoder")->values[0], 3);
    ck_assert_uint_eq(atomic_load(&object_shape_count), 4);
}
END_TEST

/* Each thread has its own objects, whose windows overlap with the others'. */
static void *work(void *of)
{
    uintptr_t number = (uintptr_t)of;

    lane_self = &own_lane;
    for (unsigned i = 0; i < ROUNDS; i++) {
        uintptr_t object = number + THREADS * (i % 50);
        const struct object_shape *shape = remember(object, (int64_t)object);

        if (!shape || object_find(object_of(object)) != shape ||
            shape->values[0] != (int64_t)object)
            return of;
        object_forget(object_of(object));
        if (object_find(object_of(object)))
            return of;
    }
    return NULL;
}

START_TEST(threads_find_their_own_objects)
{
    pthread_t threads[THREADS];

    for (uintptr_t i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, work, (void *)i), 0);
    for (uintptr_t i = 0; i < THREADS; i++) {
        void *mistaken;

        pthread_join(threads[i], &mistaken);
        ck_assert_ptr_null(mistaken);
    }
}
END_TEST

static Suite *make_suite(void)
{
    Suite *suite = suite_create("object");
    TCase *tests = tcase_create("object");

    tcase_add_checked_fixture(tests, setup, NULL);
    tcase_add_test(tests, an_object_is_found_until_it_is_forgotten);
    tcase_add_test(tests, equal_shapes_are_kept_once);
    tcase_add_test(tests, an_address_that_serves_again_has_its_new_shape);
    tcase_add_test(tests, what_cannot_be_told_is_in_the_table_without_a_fact);
    tcase_add_test(tests, a_shape_can_be_kept_without_an_object);
    tcase_add_test(tests, all_of_many_objects_are_found);
    tcase_add_test(tests, a_full_table_loses_objects_and_counts_them);
    tcase_add_test(tests, shapes_without_room_are_unknown_and_counted);
    tcase_add_test(tests, nothing_is_remembered_while_a_record_is_written);
    tcase_add_test(tests, numbered_shapes_count_from_1_in_their_kernel);
    tcase_add_test(tests, threads_find_their_own_objects);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return suite_run(make_suite());
}
