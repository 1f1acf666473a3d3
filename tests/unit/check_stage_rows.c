/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The words of a report about its budgets, and about the records left out for
 * them.
 */
#include "screen/stage_rows.h"

#include <string.h>

#include "made_session.h"
#include "model/session.h"
#include "suite.h"

static const uint64_t second_ns = 1000000000;

static struct session session;

static void setup(void)
{
    made_init(&session);
    session.stages.overhead_ppm = 50000;
    session.stages.disk_bytes = 1 << 30;
    session.process.last.user_ns = 9 * second_ns;
    session.process.last.system_ns = second_ns;
    session.overhead.total_ns = second_ns / 2;
    session.file_bytes = 700 << 20;
}

static void teardown(void)
{
    made_fini(&session);
}

static void begin_stages(void)
{
    const struct session_stage blocks = {TRACE_STAGE_BLOCKS, TRACE_STAGE_CAUSE_DISK, 48 * second_ns,
                                         512 << 10, 512 << 10};
    const struct session_stage later = {TRACE_STAGE_BLOCKS, TRACE_STAGE_CAUSE_DISK, 720 * second_ns,
                                        512 << 10, 1 << 20};

    made_add_stage(&session, &blocks);
    made_add_stage(&session, &later);
}

START_TEST(the_line_tells_budgets_costs_causes_and_the_way_out)
{
    struct text line;

    begin_stages();
    text_init(&line);
    stage_rows_append(&line, &session);
    ck_assert_str_eq(
        line.bytes, "The budgets are 5.0 % of the processor time and 1.00 GiB of disk. Recording "
                    "took ~5.0 % of the processor time, and the trace has 700 MiB. The trace would "
                    "not have stayed below TPROF_DISK. From 48.00 s on tprof recorded drawn "
                    "blocks alone. TPROF_OVERHEAD=none TPROF_DISK=none records everything.");
    text_fini(&line);
}
END_TEST

START_TEST(there_is_no_line_where_all_was_recorded)
{
    struct text line;

    text_init(&line);
    stage_rows_append(&line, &session);
    ck_assert_uint_eq(line.size, 0);
    text_fini(&line);
}
END_TEST

static const struct {
    uint64_t overhead_ppm;
    uint64_t disk_bytes;
    const char *words;
} budget_cases[] = {
    {0, 0, "There is no budget."},
    {10000, 0, "The budget is 1.0 % of the processor time."},
    {0, 1 << 20, "The budget is 1.00 MiB of disk."},
};

static const struct section *find_section(const struct document *document, const char *key)
{
    for (size_t i = 0; i < document_section_count(document); i++)
        if (strcmp(document_section(document, i)->key, key) == 0)
            return document_section(document, i);
    return NULL;
}

START_TEST(each_budget_is_told_by_itself)
{
    struct document document;

    session.stages.overhead_ppm = budget_cases[_i].overhead_ppm;
    session.stages.disk_bytes = budget_cases[_i].disk_bytes;
    document_init(&document);
    stage_rows_add(&document, &session, SECTION_IN_BOTH);
    ck_assert_str_eq(record_field(&find_section(&document, "lines")->record, 0)->value.text,
                     budget_cases[_i].words);
    ck_assert_int_eq(find_section(&document, "stages")->place, SECTION_IN_JSON);
    document_fini(&document);
}
END_TEST

START_TEST(each_change_is_a_row_with_its_cause)
{
    struct document document;
    const struct table *table;

    begin_stages();
    session.stages.exact_ns[TRACE_STAGE_KERNELS] = 3 * second_ns; /* its record is lost */
    document_init(&document);
    stage_rows_add(&document, &session, SECTION_IN_BOTH);
    table = document_find_table(&document, "stages");
    ck_assert_uint_eq(table_row_count(table), 3);
    ck_assert_str_eq(table_row(table, 0)[1].text, "kernels");
    ck_assert_int_eq(table_row(table, 0)[4].kind, VALUE_NULL);
    ck_assert_int_eq(table_row(table, 2)[0].integer, (int64_t)(720 * second_ns));
    ck_assert_str_eq(table_row(table, 2)[2].text, "one in 512 KiB");
    ck_assert_str_eq(table_row(table, 2)[3].text, "one in 1.00 MiB");
    ck_assert_str_eq(table_row(table, 2)[4].text, "disk");
    ck_assert_int_eq(table_row(table, 2)[6].integer, 1 << 20);
    document_fini(&document);
}
END_TEST

int check_stage_rows(void)
{
    Suite *suite = suite_create("stage_rows");
    TCase *tests = tcase_create("stage_rows");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, the_line_tells_budgets_costs_causes_and_the_way_out);
    tcase_add_test(tests, there_is_no_line_where_all_was_recorded);
    tcase_add_loop_test(tests, each_budget_is_told_by_itself, 0,
                        sizeof budget_cases / sizeof *budget_cases);
    tcase_add_test(tests, each_change_is_a_row_with_its_cause);
    suite_add_tcase(suite, tests);
    return suite_run_in_pool(suite);
}
