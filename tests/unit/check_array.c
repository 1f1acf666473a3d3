/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of what else base holds: statuses, arrays, texts, lists
 * of texts, UTF-8, and the rule of hash.h for running out of memory.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The number of allocations that uthash may still make. */
static int hash_allocations_left;

static void *hash_allocate(size_t size)
{
    return hash_allocations_left-- > 0 ? malloc(size) : NULL;
}

#define uthash_malloc(size) hash_allocate(size)
#include "base/hash.h"

#include "base/array.h"
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
    {STATUS_OK, 0},
    {STATUS_POLICY_FAILED, 1},
    {STATUS_USAGE, 2},
    {STATUS_NOT_FOUND, 2},
    {STATUS_IO, 3},
    {STATUS_CORRUPT, 3},
    {STATUS_UNSUPPORTED, 3},
    {STATUS_OUT_OF_MEMORY, 3},
    {STATUS_NOT_ENOUGH_DATA, 4},
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

START_TEST(array_refuses_a_size_that_overflows)
{
    struct array array;

    array_init(&array, 16);
    ck_assert_int_eq(array_reserve(&array, SIZE_MAX / 16 + 1), STATUS_OUT_OF_MEMORY);
    ck_assert_int_eq(array_reserve(&array, SIZE_MAX), STATUS_OUT_OF_MEMORY);
    ck_assert_uint_eq(array.capacity, 0);
    ck_assert_int_eq(array_reserve(&array, 100), STATUS_OK);
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
    ck_assert_int_eq(text_status(&text), STATUS_OK);
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

START_TEST(text_remembers_a_failure)
{
    struct text text;

    text_init(&text);
    text_append(&text, "kept");
    /* No bytes are read: the size already cannot be had. */
    text_append_bytes(&text, "", SIZE_MAX - 1);
    text_append(&text, "lost");
    ck_assert_str_eq(text.bytes, "kept");
    ck_assert_int_eq(text_status(&text), STATUS_OUT_OF_MEMORY);
    text_fini(&text);
}
END_TEST

START_TEST(text_list_owns_its_strings)
{
    struct text_list list;
    char changing[] = "one";

    text_list_init(&list);
    ck_assert_int_eq(text_list_add(&list, changing), STATUS_OK);
    changing[0] = 'X';
    ck_assert_int_eq(text_list_addf(&list, "%s %d", "two", 2), STATUS_OK);
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

struct item {
    int id;
    UT_hash_handle hh;
};

/* Adds items until memory runs out after `_i` allocations; those that were
 * added, and no others, must then be found. */
START_TEST(hash_leaves_out_what_has_no_memory)
{
    enum { COUNT = 2000 };
    struct item *items = calloc(COUNT, sizeof *items);
    struct item *table = NULL;
    int added = 0;

    ck_assert_ptr_nonnull(items);
    hash_allocations_left = _i;
    for (; added < COUNT; added++) {
        items[added].id = added;
        HASH_ADD_INT(table, id, &items[added]);
        if (!hash_was_added(&items[added].hh))
            break;
    }
    ck_assert_int_lt(added, COUNT);
    ck_assert_uint_eq(HASH_COUNT(table), (unsigned int)added);
    for (int id = 0; id <= added; id++) {
        struct item *found;
        HASH_FIND_INT(table, &id, found);
        ck_assert_ptr_eq(found, id < added ? &items[id] : NULL);
    }
    HASH_CLEAR(hh, table);
    free(items);
}
END_TEST

/* Neither the bytes of a part nor one that is missing make two lists of parts one. */
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

START_TEST(a_text_without_memory_has_no_number)
{
    struct text_index index = {NULL};
    struct text text = {.bytes = "", .failed = true};

    ck_assert_int_eq(text_index_add(&index, &text), -1);
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
    tcase_add_test(tests, array_refuses_a_size_that_overflows);
    tcase_add_test(tests, array_of_zero_bytes_can_be_finished);
    tcase_add_test(tests, text_is_a_string_at_any_moment);
    tcase_add_loop_test(tests, text_grows_by_any_length, 60, 70);
    tcase_add_loop_test(tests, text_grows_by_any_length, 124, 132);
    tcase_add_test(tests, text_remembers_a_failure);
    tcase_add_test(tests, text_list_owns_its_strings);
    tcase_add_test(tests, texts_of_other_parts_have_other_numbers);
    tcase_add_test(tests, a_text_without_memory_has_no_number);
    tcase_add_loop_test(tests, utf8_takes_what_rfc_3629_allows_and_no_more, 0,
                        sizeof utf8_cases / sizeof *utf8_cases);
    tcase_add_test(tests, utf8_is_cut_between_code_points);
    tcase_add_loop_test(tests, hash_leaves_out_what_has_no_memory, 0, 5);
}

int check_array(void)
{
    Suite *suite = suite_create("array");
    TCase *tests = tcase_create("array");

    add_tests(tests);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
