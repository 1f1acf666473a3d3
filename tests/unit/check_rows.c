/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of facts folded into rows, and of what rows are called.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "made_session.h"
#include "model/session.h"
#include "model/session_layers.h"
#include "model/session_ops.h"
#include "model/session_threads.h"
#include "rows/dimensions.h"
#include "rows/fold.h"
#include "rows/site.h"
#include "suite.h"

/* ---- fold -------------------------------------------------------------------------- */

struct row {
    const char *name;
    uint64_t sum;
};

static struct array rows;
static struct fold fold;

static void start_fold(void)
{
    array_init(&rows, sizeof(struct row));
    fold_init(&fold, &rows);
}

static void end_fold(void)
{
    array_fini(&rows);
}

static struct row *row_at(size_t index)
{
    return array_at(&rows, index);
}

static uint32_t find_pair(const char *one, const char *other)
{
    uint32_t row;

    fold_by_text(&fold, one);
    fold_by_text(&fold, other);
    fold_find(&fold, &row);
    return row;
}

START_TEST(rows_stand_in_the_order_in_which_their_keys_came)
{
    static const char *const keys[] = {"b", "a", "b", "c", "a", "b"};
    static const uint32_t expected[] = {0, 1, 0, 2, 1, 0};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        uint32_t row;

        fold_by_text(&fold, keys[i]);
        bool is_new = fold_find(&fold, &row);
        ck_assert_uint_eq(row, expected[i]);
        ck_assert(is_new == (i == 0 || i == 1 || i == 3));
        row_at(row)->sum++;
    }
    ck_assert_uint_eq(rows.count, 3);
    ck_assert_uint_eq(row_at(0)->sum, 3);
    ck_assert_uint_eq(row_at(1)->sum, 2);
    ck_assert_uint_eq(row_at(2)->sum, 1);
}
END_TEST

START_TEST(a_new_row_is_of_zero_bytes)
{
    find_pair("a", "b");
    row_at(0)->sum = 7;
    array_truncate(&rows, 0); /* the memory stays */
    fold_init(&fold, &rows);
    ck_assert_uint_eq(find_pair("a", "b"), 0);
    ck_assert_uint_eq(row_at(0)->sum, 0);
}
END_TEST

START_TEST(no_two_lists_of_parts_make_one_key)
{
    static const struct {
        const char *one, *other;
    } pairs[] = {{"ab", "c"}, {"a", "bc"}, {"", "abc"}, {"abc", ""}, {NULL, "abc"}, {"abc", NULL},
                 {NULL, ""},  {"", NULL},  {"", ""},    {NULL, NULL}};

    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        ck_assert_uint_eq(find_pair(pairs[i].one, pairs[i].other), i);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        ck_assert_uint_eq(find_pair(pairs[i].one, pairs[i].other), i);
    ck_assert_uint_eq(rows.count, sizeof pairs / sizeof *pairs);
}
END_TEST

START_TEST(numbers_and_addresses_tell_rows_apart)
{
    static const uint64_t numbers[] = {0, 1, 0x100, UINT32_MAX, UINT64_MAX, 0xff00000000000000};
    uint32_t row;

    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
            fold_by_number(&fold, numbers[i]);
            fold_by_address(&fold, &numbers[i]);
            ck_assert(fold_find(&fold, &row) == (round == 0));
            ck_assert_uint_eq(row, i);
        }
}
END_TEST

START_TEST(facts_without_a_key_are_one_row)
{
    uint32_t row;

    ck_assert(fold_find(&fold, &row));
    ck_assert(!fold_find(&fold, &row));
    ck_assert_uint_eq(row, 0);
}
END_TEST

/* Against sums by only the number. */
START_TEST(sums_by_random_keys_are_those_of_the_facts)
{
    enum { KEYS = 500, FACTS = 20000 };
    uint64_t sums[KEYS] = {0};

    srand48(1);
    for (size_t i = 0; i < FACTS; i++) {
        long key = lrand48() % KEYS;
        char words[32];
        uint32_t row;

        snprintf(words, sizeof words, "key %ld", key);
        fold_by_text(&fold, words);
        if (fold_find(&fold, &row))
            row_at(row)->name = fold_keep(&fold, words);
        row_at(row)->sum += i;
        sums[key] += i;
    }
    ck_assert_uint_eq(rows.count, KEYS);
    for (size_t i = 0; i < rows.count; i++)
        ck_assert_uint_eq(row_at(i)->sum, sums[atoi(row_at(i)->name + strlen("key "))]);
}
END_TEST

START_TEST(a_kept_name_is_a_copy)
{
    char words[] = "name";
    const char *kept = fold_keep(&fold, words);

    words[0] = 'f';
    ck_assert_str_eq(kept, "name");
    ck_assert_ptr_null(fold_keep(&fold, NULL));
}
END_TEST

/* ---- sites ------------------------------------------------------------------------- */

static const struct {
    struct site site;
    const char *expected;
} site_cases[] = {
    {{.module = "libm.so", .function = "f", .file = "/src/a.c", .line = 7}, "a.c:7 f"},
    {{.module = "libm.so", .function = "f", .file = "/src/a.c"}, "a.c f"},
    {{.function = "<T as Drop>::drop", .file = "/src/a.rs", .line = 3}, "a.rs:3 <T as Drop>::drop"},
    {{.function = "<lambda>", .file = "/src/a.py", .line = 3}, "a.py:3 <lambda>"},
    {{.function = "<module>", .file = "/src/a.py", .line = 3}, "a.py:3"},
    {{.module = "libm.so", .function = "f", .offset = 0x12}, "f+0x12 libm.so"},
    {{.module = "libm.so", .function = "f"}, "f libm.so"},
    {{.function = "f"}, "f"},
    {{.module = "libm.so", .address = 0x1234}, "libm.so+0x1234"},
    {{.address = 0x1234}, "0x1234"},
};

START_TEST(a_site_is_called_by_the_most_that_is_known_of_it)
{
    struct text text;

    text_init(&text);
    site_append(&text, &site_cases[_i].site);
    ck_assert_str_eq(text.bytes, site_cases[_i].expected);
    text_fini(&text);
}
END_TEST

/* ---- dimensions -------------------------------------------------------------------- */

static struct session session;

static void expect(enum analysis_by by, struct fact fact, const char *expected)
{
    struct text name;

    text_init(&name);
    dimension_find(by)(&name, &session, &fact);
    ck_assert_str_eq(name.bytes, expected);
    text_fini(&name);
}

START_TEST(facts_without_a_region_a_module_or_a_file_say_so)
{
    made_init(&session);
    expect(ANALYSIS_BY_REGION, (struct fact){0}, "(no region)");
    expect(ANALYSIS_BY_MODULE, (struct fact){0}, "(no module)");
    expect(ANALYSIS_BY_FILE, (struct fact){0}, "(code in no file)");
    expect(ANALYSIS_BY_PYTHON, (struct fact){0}, "no Python code around");
    expect(ANALYSIS_BY_LINE, (struct fact){.site = 0x10}, "0x10");
    expect(ANALYSIS_BY_FUNCTION, (struct fact){.site = 0x10}, "0x10");
    made_fini(&session);
}
END_TEST

START_TEST(facts_are_called_by_their_thread_region_and_module)
{
    made_init(&session);
    uint32_t thread = made_add_thread(&session), region = made_add_region(&session, 0, "load");
    uint32_t unnamed = made_add_region(&session, 0, "");
    uint32_t layer = made_add_layer(&session, 0, "Net"), op = made_add_op(&session, 0, "aten::mm");

    ((struct session_thread *)array_at(&session.threads, thread))->id = 42;
    ((struct session_op *)array_at(&session.ops, op))->layer = layer;
    expect(ANALYSIS_BY_THREAD, (struct fact){.thread = thread}, "thread 42");
    expect(ANALYSIS_BY_REGION, (struct fact){.region = region}, "load");
    expect(ANALYSIS_BY_REGION, (struct fact){.region = unnamed}, "(unnamed)");
    expect(ANALYSIS_BY_MODULE, (struct fact){.layer = fact_layer(&session, op)}, "Net");
    ck_assert_uint_eq(fact_layer(&session, 0), 0);
    made_fini(&session);
}
END_TEST

START_TEST(every_dimension_of_facts_has_its_function_and_no_other_has)
{
#define BY(name, word, commands, help)                                                             \
    ck_assert_msg((dimension_find(ANALYSIS_BY_##name) != NULL) ==                                  \
                      (DIMENSIONS >> ANALYSIS_BY_##name & 1),                                      \
                  "%s", word);
#include "analysis/by.def"
#undef BY
    ck_assert_ptr_null(dimension_find(ANALYSIS_BY_DEFAULT));
}
END_TEST

int check_rows(void)
{
    Suite *suite = suite_create("rows");
    TCase *folds = tcase_create("fold"), *all = tcase_create("dimensions");

    tcase_add_checked_fixture(folds, start_fold, end_fold);
    tcase_add_test(folds, rows_stand_in_the_order_in_which_their_keys_came);
    tcase_add_test(folds, a_new_row_is_of_zero_bytes);
    tcase_add_test(folds, no_two_lists_of_parts_make_one_key);
    tcase_add_test(folds, numbers_and_addresses_tell_rows_apart);
    tcase_add_test(folds, facts_without_a_key_are_one_row);
    tcase_add_test(folds, sums_by_random_keys_are_those_of_the_facts);
    tcase_add_test(folds, a_kept_name_is_a_copy);
    tcase_add_loop_test(all, a_site_is_called_by_the_most_that_is_known_of_it, 0,
                        sizeof site_cases / sizeof *site_cases);
    tcase_add_test(all, facts_without_a_region_a_module_or_a_file_say_so);
    tcase_add_test(all, facts_are_called_by_their_thread_region_and_module);
    tcase_add_test(all, every_dimension_of_facts_has_its_function_and_no_other_has);
    suite_add_tcase(suite, folds);
    suite_add_tcase(suite, all);
    return suite_run_in_pool(suite);
}
