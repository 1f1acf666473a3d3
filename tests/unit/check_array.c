/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of the rest of base: statuses, missing memory, arrays, texts, lists of texts and UTF-8.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The number of allocations that uthash may still make. */
static int hash_allocations_left;

static void *hash_allocate(size_t size)
{
    return hash_allocations_left-- > 0 ? malloc(size) : NULL;
}

#define uthash_malloc(size) hash_allocate(size)
#include "base/hash.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "base/text_index.h"
#include "base/text_list.h"
#include "base/utf8.h"
#include "suite.h"

static const struct {
    enum status status;
    int exit_code;
} exit_cases[] = {
    {STATUS_OK, 0}, {STATUS_POLICY_FAILED, 1}, {STATUS_USAGE, 2},       {STATUS_NOT_FOUND, 2},
    {STATUS_IO, 3}, {STATUS_CORRUPT, 3},       {STATUS_UNSUPPORTED, 3}, {STATUS_NOT_ENOUGH_DATA, 4},
};

START_TEST(status_maps_to_the_exit_code_of_the_manual)
{
    ck_assert_int_eq(status_exit_code(exit_cases[_i].status), exit_cases[_i].exit_code);
    ck_assert_str_ne(status_name(exit_cases[_i].status), "");
}
END_TEST

START_TEST(diagnostic_returns_its_status_and_keeps_errno)
{
    struct diagnostic diagnostic;

    errno = ENOENT;
    ck_assert_int_eq(diagnostic_set(&diagnostic, STATUS_CORRUPT, "byte %d", 7), STATUS_CORRUPT);
    ck_assert_int_eq(errno, ENOENT);
    ck_assert_int_eq(diagnostic.status, STATUS_CORRUPT);
    ck_assert_str_eq(diagnostic.text, "byte 7");
}
END_TEST

START_TEST(diagnostic_cuts_what_does_not_fit)
{
    struct diagnostic diagnostic;

    diagnostic_set(&diagnostic, STATUS_IO, "%2000d", 1);
    ck_assert_uint_eq(strlen(diagnostic.text), sizeof diagnostic.text - 1);
}
END_TEST

START_TEST(array_keeps_items_while_it_grows)
{
    struct array array;
    enum { COUNT = 1000 };

    array_init(&array, sizeof(int));
    for (int i = 0; i < COUNT; i++) {
        int *item = array_add(&array);
        ck_assert_ptr_nonnull(item);
        ck_assert_int_eq(*item, 0);
        *item = i;
    }
    const int *items = array.items;
    ck_assert_uint_eq(array.count, COUNT);
    for (int i = 0; i < COUNT; i++)
        ck_assert_int_eq(items[i], i);
    array_fini(&array);
}
END_TEST

START_TEST(array_zeroes_the_place_of_a_dropped_item)
{
    struct array array;

    array_init(&array, sizeof(int));
    int *first = array_add(&array);
    ck_assert_ptr_nonnull(first);
    *first = 7;
    array_truncate(&array, 0);
    int *again = array_add(&array);
    ck_assert_ptr_nonnull(again);
    ck_assert_int_eq(*again, 0);
    array_truncate(&array, 5);
    ck_assert_uint_eq(array.count, 1);
    array_fit(&array);
    ck_assert_uint_eq(array.capacity, 1);
    ck_assert_int_eq(*(int *)array_at(&array, 0), 0);
    array_fini(&array);
}
END_TEST

START_TEST(array_has_the_room_that_was_asked_for)
{
    struct array array;

    array_init(&array, 16);
    array_reserve(&array, 100);
    ck_assert_uint_ge(array.capacity, 100);
    array_fini(&array);
}
END_TEST

START_TEST(array_of_zero_bytes_can_be_finished)
{
    struct array array = {0};

    ck_assert_uint_eq(array.count, 0);
    array_fini(&array);
}
END_TEST

START_TEST(text_is_a_string_at_any_moment)
{
    struct text text;

    text_init(&text);
    ck_assert_str_eq(text.bytes, "");
    text_append(&text, "a");
    text_append_bytes(&text, "bcd", 2);
    text_appendf(&text, "%d%s", 12, "!");
    ck_assert_str_eq(text.bytes, "abc12!");
    ck_assert_uint_eq(text.size, 6);
    text_clear(&text);
    ck_assert_str_eq(text.bytes, "");
    text_fini(&text);
}
END_TEST

/* Each length around the doublings, appended in one piece and byte by byte. */
START_TEST(text_grows_by_any_length)
{
    struct text text;
    struct text pieces;

    text_init(&text);
    text_init(&pieces);
    text_appendf(&text, "%*s", _i, "");
    for (int i = 0; i < _i; i++)
        text_append(&pieces, " ");
    ck_assert_uint_eq(text.size, (size_t)_i);
    ck_assert_str_eq(text.bytes, pieces.bytes);
    text_fini(&text);
    text_fini(&pieces);
}
END_TEST

START_TEST(text_list_owns_its_strings)
{
    struct text_list list;
    char changing[] = "one";

    text_list_init(&list);
    text_list_add(&list, changing);
    changing[0] = 'X';
    text_list_addf(&list, "%s %d", "two", 2);
    ck_assert_uint_eq(text_list_count(&list), 2);
    ck_assert_str_eq(text_list_at(&list, 0), "one");
    ck_assert_str_eq(text_list_at(&list, 1), "two 2");
    text_list_fini(&list);
}
END_TEST

static const struct {
    const char *string;
    size_t size;
    uint32_t code_point;
} utf8_cases[] = {
    {"a", 1, 'a'},
    {"\x7f", 1, 0x7f},
    {"\xc2\x80", 2, 0x80},
    {"\xc3\xa9!", 2, 0xe9},
    {"\xe2\x82\xac", 3, 0x20ac},
    {"\xef\xbf\xbf", 3, 0xffff},
    {"\xf0\x9f\x98\x80", 4, 0x1f600},
    {"\xf4\x8f\xbf\xbf", 4, 0x10ffff},
    {"\x80", 0, 0}, /* no lead byte */
    {"\xc3", 0, 0}, /* cut */
    {"\xe2\x82", 0, 0},
    {"\xc3(", 0, 0},
    {"\xc0\xaf", 0, 0}, /* overlong */
    {"\xe0\x80\xaf", 0, 0},
    {"\xf0\x80\x80\xaf", 0, 0},
    {"\xed\xa0\x80", 0, 0},     /* surrogate */
    {"\xf4\x90\x80\x80", 0, 0}, /* past U+10FFFF */
    {"\xff", 0, 0},
};

START_TEST(utf8_takes_what_rfc_3629_allows_and_no_more)
{
    uint32_t code_point = 0;

    ck_assert_uint_eq(utf8_decode(utf8_cases[_i].string, &code_point), utf8_cases[_i].size);
    ck_assert_uint_eq(code_point, utf8_cases[_i].code_point);
}
END_TEST

START_TEST(utf8_is_cut_between_code_points)
{
    ck_assert_uint_eq(utf8_cut("abc", 2), 2);
    ck_assert_uint_eq(utf8_cut("abc", 3), 3);
    ck_assert_uint_eq(utf8_cut("abc", 9), 3);
    ck_assert_uint_eq(utf8_cut("a\xe2\x82\xac", 3), 1);
    ck_assert_uint_eq(utf8_cut("a\xe2\x82\xac", 4), 4);
    ck_assert_uint_eq(utf8_cut("\xff\xff\xff", 2), 2);
    ck_assert_uint_eq(utf8_cut("\xf0\x9f\x98\x80", 0), 0);
}
END_TEST

/* ---- memory that is not there ends the program, with the status of the manual ---- */

enum { NO_MEMORY = 3, LAST_WORK = 7 };

START_TEST(array_of_a_size_that_overflows_ends_it)
{
    struct array array;

    array_init(&array, 16);
    array_reserve(&array, SIZE_MAX / 16 + 1);
}
END_TEST

START_TEST(text_of_all_memory_ends_it)
{
    struct text text;

    text_init(&text);
    text_append(&text, "kept");
    /* No bytes are read: the size is already impossible. */
    text_append_bytes(&text, "", SIZE_MAX - 5);
}
END_TEST

START_TEST(block_of_all_memory_ends_it)
{
    free(memory_get(SIZE_MAX / 2));
}
END_TEST

struct item {
    int id;
    UT_hash_handle hh;
};

/* Memory runs out after `_i` allocations of the table. */
START_TEST(hash_without_memory_ends_it)
{
    enum { COUNT = 2000 };
    struct item *items = memory_get_zeros(COUNT, sizeof *items);
    struct item *table = NULL;

    hash_allocations_left = _i;
    for (int i = 0; i < COUNT; i++) {
        items[i].id = i;
        HASH_ADD_INT(table, id, &items[i]);
    }
}
END_TEST

static void end_by_work(void *of)
{
    _exit(*(const int *)of);
}

START_TEST(last_work_is_done_before)
{
    static int status = LAST_WORK, later = LAST_WORK + 1;
    struct memory_last_work work = {end_by_work, &status, NULL};
    struct memory_last_work dropped = {end_by_work, &later, NULL};

    memory_note_last_work(&work);
    memory_note_last_work(&dropped);
    memory_drop_last_work(&dropped);
    memory_ran_out();
}
END_TEST

START_TEST(no_bytes_are_a_block)
{
    char *none = memory_get(0), *copy = memory_copy_part("copied", 4);

    free(none);
    ck_assert_str_eq(copy, "copi");
    free(copy);
}
END_TEST

/* Neither bytes nor missing parts make two lists of parts equal. */
START_TEST(texts_of_other_parts_have_other_numbers)
{
    static const char *const parts[][2] = {{"a", "b"},  {"ab", ""},   {"", "ab"}, {"a", NULL},
                                           {NULL, "a"}, {"a1:b", ""}, {"-", "a"}};
    struct text_index index = {NULL};
    struct text text;

    text_init(&text);
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            text_clear(&text);
            text_index_append_part(&text, parts[i][0]);
            text_index_append_part(&text, parts[i][1]);
            ck_assert_int_eq(text_index_add(&index, &text), (long)i);
        }
    text_fini(&text);
    text_index_fini(&index);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_loop_test(tests, status_maps_to_the_exit_code_of_the_manual, 0,
                        sizeof exit_cases / sizeof *exit_cases);
    tcase_add_test(tests, diagnostic_returns_its_status_and_keeps_errno);
    tcase_add_test(tests, diagnostic_cuts_what_does_not_fit);
    tcase_add_test(tests, array_keeps_items_while_it_grows);
    tcase_add_test(tests, array_zeroes_the_place_of_a_dropped_item);
    tcase_add_test(tests, array_has_the_room_that_was_asked_for);
    tcase_add_test(tests, array_of_zero_bytes_can_be_finished);
    tcase_add_test(tests, text_is_a_string_at_any_moment);
    tcase_add_loop_test(tests, text_grows_by_any_length, 60, 70);
    tcase_add_loop_test(tests, text_grows_by_any_length, 124, 132);
    tcase_add_test(tests, text_list_owns_its_strings);
    tcase_add_test(tests, texts_of_other_parts_have_other_numbers);
    tcase_add_loop_test(tests, utf8_takes_what_rfc_3629_allows_and_no_more, 0,
                        sizeof utf8_cases / sizeof *utf8_cases);
    tcase_add_test(tests, utf8_is_cut_between_code_points);
}

/* A sanitizer itself ends a program that requests all memory. */
static void add_endings(TCase *tests)
{
    tcase_add_test(tests, no_bytes_are_a_block);
    tcase_add_exit_test(tests, array_of_a_size_that_overflows_ends_it, NO_MEMORY);
    tcase_add_exit_test(tests, text_of_all_memory_ends_it, NO_MEMORY);
    tcase_add_loop_exit_test(tests, hash_without_memory_ends_it, NO_MEMORY, 0, 5);
    tcase_add_exit_test(tests, last_work_is_done_before, LAST_WORK);
#ifndef __SANITIZE_ADDRESS__
    tcase_add_exit_test(tests, block_of_all_memory_ends_it, NO_MEMORY);
#endif
}

int check_array(void)
{
    Suite *suite = suite_create("array");
    TCase *tests = tcase_create("array");

    add_tests(tests);
    add_endings(tests);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
