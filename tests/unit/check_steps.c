/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps, threads and Amdahl's law: repetitions in sequences of letters, and
 * sessions made by hand with every part known.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "made_session.h"
#include "model/course.h"
#include "model/session.h"
#include "model/session_beats.h"
#include "model/session_heap.h"
#include "model/session_kernels.h"
#include "model/session_losses.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "steps/amdahl.h"
#include "steps/period.h"
#include "steps/step_memory.h"
#include "steps/step_parts.h"
#include "steps/step_sizes.h"
#include "steps/steps.h"
#include "suite.h"
#include "waits/sweep.h"
#include "waits/concurrency.h"

enum { SYMBOLS = 4000000, KERNELS = 4, LINE = 200 };

static struct session session;
static struct catalog_kernel kernels[KERNELS];

/* ---- what repeats ------------------------------------------------------------------ */

static uint32_t *symbols;
static size_t count;

static void write_text(const char *text)
{
    for (size_t i = 0; text[i]; i++)
        symbols[count++] = (unsigned char)text[i];
}

static void repeat(const char *text, size_t times)
{
    for (size_t i = 0; i < times; i++)
        write_text(text);
}

static void begin_symbols(void)
{
    symbols = malloc(SYMBOLS * sizeof *symbols);
    ck_assert_ptr_nonnull(symbols);
    count = 0;
}

static void end_symbols(void)
{
    free(symbols);
}

static void check_period(size_t length, size_t repeats, size_t first)
{
    struct period period;

    period_find(&period, &(struct period_sequence){symbols, count, 3});
    ck_assert_uint_eq(period.length, length);
    ck_assert_uint_eq(period.starts.count, repeats);
    if (repeats > 0)
        ck_assert_uint_eq(*(const size_t *)period.starts.items, first);
}

static const struct {
    const char *text;
    size_t length;
    size_t repeats;
    size_t first;
} texts[] = {
    {"", 0, 0, 0},
    {"a", 0, 0, 0},
    {"ab", 0, 0, 0},
    {"abcdefgh", 0, 0, 0},
    {"aaaaaa", 1, 6, 0},
    {"abcabcabcabc", 3, 4, 0},
    {"xyzabcabcabcabc", 3, 4, 3},            /* a warm-up before */
    {"abcabcqqabcabcab", 3, 4, 0},           /* an odd step between, one that was cut */
    {"abcabxabcabcabc", 3, 4, 0},            /* one step differs */
    {"ababcababcababcababc", 5, 4, 0},       /* layers within steps */
    {"aababbaababbaababb", 6, 3, 0},         /* no call is alone in its step */
    {"fbfbfbffbfbfbffbfbfbf", 7, 3, 0},      /* three rounds of steps and a test */
    {"abcabcabcabcxabcabcabcabcx", 3, 8, 0}, /* two halves are no proof of a longer one */
    {"abcdabcd", 4, 2, 0},
};

START_TEST(the_longest_stretch_that_repeats_is_found)
{
    begin_symbols();
    write_text(texts[_i].text);
    check_period(texts[_i].length, texts[_i].repeats, texts[_i].first);
    end_symbols();
}
END_TEST

START_TEST(strays_do_not_hide_the_steps)
{
    begin_symbols();
    for (size_t i = 0; i < 300; i++) {
        repeat("qsrsrsrsrof", 4);
        write_text("h");
        if (i * i / 11 % 9 == 2)
            write_text("l");
    }
    check_period(45, 300, 0);
    end_symbols();
}
END_TEST

/* Far more than the window. */
START_TEST(millions_of_calls_are_looked_through)
{
    begin_symbols();
    repeat("warmup", 10);
    while (count < SYMBOLS - 100) {
        repeat("qsrsrof", 6);
        write_text("h");
    }
    check_period(43, (SYMBOLS - 100 - 60 + 42) / 43, 60);
    end_symbols();
}
END_TEST

START_TEST(noise_has_no_steps)
{
    uint64_t state = 1;

    begin_symbols();
    while (count < 100000) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        symbols[count++] = (uint32_t)(state >> 61);
    }
    check_period(0, 0, 0);
    end_symbols();
}
END_TEST

START_TEST(a_call_that_is_merely_frequent_is_no_step)
{
    uint64_t state = 1;

    begin_symbols();
    while (count < 100000) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        symbols[count++] = state >> 62 == 0;
    }
    check_period(0, 0, 0);
    end_symbols();
}
END_TEST

/* ---- sessions --------------------------------------------------------------------- */

static void add_slot(uint32_t kernel, uint32_t thread, int64_t size)
{
    struct session_slot *slot = array_add(&session.slots);

    ck_assert_ptr_nonnull(slot);
    slot->binding = kernel;
    slot->kernel = &kernels[kernel];
    slot->thread = thread;
    slot->dims = 1;
    slot->shape[0] = size;
    slot->flops_each = (long double)NAN;
    slot->bytes_each = (long double)NAN;
    array_init(&slot->durations_ns, sizeof(uint64_t));
}

static void setup(void)
{
    static const char *const names[KERNELS] = {"cblas_sgemm", "conv", "cblas_saxpy", "reorder"};
    static const enum catalog_class classes[KERNELS] = {CATALOG_MATMUL, CATALOG_MATMUL,
                                                        CATALOG_ELEMENTWISE, CATALOG_MOVEMENT};

    made_init(&session);
    text_list_init(&session.process.environment);
    session.process.cpu_count = 2;
    session.overhead.kernel_ns = session.overhead.kernel_inner_ns = 0;
    for (size_t i = 0; i < KERNELS; i++) {
        struct session_binding *binding = array_add(&session.bindings);

        ck_assert_ptr_nonnull(binding);
        kernels[i] = (struct catalog_kernel){.name = names[i], .class = classes[i]};
        binding->kernel = &kernels[i];
        binding->symbol = names[i];
    }
}

static void teardown(void)
{
    for (size_t i = 0; i < session.slots.count; i++)
        array_fini(&((struct session_slot *)array_at(&session.slots, i))->durations_ns);
    text_list_fini(&session.process.environment);
    made_fini(&session);
}

static void end_at(uint64_t ns)
{
    struct session_thread *thread = session.threads.items;

    session.process.wall_ns = ns;
    for (size_t i = 0; i < session.threads.count; i++)
        thread[i].last_ns = ns;
    session.thread_ns = ns * session.threads.count;
}

static void call(uint32_t slot, uint64_t start_ns, uint64_t ns)
{
    struct session_slot *of = array_at(&session.slots, slot);

    of->calls++;
    of->timed_calls++;
    of->total_ns += ns;
    of->self_ns += ns;
    made_add_course_call(&session, slot, start_ns, ns);
}

/* Steps of 1000 ns from 5000 on: a product of 300, one of 200, a scaling of 100. */
static void make_steps(size_t steps)
{
    add_slot(0, 0, 64);
    add_slot(0, 0, 32);
    add_slot(2, 0, 64);
    for (size_t i = 0; i < steps; i++) {
        call(0, 5000 + 1000 * i, 300);
        call(1, 5400 + 1000 * i, 200);
        call(2, 5700 + 1000 * i, 100);
    }
    end_at(5000 + 1000 * steps);
}

START_TEST(steps_are_found_in_kernels_and_the_end_of_the_last_is_not_known)
{
    const struct step *step;
    struct steps steps;

    make_steps(10);
    steps_init(&steps, &session);
    ck_assert_int_eq(steps.source, STEPS_CALLS);
    ck_assert_uint_eq(steps.steps.count, 10);
    ck_assert(steps.is_last_cut);
    ck_assert_uint_eq(steps_count_whole(&steps), 9);
    step = steps.steps.items;
    ck_assert_uint_eq(step[3].start_ns, 8000);
    ck_assert_uint_eq(step[3].end_ns, 9000);
    ck_assert_uint_eq(step[9].end_ns, 14800);
}
END_TEST

static void name_kernel(uint32_t kernel, const char *name)
{
    struct session_binding *binding = array_at(&session.bindings, kernel);

    kernels[kernel].name = binding->symbol = name;
    kernels[kernel].class = CATALOG_OTHER;
}

/* A model is loaded, run ten times and let go: of thirteen calls ten are the steps. */
START_TEST(what_makes_or_frees_an_object_is_no_part_of_steps)
{
    struct steps steps;

    name_kernel(0, "onnx_run");
    name_kernel(1, "onnx_load");
    name_kernel(2, "OrtReleaseSession");
    for (uint32_t i = 0; i < 3; i++)
        add_slot(i, 0, 1);
    ((struct session_slot *)array_at(&session.slots, 2))->flops_each = 0;
    call(2, 500, 10);
    call(1, 1000, 3000);
    for (size_t i = 0; i < 10; i++)
        call(0, 5000 + 1000 * i, 900);
    call(2, 15500, 100);
    end_at(16000);
    steps_init(&steps, &session);
    ck_assert_int_eq(steps.source, STEPS_CALLS);
    ck_assert_uint_eq(steps.steps.count, 10);
    ck_assert_uint_eq(((const struct step *)array_at(&steps.steps, 0))->start_ns, 5000);
}
END_TEST

static void find_parts(struct step_parts *parts, const struct steps *steps)
{
    struct roles roles;

    roles_init(&roles, &session);
    step_parts_find(parts, steps, &session, &roles);
}

static void find_memory(struct step_memory *memory, const struct steps *steps)
{
    struct roles roles;

    roles_init(&roles, &session);
    step_memory_find(memory, steps, &session, &roles);
}

START_TEST(parts_of_steps_sum_to_their_time)
{
    struct step_parts parts = {0};
    struct steps steps;

    make_steps(10);
    steps_init(&steps, &session);
    find_parts(&parts, &steps);
    ck_assert_double_eq_tol(parts.whole_ns, 9000, 1e-9);
    ck_assert_double_eq_tol(parts.kernel_ns[ROLE_MATMUL], 4500, 1e-9);
    ck_assert_double_eq_tol(parts.kernel_ns[ROLE_ELEMENTWISE], 900, 1e-9);
    ck_assert_double_eq_tol(parts.kernel_calls[ROLE_MATMUL], 18, 1e-9);
    ck_assert_double_eq_tol(parts.gap_ns, 3600, 1e-9);
    ck_assert_double_eq_tol(parts.own_ns + parts.rest_ns, 3600, 1e-9);
    ck_assert(isnan(parts.waiting_ns));
    ck_assert_ptr_nonnull(strstr(parts.no_waiting, "fewer than two readings"));
}
END_TEST

START_TEST(parts_are_told_from_one_step_on)
{
    struct step_parts parts = {.first = 1};
    struct steps steps;

    make_steps(10);
    steps_init(&steps, &session);
    find_parts(&parts, &steps);
    ck_assert_uint_eq(parts.steps, 8);
    ck_assert_double_eq_tol(parts.whole_ns, 8000, 1e-9);
    ck_assert_double_eq_tol(parts.kernel_ns[ROLE_MATMUL], 4000, 1e-9);
    ck_assert_double_eq_tol(parts.kernel_calls[ROLE_MATMUL], 16, 1e-9);
    parts.first = 9;
    find_parts(&parts, &steps);
    ck_assert_uint_eq(parts.steps, 0);
}
END_TEST

static void add_reading(uint64_t time_ns, uint64_t cpu_ns)
{
    struct session_reading *reading =
        made_add_reading(&session, SESSION_READING_PERIODIC, NULL, SESSION_UNKNOWN);

    reading->time_ns = time_ns;
    reading->values.thread_cpu_ns = cpu_ns;
    reading->delay_ns = 0;
}

/* In 8000 ns the thread computed for 6000: a quarter of the steps' time. */
START_TEST(waiting_is_time_without_processor_time)
{
    struct step_parts parts = {0};
    struct steps steps;

    make_steps(10);
    add_reading(1000, 900);
    add_reading(5500, 4000);
    add_reading(9500, 7000);
    add_reading(13500, 10000);
    steps_init(&steps, &session);
    find_parts(&parts, &steps);
    ck_assert_double_eq_tol(parts.waiting_ns, 2250, 1e-9);
    ck_assert_double_eq_tol(parts.waiting_ns + parts.own_ns + parts.rest_ns, 3600, 1e-9);
}
END_TEST

START_TEST(a_timed_call_stands_for_those_that_were_only_counted)
{
    struct step_parts parts = {0};
    struct session_slot *slot;
    struct steps steps;

    make_steps(10);
    slot = array_at(&session.slots, 2);
    slot->calls = 30;
    slot->estimated_ns = 2000;
    slot->total_ns += 2000;
    steps_init(&steps, &session);
    ck_assert_uint_eq(((const struct steps_level *)steps.levels.items)->calls, 2);
    find_parts(&parts, &steps);
    ck_assert_double_eq_tol(parts.kernel_ns[ROLE_ELEMENTWISE], 2700, 1e-9);
    ck_assert_double_eq_tol(parts.kernel_calls[ROLE_ELEMENTWISE], 27, 1e-9);
}
END_TEST

/* Ten timed calls of 100 ns and 20 more, which are estimated to have taken a tenth of them, as if
 * one had lost the processor.  Those 20 had no cost of a timed call: 20 ns of each are inside it,
 * and 10 outside. */
START_TEST(counted_calls_take_in_steps_what_they_take_in_all)
{
    struct step_parts parts = {0};
    struct session_slot *slot;
    struct steps steps;

    make_steps(10);
    session.overhead = (struct session_overhead){
        .entry_ns = 30, .entry_inner_ns = 20, .counted_ns = 2, .left_out_ns = 3};
    slot = array_at(&session.slots, 2);
    slot->calls = 30;
    slot->estimated_ns = 100;
    slot->total_ns += 100 + 20 * 20;
    steps_init(&steps, &session);
    find_parts(&parts, &steps);
    ck_assert_double_eq_tol(parts.kernel_ns[ROLE_ELEMENTWISE], 900 + 90, 1e-9);
    ck_assert_double_eq_tol(parts.own_ns, 9 * (3 * 10 + 2 * 3), 1e-9);
}
END_TEST

START_TEST(steps_whose_shapes_change_are_told_by_their_kernels)
{
    struct steps steps;

    for (uint32_t i = 0; i < 12; i++)
        add_slot(i % 3, 0, 100 + i);
    for (uint32_t i = 0; i < 12; i++)
        call(i, 1000 + 100 * i, 50);
    end_at(3000);
    steps_init(&steps, &session);
    ck_assert_int_eq(steps.source, STEPS_KERNELS);
    ck_assert_uint_eq(steps.steps.count, 4);
}
END_TEST

/* The calls of a stretch: slots, and how often each is called in a row. */
static uint64_t call_runs(const uint32_t *runs, size_t length, uint64_t from_ns)
{
    for (size_t i = 0; i < length; i += 2)
        for (uint32_t n = 0; n < runs[i + 1]; n++, from_ns += 100)
            call(runs[i], from_ns, 50);
    return from_ns;
}

static const struct resized_case {
    uint32_t runs[12];
    size_t count, steps;
} resized_cases[] = {
    {{3, 1, 4, 2, 5, 1}, 6, 1}, /* a smaller batch */
    {{3, 1, 4, 2, 5, 1, 3, 1, 4, 2, 5, 1}, 12, 2},
    {{3, 1, 4, 2, 5, 1, 3, 1}, 8, 1}, /* and something else */
    {{3, 1, 4, 1, 7, 1, 5, 1}, 8, 1}, /* two shapes that were one by chance */
    {{3, 1, 4, 2}, 4, 0},             /* a part of one */
    {{3, 1, 5, 1, 4, 2}, 6, 0},       /* another order */
    {{6, 1, 4, 2, 5, 1}, 6, 0},       /* another layer */
    {{2, 1}, 2, 0},
};

/* A step is a layer of 64 to 32 for a batch of 8, one product for each item, a scaling. */
START_TEST(a_step_of_another_size_is_hinted_at)
{
    static const int64_t shapes[][2] = {{64, 8}, {7, 5},     {512, 512}, {64, 3},
                                        {7, 5},  {192, 512}, {65, 9},    {7, 9}};
    static const uint32_t step[] = {0, 1, 1, 8, 2, 1};
    const struct resized_case *of = &resized_cases[_i];
    struct steps steps;
    uint64_t now = 1000;
    uint64_t after;

    for (uint32_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct session_slot *slot;

        add_slot(i % 3, 0, shapes[i][0]);
        slot = array_at(&session.slots, i);
        slot->dims = 2;
        slot->shape[1] = shapes[i][1];
    }
    for (int i = 0; i < 5; i++)
        now = call_runs(step, 6, now);
    after = now;
    now = call_runs(of->runs, of->count, now);
    end_at(now);
    steps_init(&steps, &session);
    ck_assert_int_eq(steps.source, STEPS_CALLS);
    ck_assert_uint_eq(steps.steps.count, 5);
    ck_assert_uint_eq(steps.after, (now - after) / 100);
    ck_assert_uint_eq(steps.resized, of->steps);
    ck_assert_uint_eq(steps.resized_calls, 4 * of->steps);
}
END_TEST

/* A step of 100,000 runs of two calls before a single run of a million: a search call by call for
 * each of the runs would take minutes. */
START_TEST(a_long_run_behind_a_step_is_not_gone_through_for_each_of_its_runs)
{
    enum { RUNS = 100000, BEHIND = 1000000, CALLS = 2 * RUNS + BEHIND };
    struct course_call *calls = calloc(CALLS, sizeof *calls);
    uint32_t *numbers = calloc(CALLS, sizeof *numbers);
    struct step_course course = {.session = &session, .calls = calls, .symbols = numbers};
    uint32_t *run_ends;

    ck_assert(calls && numbers);
    add_slot(0, 0, 64);
    for (uint32_t i = 0; i < 2 * RUNS; i++)
        numbers[i] = 1 + i / 2;
    course.run_ends = run_ends = step_sizes_find_runs(numbers, CALLS);
    ck_assert_ptr_nonnull(run_ends);
    ck_assert_uint_eq(run_ends[0], 2);
    ck_assert_uint_eq(run_ends[1], 2);
    ck_assert_uint_eq(run_ends[2 * RUNS], CALLS);
    ck_assert_uint_eq(step_sizes_match(&course, &(struct step_stretch){0, 2 * RUNS},
                                       &(struct step_stretch){2 * RUNS, BEHIND}),
                      0);
    free(numbers);
    free(calls);
}
END_TEST

/* Stretches of some ns with a live heap of at most `bytes`. */
static void make_heap(uint64_t length_ns, uint64_t bytes)
{
    for (uint64_t time_ns = 0; time_ns < session.process.wall_ns; time_ns += length_ns) {
        struct session_moment *moment = array_add(&session.heap.moments);

        ck_assert_ptr_nonnull(moment);
        *moment = (struct session_moment){.time_ns = time_ns, .max_bytes = bytes};
    }
    session.heap.peak_bytes = bytes;
}

static void raise_heap(size_t moment, uint64_t bytes)
{
    ((struct session_moment *)array_at(&session.heap.moments, moment))->max_bytes = bytes;
}

static void check_peak(const struct step_memory *memory, size_t step, uint64_t bytes,
                       uint64_t time_ns, enum role role)
{
    const struct step_peak *peak = array_at(&memory->peaks, step);

    ck_assert_uint_eq(peak->bytes, bytes);
    ck_assert_uint_eq(peak->time_ns, time_ns);
    ck_assert_int_eq(peak->role, role);
}

/* Steps take 1000 ns from 5000 on: a product for 300, another from 400 to 600, an
 * addition from 700 to 800. */
START_TEST(each_step_has_its_peak_of_memory_and_what_ran_then)
{
    struct step_memory memory;
    struct steps steps;

    make_steps(10);
    make_heap(50, 1000);
    raise_heap(8100 / 50, 5000);
    raise_heap(9750 / 50, 3000);
    raise_heap(10950 / 50, 2000);
    steps_init(&steps, &session);
    find_memory(&memory, &steps);
    ck_assert_ptr_null(memory.reason);
    ck_assert_uint_eq(memory.peaks.count, 10);
    ck_assert_uint_eq(memory.most, 3);
    ck_assert_uint_eq(memory.median_bytes, 1000);
    check_peak(&memory, 0, 1000, 5000, ROLE_MATMUL);
    check_peak(&memory, 3, 5000, 8100, ROLE_MATMUL);
    check_peak(&memory, 4, 3000, 9750, ROLE_ELEMENTWISE);
    check_peak(&memory, 5, 2000, 10950, ROLES);
    ck_assert_uint_eq(memory.at_role[ROLES], 1);
}
END_TEST

static void add_beat(uint64_t time_ns, uint64_t peak, uint32_t op)
{
    struct session_beat *beat = array_add(&session.beats);

    ck_assert_ptr_nonnull(beat);
    *beat = (struct session_beat){.time_ns = time_ns,
                                  .live_bytes = 100,
                                  .peak_bytes = peak,
                                  .peak_op = op,
                                  .obtained_bytes = SESSION_UNKNOWN};
}

/* The course has a peak of 1000 bytes in all steps, the beats have others. */
START_TEST(beats_tell_the_peak_of_a_step_to_the_byte_and_its_op)
{
    struct step_memory memory;
    struct steps steps;
    uint32_t op;

    make_steps(10);
    make_heap(50, 1000);
    op = made_add_op(&session, 0, "aten::softmax");
    steps_init(&steps, &session);
    for (uint64_t i = 0; i < 3; i++)
        add_beat(5000 + 1000 * i, i == 1 ? 1000 : 970 + i, op);
    add_beat(8000, 990, 0);
    find_memory(&memory, &steps);
    check_peak(&memory, 0, 1000, 5000, ROLE_SOFTMAX);
    check_peak(&memory, 1, 972, SESSION_UNKNOWN, ROLE_SOFTMAX);
    check_peak(&memory, 2, 990, SESSION_UNKNOWN, ROLES);
    check_peak(&memory, 3, 1000, 8000, ROLE_MATMUL); /* no beat ends it */
}
END_TEST

START_TEST(steps_too_short_for_the_stretches_have_no_peak)
{
    struct step_memory memory;
    struct steps steps;

    make_steps(10);
    make_heap(200, 1000);
    steps_init(&steps, &session);
    find_memory(&memory, &steps);
    ck_assert_uint_eq(memory.peaks.count, 0);
    ck_assert_ptr_nonnull(memory.reason);
}
END_TEST

START_TEST(marked_steps_are_believed_before_what_repeats)
{
    uint32_t outer, step, inner;
    struct steps steps;

    make_steps(10);
    outer = made_add_region(&session, 0, "epoch");
    step = made_add_region(&session, outer, "train_step");
    inner = made_add_region(&session, step, "forward");
    for (size_t i = 0; i < 6; i++) {
        made_add_lap(&session, inner, 5000 + 1000 * i, 5500 + 1000 * i);
        made_add_lap(&session, step, 5000 + 1000 * i, 5900 + 1000 * i);
        if (i % 3 == 2)
            made_add_lap(&session, outer, 3000 + 1000 * i, 5950 + 1000 * i);
    }
    steps_init(&steps, &session);
    ck_assert_int_eq(steps.source, STEPS_REGION);
    ck_assert_uint_eq(steps.region, step);
    ck_assert_uint_eq(steps.steps.count, 6);
    ck_assert(!steps.is_last_cut);
}
END_TEST

START_TEST(of_regions_without_a_name_for_steps_the_longest_is_the_step)
{
    uint32_t load, work;
    struct steps steps;

    load = made_add_region(&session, 0, "load");
    work = made_add_region(&session, 0, "work");
    for (size_t i = 0; i < 3; i++) {
        made_add_lap(&session, load, 1000 * i, 1000 * i + 100);
        made_add_lap(&session, work, 1000 * i + 100, 1000 * i + 900);
    }
    end_at(3000);
    steps_init(&steps, &session);
    ck_assert_uint_eq(steps.region, work);
}
END_TEST

START_TEST(a_session_without_calls_has_no_steps_and_says_so)
{
    struct step_parts parts = {0};
    struct steps steps;

    end_at(1000);
    steps_init(&steps, &session);
    ck_assert_int_eq(steps.source, STEPS_NONE);
    ck_assert_ptr_nonnull(strstr(steps.reason, "too few"));
    find_parts(&parts, &steps);
    ck_assert_uint_eq(parts.steps, 0);
}
END_TEST

/* ---- threads ---------------------------------------------------------------------- */

/* Of 1000 ns, the first thread is in kernels from 0 to 600 and the second from 400 to 700, twice in
 * a row. */
static void make_threads(void)
{
    uint32_t other = made_add_thread(&session);

    add_slot(0, 0, 64);
    add_slot(0, other, 64);
    call(0, 0, 600);
    call(1, 400, 100);
    call(1, 500, 200);
    end_at(1000);
}

START_TEST(spans_follow_each_other_and_know_who_is_inside)
{
    static const struct {
        uint64_t start_ns, end_ns;
        size_t count;
    } expected[] = {{0, 400, 1}, {400, 500, 2}, {500, 600, 2}, {600, 700, 1}};
    struct sweep_span span;
    struct sweep sweep;

    make_threads();
    sweep_init(&sweep, &session);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        ck_assert(sweep_next(&sweep, &span));
        ck_assert_uint_eq(span.start_ns, expected[i].start_ns);
        ck_assert_uint_eq(span.end_ns, expected[i].end_ns);
        ck_assert_uint_eq(span.count, expected[i].count);
    }
    ck_assert_uint_eq(span.threads[0], 1);
    ck_assert_uint_eq(span.slots[0], 1);
    ck_assert(!sweep_next(&sweep, &span));
}
END_TEST

START_TEST(threads_at_once_are_counted)
{
    struct concurrency concurrency;

    make_threads();
    session.process.cpu_count = 1;
    concurrency_init(&concurrency, &session);
    ck_assert_double_eq_tol(concurrency.any_ns, 700, 1e-9);
    ck_assert_double_eq_tol(concurrency.one_ns, 500, 1e-9);
    ck_assert_double_eq_tol(concurrency.several_ns, 200, 1e-9);
    ck_assert_double_eq_tol(concurrency.over_ns, 200, 1e-9);
    ck_assert_double_eq_tol(concurrency.mean, 900 / 700.0, 1e-12);
    ck_assert(concurrency.is_whole);
    ck_assert_uint_eq(concurrency_weigh(&session).workers, 2);
    ck_assert_double_eq_tol(concurrency_weigh(&session).imbalance, (600 - 450) / 600.0, 1e-12);
}
END_TEST

START_TEST(one_worker_has_no_imbalance)
{
    struct concurrency concurrency;

    make_steps(3);
    session.process.cpu_count = SESSION_UNKNOWN;
    concurrency_init(&concurrency, &session);
    ck_assert(isnan(concurrency_weigh(&session).imbalance));
    ck_assert(isnan(concurrency.over_ns));
}
END_TEST

/* ---- Amdahl's law ----------------------------------------------------------------- */

static struct amdahl amdahl;

static void amdahl_begin(void)
{
    amdahl = (struct amdahl){.whole_ns = (double)NAN};
    array_init(&amdahl.targets, sizeof(struct amdahl_target));
}

static void amdahl_add(const char *name, double fraction, double speedup)
{
    struct amdahl_target *target = array_add(&amdahl.targets);

    ck_assert_ptr_nonnull(target);
    *target = (struct amdahl_target){.name = name, .fraction = fraction, .speedup = speedup};
}

START_TEST(a_part_of_70_percent_twice_as_fast_gives_1_538)
{
    amdahl_begin();
    amdahl_add(NULL, 0.7, 2);
    ck_assert_double_eq_tol(amdahl_of(&amdahl, (double)NAN), 1.5384615, 1e-6);
    ck_assert_double_eq_tol(amdahl_of(&amdahl, (double)INFINITY), 3.3333333, 1e-6);
    array_fini(&amdahl.targets);
}
END_TEST

START_TEST(parts_combine)
{
    amdahl_begin();
    amdahl_add(NULL, 0.5, 2);
    amdahl_add(NULL, 0.25, (double)INFINITY);
    amdahl_add(NULL, 0.25, (double)NAN);
    ck_assert_double_eq_tol(amdahl_of(&amdahl, (double)NAN), 2, 1e-12);
    ck_assert(isinf(amdahl_of(&amdahl, (double)INFINITY)));
    array_fini(&amdahl.targets);
}
END_TEST

static double find_fraction(const char *name, enum status expected)
{
    struct diagnostic diagnostic;
    double fraction;

    amdahl_begin();
    amdahl_add(name, (double)NAN, 2);
    ck_assert_int_eq(amdahl_find(&amdahl, &session, &diagnostic), expected);
    fraction = ((const struct amdahl_target *)array_at(&amdahl.targets, 0))->fraction;
    array_fini(&amdahl.targets);
    return fraction;
}

START_TEST(a_target_is_a_kernel_an_operation_or_a_region)
{
    uint32_t region = made_add_region(&session, 0, "half");

    make_steps(10);
    made_add_lap(&session, region, 0, 7500);
    ((struct session_region *)array_at(&session.regions, region))->calls = 1;
    ck_assert_double_eq_tol(find_fraction("cblas_sgemm", STATUS_OK), 5000 / 15000.0, 1e-9);
    ck_assert_double_eq_tol(find_fraction("cblas_*", STATUS_OK), 6000 / 15000.0, 1e-9);
    ck_assert_double_eq_tol(find_fraction("elementwise", STATUS_OK), 1000 / 15000.0, 1e-9);
    ck_assert_double_eq_tol(find_fraction("half", STATUS_OK), 0.5, 1e-9);
    find_fraction("nothing", STATUS_USAGE);
}
END_TEST

START_TEST(a_region_whose_calls_are_missing_is_not_guessed)
{
    uint32_t region = made_add_region(&session, 0, "half");

    make_steps(10);
    ((struct session_region *)array_at(&session.regions, region))->calls = 2;
    made_add_lap(&session, region, 0, 7500);
    find_fraction("half", STATUS_NOT_ENOUGH_DATA);
}
END_TEST

START_TEST(targets_may_not_share_time)
{
    struct diagnostic diagnostic;

    make_steps(10);
    amdahl_begin();
    amdahl_add("cblas_sgemm", (double)NAN, 2);
    amdahl_add("cblas_*", (double)NAN, 2);
    ck_assert_int_eq(amdahl_find(&amdahl, &session, &diagnostic), STATUS_USAGE);
    array_fini(&amdahl.targets);
}
END_TEST

int check_steps(void)
{
    Suite *suite = suite_create("steps");
    TCase *tests = tcase_create("steps");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, the_longest_stretch_that_repeats_is_found, 0,
                        (int)(sizeof texts / sizeof *texts));
    tcase_add_test(tests, strays_do_not_hide_the_steps);
    tcase_add_test(tests, millions_of_calls_are_looked_through);
    tcase_add_test(tests, noise_has_no_steps);
    tcase_add_test(tests, a_call_that_is_merely_frequent_is_no_step);
    tcase_add_test(tests, steps_are_found_in_kernels_and_the_end_of_the_last_is_not_known);
    tcase_add_test(tests, what_makes_or_frees_an_object_is_no_part_of_steps);
    tcase_add_test(tests, parts_of_steps_sum_to_their_time);
    tcase_add_test(tests, parts_are_told_from_one_step_on);
    tcase_add_test(tests, waiting_is_time_without_processor_time);
    tcase_add_test(tests, a_timed_call_stands_for_those_that_were_only_counted);
    tcase_add_test(tests, counted_calls_take_in_steps_what_they_take_in_all);
    tcase_add_test(tests, steps_whose_shapes_change_are_told_by_their_kernels);
    tcase_add_loop_test(tests, a_step_of_another_size_is_hinted_at, 0,
                        sizeof resized_cases / sizeof *resized_cases);
    tcase_add_test(tests, a_long_run_behind_a_step_is_not_gone_through_for_each_of_its_runs);
    tcase_add_test(tests, each_step_has_its_peak_of_memory_and_what_ran_then);
    tcase_add_test(tests, beats_tell_the_peak_of_a_step_to_the_byte_and_its_op);
    tcase_add_test(tests, steps_too_short_for_the_stretches_have_no_peak);
    tcase_add_test(tests, marked_steps_are_believed_before_what_repeats);
    tcase_add_test(tests, of_regions_without_a_name_for_steps_the_longest_is_the_step);
    tcase_add_test(tests, a_session_without_calls_has_no_steps_and_says_so);
    tcase_add_test(tests, spans_follow_each_other_and_know_who_is_inside);
    tcase_add_test(tests, threads_at_once_are_counted);
    tcase_add_test(tests, one_worker_has_no_imbalance);
    tcase_add_test(tests, a_part_of_70_percent_twice_as_fast_gives_1_538);
    tcase_add_test(tests, parts_combine);
    tcase_add_test(tests, a_target_is_a_kernel_an_operation_or_a_region);
    tcase_add_test(tests, a_region_whose_calls_are_missing_is_not_guessed);
    tcase_add_test(tests, targets_may_not_share_time);
    suite_add_tcase(suite, tests);
    return suite_run_in_pool(suite);
}
