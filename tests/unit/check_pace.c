/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reduced records of made-up programs, over hours and weeks in steps of a second.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/pace.h"
#include "suite.h"

#define SECOND UINT64_C(1000000000)

enum {
    MINUTE = 60,
    HOUR = 3600,
    DAY = 24 * HOUR,
    WEEK = 7 * DAY,
    MIB = 1 << 20,
    CHUNK = 1 << 16,
    CHANGES = 10000,
    DISTANCE = 1 << 19
};

static const uint64_t gib = UINT64_C(1) << 30;

/* The work of a program in one second. */
struct load {
    double blocks; /* obtained, and given back */
    double block_bytes;
    double kernels;
    double regions;
    double others_bytes;
    double cpu; /* seconds of processors */
};

/* A measured training: 19 to 24 MB a second. */
static const struct load training = {.blocks = 1e6, .block_bytes = 100, .kernels = 1000, .cpu = 1};
static const struct load quiet = {.blocks = 1000, .block_bytes = 1000, .cpu = 0.01};
static const struct load storm = {.blocks = 2e7, .block_bytes = 256, .kernels = 1e6, .cpu = 8};

struct noted {
    double time; /* seconds */
    struct pace_change change;
};

/* A run. */
static struct pace pace;
static struct pace_look look;
static struct noted noted[CHANGES];
static size_t noted_count;
static double filled; /* bytes of events that found no room */
static double bytes_rest[PACE_KINDS], cost_rest[PACE_KINDS];

static void begin(uint64_t overhead_ppm, uint64_t disk_bytes)
{
    const struct pace_terms terms = {.overhead_ppm = overhead_ppm,
                                     .credit_ms = 600,
                                     .disk_bytes = disk_bytes,
                                     .distance = DISTANCE,
                                     .interval_ns = SECOND / 10,
                                     .has_chains = true,
                                     .has_blocks = true,
                                     .is_distance_free = true};

    pace_start(&pace, &terms);
    look = (struct pace_look){0};
    noted_count = 0;
    filled = 0;
    memset(bytes_rest, 0, sizeof bytes_rest);
    memset(cost_rest, 0, sizeof cost_rest);
}

static bool has_begun(enum trace_stage stage)
{
    return pace.begun >> stage & 1;
}

static double drawn(const struct load *load)
{
    return load->blocks * -expm1(-load->block_bytes / (double)pace.values[TRACE_STAGE_BLOCKS]);
}

static bool has_drawn_alone(void)
{
    return has_begun(TRACE_STAGE_BLOCKS) || !pace.terms.has_blocks;
}

/* Parts of a byte or a nanosecond wait for more. */
static void add(uint64_t *to, enum pace_kind kind, double rest[PACE_KINDS], double amount)
{
    rest[kind] += amount;
    to[kind] += (uint64_t)rest[kind];
    rest[kind] -= trunc(rest[kind]);
}

/* Bytes of records: 16 of a block obtained, 8 of a free, 8 more of a drawn one. */
static double bytes_of(const struct load *load, enum pace_kind kind)
{
    switch (kind) {
    case PACE_BLOCKS:
        return has_drawn_alone() ? 32 * drawn(load) : 24 * load->blocks + 8 * drawn(load);
    case PACE_KERNELS: return 16 * load->kernels / (double)pace.values[TRACE_STAGE_KERNELS];
    case PACE_REGIONS: return 32 * load->regions / (double)pace.values[TRACE_STAGE_REGIONS];
    case PACE_READINGS: return 200 * (double)SECOND / (double)pace.values[TRACE_STAGE_READINGS];
    case PACE_OTHERS: return load->others_bytes;
    case PACE_KINDS: break;
    }
    return 0;
}

static double bytes_of_all(const struct load *load)
{
    double sum = 0;

    for (enum pace_kind kind = PACE_BLOCKS; kind < PACE_KINDS; kind++)
        sum += bytes_of(load, kind);
    return sum;
}

static void write_all(const struct load *load, double seconds)
{
    for (enum pace_kind kind = PACE_BLOCKS; kind < PACE_KINDS; kind++)
        add(look.written_bytes, kind, bytes_rest, bytes_of(load, kind) * seconds);
}

/* Nanoseconds: a record 20, a chain 100, a pair that is not drawn 8, a drawn one 1000. */
static void pay_all(const struct load *load, double seconds)
{
    bool has_chains = !has_drawn_alone() && !has_begun(TRACE_STAGE_CHAINS);
    double of[PACE_KINDS] = {
        [PACE_BLOCKS] = load->blocks * ((has_drawn_alone() ? 8 : 40) + (has_chains ? 100 : 0)) +
                        1000 * drawn(load),
        [PACE_KERNELS] = 30 * load->kernels,
        [PACE_REGIONS] = 60 * load->regions,
        [PACE_READINGS] = 40000 * (double)SECOND / (double)pace.values[TRACE_STAGE_READINGS],
    };

    for (enum pace_kind kind = PACE_BLOCKS; kind < PACE_KINDS; kind++)
        add(look.cost_ns, kind, cost_rest, of[kind] * seconds);
    look.drawn_ns += (uint64_t)(1000 * drawn(load) * seconds);
    look.records_ns += (uint64_t)(40 * load->blocks * seconds);
}

static uint64_t sum_written(void)
{
    uint64_t sum = 0;

    for (int i = 0; i < PACE_KINDS; i++)
        sum += look.written_bytes[i];
    return sum;
}

static uint64_t sum_cost(void)
{
    uint64_t sum = 0;

    for (int i = 0; i < PACE_KINDS; i++)
        sum += look.cost_ns[i];
    return sum;
}

/* The file grows by whole chunks, up to its limit. */
static bool claim(void)
{
    uint64_t before = look.size_bytes, size = (sum_written() + CHUNK - 1) / CHUNK * CHUNK;

    if (pace.limit_bytes != 0 && size > pace_events_limit(&pace)) {
        filled += (double)(size - pace_events_limit(&pace));
        size = pace_events_limit(&pace);
    }
    look.size_bytes = size;
    return size != before;
}

static void decide(void)
{
    struct pace_change changes[PACE_CHANGES_MAX];
    unsigned count = pace_decide(&pace, &look, changes);

    for (unsigned i = 0; i < count; i++) {
        ck_assert_uint_lt(noted_count, CHANGES);
        noted[noted_count++] = (struct noted){(double)look.now_ns / (double)SECOND, changes[i]};
    }
}

/* Somebody looks when it is time, and sooner where a chunk that is opened is worth it. */
static void run_second(const struct load *load)
{
    int steps = bytes_of_all(load) > 4 * CHUNK || pace_interval_ns(&pace) < SECOND ? 1000 : 1;

    for (int i = 0; i < steps; i++) {
        look.now_ns += SECOND / (unsigned)steps;
        look.cpu_ns += (uint64_t)(load->cpu * (double)SECOND / steps);
        write_all(load, 1.0 / steps);
        pay_all(load, 1.0 / steps);
        if ((claim() && pace_is_due(&pace, look.now_ns, look.size_bytes)) ||
            look.now_ns - pace.last.now_ns >= pace_interval_ns(&pace))
            decide();
    }
}

static void run(const struct load *load, unsigned seconds)
{
    for (unsigned i = 0; i < seconds; i++)
        run_second(load);
}

static const struct noted *find(enum trace_stage stage)
{
    for (size_t i = 0; i < noted_count; i++)
        if (noted[i].change.stage == stage)
            return &noted[i];
    return NULL;
}

/* A larger value is coarser, of each stage. */
static bool is_finer(const struct pace_change *change)
{
    return change->to < change->from;
}

static size_t count_of(enum trace_stage stage, bool finer)
{
    size_t count = 0;

    for (size_t i = 0; i < noted_count; i++)
        count += noted[i].change.stage == stage && is_finer(&noted[i].change) == finer;
    return count;
}

/* Ask whether a stage starts here.  Its first distance is the one that fits. */
static bool is_first(size_t i)
{
    return find(noted[i].change.stage) == &noted[i];
}

/* Nothing gets finer by more than 2, or within an eighth of the run or a minute of any other
 * change. */
static void assert_no_haste(void)
{
    for (size_t i = 0; i < noted_count; i++) {
        if (!is_finer(&noted[i].change) || is_first(i))
            continue;
        ck_assert_uint_le(noted[i].change.from, 2 * noted[i].change.to);
        if (i > 0 && noted[i - 1].time < noted[i].time)
            ck_assert(noted[i].time - noted[i - 1].time >=
                      fmin(MINUTE, fmax(0.2, noted[i].time / 8)));
    }
}

static void assert_has_room(void)
{
    ck_assert(filled == 0);
    ck_assert_uint_lt(look.size_bytes, pace_events_limit(&pace));
}

START_TEST(without_budgets_all_is_exact)
{
    begin(0, 0);
    run(&storm, HOUR);
    ck_assert_uint_eq(noted_count, 0);
}
END_TEST

START_TEST(within_both_budgets_all_is_exact)
{
    begin(50000, gib);
    run(&quiet, HOUR);
    ck_assert_ptr_null(find(TRACE_STAGE_CHAINS));
    ck_assert_ptr_null(find(TRACE_STAGE_BLOCKS));
}
END_TEST

/* ---- time ------------------------------------------------------------------------ */

/* Half a million pairs a second cost 7 %, without chains 2 %. */
static const struct load dear_chains = {.blocks = 5e5, .block_bytes = 100, .cpu = 1};

START_TEST(everything_is_exact_until_the_credit_is_spent)
{
    begin(50000, 0);
    run(&dear_chains, 3);
    ck_assert_ptr_nonnull(find(TRACE_STAGE_CHAINS));
    ck_assert(find(TRACE_STAGE_CHAINS)->time > 1.4);
    ck_assert(find(TRACE_STAGE_CHAINS)->time < 1.7);
}
END_TEST

START_TEST(the_credit_is_in_proportion_to_the_budget)
{
    begin(20000, 0);
    run(&dear_chains, 3);
    ck_assert_ptr_nonnull(find(TRACE_STAGE_BLOCKS));
    ck_assert(find(TRACE_STAGE_BLOCKS)->time > 0.2);
    ck_assert(find(TRACE_STAGE_BLOCKS)->time < 0.3);
}
END_TEST

START_TEST(chains_are_shed_first)
{
    begin(50000, 0);
    run(&dear_chains, HOUR);
    ck_assert_ptr_nonnull(find(TRACE_STAGE_CHAINS));
    ck_assert_ptr_null(find(TRACE_STAGE_BLOCKS));
    ck_assert_int_eq(find(TRACE_STAGE_CHAINS)->change.cause, TRACE_STAGE_CAUSE_TIME);
}
END_TEST

START_TEST(points_begin_at_the_distance_that_fits)
{
    static const struct load large = {.blocks = 5e5, .block_bytes = 4096, .cpu = 1};

    begin(50000, 0);
    run(&dear_chains, 2);
    ck_assert_uint_lt(find(TRACE_STAGE_CHAINS)->change.to, DISTANCE);
    ck_assert(1000 * drawn(&dear_chains) <= 0.05 * (double)SECOND / 4);
    begin(50000, 0);
    run(&large, 2);
    ck_assert(1000 * drawn(&large) <= 0.05 * (double)SECOND / 4);
    ck_assert(4 * 1000 * drawn(&large) >= 0.05 * (double)SECOND / 4);
}
END_TEST

/* A thousand points on the live heap are enough. */
START_TEST(points_are_no_finer_than_the_heap_needs)
{
    begin(50000, 0);
    look.live_bytes = UINT64_C(200) << 20;
    run(&dear_chains, HOUR);
    ck_assert_uint_eq(pace.values[TRACE_STAGE_BLOCKS], DISTANCE / 2);
}
END_TEST

START_TEST(blocks_follow_when_there_are_more)
{
    static const struct load more = {.blocks = 2e6, .block_bytes = 100, .cpu = 1};

    begin(50000, 0);
    run(&dear_chains, MINUTE);
    run(&more, HOUR);
    ck_assert(find(TRACE_STAGE_CHAINS)->time <= 5);
    ck_assert_ptr_nonnull(find(TRACE_STAGE_BLOCKS));
    ck_assert(find(TRACE_STAGE_BLOCKS)->time > MINUTE);
    ck_assert(find(TRACE_STAGE_BLOCKS)->time <= MINUTE + 20);
}
END_TEST

START_TEST(where_chains_are_not_enough_blocks_are_shed_at_once)
{
    begin(10000, 0);
    run(&training, HOUR);
    ck_assert_ptr_null(find(TRACE_STAGE_CHAINS));
    ck_assert_ptr_nonnull(find(TRACE_STAGE_BLOCKS));
    ck_assert(find(TRACE_STAGE_BLOCKS)->time <= 2);
}
END_TEST

/* The program is 3.8 times as slow until then. */
START_TEST(a_storm_is_over_its_budget_within_some_milliseconds)
{
    static const struct load wild = {.blocks = 2e7, .block_bytes = 32, .cpu = 1};

    begin(50000, 0);
    run(&wild, 1);
    ck_assert_ptr_nonnull(find(TRACE_STAGE_BLOCKS));
    ck_assert(find(TRACE_STAGE_BLOCKS)->time <= 0.03);
}
END_TEST

/* The start takes 14 %.  What follows takes 4.5 % with chains, and would pay nothing back. */
START_TEST(the_cost_of_a_start_is_paid_back)
{
    static const struct load rest = {.blocks = 320000, .block_bytes = 100, .cpu = 1};

    begin(50000, 0);
    run(&training, 1);
    run(&rest, MINUTE);
    ck_assert((double)sum_cost() <= 0.05 * (double)look.cpu_ns + 0.03 * (double)SECOND);
}
END_TEST

/* Recording takes 22 % of the processor time of a program that waits for 97 % of its time. */
START_TEST(a_program_that_waits_stays_within_its_budget)
{
    static const struct load waiting = {.blocks = 50000, .block_bytes = 100, .cpu = 0.03};

    begin(1000, 0);
    run(&waiting, MINUTE);
    ck_assert_ptr_nonnull(find(TRACE_STAGE_BLOCKS));
    ck_assert(find(TRACE_STAGE_BLOCKS)->time <= 1);
}
END_TEST

/* Blocks of 64 KiB: one in eight is drawn. */
START_TEST(points_move_apart_when_drawn_blocks_cost_too_much)
{
    static const struct load large = {.blocks = 1e6, .block_bytes = 65536, .cpu = 1};

    begin(20000, 0);
    run(&large, HOUR);
    ck_assert_uint_gt(pace.values[TRACE_STAGE_BLOCKS], DISTANCE);
    ck_assert(1000 * drawn(&large) + 8e6 <= 0.02 * (double)SECOND);
    ck_assert_uint_le(count_of(TRACE_STAGE_BLOCKS, true), 1);
    assert_no_haste();
}
END_TEST

/* The cost of a pair that is not drawn cannot be reduced: 0.8 % here, and 0.01 % is allowed. */
START_TEST(points_stay_where_moving_them_gains_nothing)
{
    begin(100, 0);
    run(&training, HOUR);
    ck_assert(1000 * drawn(&training) <= 0.0001 * (double)SECOND / 4);
    ck_assert(2 * 1000 * drawn(&training) >= 0.0001 * (double)SECOND / 4);
}
END_TEST

START_TEST(blocks_do_not_answer_for_kernels)
{
    static const struct load kernels = {
        .blocks = 1000, .block_bytes = 1000, .kernels = 5e6, .cpu = 1};

    begin(50000, 0);
    run(&kernels, HOUR);
    ck_assert_uint_eq(noted_count, 0);
}
END_TEST

/* A second at 7 % in a minute at 1.4 % is within 5 %. */
START_TEST(a_peak_that_was_saved_for_changes_nothing)
{
    static const struct load calm = {.blocks = 1e5, .block_bytes = 100, .cpu = 1};
    static const struct load peak = {.blocks = 5e5, .block_bytes = 100, .cpu = 1};

    begin(50000, 0);
    run(&calm, 100);
    for (int i = 0; i < 100; i++) {
        run(&peak, 1);
        run(&calm, 30);
    }
    ck_assert_uint_eq(noted_count, 0);
}
END_TEST

/* 5.6 % where 5 % are allowed, so the credit lasts for 5 s. */
START_TEST(a_little_too_much_is_too_much)
{
    static const struct load little = {.blocks = 4e5, .block_bytes = 100, .cpu = 1};

    begin(50000, 0);
    run(&little, 5 * MINUTE);
    ck_assert_ptr_nonnull(find(TRACE_STAGE_CHAINS));
    ck_assert(find(TRACE_STAGE_CHAINS)->time >= 4);
    ck_assert(find(TRACE_STAGE_CHAINS)->time <= 10);
}
END_TEST

START_TEST(readings_that_cost_too_much_are_taken_less_often)
{
    static const struct load idle = {.blocks = 100, .block_bytes = 100, .cpu = 0.2};

    begin(1000, 0);
    run(&idle, HOUR);
    ck_assert_ptr_nonnull(find(TRACE_STAGE_READINGS));
    ck_assert_ptr_null(find(TRACE_STAGE_CHAINS));
}
END_TEST

/* ---- disk ------------------------------------------------------------------------ */

START_TEST(a_quarter_of_the_disk_is_exact)
{
    const struct noted *blocks;

    begin(0, gib);
    run(&training, MINUTE);
    blocks = find(TRACE_STAGE_BLOCKS);
    ck_assert_ptr_nonnull(blocks);
    ck_assert_int_eq(blocks->change.cause, TRACE_STAGE_CAUSE_DISK);
    ck_assert(blocks->time >= 10 && blocks->time <= 12);
    ck_assert_ptr_null(find(TRACE_STAGE_CHAINS));
}
END_TEST

START_TEST(a_storm_of_a_week_never_fills_the_disk)
{
    begin(0, gib);
    run(&storm, WEEK);
    assert_has_room();
    assert_no_haste();
    ck_assert_uint_le(noted_count, 100);
}
END_TEST

START_TEST(a_training_of_a_week_never_fills_a_small_disk)
{
    begin(50000, 64 * MIB);
    run(&training, WEEK);
    assert_has_room();
    assert_no_haste();
    ck_assert_uint_le(noted_count, 100);
}
END_TEST

/* Under a constant load, the distance changes in one direction: as fine as time and disk allow, and
 * coarser as the run grows. */
START_TEST(nothing_swings_under_a_load_that_stays)
{
    const struct load loads[] = {
        training, storm, quiet, {.blocks = 3e5, .block_bytes = 30000, .cpu = 2}};

    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
        begin(50000, 256 * MIB);
        run(&loads[i], DAY);
        for (size_t j = 1, turns = 0; j < noted_count; j++) {
            turns += noted[j].change.stage == noted[j - 1].change.stage &&
                     is_finer(&noted[j].change) != is_finer(&noted[j - 1].change);
            ck_assert_uint_le(turns, 2);
        }
        assert_no_haste();
        assert_has_room();
    }
}
END_TEST

START_TEST(after_a_storm_the_points_move_together_again)
{
    begin(50000, gib);
    run(&storm, 10 * MINUTE);
    ck_assert_uint_gt(pace.values[TRACE_STAGE_BLOCKS], DISTANCE);
    run(&quiet, HOUR);
    ck_assert_uint_lt(pace.values[TRACE_STAGE_BLOCKS], DISTANCE);
    assert_no_haste();
}
END_TEST

START_TEST(a_storm_each_day_leaves_room)
{
    begin(50000, 256 * MIB);
    for (int day = 0; day < 14; day++) {
        run(&storm, HOUR);
        run(&quiet, 23 * HOUR);
    }
    assert_has_room();
    assert_no_haste();
}
END_TEST

/* Loads by chance, each for a time by chance.  No memory is written at more than some ten gigabytes
 * a second. */
START_TEST(no_load_fills_the_disk)
{
    for (unsigned seed = 1; seed <= 40; seed++) {
        srand(seed);
        begin(50000, (uint64_t)64 * MIB << seed % 5);
        while (look.now_ns < DAY * SECOND) {
            double size = pow(10, 1 + rand() % 6);
            const struct load load = {.blocks = fmin(pow(10, rand() % 8), 3e10 / size),
                                      .block_bytes = size,
                                      .kernels = pow(10, rand() % 7),
                                      .regions = pow(10, rand() % 6),
                                      .cpu = 1 + rand() % 16};

            run(&load, 1 + (unsigned)rand() % 1000);
        }
        assert_has_room();
        assert_no_haste();
    }
}
END_TEST

START_TEST(kernels_and_regions_answer_for_their_bytes)
{
    static const struct load calls = {
        .blocks = 200, .block_bytes = 1000, .kernels = 1e6, .regions = 1e6, .cpu = 1};

    begin(0, gib);
    run(&calls, HOUR / 6);
    ck_assert_ptr_nonnull(find(TRACE_STAGE_KERNELS));
    ck_assert_ptr_nonnull(find(TRACE_STAGE_REGIONS));
    ck_assert_ptr_null(find(TRACE_STAGE_BLOCKS));
    ck_assert_uint_eq(find(TRACE_STAGE_KERNELS)->change.from, 1);
    assert_has_room();
}
END_TEST

START_TEST(readings_take_less_than_a_64th_of_the_disk)
{
    const uint64_t disks[] = {64 * MIB, gib, 64 * gib};

    for (size_t i = 0; i < sizeof disks / sizeof *disks; i++) {
        begin(0, disks[i]);
        run(&quiet, DAY);
        ck_assert_uint_le(look.written_bytes[PACE_READINGS], disks[i] / 64);
        ck_assert_uint_gt(look.written_bytes[PACE_READINGS], i < 2 ? disks[i] / 256 : 0);
        run(&quiet, 6 * DAY);
        ck_assert_uint_le(look.written_bytes[PACE_READINGS], disks[i] / 64);
    }
}
END_TEST

START_TEST(a_trace_takes_a_tenth_of_what_is_free)
{
    begin(0, gib);
    pace_note_free(&pace, 10 * MIB, 100 * gib);
    ck_assert_uint_eq(pace.limit_bytes, gib);
    pace_note_free(&pace, 10 * MIB, 1000 * MIB);
    ck_assert_uint_eq(pace.limit_bytes, 110 * MIB);
    run(&training, HOUR);
    ck_assert_ptr_nonnull(find(TRACE_STAGE_BLOCKS));
    ck_assert_int_eq(find(TRACE_STAGE_BLOCKS)->change.cause, TRACE_STAGE_CAUSE_SPACE);
    assert_has_room();
    begin(0, 0);
    pace_note_free(&pace, 10 * MIB, 1000 * MIB);
    ck_assert_uint_eq(pace.limit_bytes, 0);
}
END_TEST

START_TEST(chains_take_a_quarter_of_the_disk)
{
    begin(0, gib);
    look.stack_bytes = gib / 4 - CHUNK;
    run(&quiet, 1);
    ck_assert_ptr_null(find(TRACE_STAGE_STACKS));
    look.stack_bytes++;
    run(&quiet, 1);
    ck_assert_ptr_nonnull(find(TRACE_STAGE_STACKS));
    run(&quiet, HOUR);
    ck_assert_uint_eq(count_of(TRACE_STAGE_STACKS, false), 1);
}
END_TEST

/* ---- what the user set ----------------------------------------------------------- */

START_TEST(a_distance_of_the_user_gives_way_to_the_disk_alone)
{
    begin(10000, 64 * MIB);
    pace.terms.has_chains = pace.terms.has_blocks = pace.terms.is_distance_free = false;
    pace.values[TRACE_STAGE_BLOCKS] = 1 << 16;
    run(&training, MINUTE);
    ck_assert_ptr_null(find(TRACE_STAGE_CHAINS));
    ck_assert_ptr_null(find(TRACE_STAGE_BLOCKS));
    run(&storm, DAY);
    ck_assert_int_eq(find(TRACE_STAGE_BLOCKS)->change.cause, TRACE_STAGE_CAUSE_DISK);
    ck_assert_uint_eq(count_of(TRACE_STAGE_BLOCKS, true), 0);
}
END_TEST

START_TEST(without_chains_blocks_are_shed_first)
{
    begin(10000, 0);
    pace.terms.has_chains = false;
    run(&training, MINUTE);
    ck_assert_ptr_null(find(TRACE_STAGE_CHAINS));
    ck_assert_ptr_nonnull(find(TRACE_STAGE_BLOCKS));
}
END_TEST

START_TEST(where_no_block_is_recorded_none_is_shed)
{
    begin(10000, 64 * MIB);
    pace.terms.has_chains = pace.terms.has_blocks = false;
    pace.values[TRACE_STAGE_BLOCKS] = 0;
    run(&training, HOUR);
    ck_assert_ptr_null(find(TRACE_STAGE_CHAINS));
    ck_assert_ptr_null(find(TRACE_STAGE_BLOCKS));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pace");
    TCase *tests = tcase_create("pace");

    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, without_budgets_all_is_exact);
    tcase_add_test(tests, within_both_budgets_all_is_exact);
    tcase_add_test(tests, everything_is_exact_until_the_credit_is_spent);
    tcase_add_test(tests, the_credit_is_in_proportion_to_the_budget);
    tcase_add_test(tests, chains_are_shed_first);
    tcase_add_test(tests, points_begin_at_the_distance_that_fits);
    tcase_add_test(tests, points_are_no_finer_than_the_heap_needs);
    tcase_add_test(tests, blocks_follow_when_there_are_more);
    tcase_add_test(tests, where_chains_are_not_enough_blocks_are_shed_at_once);
    tcase_add_test(tests, a_storm_is_over_its_budget_within_some_milliseconds);
    tcase_add_test(tests, the_cost_of_a_start_is_paid_back);
    tcase_add_test(tests, a_program_that_waits_stays_within_its_budget);
    tcase_add_test(tests, points_move_apart_when_drawn_blocks_cost_too_much);
    tcase_add_test(tests, points_stay_where_moving_them_gains_nothing);
    tcase_add_test(tests, blocks_do_not_answer_for_kernels);
    tcase_add_test(tests, a_peak_that_was_saved_for_changes_nothing);
    tcase_add_test(tests, a_little_too_much_is_too_much);
    tcase_add_test(tests, readings_that_cost_too_much_are_taken_less_often);
    tcase_add_test(tests, a_quarter_of_the_disk_is_exact);
    tcase_add_test(tests, a_storm_of_a_week_never_fills_the_disk);
    tcase_add_test(tests, a_training_of_a_week_never_fills_a_small_disk);
    tcase_add_test(tests, nothing_swings_under_a_load_that_stays);
    tcase_add_test(tests, after_a_storm_the_points_move_together_again);
    tcase_add_test(tests, a_storm_each_day_leaves_room);
    tcase_add_test(tests, no_load_fills_the_disk);
    tcase_add_test(tests, kernels_and_regions_answer_for_their_bytes);
    tcase_add_test(tests, readings_take_less_than_a_64th_of_the_disk);
    tcase_add_test(tests, a_trace_takes_a_tenth_of_what_is_free);
    tcase_add_test(tests, chains_take_a_quarter_of_the_disk);
    tcase_add_test(tests, a_distance_of_the_user_gives_way_to_the_disk_alone);
    tcase_add_test(tests, without_chains_blocks_are_shed_first);
    tcase_add_test(tests, where_no_block_is_recorded_none_is_shed);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
