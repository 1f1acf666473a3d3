/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks, tests and the verdict.
 *
 * Decision: doc/decisions/gate-statistics.
 */
#include "compare/gate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compare/endings.h"
#include "statistics/multiple.h"

struct gate_policy gate_defaults(void)
{
    return (struct gate_policy){
        .figure = {FIGURE_BY_RANK, 0.95},
        .threshold = 0.05,
        .noise = 0.01,
        .least_share = 0.01,
        .inconclusive = GATE_TELL,
    };
}

const char *gate_result_name(enum gate_result result)
{
    static const char *const names[] = {
#define RESULT(id, name, help) name,
#include "compare/gate_results.def"
#undef RESULT
    };

    return names[result];
}

/* FLOPs and bytes follow from calls and shapes; they are compared only where the calls agree. */
static const enum run_quantity kernel_counts[] = {RUN_CALLS, RUN_FLOPS, RUN_BYTES};
static const enum run_quantity region_counts[] = {RUN_CALLS, RUN_ITEMS, RUN_ALLOCATIONS,
                                                  RUN_ALLOCATED, RUN_PEAK_HEAP};
static const enum run_quantity whole_counts[] = {RUN_ITEMS,     RUN_ALLOCATIONS,   RUN_ALLOCATED,
                                                 RUN_PEAK_HEAP, RUN_DEVICE_COPIED, RUN_DEVICE_PEAK};

/* The peak in usable bytes counts only where a side lacks the peak of the heap: malloc's rounding
 * is no news. */
static bool is_redundant(const struct pair_part *part, enum run_quantity quantity)
{
    return quantity == RUN_PEAK_USABLE && pair_part_knows(part, RUN_PEAK_HEAP);
}

/* The total shows a large change of few calls; the call shows a small change of many. */
static const enum run_quantity kernel_times[] = {RUN_TOTAL, RUN_CALL};
static const enum run_quantity region_times[] = {RUN_INCLUSIVE};
static const enum run_quantity function_times[] = {RUN_CPU};
static const enum run_quantity op_counts[] = {RUN_CALLS};
static const enum run_quantity command_counts[] = {RUN_CALLS, RUN_BYTES};
static const enum run_quantity op_times[] = {RUN_TOTAL};
static const enum run_quantity whole_times[] = {RUN_WALL, RUN_PEAK_RSS, RUN_PEAK_USABLE,
                                                RUN_DEVICE_BUSY};
static const enum run_quantity minimal_times[] = {RUN_CALL, RUN_WALL};

struct quantities {
    const enum run_quantity *of;
    size_t count;
};

#define QUANTITIES(list)                                                                           \
    {                                                                                              \
        list, sizeof list / sizeof *list                                                           \
    }

static struct quantities counts_of(enum run_subject subject)
{
    static const struct quantities counts[] = {
        [RUN_WHOLE] = QUANTITIES(whole_counts),
        [RUN_KERNEL] = QUANTITIES(kernel_counts),
        [RUN_REGION] = QUANTITIES(region_counts),
        [RUN_FUNCTION] = {NULL, 0},
        [RUN_OP] = QUANTITIES(op_counts),
        [RUN_COMMAND] = QUANTITIES(command_counts),
        [RUN_METRIC] = {NULL, 0},
        [RUN_OPERATION] = {NULL, 0},
    };

    return counts[subject];
}

static struct quantities times_of(enum run_subject subject, bool is_minimal)
{
    static const struct quantities times[] = {
        [RUN_WHOLE] = QUANTITIES(whole_times),
        [RUN_KERNEL] = QUANTITIES(kernel_times),
        [RUN_REGION] = QUANTITIES(region_times),
        [RUN_FUNCTION] = QUANTITIES(function_times),
        [RUN_OP] = QUANTITIES(op_times),
        [RUN_COMMAND] = QUANTITIES(kernel_times),
        [RUN_METRIC] = {NULL, 0},
        [RUN_OPERATION] = {NULL, 0},
    };
    static const struct quantities minimal = QUANTITIES(minimal_times);

    return is_minimal ? minimal : times[subject];
}

static struct gate_check *add_check(struct gate *gate, const struct pair_part *part,
                                    enum run_quantity quantity)
{
    struct gate_check *check = array_add(&gate->checks);

    figure_init(&check->figure, part, quantity, &gate->policy.figure);
    check->result = GATE_UNTESTED;
    check->share = check->beyond_p_value = check->adjusted_p_value = (double)NAN;
    return check;
}

/* Whether all runs of the base, or none, have the part, and most new runs disagree. */
static bool is_structural(const struct pair *pair, const struct pair_part *part)
{
    size_t changed = part->changed.count, of = pair->changed->runs.count;

    if (part->base.count == 0)
        return 2 * changed > of;
    return part->base.count == pair->base->runs.count && 2 * changed < of;
}

static enum gate_result structural(const struct gate *gate)
{
    return gate->policy.allows_structure ? GATE_ACCEPTED : GATE_STRUCTURE;
}

static bool may_be_missing(const struct pair_part *part)
{
    return part->subject == RUN_KERNEL || part->subject == RUN_REGION ||
           part->subject == RUN_OPERATION;
}

static void check_presence(struct gate *gate, const struct pair_part *part)
{
    struct gate_check *check;

    if (!may_be_missing(part) || !is_structural(gate->pair, part))
        return;
    check = add_check(gate, part, RUN_CALLS);
    check->aspect = GATE_OF_PRESENCE;
    check->result = structural(gate);
}

/* One bad ending is enough: chance ends no program. */
static void check_endings(struct gate *gate)
{
    size_t count;
    const struct run *first = endings_find_new(gate->pair, &count);
    struct gate_check *check;

    if (!first)
        return;
    check = array_add(&gate->checks);
    *check = (struct gate_check){
        .figure = {.part = &gate->run, .quantity = RUN_QUANTITIES},
        .result = GATE_WORSE,
        .aspect = GATE_OF_ENDING,
        .deviating = count,
        .ending = run_fact_value(first, run_ending),
    };
}

static bool depends_on_chance(enum run_quantity quantity)
{
    return run_quantity_at(quantity)->better == RUN_LOWER;
}

/* All runs of the base agree.  Threads and chance may decide the number of allocations, so for
 * these a single run shows nothing. */
static bool is_deterministic(const struct gate *gate, const struct figure *figure)
{
    size_t runs = gate->pair->base->runs.count;

    return figure->is_fixed && figure->base_count == runs && !figure_is_estimate(figure) &&
           (runs > 1 || !depends_on_chance(figure->quantity));
}

static size_t count_deviating(const struct figure *figure)
{
    size_t count = 0;

    for (size_t i = 0; i < figure->part->changed.count; i++) {
        const struct run_row *row = *(const struct run_row **)array_at(&figure->part->changed, i);

        count += row->values[figure->quantity] != figure->base;
    }
    return count;
}

static bool is_equal(const struct figure *figure)
{
    return figure->is_fixed && !figure_is_estimate(figure) && count_deviating(figure) == 0;
}

/* If one new run of ten differs, the count varies; if most differ, the count changed. */
static void judge_count(const struct gate *gate, struct gate_check *check)
{
    const struct figure *figure = &check->figure;
    bool is_less = figure->changed < figure->base;

    check->deviating = count_deviating(figure);
    if (check->deviating == 0)
        check->result = GATE_UNCHANGED;
    else if (2 * check->deviating <= figure->part->changed.count)
        check->result = GATE_VARIES;
    else if (run_quantity_at(figure->quantity)->better == RUN_NEITHER)
        check->result = structural(gate);
    else
        check->result = is_less ? GATE_BETTER : GATE_WORSE;
}

/* Returns: whether the calls are unchanged, so that FLOPs and bytes may be compared. */
static bool are_calls_unchanged(const struct gate *gate)
{
    const struct gate_check *last = array_at(&gate->checks, gate->checks.count - 1);

    return last->figure.quantity != RUN_CALLS || last->result == GATE_UNCHANGED;
}

static void check_counts(struct gate *gate, const struct pair_part *part)
{
    struct quantities counts = counts_of(part->subject);

    for (size_t i = 0; i < counts.count; i++) {
        struct gate_check *check = add_check(gate, part, counts.of[i]);

        if (check->figure.basis == FIGURE_OF_NOTHING)
            array_truncate(&gate->checks, gate->checks.count - 1);
        else if (is_deterministic(gate, &check->figure) || is_equal(&check->figure))
            judge_count(gate, check);
        if (gate->checks.count > 0 && part->subject == RUN_KERNEL && !are_calls_unchanged(gate))
            break;
    }
}

struct walls {
    double base;
    double changed;
};

/* Uses medians, because shares refer to a usual run. */
static void find_walls(const struct pair *pair, struct walls *walls)
{
    const struct pair_part *whole = pair_find(pair, RUN_WHOLE, "", "");

    *walls = (struct walls){(double)NAN, (double)NAN};
    if (!whole)
        return;
    figure_median(&whole->base, RUN_WALL, &walls->base);
    figure_median(&whole->changed, RUN_WALL, &walls->changed);
}

/* Returns: RUN_QUANTITIES for subjects without a share. */
static enum run_quantity quantity_of_share(enum run_subject subject)
{
    switch (subject) {
    case RUN_KERNEL:
    case RUN_COMMAND:
    case RUN_OP: return RUN_TOTAL;
    case RUN_FUNCTION: return RUN_CPU;
    case RUN_REGION: return RUN_INCLUSIVE;
    case RUN_WHOLE:
    case RUN_METRIC:
    case RUN_OPERATION: break;
    }
    return RUN_QUANTITIES;
}

/* The larger share of both sides: a new slow part had no share before. */
static void find_share(struct gate_check *check, const struct walls *walls)
{
    const struct pair_part *part = check->figure.part;
    enum run_quantity quantity = quantity_of_share(part->subject);
    double base, changed;

    if (quantity == RUN_QUANTITIES)
        return;
    figure_median(&part->base, quantity, &base);
    figure_median(&part->changed, quantity, &changed);
    check->share = fmax(base / walls->base, changed / walls->changed);
}

static void settle_small(const struct gate *gate, struct gate_check *check,
                         const struct walls *walls)
{
    if (!gate->policy.is_minimal)
        find_share(check, walls);
    if (check->share < gate->policy.least_share)
        check->result = GATE_SMALL;
}

static void check_times(struct gate *gate, const struct pair_part *part, const struct walls *walls)
{
    struct quantities times = times_of(part->subject, gate->policy.is_minimal);

    for (size_t i = 0; i < times.count; i++) {
        struct gate_check *check;

        if (is_redundant(part, times.of[i]))
            continue;
        check = add_check(gate, part, times.of[i]);
        if (check->figure.basis == FIGURE_OF_NOTHING)
            array_truncate(&gate->checks, gate->checks.count - 1);
        else
            settle_small(gate, check, walls);
    }
}

static void check_part(struct gate *gate, const struct pair_part *part, const struct walls *walls)
{
    check_presence(gate, part);

    if (pair_part_is_new(part) || pair_part_is_missing(part))
        return;
    if (!gate->policy.is_minimal)
        check_counts(gate, part);
    check_times(gate, part, walls);
}

static bool is_to_be_tested(const struct gate_check *check)
{
    return check->result == GATE_UNTESTED && check->figure.basis == FIGURE_OF_RUNS;
}

static bool is_of_function(const struct gate_check *check)
{
    return check->figure.part->subject == RUN_FUNCTION;
}

/* Functions are a family of their own: they may be many, and samples add noise, so they must not
 * weaken the tests of the others. */
static void adjust_family(const struct gate *gate, const struct array *from, bool of_functions,
                          double *adjusted)
{
    size_t count = gate->checks.count;
    double *own = memory_get_zeros(count + 1, sizeof *own);

    for (size_t i = 0; i < count; i++)
        own[i] = is_of_function(array_at(&gate->checks, i)) == of_functions
                     ? *(double *)array_at(from, i)
                     : (double)NAN;
    multiple_holm(own, count, own);
    for (size_t i = 0; i < count; i++)
        if (is_of_function(array_at(&gate->checks, i)) == of_functions)
            adjusted[i] = own[i];
    free(own);
}

static void adjust_all(const struct gate *gate, const struct array *from, double *adjusted)
{
    adjust_family(gate, from, false, adjusted);

    adjust_family(gate, from, true, adjusted);
}

/* Copy the p values, adjusted by Holm, back to their checks. */
static void adjust(struct gate *gate, const struct array *beyond, const struct array *any)
{
    size_t count = gate->checks.count;
    double *adjusted = memory_get_zeros(2 * count + 1, sizeof *adjusted);

    adjust_all(gate, beyond, adjusted);
    adjust_all(gate, any, adjusted + count);
    for (size_t i = 0; i < count; i++) {
        struct gate_check *check = array_at(&gate->checks, i);

        check->beyond_p_value = adjusted[i];
        check->adjusted_p_value = adjusted[count + i];
    }
    free(adjusted);
}

static void add_p_values(struct gate *gate, const struct gate_check *check, struct array *beyond,
                         struct array *any)
{
    double *to_beyond = array_add(beyond), *to_any = array_add(any);

    *to_beyond = *to_any = (double)NAN;
    if (!is_to_be_tested(check))
        return;
    gate->tests += !is_of_function(check);
    *to_any = check->figure.p_value;
    figure_test_beyond(&check->figure, 1 + gate->policy.noise, &gate->policy.figure, to_beyond);
}

static void test(struct gate *gate)
{
    struct array beyond, any;

    array_init(&beyond, sizeof(double));
    array_init(&any, sizeof(double));
    for (size_t i = 0; i < gate->checks.count; i++)
        add_p_values(gate, array_at(&gate->checks, i), &beyond, &any);
    adjust(gate, &beyond, &any);
    array_fini(&beyond);
    array_fini(&any);
}

/* The margin of half the noise is for errors common to both sides, which no interval contains: on a
 * quiet machine a slowdown of exactly the threshold may measure as 4.99 +- 0.005 %. */
static bool reaches_threshold(const struct gate *gate, const struct figure *figure)
{
    return !(figure->ratio_interval.high < 1 + gate->policy.threshold - gate->policy.noise / 2);
}

/* The same for quantities that may not decrease. */
static bool reaches_either_threshold(const struct gate *gate, const struct figure *figure)
{
    double margin = gate->policy.threshold - gate->policy.noise / 2;

    return reaches_threshold(gate, figure) || !(figure->ratio_interval.low > 1 - margin);
}

/* A varying count is no better lower or higher: a change means another amount of work. */
static enum gate_result judge_work(const struct gate *gate, const struct gate_check *check)
{
    bool is_certain = check->adjusted_p_value <= 1 - gate->policy.figure.confidence;

    if (!reaches_either_threshold(gate, &check->figure))
        return is_certain ? GATE_WITHIN : GATE_UNCHANGED;
    return is_certain ? structural(gate) : GATE_UNDECIDED;
}

/* An uncertain function decides nothing: otherwise the gate would ask for more runs without end. */
static enum gate_result judge_function(const struct gate *gate, const struct gate_check *check)
{
    const struct figure *figure = &check->figure;
    double level = 1 - gate->policy.figure.confidence;

    if (check->beyond_p_value <= level && reaches_threshold(gate, figure))
        return figure->ratio >= 1 + gate->policy.threshold ? GATE_WORSE : GATE_SAMPLED;
    if (check->adjusted_p_value <= level && figure->ratio < 1)
        return GATE_BETTER;
    return GATE_SAMPLED;
}

static enum gate_result judge_test(const struct gate *gate, const struct gate_check *check)
{
    const struct figure *figure = &check->figure;
    double level = 1 - gate->policy.figure.confidence;

    if (figure->least_p_value * (double)gate->tests > level)
        return GATE_UNTESTED;
    if (run_quantity_at(figure->quantity)->better == RUN_NEITHER)
        return judge_work(gate, check);
    if (check->beyond_p_value <= level && figure_is_more(figure, 1 + gate->policy.noise))
        return reaches_threshold(gate, figure) ? GATE_WORSE : GATE_WITHIN;
    if (check->adjusted_p_value <= level && figure->ratio < 1 && figure_is_less(figure, 1))
        return GATE_BETTER;
    return reaches_threshold(gate, figure) ? GATE_UNDECIDED : GATE_UNCHANGED;
}

/* A single number has no measure of its certainty, so the ratio alone decides. */
static enum gate_result judge_ratio(const struct gate *gate, const struct figure *figure)
{
    if (!(figure->ratio <= 1 + gate->policy.threshold))
        return GATE_WORSE;
    if (figure->ratio > 1 + gate->policy.noise)
        return GATE_WITHIN;
    return figure->ratio < 1 - gate->policy.threshold ? GATE_BETTER : GATE_UNCHANGED;
}

static void judge(struct gate *gate)
{
    for (size_t i = 0; i < gate->checks.count; i++) {
        struct gate_check *check = array_at(&gate->checks, i);

        if (check->result == GATE_UNTESTED && is_of_function(check))
            check->result = is_to_be_tested(check) ? judge_function(gate, check) : GATE_SAMPLED;
        else if (is_to_be_tested(check))
            check->result = judge_test(gate, check);
        else if (check->result == GATE_UNTESTED && gate->policy.is_minimal)
            check->result = judge_ratio(gate, &check->figure);
        gate->counts[check->result]++;
    }
}

static enum status verdict(const struct gate *gate)
{
    bool is_open = gate->counts[GATE_UNTESTED] > 0;

    if (gate->counts[GATE_WORSE] > 0 || gate->counts[GATE_STRUCTURE] > 0)
        return STATUS_POLICY_FAILED;
    if (gate->policy.inconclusive == GATE_FAIL && (is_open || gate->counts[GATE_UNDECIDED] > 0))
        return STATUS_POLICY_FAILED;
    return is_open && gate->policy.inconclusive == GATE_TELL ? STATUS_NOT_ENOUGH_DATA : STATUS_OK;
}

/* If there were too few runs for any test, the number of tests is that of the untested checks. */
static size_t runs_needed(const struct gate *gate)
{
    size_t tests = gate->tests > 0 ? gate->tests : gate->counts[GATE_UNTESTED], most = 0;

    for (size_t i = 0; i < gate->checks.count; i++) {
        const struct gate_check *check = array_at(&gate->checks, i);
        enum figure_test by =
            is_to_be_tested(check) ? check->figure.test : gate->policy.figure.test;
        size_t needed = figure_runs_needed(by, 1 - gate->policy.figure.confidence, tests);

        if (check->result == GATE_UNTESTED && needed > most)
            most = needed;
    }
    return most;
}

void gate_init(struct gate *gate, const struct pair *pair, const struct gate_policy *policy)
{
    struct walls walls;

    find_walls(pair, &walls);
    *gate = (struct gate){.pair = pair, .policy = *policy};
    gate->run = (struct pair_part){.subject = RUN_WHOLE, .name = "", .shape = ""};
    array_init(&gate->checks, sizeof(struct gate_check));
    check_endings(gate);
    for (size_t i = 0; i < pair->parts.count; i++)
        check_part(gate, array_at(&pair->parts, i), &walls);
    test(gate);
    judge(gate);
    gate->runs_needed = runs_needed(gate);
    gate->verdict = verdict(gate);
}

const struct run *gate_find_drawn(const struct gate *gate)
{
    const struct run_side *const sides[] = {gate->pair->base, gate->pair->changed};

    for (size_t i = 0; gate->policy.threshold == 0 && i < sizeof sides / sizeof *sides; i++)
        for (size_t j = 0; j < sides[i]->runs.count; j++) {
            const struct run *run = array_at(&sides[i]->runs, j);

            if (run->is_drawn)
                return run;
        }
    return NULL;
}

void gate_fini(struct gate *gate)
{
    array_fini(&gate->checks);
}
