/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of Python's tables of lines and code objects, against CPython itself, and of chains with
 * its frames.
 */
#include <stdlib.h>
#include <string.h>

#include "model/python.h"
#include "model/python_join.h"
#include "model/python_lines.h"
#include "spec/python_layout.h"
#include "spec/python_loop.h"
#include "suite.h"

/* From CPython 3.12, by co_linetable and co_lines() of this function, whose first line is 1:
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

    python_codes_find(codes, PYTHON_CALL | id << TRACE_CODE_SHIFT | offset, &frame);
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

/* ---- joining ------------------------------------------------------------------- */

/* A letter for each frame, innermost first: l for the loop, i for the interpreter, others for other
 * files; p for Python, and P for a frame that the loop was called for. */
struct letters {
    const char *native;
    const char *python;
};

static enum python_join_kind kind_of(const void *of, uint32_t native)
{
    switch (((const struct letters *)of)->native[native]) {
    case 'l': return PYTHON_JOIN_LOOP;
    case 'i': return PYTHON_JOIN_INTERPRETER;
    default: return PYTHON_JOIN_OTHER;
    }
}

static bool is_entry(const void *of, uint32_t python)
{
    return ((const struct letters *)of)->python[python] == 'P';
}

static const char *join(const char *native, const char *python, bool is_whole)
{
    static char text[32];
    const struct letters letters = {native, python};
    struct python_joined joined[sizeof text - 1];
    struct python_join join = {
        .kind_of = kind_of,
        .is_entry = is_entry,
        .of = &letters,
        .native_count = (uint32_t)strlen(native),
        .python_count = (uint32_t)strlen(python),
        .is_native_whole = is_whole,
        .is_python_whole = true,
        .joined = joined,
        .room = sizeof text - 1,
    };

    python_join(&join);
    for (uint32_t i = 0; i < join.count; i++)
        text[i] = (joined[i].is_python ? python : native)[joined[i].index];
    text[join.count] = '\0';
    return text;
}

START_TEST(each_call_of_the_loop_runs_the_frames_up_to_its_entry)
{
    ck_assert_str_eq(join("dilsili_", "ppPP", true), "dppPsP_");
    ck_assert_str_eq(join("dils", "pPP", false), "dpPsP");
}
END_TEST

START_TEST(where_loops_are_not_as_many_as_entries_the_order_alone_holds)
{
    ck_assert_str_eq(join("dilsili_", "pP", true), "dpPs_");
    ck_assert_str_eq(join("diisi_", "pPP", true), "dpPPs_");
    ck_assert_str_eq(join("d_", "pP", true), "d_pP");
}
END_TEST

/* ---- the loop's other part --------------------------------------------------------- */

#if defined(__x86_64__)

enum { LOOP = 0x10000, FUNCTION = 0x1000 };

/* Functions of equal size; none is as low as the first. */
static bool find_function(void *of, uint64_t address, struct python_range *range)
{
    (void)of;
    range->start = address - address % FUNCTION;
    range->end = range->start + FUNCTION;
    return address >= FUNCTION;
}

static size_t put_jump(unsigned char *code, size_t at, uint64_t target)
{
    int32_t distance = (int32_t)(target - (LOOP + at + 6));

    code[at] = 0x0f;
    code[at + 1] = 0x84;
    memcpy(code + at + 2, &distance, sizeof distance);
    return at + 6;
}

static struct python_range find_rest(uint64_t one, uint64_t other)
{
    unsigned char code[64];
    size_t at = 0;

    memset(code, 0x90, sizeof code);
    at = put_jump(code, at, LOOP + 32);
    at = put_jump(code, at + 3, one);
    at = put_jump(code, at + 1, other);
    return python_loop_find_rest(code, (struct python_range){LOOP, LOOP + sizeof code},
                                 find_function, NULL);
}

START_TEST(the_rest_of_the_loop_is_where_it_jumps_to_twice)
{
    ck_assert_uint_eq(find_rest(0x8000, 0x8123).start, 0x8000);
    ck_assert_uint_eq(find_rest(0x8000, 0x8123).end, 0x9000);
    ck_assert_uint_eq(find_rest(0x8000, 0x8000).end, 0);
    ck_assert_uint_eq(find_rest(0x8000, 0x9000).end, 0);
    ck_assert_uint_eq(find_rest(0x8000, 0x7fffffff).end, 0);
    ck_assert_uint_eq(find_rest(0x10, 0x20).end, 0);
}
END_TEST

#endif

/* ---- layouts ------------------------------------------------------------------------ */

START_TEST(a_layout_that_the_runtime_does_not_tell_is_none)
{
    enum { V3_11 = 0x030b02f0, V3_13 = 0x030d00f0, V3_15 = 0x030f00f0, V4 = 0x040000f0 };
    uint64_t words[PYTHON_OFFSETS_WORDS] = {0};
    struct python_layout layout;

    memcpy(words, "xdebugpy", sizeof *words);
    words[1] = V3_13;
    ck_assert_int_eq(python_layout_find(&layout, V3_11, NULL), TRACE_PYTHON_OFF_NONE);
    ck_assert_int_eq(python_layout_find(&layout, V3_13, NULL), TRACE_PYTHON_OFF_OFFSETS);
    ck_assert_int_eq(python_layout_find(&layout, V3_13, words), TRACE_PYTHON_OFF_OFFSETS);
    ck_assert_int_eq(python_layout_find(&layout, V3_13 + 1, words), TRACE_PYTHON_OFF_OFFSETS);
    words[2] = 1;
    ck_assert_int_eq(python_layout_find(&layout, V3_13, words), TRACE_PYTHON_OFF_FREE_THREADED);
    ck_assert_int_eq(python_layout_find(&layout, V3_15, words), TRACE_PYTHON_OFF_VERSION);
    ck_assert_int_eq(python_layout_find(&layout, V4, words), TRACE_PYTHON_OFF_VERSION);
}
END_TEST

int check_python(void)
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
    tcase_add_test(all, each_call_of_the_loop_runs_the_frames_up_to_its_entry);
    tcase_add_test(all, where_loops_are_not_as_many_as_entries_the_order_alone_holds);
#if defined(__x86_64__)
    tcase_add_test(all, the_rest_of_the_loop_is_where_it_jumps_to_twice);
#endif
    tcase_add_test(all, a_layout_that_the_runtime_does_not_tell_is_none);
    suite_add_tcase(suite, all);
    return suite_run(suite);
}
