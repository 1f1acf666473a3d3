/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of Python's tables of lines and code objects, against what CPython itself tells.
 */
#include <stdlib.h>
#include <string.h>

#include "model/python.h"
#include "model/python_lines.h"
#include "suite.h"

/* Of CPython 3.12, by co_linetable and co_lines() of this function, whose first line is 1:
 *
 *     def f(a):
 *         x = [
 *             a,
 *             a + 1,
 *         ]
 *
 *         for i in x:
 *             a += (i *
 *                   2)
 *         return a
 */
static const unsigned char table[] = {
    0x80, 0x00, 0xe0, 0x08, 0x09, 0xd8, 0x08, 0x09, 0x88, 0x41, 0x89, 0x05, 0xf0,
    0x05, 0x03, 0x09, 0x06, 0x80, 0x41, 0xf0, 0x0a, 0x00, 0x0e, 0x0f, 0xf2, 0x00,
    0x02, 0x05, 0x11, 0x88, 0x01, 0xd8, 0x08, 0x09, 0x88, 0x61, 0xd8, 0x0e, 0x0f,
    0xf1, 0x03, 0x01, 0x0f, 0x10, 0xf1, 0x00, 0x01, 0x09, 0x11, 0x89, 0x01, 0xf0,
    0x03, 0x02, 0x05, 0x11, 0xf0, 0x06, 0x00, 0x0c, 0x0d, 0x80, 0x48};

static const struct {
    uint32_t end; /* bytes of instructions */
    uint32_t line;
} truth[] = {{2, 1},  {4, 3},  {12, 4}, {16, 2}, {26, 7},
             {30, 8}, {32, 9}, {44, 8}, {46, 7}, {50, 10}};

static uint32_t find_truth(uint32_t offset)
{
    for (size_t i = 0; i < sizeof truth / sizeof *truth; i++)
        if (offset < truth[i].end)
            return truth[i].line;
    return 0;
}

START_TEST(each_instruction_has_the_line_that_cpython_tells)
{
    for (uint32_t offset = 0; offset < 60; offset++)
        ck_assert_uint_eq(python_lines_find(table, sizeof table, 1, offset), find_truth(offset));
}
END_TEST

START_TEST(lines_count_from_the_first_of_the_code)
{
    ck_assert_uint_eq(python_lines_find(table, sizeof table, 1001, 48), 1010);
    ck_assert_uint_eq(python_lines_find(table, sizeof table, -20, 0), 0);
}
END_TEST

START_TEST(a_cut_table_tells_no_wrong_line)
{
    for (size_t size = 0; size < sizeof table; size++)
        for (uint32_t offset = 0; offset < 60; offset++) {
            uint32_t line = python_lines_find(table, size, 1, offset);

            ck_assert(line == 0 || line == find_truth(offset));
        }
    ck_assert_uint_eq(python_lines_find(table, 0, 1, 0), 0);
}
END_TEST

START_TEST(any_bytes_are_read_without_harm)
{
    unsigned char bytes[40];

    srand48(1);
    for (int i = 0; i < 20000; i++) {
        for (size_t j = 0; j < sizeof bytes; j++)
            bytes[j] = (unsigned char)lrand48();
        python_lines_find(bytes, (size_t)lrand48() % sizeof bytes, (int32_t)mrand48(),
                          (uint32_t)lrand48() % 200);
    }
}
END_TEST

START_TEST(instructions_without_a_line_have_none)
{
    const unsigned char none[] = {0xf8, 0x80, 0x00};

    ck_assert_uint_eq(python_lines_find(none, sizeof none, 7, 0), 0);
    ck_assert_uint_eq(python_lines_find(none, sizeof none, 7, 2), 7);
}
END_TEST

static enum status add(struct python_codes *codes, struct trace_code head, size_t cut)
{
    char bytes[256];

    memcpy(bytes, &head, sizeof head);
    memcpy(bytes + sizeof head, "A.f/src/t.py", 12);
    memcpy(bytes + sizeof head + 12, table, sizeof table);
    return python_codes_add(codes, bytes, sizeof head + 12 + sizeof table - cut);
}

static const struct symbols_frame *find(struct python_codes *codes, uint64_t id, uint32_t offset)
{
    const struct symbols_frame *frame;

    ck_assert_int_eq(
        python_codes_find(codes, PYTHON_CALL | id << TRACE_CODE_SHIFT | offset, &frame), STATUS_OK);
    return frame;
}

START_TEST(a_call_has_the_name_the_file_and_the_line_of_its_code)
{
    struct python_codes *codes = python_codes_new();
    const struct trace_code head = {
        .id = 5, .first_line = 11, .name_size = 3, .file_size = 9, .lines_size = sizeof table};

    ck_assert_int_eq(add(codes, head, 0), STATUS_OK);
    ck_assert_str_eq(find(codes, 5, 0)->function, "A.f");
    ck_assert_str_eq(find(codes, 5, 0)->file, "/src/t.py");
    ck_assert_uint_eq(find(codes, 5, 16)->line, 17);
    ck_assert_ptr_eq(find(codes, 5, 16), find(codes, 5, 16));
    python_codes_free(codes);
}
END_TEST

START_TEST(an_unknown_or_cut_code_tells_nothing)
{
    struct python_codes *codes = python_codes_new();
    const struct trace_code head = {
        .id = 5, .first_line = 11, .name_size = 3, .file_size = 9, .lines_size = sizeof table};
    const struct trace_code wild = {.id = 6, .name_size = UINT32_MAX, .lines_size = UINT32_MAX};

    ck_assert_int_eq(add(codes, head, 1), STATUS_CORRUPT);
    ck_assert_int_eq(add(codes, wild, 0), STATUS_CORRUPT);
    ck_assert_ptr_null(find(codes, 5, 0)->function);
    ck_assert_uint_eq(find(codes, 0, 0)->line, 0);
    python_codes_free(codes);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("python");
    TCase *all = tcase_create("all");

    tcase_add_test(all, each_instruction_has_the_line_that_cpython_tells);
    tcase_add_test(all, lines_count_from_the_first_of_the_code);
    tcase_add_test(all, a_cut_table_tells_no_wrong_line);
    tcase_add_test(all, any_bytes_are_read_without_harm);
    tcase_add_test(all, instructions_without_a_line_have_none);
    tcase_add_test(all, a_call_has_the_name_the_file_and_the_line_of_its_code);
    tcase_add_test(all, an_unknown_or_cut_code_tells_nothing);
    suite_add_tcase(suite, all);
    return suite_run(suite);
}
