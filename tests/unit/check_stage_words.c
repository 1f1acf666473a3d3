/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Until when figures are exact, in words.
 */
#include "analysis/stage_words.h"

#include "made_session.h"
#include "model/session.h"
#include "suite.h"

enum { MIB = 1 << 20, MOST_CHANGES = 6 };

static const uint64_t second_ns = 1000000000;

static const struct {
    enum stage_words_of of;
    uint64_t sample_bytes;
    struct session_stage changes[MOST_CHANGES]; /* times in seconds; changes at time 0 do not
                                                   exist */
    const char *words;
} cases[] = {
    {STAGES_OF_ALL, 0, {{0}}, ""},
    {STAGES_OF_SITES,
     0,
     {{TRACE_STAGE_BLOCKS, TRACE_STAGE_CAUSE_DISK, 48, MIB / 2, MIB / 2},
      {TRACE_STAGE_BLOCKS, TRACE_STAGE_CAUSE_DISK, 720, MIB / 2, MIB}},
     "The trace is exact until 48.00 s. Then tprof recorded one block in 512 KiB, from 12.0 min on "
     "one in "
     "1.00 MiB."},
    {STAGES_OF_SITES,
     0,
     {{TRACE_STAGE_CHAINS, TRACE_STAGE_CAUSE_TIME, 30, MIB / 2, MIB / 2},
      {TRACE_STAGE_BLOCKS, TRACE_STAGE_CAUSE_TIME, 48, MIB / 2, MIB},
      {TRACE_STAGE_STACKS, TRACE_STAGE_CAUSE_DISK, 60, 0, 0},
      {TRACE_STAGE_KERNELS, TRACE_STAGE_CAUSE_TIME, 70, 1, 16}},
     "The trace is exact until 30.00 s. Then tprof recorded the call chain of one block in 512 "
     "KiB. From "
     "48.00 s on tprof recorded one block in 1.00 MiB. From 60.00 s on tprof recorded no new call "
     "chains."},
    /* More rates than a sentence holds. */
    {STAGES_OF_BLOCKS,
     0,
     {{TRACE_STAGE_BLOCKS, TRACE_STAGE_CAUSE_DISK, 1, MIB, MIB},
      {TRACE_STAGE_BLOCKS, TRACE_STAGE_CAUSE_DISK, 2, MIB, 2 * MIB},
      {TRACE_STAGE_BLOCKS, TRACE_STAGE_CAUSE_DISK, 3, 2 * MIB, 8 * MIB},
      {TRACE_STAGE_BLOCKS, TRACE_STAGE_CAUSE_DISK, 4, 8 * MIB, 4 * MIB}},
     "The trace is exact until 1.000 s. Then tprof recorded one block in 1.00 MiB, later down to "
     "one in 8.00 "
     "MiB, and one in 4.00 MiB at the end."},
    {STAGES_OF_READINGS,
     0,
     {{TRACE_STAGE_READINGS, TRACE_STAGE_CAUSE_DISK, 5, 100000000, 200000000},
      {TRACE_STAGE_READINGS, TRACE_STAGE_CAUSE_DISK, 9, 200000000, 400000000}},
     "The trace is exact until 5.000 s. Then tprof took a reading every 200 ms, from 9.000 s on "
     "every 400 ms."},
    {STAGES_OF_KERNELS,
     0,
     {{TRACE_STAGE_KERNELS, TRACE_STAGE_CAUSE_TIME, 5, 1, 16}},
     "The trace is exact until 5.000 s. Then tprof recorded one call in 16 of frequently called "
     "kernels."},
    /* The blocks were sampled from the start, which other words say. */
    {STAGES_OF_SITES, MIB, {{TRACE_STAGE_BLOCKS, TRACE_STAGE_CAUSE_TIME, 1, MIB, MIB}}, ""},
};

static void set_stages(struct session *session, int number)
{
    made_init(session);
    session->heap.sample_bytes = cases[number].sample_bytes;
    for (int i = 0; i < MOST_CHANGES; i++) {
        struct session_stage change = cases[number].changes[i];

        change.time_ns *= second_ns;
        if (change.time_ns > 0)
            made_add_stage(session, &change);
    }
}

START_TEST(words_say_until_when_figures_are_exact_and_what_came_then)
{
    struct session session;
    struct text text;

    set_stages(&session, _i);
    text_init(&text);
    stage_words_append(&text, &session, cases[_i].of);
    ck_assert_str_eq(text.bytes, cases[_i].words);
    ck_assert_int_eq(stage_words_are_due(&session, cases[_i].of), cases[_i].words[0] != '\0');
    text_fini(&text);
    made_fini(&session);
}
END_TEST

START_TEST(a_stage_whose_record_is_missing_has_no_rate)
{
    struct session session;
    struct text text;

    made_init(&session);
    session.stages.exact_ns[TRACE_STAGE_BLOCKS] = 3 * second_ns;
    text_init(&text);
    stage_words_append(&text, &session, STAGES_OF_SITES);
    ck_assert_str_eq(text.bytes,
                     "The trace is exact until 3.000 s. Then tprof recorded fewer blocks.");
    text_clear(&text);
    stage_words_append_causes(&text, &session);
    ck_assert_str_eq(text.bytes, "From 3.000 s on tprof recorded drawn blocks alone.");
    text_fini(&text);
    made_fini(&session);
}
END_TEST

/* Points are thrown from the first block on. */
START_TEST(the_rate_is_the_one_when_the_stage_began)
{
    const struct session_stage early = {TRACE_STAGE_BLOCKS, TRACE_STAGE_CAUSE_TIME, second_ns,
                                        MIB / 2, MIB};
    const struct session_stage late = {TRACE_STAGE_BLOCKS, TRACE_STAGE_CAUSE_TIME, 3 * second_ns,
                                       2 * MIB, 4 * MIB};
    struct session session;
    struct text text;

    made_init(&session);
    made_add_stage(&session, &early);
    made_add_stage(&session, &late);
    session.stages.exact_ns[TRACE_STAGE_BLOCKS] = 2 * second_ns;
    text_init(&text);
    stage_words_append(&text, &session, STAGES_OF_SITES);
    ck_assert_str_eq(text.bytes,
                     "The trace is exact until 2.000 s. Then tprof recorded one block in 1.00 MiB, "
                     "from 3.000 s on one in 4.00 MiB.");
    text_fini(&text);
    made_fini(&session);
}
END_TEST

START_TEST(each_cause_is_told_once_with_what_followed_from_it)
{
    struct session session;
    struct text text;

    set_stages(&session, 2);
    text_init(&text);
    stage_words_append_causes(&text, &session);
    ck_assert_str_eq(text.bytes,
                     "Recording took more than TPROF_OVERHEAD of the processor time. From 30.00 s "
                     "on tprof recorded call chains of drawn blocks alone, from 48.00 s on drawn "
                     "blocks alone, from 70.00 s on drawn calls of kernels that are called often. "
                     "The trace would not have stayed below TPROF_DISK. From 60.00 s on tprof "
                     "recorded no new call chains.");
    text_fini(&text);
    made_fini(&session);
}
END_TEST

int check_stage_words(void)
{
    Suite *suite = suite_create("stage_words");
    TCase *tests = tcase_create("stage_words");

    tcase_add_loop_test(tests, words_say_until_when_figures_are_exact_and_what_came_then, 0,
                        sizeof cases / sizeof *cases);
    tcase_add_test(tests, a_stage_whose_record_is_missing_has_no_rate);
    tcase_add_test(tests, the_rate_is_the_one_when_the_stage_began);
    tcase_add_test(tests, each_cause_is_told_once_with_what_followed_from_it);
    suite_add_tcase(suite, tests);
    return suite_run_in_pool(suite);
}
