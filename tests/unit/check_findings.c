/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rules on sessions made by hand, each against its case on a page of tests/cases:
 * one that finds, one that passes, one that cannot look.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/findings/context.h"
#include "analysis/findings/rows.h"
#include "made_kernels.h"
#include "made_session.h"
#include "page.h"
#include "suite.h"

enum { NAME_SIZE = 80 };

static const char page[] = "findings.case";

static struct session session;
static struct machine machine;
static struct catalog_arena arena;
static struct analysis_options options;

static void set_wall(uint64_t wall_ns)
{
    struct session_thread *thread = array_at(&session.threads, 0);

    session.process.wall_ns = session.thread_ns = thread->last_ns = wall_ns;
    thread->cpu_ns = wall_ns;
}

static void setup(void)
{
    made_init(&session);
    text_list_init(&session.process.environment);
    session.process.cpu_count = 1;
    set_wall(1000000000);
    made_read_machine(&machine, page);
    made_read_catalog(&session, &arena, page);
    options = analysis_defaults();
    options.machine = &machine;
}

static void teardown(void)
{
    text_list_fini(&session.process.environment);
    made_fini_calls(&session);
    made_fini(&session);
    machine_fini(&machine);
    free(arena.base);
}

/* ---- cases of the page ------------------------------------------------------------- */

static void read_line(const char *line)
{
    unsigned long number;
    char word[NAME_SIZE];

    if (sscanf(line, "wall %lu", &number) == 1)
        set_wall(1000000 * number);
    else if (sscanf(line, "calibrated %79s", word) == 1)
        options.machine = strcmp(word, "no") == 0 ? NULL : &machine;
    else if (line[0] != '\0')
        made_add_calls(&session, line);
}

static void read_case(const char *name)
{
    char *text = page_section(page, name), *rest = text, *line;

    while ((line = strsep(&rest, "\n")))
        read_line(line);
    free(text);
}

static char *say(const struct findings *findings)
{
    static const char *const outcomes[] = {
        [FINDING_PASSED] = "passed", [FINDING_NOT_EVALUATED] = "not evaluated"};
    struct text_list lines;
    struct text text;
    char *said;

    text_list_init(&lines);
    text_init(&text);
    for (size_t i = 0; i < findings->found.count; i++)
        ck_assert_int_eq(finding_add_sentences(&lines, findings_at(findings, i)), STATUS_OK);
    for (size_t i = 0; i < text_list_count(&lines); i++)
        text_appendf(&text, "%s\n", text_list_at(&lines, i));
    for (size_t i = 0; i < findings->notes.count; i++) {
        const struct finding_note *note = findings_note_at(findings, i);

        text_appendf(&text, "%s: %s\n", outcomes[note->outcome], note->text.bytes);
    }
    said = strdup(text.bytes);
    ck_assert_ptr_nonnull(said);
    text_list_fini(&lines);
    text_fini(&text);
    return said;
}

static const struct {
    enum finding_rule rule;
    const char *name;
} cases[] = {
    {FINDING_RULE_hot, "hot"},
    {FINDING_RULE_hot, "nothing is hot"},
    {FINDING_RULE_hot, "hot without calls"},
    {FINDING_RULE_amdahl, "amdahl"},
    {FINDING_RULE_amdahl, "kernels are most"},
    {FINDING_RULE_amdahl, "amdahl without calls"},
};

START_TEST(a_rule_says_what_its_page_says)
{
    struct findings_context context;
    struct findings findings;
    char heading[NAME_SIZE], *said;

    read_case(cases[_i].name);
    ck_assert_int_eq(findings_context_init(&context, &session, &options), STATUS_OK);
    ck_assert_int_eq(findings_evaluate_rule(&findings, &context, cases[_i].rule), STATUS_OK);
    said = say(&findings);
    snprintf(heading, sizeof heading, "%s says", cases[_i].name);
    page_compare(page, heading, said);
    free(said);
    findings_fini(&findings);
    findings_context_fini(&context);
}
END_TEST

/* ---- the frame ---------------------------------------------------------------------- */

START_TEST(a_ceiling_is_amdahls)
{
    ck_assert_double_eq_tol(finding_ceiling(100, 70 * (1 - 1 / 2.0)), 1.538461, 1e-6);
    ck_assert_double_eq_tol(finding_ceiling(100, 70), 100 / 30.0, 1e-12);
    ck_assert(isinf(finding_ceiling(100, 100)));
    ck_assert_double_eq(finding_ceiling(100, 0), 1);
    ck_assert(isnan(finding_ceiling(0, 0)));
    ck_assert(isnan(finding_ceiling(100, (double)NAN)));
}
END_TEST

START_TEST(every_rule_finds_or_says_why_not)
{
    struct findings_context context;
    struct findings findings;

    ck_assert_int_eq(findings_context_init(&context, &session, &options), STATUS_OK);
    ck_assert_int_eq(findings_evaluate(&findings, &context), STATUS_OK);
    for (int rule = 0; rule < FINDING_RULES; rule++) {
        bool has_spoken = false;

        for (size_t i = 0; i < findings.found.count; i++)
            has_spoken |= findings_at(&findings, i)->rule == (enum finding_rule)rule;
        for (size_t i = 0; i < findings.notes.count; i++)
            has_spoken |= findings_note_at(&findings, i)->rule == (enum finding_rule)rule;
        ck_assert_msg(has_spoken, "%s said nothing", finding_id((enum finding_rule)rule));
    }
    findings_fini(&findings);
    findings_context_fini(&context);
}
END_TEST

START_TEST(findings_stand_by_their_promise)
{
    struct findings_context context;
    struct findings findings;

    read_case("kernels are most");
    ck_assert_int_eq(findings_context_init(&context, &session, &options), STATUS_OK);
    ck_assert_int_eq(findings_evaluate(&findings, &context), STATUS_OK);
    for (size_t i = 1; i < findings.found.count; i++) {
        const struct finding *before = findings_at(&findings, i - 1),
                             *finding = findings_at(&findings, i);

        ck_assert(isnan(finding->ceiling) || (before->ceiling - 1) * before->confidence >=
                                                 (finding->ceiling - 1) * finding->confidence);
    }
    findings_fini(&findings);
    findings_context_fini(&context);
}
END_TEST

/* Two threads that call kernels all the time take a second of wall time together. */
START_TEST(thread_time_is_not_wall_time)
{
    struct session_thread *thread = array_add(&session.threads);
    struct findings_context context;
    struct session_slot *slot;

    ck_assert_ptr_nonnull(thread);
    *thread = (struct session_thread){.id = 101, .kernel_ns = 400000000};
    made_add_calls(&session, "cblas_sgemm 1000 1000 1000 10 400000");
    slot = made_add_calls(&session, "cblas_sgemm 1000 1000 1000 10 400000");
    slot->thread = 1;
    ((struct session_thread *)array_at(&session.threads, 0))->kernel_ns = 400000000;
    ck_assert_int_eq(findings_context_init(&context, &session, &options), STATUS_OK);
    ck_assert_double_eq_tol(context.together, 2, 1e-12);
    ck_assert_double_eq_tol(context.kernel_ns, 400e6, 1);
    findings_context_fini(&context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("findings");
    TCase *pages = tcase_create("rules"), *frame = tcase_create("frame");

    tcase_add_checked_fixture(pages, setup, teardown);
    tcase_add_loop_test(pages, a_rule_says_what_its_page_says, 0, sizeof cases / sizeof *cases);
    tcase_add_checked_fixture(frame, setup, teardown);
    tcase_add_test(frame, a_ceiling_is_amdahls);
    tcase_add_test(frame, every_rule_finds_or_says_why_not);
    tcase_add_test(frame, findings_stand_by_their_promise);
    tcase_add_test(frame, thread_time_is_not_wall_time);
    suite_add_tcase(suite, pages);
    suite_add_tcase(suite, frame);
    return suite_run(suite);
}
