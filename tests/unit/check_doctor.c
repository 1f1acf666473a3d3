/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The judgements of doctor on a recording: sessions made by hand that are too short, too small or
 * disturbed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "made_kernels.h"
#include "made_session.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "render/render.h"
#include "screen/checks.h"
#include "suite.h"

static const char page[] = "whatif.case";

static struct session session;
static struct catalog_arena arena;
static struct analysis_options options;
static struct checks checks;

static void setup(void)
{
    made_init(&session);
    text_list_init(&session.process.environment);
    made_read_catalog(&session, &arena, page);
    session.process.cpu_count = 2;
    session.process.wall_ns = 2000000000;
    options = analysis_defaults();
    checks_init(&checks);
}

static void teardown(void)
{
    text_list_fini(&session.process.environment);
    made_fini_calls(&session);
    made_fini(&session);
    free(arena.base);
}

/* The state of one check, and part of its result. */
static enum check_state look(enum check_id id, const char *found)
{
    checks_of_trace(&checks, &session, &options);
    for (size_t i = 0; i < checks.items.count; i++) {
        const struct check *check = array_at(&checks.items, i);

        if (check->id != id)
            continue;
        ck_assert_msg(strstr(check->found, found) != NULL, "found: %s", check->found);
        return check->state;
    }
    ck_abort_msg("check %d was not made", id);
    return CHECK_UNKNOWN;
}

START_TEST(a_recording_without_kernels_is_warned_of)
{
    ck_assert_int_eq(look(CHECK_KERNELS, "no call"), CHECK_WARN);
}
END_TEST

START_TEST(few_calls_are_too_few)
{
    made_add_calls(&session, "cblas_sgemm 1000 1000 1000 10 400000");
    made_add_calls(&session, "cblas_sgemm 100 100 100 100 6000");
    ck_assert_int_eq(look(CHECK_CALLS, "m=1000 n=1000 k=1000 has 10"), CHECK_WARN);
}
END_TEST

/* The second has five calls, in 0.2 % of the time. */
START_TEST(rows_that_matter_little_are_not_looked_at)
{
    made_add_calls(&session, "cblas_sgemm 1000 1000 1000 100 400000");
    made_add_calls(&session, "cblas_sgemm 100 100 100 5 800");
    ck_assert_int_eq(look(CHECK_CALLS, "in 100 calls or more"), CHECK_OK);
}
END_TEST

START_TEST(a_single_call_is_all_warm_up)
{
    made_add_calls(&session, "cblas_sgemm 1000 1000 1000 1 40000");
    ck_assert_int_eq(look(CHECK_WARMUP, "1 of 1"), CHECK_WARN);
}
END_TEST

START_TEST(tiny_shapes_are_warned_of)
{
    made_add_calls(&session, "cblas_sgemm 10 10 10 1000 2000");
    made_add_calls(&session, "cblas_sgemm 1000 1000 1000 100 6000");
    ck_assert_int_eq(look(CHECK_SIZES, "25.0 %"), CHECK_WARN);
}
END_TEST

START_TEST(conditions_that_nobody_noted_are_unknown)
{
    ck_assert_int_eq(look(CHECK_CONDITIONS, "tprof run"), CHECK_UNKNOWN);
}
END_TEST

START_TEST(a_governor_that_saves_power_is_warned_of)
{
    session.process.conditions[TRACE_CONDITION_GOVERNOR] = "powersave";
    session.process.conditions[TRACE_CONDITION_LOAD] = "0.5";
    ck_assert_int_eq(look(CHECK_CONDITIONS, "powersave"), CHECK_WARN);
}
END_TEST

START_TEST(a_busy_machine_and_its_heat_are_warned_of)
{
    session.process.conditions[TRACE_CONDITION_LOAD] = "1.5";
    session.counters[TRACE_COUNTER_THROTTLES] = (struct session_counter){true, 3, 1, NULL};
    ck_assert_int_eq(
        look(CHECK_CONDITIONS, "1.5 before the program started, heat slowed processors down 3"),
        CHECK_WARN);
}
END_TEST

START_TEST(a_quiet_machine_is_well)
{
    session.process.conditions[TRACE_CONDITION_GOVERNOR] = "performance";
    ck_assert_int_eq(look(CHECK_CONDITIONS, "no disturbance"), CHECK_OK);
}
END_TEST

static void add_region(const char *label)
{
    struct session_region *region = array_add(&session.regions);

    ck_assert_ptr_nonnull(region);
    *region = (struct session_region){.label = label, .path = label};
}

START_TEST(regions_tell_training_and_inference)
{
    add_region("train");
    ck_assert_int_eq(look(CHECK_PHASES, "regions of training alone"), CHECK_WARN);
    checks_init(&checks);
    add_region("inference");
    ck_assert_int_eq(look(CHECK_PHASES, "training and of inference"), CHECK_OK);
}
END_TEST

START_TEST(an_allocator_of_the_programs_own_is_warned_of)
{
    session.process.malloc_owner = "/opt/program";
    ck_assert_int_eq(look(CHECK_ALLOCATOR, "/opt/program has a malloc of its own"), CHECK_WARN);
    checks_init(&checks);
    session.process.malloc_owner = NULL;
    ck_assert_int_eq(look(CHECK_ALLOCATOR, "C library"), CHECK_OK);
}
END_TEST

START_TEST(a_short_run_and_losses_are_warned_of)
{
    session.process.wall_ns = 1000000;
    session.losses.lost_records = 7;
    ck_assert_int_eq(look(CHECK_DURATION, "1.00 ms"), CHECK_WARN);
    ck_assert_int_eq(look(CHECK_LOSSES, "7 records"), CHECK_WARN);
}
END_TEST

START_TEST(calls_that_coroutines_interleaved_are_warned_of)
{
    session.losses.unmatched = 700;
    ck_assert_int_eq(look(CHECK_LOSSES, "700 calls of kernels or regions"), CHECK_WARN);
}
END_TEST

START_TEST(warnings_say_what_to_do_and_the_others_do_not)
{
    const struct render_options how = {.width = 100};
    const struct renderer *renderer;
    struct diagnostic diagnostic;
    struct document document;
    char *bytes = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&bytes, &size);

    ck_assert_ptr_nonnull(out);
    checks_say(&checks, CHECK_LOSSES, CHECK_OK, "none");
    checks_say(&checks, CHECK_KERNELS, CHECK_WARN, "none was seen");
    ck_assert_int_eq(render_find("text", &renderer, &diagnostic), STATUS_OK);
    checks_report_build(&checks, &document);
    ck_assert_int_eq(renderer->document(&document, &how, out, &diagnostic), STATUS_OK);
    document_fini(&document);
    fclose(out);
    ck_assert_str_eq(bytes, "Trace\n"
                            "  losses   ok: none\n"
                            "  kernels  warn: none was seen. Do: tprof coverage tells why none was "
                            "seen\n");
    free(bytes);
}
END_TEST

int check_doctor(void)
{
    Suite *suite = suite_create("doctor");
    TCase *tests = tcase_create("trace");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, a_recording_without_kernels_is_warned_of);
    tcase_add_test(tests, few_calls_are_too_few);
    tcase_add_test(tests, rows_that_matter_little_are_not_looked_at);
    tcase_add_test(tests, a_single_call_is_all_warm_up);
    tcase_add_test(tests, tiny_shapes_are_warned_of);
    tcase_add_test(tests, conditions_that_nobody_noted_are_unknown);
    tcase_add_test(tests, a_governor_that_saves_power_is_warned_of);
    tcase_add_test(tests, a_busy_machine_and_its_heat_are_warned_of);
    tcase_add_test(tests, a_quiet_machine_is_well);
    tcase_add_test(tests, regions_tell_training_and_inference);
    tcase_add_test(tests, an_allocator_of_the_programs_own_is_warned_of);
    tcase_add_test(tests, a_short_run_and_losses_are_warned_of);
    tcase_add_test(tests, calls_that_coroutines_interleaved_are_warned_of);
    tcase_add_test(tests, warnings_say_what_to_do_and_the_others_do_not);
    suite_add_tcase(suite, tests);
    return suite_run_in_pool(suite);
}
