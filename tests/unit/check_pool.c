/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of pools.  A sanitizer proves that what a pool leaves is free, and nothing else.
 */
#include <stdint.h>
#include <string.h>

#include "base/array.h"
#include "base/pool.h"
#include "base/text.h"
#include "base/text_list.h"
#include "suite.h"

enum { COUNT = 1000 };

START_TEST(pool_frees_its_blocks_together)
{
    struct pool pool;

    pool_enter(&pool);
    for (size_t i = 0; i < COUNT; i++)
        memset(pool_get(i), 0xff, i);
    ck_assert_ptr_nonnull(pool.blocks);
    pool_leave(&pool);
    ck_assert_ptr_null(pool.blocks);
}
END_TEST

START_TEST(blocks_are_aligned_and_those_of_zeros_are_zero)
{
    static const char zeros[COUNT];
    struct pool pool;

    pool_enter(&pool);
    for (size_t i = 0; i < COUNT; i++) {
        const char *block = pool_get_zeros(i, 1);

        ck_assert_uint_eq((uintptr_t)block % _Alignof(max_align_t), 0);
        ck_assert_mem_eq(block, zeros, i);
    }
    ck_assert_str_eq(pool_copy("copied"), "copied");
    pool_leave(&pool);
}
END_TEST

/* Whichever neighbours a block has when it moves or goes. */
START_TEST(block_that_grows_leaves_nothing_behind)
{
    char *block[3] = {NULL};
    struct pool pool;

    pool_enter(&pool);
    for (size_t size = 1; size <= 1 << 16; size *= 2)
        for (size_t i = 0; i < 3; i++) {
            block[i] = pool_resize(&pool, block[i], size);
            if (size == 1)
                block[i][0] = (char)('a' + (int)i);
            ck_assert_int_eq(block[i][0], 'a' + (int)i);
        }
    for (int i = 0; i < 3; i++)
        pool_free(&pool, block[(_i + i) % 3]);
    ck_assert_ptr_null(pool.blocks);
    pool_leave(&pool);
}
END_TEST

START_TEST(array_and_texts_of_a_pool_go_with_it)
{
    struct text_list list;
    struct array array;
    struct text text;
    struct pool pool;

    pool_enter(&pool);
    array_init(&array, sizeof(int));
    text_init(&text);
    text_list_init(&list);
    for (int i = 0; i < COUNT; i++) {
        *(int *)array_add(&array) = i;
        text_appendf(&text, "%d", i);
        text_list_addf(&list, "%d", i);
    }
    ck_assert_int_eq(*(int *)array_at(&array, COUNT - 1), COUNT - 1);
    ck_assert_str_eq(text_list_at(&list, COUNT - 1), "999");
    ck_assert(text_ends_with(text.bytes, text.size, "998999"));
    pool_leave(&pool);
}
END_TEST

START_TEST(array_that_is_finished_gives_its_block_back)
{
    struct array array;
    struct pool pool;

    pool_enter(&pool);
    array_init(&array, 1);
    array_add(&array);
    array_fini(&array);
    ck_assert_ptr_null(pool.blocks);
    array_add(&array); /* it is of the pool as before */
    ck_assert_ptr_nonnull(pool.blocks);
    pool_leave(&pool);
}
END_TEST

/* It was started outside, so it grows outside. */
START_TEST(what_was_started_before_outlives_the_pool)
{
    struct array array;
    struct text text;
    struct pool outer, inner;

    array_init(&array, sizeof(int));
    pool_enter(&outer);
    text_init(&text);
    pool_enter(&inner);
    *(int *)array_add(&array) = 7;
    text_append(&text, "outer");
    pool_leave(&inner);
    ck_assert_str_eq(text.bytes, "outer");
    pool_leave(&outer);
    ck_assert_int_eq(*(int *)array_at(&array, 0), 7);
    array_fini(&array);
}
END_TEST

START_TEST(what_is_made_in_a_pause_belongs_to_its_owner)
{
    struct array paused, owned;
    struct pool pool;

    pool_enter(&pool);
    struct pool *again = pool_use(NULL);
    array_init(&paused, 1);
    pool_use(again);
    array_init_owned(&owned, 1);
    ck_assert_ptr_eq(pool_in_use(), &pool);
    array_add(&paused);
    array_add(&owned);
    ck_assert_ptr_null(pool.blocks);
    pool_leave(&pool);
    array_fini(&paused);
    array_fini(&owned);
}
END_TEST

/* ---- memory that is not there ends the program, with the status of the manual ---- */

enum { NO_MEMORY = 3 };

START_TEST(zeros_of_a_size_that_overflows_end_it)
{
    struct pool pool;

    pool_enter(&pool);
    *(char *)pool_get_zeros(SIZE_MAX / 2, 3) = 1;
}
END_TEST

START_TEST(block_whose_head_overflows_ends_it)
{
    struct pool pool;

    pool_enter(&pool);
    *(char *)pool_get(SIZE_MAX) = 1;
}
END_TEST

int check_pool(void)
{
    Suite *suite = suite_create("pool");
    TCase *tests = tcase_create("pool");

    tcase_add_test(tests, pool_frees_its_blocks_together);
    tcase_add_test(tests, blocks_are_aligned_and_those_of_zeros_are_zero);
    tcase_add_loop_test(tests, block_that_grows_leaves_nothing_behind, 0, 3);
    tcase_add_test(tests, array_and_texts_of_a_pool_go_with_it);
    tcase_add_test(tests, array_that_is_finished_gives_its_block_back);
    tcase_add_test(tests, what_was_started_before_outlives_the_pool);
    tcase_add_test(tests, what_is_made_in_a_pause_belongs_to_its_owner);
    tcase_add_exit_test(tests, zeros_of_a_size_that_overflows_end_it, NO_MEMORY);
    tcase_add_exit_test(tests, block_whose_head_overflows_ends_it, NO_MEMORY);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
