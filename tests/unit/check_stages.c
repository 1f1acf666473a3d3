/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stages of recording in the shim: the written records, their order, and the recording after
 * them.
 */
#include "record/stages.h"

#include <string.h>

#include "record/extended.h"
#include "record/process.h"
#include "record/settings.h"
#include "record/stages_change.h"
#include "suite.h"

enum { WORDS = 4, NOW = 1000, LATER = 2000 };

/* ---- in place of the rest of the shim --------------------------------------- */

struct settings settings;
struct process *process;
const struct stages_ways stages_each_way[STAGES_WAYS];
struct stages_ways stages_ways;

static struct process the_process;
static struct trace_header header;
static struct lane lane;
static unsigned records;
static uint64_t written[WORDS];
static uint64_t ticks_then;         /* in the header, as a record is written */
static enum stages_alloc mode_then; /* of blocks */

bool settings_has_budget(void)
{
    return settings.overhead_ppm > 0;
}

void extended_write(struct lane *of, uint64_t now, enum trace_extended_type type,
                    const uint64_t *words, unsigned count)
{
    ck_assert_ptr_eq(of, &lane);
    ck_assert_uint_ne(now, 0);
    ck_assert_uint_eq(type, TRACE_EXTENDED_STAGE);
    ck_assert_uint_eq(count, WORDS);
    memcpy(written, words, sizeof written);
    ticks_then = header.stage_ticks[words[0]];
    mode_then = stages_alloc_mode();
    records++;
}

/* A process begins, as after a fork: its memory is blank, except for the mode. */
static void begin(enum settings_alloc alloc, uint64_t overhead_ppm)
{
    memset(&the_process, 0, sizeof the_process);
    memset(&header, 0, sizeof header);
    process = &the_process;
    process->file.header = &header;
    settings.alloc = alloc;
    settings.overhead_ppm = overhead_ppm;
    settings.sample_bytes = alloc == SETTINGS_ALLOC_SAMPLE ? 4096 : 0;
    records = 0;
    stages_start();
}

static void begin_stage(enum trace_stage stage, uint64_t to)
{
    stages_begin(&lane, NOW, stage, TRACE_STAGE_CAUSE_DISK, stages_distance(), to);
}

/* ---- the proofs -------------------------------------------------------------- */

START_TEST(points_are_thrown_where_a_budget_is_set_or_samples_are_asked_for)
{
    static const struct {
        enum settings_alloc alloc;
        uint64_t overhead_ppm, distance;
        enum stages_alloc mode;
    } cases[] = {
        {SETTINGS_ALLOC_FULL, 50000, STAGES_DISTANCE_FIRST, STAGES_ALLOC_EVENTS},
        {SETTINGS_ALLOC_FULL, 0, 0, STAGES_ALLOC_EVENTS},
        {SETTINGS_ALLOC_NOSTACK, 50000, STAGES_DISTANCE_FIRST, STAGES_ALLOC_ALONE},
        {SETTINGS_ALLOC_SAMPLE, 50000, 4096, STAGES_ALLOC_DRAWN},
        {SETTINGS_ALLOC_SAMPLE, 0, 4096, STAGES_ALLOC_DRAWN},
        {SETTINGS_ALLOC_COUNT, 50000, 0, STAGES_ALLOC_COUNTS},
        {SETTINGS_ALLOC_OFF, 50000, 0, STAGES_ALLOC_NOTHING},
    };

    begin(cases[_i].alloc, cases[_i].overhead_ppm);
    ck_assert_uint_eq(stages_distance(), cases[_i].distance);
    ck_assert_int_eq(stages_throw_points(), cases[_i].distance != 0);
    ck_assert_int_eq(stages_alloc_mode(), cases[_i].mode);
}
END_TEST

START_TEST(a_stage_is_written_then_noted_in_the_header_then_followed)
{
    begin(SETTINGS_ALLOC_FULL, 1);
    begin_stage(TRACE_STAGE_CHAINS, 1 << 20);
    ck_assert_uint_eq(records, 1);
    ck_assert_uint_eq(written[0], TRACE_STAGE_CHAINS);
    ck_assert_uint_eq(written[1], TRACE_STAGE_CAUSE_DISK);
    ck_assert_uint_eq(written[2], STAGES_DISTANCE_FIRST);
    ck_assert_uint_eq(written[3], 1 << 20);
    ck_assert_uint_eq(ticks_then, 0);
    ck_assert_int_eq(mode_then, STAGES_ALLOC_EVENTS);
    ck_assert_uint_eq(header.stage_ticks[TRACE_STAGE_CHAINS], NOW);
    ck_assert_int_eq(stages_alloc_mode(), STAGES_ALLOC_CHAINS);
    ck_assert_uint_eq(stages_distance(), 1 << 20);
    ck_assert(stages_has_begun(TRACE_STAGE_CHAINS));
    ck_assert(!stages_has_begun(TRACE_STAGE_BLOCKS));
}
END_TEST

START_TEST(a_stage_begins_once)
{
    begin(SETTINGS_ALLOC_FULL, 1);
    begin_stage(TRACE_STAGE_KERNELS, 16);
    stages_begin(&lane, LATER, TRACE_STAGE_KERNELS, TRACE_STAGE_CAUSE_TIME, 1, 32);
    ck_assert_uint_eq(records, 1);
    ck_assert_uint_eq(header.stage_ticks[TRACE_STAGE_KERNELS], NOW);
    ck_assert_uint_eq(stages_value(TRACE_STAGE_KERNELS), 16);
    ck_assert_int_eq(stages_alloc_mode(), STAGES_ALLOC_EVENTS);
}
END_TEST

START_TEST(a_stage_never_gives_back_what_another_has_shed)
{
    begin(SETTINGS_ALLOC_FULL, 1);
    begin_stage(TRACE_STAGE_BLOCKS, 1 << 20);
    begin_stage(TRACE_STAGE_CHAINS, 1 << 20);
    ck_assert_int_eq(stages_alloc_mode(), STAGES_ALLOC_DRAWN);
}
END_TEST

START_TEST(what_has_no_chains_or_no_records_sheds_none)
{
    begin(SETTINGS_ALLOC_NOSTACK, 1);
    begin_stage(TRACE_STAGE_CHAINS, 1 << 20);
    ck_assert_int_eq(stages_alloc_mode(), STAGES_ALLOC_ALONE);
    begin_stage(TRACE_STAGE_BLOCKS, 1 << 20);
    ck_assert_int_eq(stages_alloc_mode(), STAGES_ALLOC_DRAWN);
    begin(SETTINGS_ALLOC_COUNT, 1);
    begin_stage(TRACE_STAGE_BLOCKS, 1 << 20);
    ck_assert_int_eq(stages_alloc_mode(), STAGES_ALLOC_COUNTS);
    ck_assert(!stages_throw_points());
}
END_TEST

START_TEST(a_process_begins_exactly_whatever_its_parent_had_shed)
{
    begin(SETTINGS_ALLOC_FULL, 1);
    begin_stage(TRACE_STAGE_BLOCKS, 1 << 20);
    begin(SETTINGS_ALLOC_FULL, 1);
    ck_assert_int_eq(stages_alloc_mode(), STAGES_ALLOC_EVENTS);
    ck_assert(!stages_has_begun(TRACE_STAGE_BLOCKS));
    ck_assert_uint_eq(stages_distance(), STAGES_DISTANCE_FIRST);
}
END_TEST

START_TEST(a_change_of_the_distance_is_written_in_the_stage_that_has_begun)
{
    begin(SETTINGS_ALLOC_FULL, 1);
    stages_change_distance(&lane, NOW, TRACE_STAGE_CAUSE_TIME, 1000);
    ck_assert_uint_eq(records, 0);
    ck_assert_uint_eq(stages_distance(), 1000);
    begin_stage(TRACE_STAGE_CHAINS, 2000);
    stages_change_distance(&lane, NOW, TRACE_STAGE_CAUSE_TIME, 3000);
    ck_assert_uint_eq(records, 2);
    ck_assert_uint_eq(written[0], TRACE_STAGE_CHAINS);
    begin_stage(TRACE_STAGE_BLOCKS, 4000);
    stages_change_distance(&lane, NOW, TRACE_STAGE_CAUSE_TIME, UINT64_C(1) << 40);
    ck_assert_uint_eq(written[0], TRACE_STAGE_BLOCKS);
    ck_assert_uint_eq(written[2], 4000);
    ck_assert_uint_eq(written[3], UINT32_MAX);
    ck_assert_uint_eq(stages_distance(), UINT32_MAX);
}
END_TEST

START_TEST(a_stage_goes_on_coarser_from_what_is_in_force)
{
    begin(SETTINGS_ALLOC_FULL, 1);
    begin_stage(TRACE_STAGE_REGIONS, 4);
    stages_change(&lane, LATER, TRACE_STAGE_REGIONS, TRACE_STAGE_CAUSE_TIME, 8);
    ck_assert_uint_eq(written[2], 4);
    ck_assert_uint_eq(written[3], 8);
    ck_assert_uint_eq(stages_value(TRACE_STAGE_REGIONS), 8);
    ck_assert_uint_eq(header.stage_ticks[TRACE_STAGE_REGIONS], NOW);
}
END_TEST

START_TEST(chains_cost_what_those_of_drawn_blocks_took_for_all_that_they_stand_for)
{
    begin(SETTINGS_ALLOC_FULL, 1);
    ck_assert_uint_eq(stages_chain_cost(), 0);
    stages_note_chain(10, 3);
    stages_note_chain(50, 1);
    ck_assert_uint_eq(stages_chain_cost(), 20 * TRACE_OVERHEAD_SCALE);
    stages_note_chain(TRACE_LONG_TICKS, 1000);
    ck_assert_uint_eq(stages_chain_cost(), 20 * TRACE_OVERHEAD_SCALE);
    stages_note_chain(-90, 1);
    ck_assert_uint_eq(stages_chain_cost(), 0);
    stages_note_chain(TRACE_LONG_TICKS - 1, UINT64_C(1) << 40);
    ck_assert_uint_ge(stages_chain_cost(), (TRACE_LONG_TICKS - 2) * TRACE_OVERHEAD_SCALE);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("stages");
    TCase *tests = tcase_create("stages");

    tcase_add_loop_test(tests, points_are_thrown_where_a_budget_is_set_or_samples_are_asked_for, 0,
                        7);
    tcase_add_test(tests, a_stage_is_written_then_noted_in_the_header_then_followed);
    tcase_add_test(tests, a_stage_begins_once);
    tcase_add_test(tests, a_stage_never_gives_back_what_another_has_shed);
    tcase_add_test(tests, what_has_no_chains_or_no_records_sheds_none);
    tcase_add_test(tests, a_process_begins_exactly_whatever_its_parent_had_shed);
    tcase_add_test(tests, a_change_of_the_distance_is_written_in_the_stage_that_has_begun);
    tcase_add_test(tests, a_stage_goes_on_coarser_from_what_is_in_force);
    tcase_add_test(tests, chains_cost_what_those_of_drawn_blocks_took_for_all_that_they_stand_for);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
