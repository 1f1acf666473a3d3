/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of analysis/table and analysis/document.
 */
#include "document/document.h"
#include "document/table.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct column columns[] = {
    {.key = "name", .title = "name", .unit = UNIT_TEXT},
    {.key = "calls", .title = "calls", .unit = UNIT_COUNT},
};

static const struct table_schema schema = {.name = "sample", .columns = columns, .column_count = 2};

START_TEST(value_of_zero_bytes_is_null)
{
    struct value value = {0};

    ck_assert_int_eq(value.kind, VALUE_NULL);
    value_fini(&value);
}
END_TEST

START_TEST(value_copies_its_text_and_frees_the_last)
{
    struct value value = {0};
    char changing[] = "one";

    value_set_text(&value, changing);
    changing[0] = 'X';
    ck_assert_str_eq(value.text, "one");
    value_set_text(&value, value.text);
    ck_assert_str_eq(value.text, "one");
    value_set_integer(&value, 1);
    value_set_text(&value, NULL);
    ck_assert_int_eq(value.kind, VALUE_NULL);
}
END_TEST

START_TEST(value_that_is_not_finite_is_unknown)
{
    struct value value = {0};

    value_set_real(&value, NAN);
    ck_assert_int_eq(value.kind, VALUE_NULL);
    value_set_real(&value, -INFINITY);
    ck_assert_int_eq(value.kind, VALUE_NULL);
    value_set_interval(&value, 1, INFINITY);
    ck_assert_int_eq(value.kind, VALUE_INTERVAL);
    ck_assert_double_nan(value.interval.high);
    value_set_interval(&value, -INFINITY, INFINITY);
    ck_assert_int_eq(value.kind, VALUE_NULL);
}
END_TEST

START_TEST(value_that_is_set_again_is_no_estimate)
{
    struct value value = {0};

    value_set_integer(&value, 1);
    value_mark_estimate(&value, true);
    ck_assert(value.is_estimate);
    value_set_real(&value, 2);
    ck_assert(!value.is_estimate);
}
END_TEST

START_TEST(value_past_int64_becomes_a_real)
{
    struct value value = {0};

    value_set_unsigned(&value, INT64_MAX);
    ck_assert_int_eq(value.kind, VALUE_INTEGER);
    value_set_unsigned(&value, (uint64_t)INT64_MAX + 1);
    ck_assert_int_eq(value.kind, VALUE_REAL);
    ck_assert_double_eq(value.real, 0x1p63);
}
END_TEST

/* In ascending order, each above the one before. */
static const struct value ordered_values[] = {
    {.kind = VALUE_REAL, .real = -1.5},
    {.kind = VALUE_INTEGER, .integer = 2},
    {.kind = VALUE_REAL, .real = 2.5},
    {.kind = VALUE_REAL, .real = 0x1p53},
    {.kind = VALUE_INTEGER, .integer = ((int64_t)1 << 53) + 1},
    {.kind = VALUE_INTEGER, .integer = INT64_MAX},
    {.kind = VALUE_REAL, .real = 0x1p63},
    {.kind = VALUE_INTERVAL, .interval = {NAN, 1}},
    {.kind = VALUE_INTERVAL, .interval = {1, 9}},
    {.kind = VALUE_INTERVAL, .interval = {2, 3}},
    {.kind = VALUE_BOOL, .boolean = false},
    {.kind = VALUE_BOOL, .boolean = true},
    {.kind = VALUE_TEXT, .text = (char[]){"B"}},
    {.kind = VALUE_TEXT, .text = (char[]){"a"}},
    {.kind = VALUE_NULL},
};

enum { ORDERED_COUNT = sizeof ordered_values / sizeof *ordered_values };

START_TEST(value_order_is_one_for_all_kinds)
{
    for (int i = 0; i < ORDERED_COUNT; i++) {
        int order = value_compare(&ordered_values[_i], &ordered_values[i]);
        ck_assert_int_eq((order > 0) - (order < 0), (_i > i) - (_i < i));
    }
}
END_TEST

/* Adds a row; no calls means unknown. */
static void add_row(struct table *table, const char *name, int calls)
{
    struct value *row = table_add_row(table);

    ck_assert_ptr_nonnull(row);
    value_set_text(&row[0], name);
    if (calls > 0)
        value_set_integer(&row[1], calls);
}

static void fill_table(struct table *table)
{
    table_init(table, &schema);
    add_row(table, "a", 2);
    add_row(table, "b", 0);
    add_row(table, "c", 3);
    add_row(table, "d", 2);
    add_row(table, "e", 0);
}

static void assert_names(const struct table *table, const char *expected)
{
    char names[16] = "";

    for (size_t i = 0; i < table_row_count(table); i++)
        strcat(names, table_row(table, i)->text);
    ck_assert_str_eq(names, expected);
}

static const struct {
    size_t column;
    bool descending;
    const char *expected;
} sort_cases[] = {
    {0, false, "abcde"},
    {0, true, "edcba"},
    {1, false, "adcbe"},
    {1, true, "cadbe"},
};

START_TEST(table_sorts_stably_with_unknown_values_last)
{
    struct table table;

    fill_table(&table);
    table_sort(&table, sort_cases[_i].column, sort_cases[_i].descending);
    assert_names(&table, sort_cases[_i].expected);
    table_fini(&table);
}
END_TEST

START_TEST(table_counts_the_rows_it_cuts)
{
    struct table table;

    fill_table(&table);
    table_truncate(&table, 7);
    ck_assert_uint_eq(table.rows_cut, 0);
    table_truncate(&table, 3);
    table_truncate(&table, 2);
    ck_assert_uint_eq(table.rows_cut, 3);
    assert_names(&table, "ab");
    table_fini(&table);
}
END_TEST

START_TEST(table_keeps_a_row_in_place_while_others_are_added)
{
    struct table table;

    table_init(&table, &schema);
    struct value *first = table_add_row(&table);
    for (int i = 0; i < 100; i++)
        add_row(&table, "x", 1);
    ck_assert_ptr_eq(first, table_row(&table, 0));
    ck_assert_int_eq(first[1].kind, VALUE_NULL);
    table_fini(&table);
}
END_TEST

static bool is_other(const struct table *table, const struct value *row, const void *of)
{
    (void)table;
    return row != of;
}

START_TEST(table_shares_a_row_that_lasts_as_long_as_either_has_it)
{
    struct table made;
    struct table table;

    fill_table(&made);
    table_init(&table, &schema);
    table_share_row(&table, table_row(&made, 1));
    table_share_row(&table, table_row(&made, 0));
    table_share_row(&table, table_row(&made, 1));
    ck_assert_ptr_eq(table_row(&table, 0), table_row(&made, 1));
    table_keep_rows(&made, is_other, table_row(&made, 0));
    assert_names(&table, "bab");
    table_fini(&made);
    assert_names(&table, "bab");
    table_truncate(&table, 1);
    assert_names(&table, "b");
    table_fini(&table);
}
END_TEST

START_TEST(table_finds_columns_by_key)
{
    struct table table;

    table_init(&table, &schema);
    ck_assert_uint_eq(table_find_column(&table, "calls"), 1);
    ck_assert_uint_eq(table_find_column(&table, "none"), 2);
    table_fini(&table);
}
END_TEST

START_TEST(table_keeps_notes_in_order)
{
    struct table table;

    table_init(&table, &schema);
    table_add_note(&table, "of %d calls", 7);
    table_add_note(&table, "none lost");
    ck_assert_str_eq(text_list_at(&table.notes, 0), "of 7 calls");
    ck_assert_str_eq(text_list_at(&table.notes, 1), "none lost");
    table_fini(&table);
}
END_TEST

START_TEST(document_keeps_all_addresses_while_it_grows)
{
    struct document document;

    document_init(&document);
    struct record *record = document_add_record(&document, "first", "First", SECTION_IN_BOTH);
    ck_assert_ptr_nonnull(record);
    struct record *nested = record_add_record(record, &columns[0]);
    struct text_list *list = record_add_list(record, &columns[0]);
    for (int i = 0; i < 100; i++) {
        ck_assert_ptr_nonnull(record_add_value(record, &columns[1]));
        ck_assert_ptr_nonnull(document_add_table(&document, "table", SECTION_IN_JSON));
    }
    ck_assert_ptr_eq(&document_section(&document, 0)->record, record);
    ck_assert_ptr_eq(&record_field(record, 0)->record, nested);
    ck_assert_ptr_eq(&record_field(record, 1)->list, list);
    ck_assert_uint_eq(document_section_count(&document), 101);
    ck_assert_uint_eq(record_field_count(record), 102);
    document_fini(&document);
}
END_TEST

START_TEST(document_frees_what_its_sections_hold)
{
    struct document document;

    document_init(&document);
    struct record *record = document_add_record(&document, "r", NULL, SECTION_IN_JSON);
    struct value *value = record_add_value(record, &columns[0]);
    value_set_text(value, "text");
    struct table *table = document_add_table(&document, "t", SECTION_IN_BOTH);
    fill_table(table);
    struct text_list *lines = document_add_lines(&document, "Lines");
    text_list_add(lines, "line");
    document_fini(&document); /* the leak checker reports it */
    ck_assert_uint_eq(document_section_count(&document), 0);
}
END_TEST

static const struct {
    enum section_place place;
    bool in_text;
    bool in_json;
} place_cases[] = {
    {SECTION_IN_TEXT, true, false},
    {SECTION_IN_JSON, false, true},
    {SECTION_IN_BOTH, true, true},
};

START_TEST(section_tells_where_it_is_shown)
{
    struct section section = {.place = place_cases[_i].place};

    ck_assert(section_is_in(&section, SECTION_IN_TEXT) == place_cases[_i].in_text);
    ck_assert(section_is_in(&section, SECTION_IN_JSON) == place_cases[_i].in_json);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, value_of_zero_bytes_is_null);
    tcase_add_test(tests, value_copies_its_text_and_frees_the_last);
    tcase_add_test(tests, value_that_is_not_finite_is_unknown);
    tcase_add_test(tests, value_that_is_set_again_is_no_estimate);
    tcase_add_test(tests, value_past_int64_becomes_a_real);
    tcase_add_loop_test(tests, value_order_is_one_for_all_kinds, 0, ORDERED_COUNT);
    tcase_add_loop_test(tests, table_sorts_stably_with_unknown_values_last, 0,
                        sizeof sort_cases / sizeof *sort_cases);
    tcase_add_test(tests, table_counts_the_rows_it_cuts);
    tcase_add_test(tests, table_keeps_a_row_in_place_while_others_are_added);
    tcase_add_test(tests, table_shares_a_row_that_lasts_as_long_as_either_has_it);
    tcase_add_test(tests, table_finds_columns_by_key);
    tcase_add_test(tests, table_keeps_notes_in_order);
    tcase_add_test(tests, document_keeps_all_addresses_while_it_grows);
    tcase_add_test(tests, document_frees_what_its_sections_hold);
    tcase_add_loop_test(tests, section_tells_where_it_is_shown, 0,
                        sizeof place_cases / sizeof *place_cases);
}

int check_table(void)
{
    Suite *suite = suite_create("table");
    TCase *tests = tcase_create("table");

    add_tests(tests);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
