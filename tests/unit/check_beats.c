/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Beats in the order of a thread's ops, and the resulting steps.
 *
 * A program is a text with a letter an op:
 *   f g   of the trained module, with records of what gradients need
 *   e h   of the other module, without such records
 *   n     of no module, with such records
 *   b     of the autograd engine
 *   o p   the step of an optimizer, and of another
 *   l     a data loader
 *   s     a scope that the program named
 *   .     of no kind
 * An op in capitals only starts, and / ends the last of these.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "made_session.h"
#include "model/events_parts.h"
#include "model/session.h"
#include "model/session_beats.h"
#include "model/session_ops.h"
#include "steps/steps_parts.h"
#include "suite.h"

enum { TICKS = 10, OPS_OPEN = 8, TEXT_SIZE = 256, OPTIMIZER_LINE = 70 };

static const char letters[] = "fgehnbopls.";

static struct session session;
static struct events events;
static const struct clock clock_of_ns = {.ns_per_tick = 1};
static uint64_t now;
static char open_ops[OPS_OPEN]; /* their letters */
static size_t open_count;

static uint32_t op_of(char letter)
{
    const char *at = strchr(letters, tolower(letter));

    ck_assert_ptr_nonnull(at);
    return (uint32_t)(at - letters) + 1;
}

static struct session_op *add_op(const char *name, uint32_t layer)
{
    struct session_op *op = array_at(&session.ops, made_add_op(&session, 0, name));

    op->layer = layer;
    return op;
}

/* In the order of `letters`. */
static void add_ops(void)
{
    uint32_t net = made_add_layer(&session, 0, "Net");
    uint32_t inner = made_add_layer(&session, net, "Linear");
    uint32_t teacher = made_add_layer(&session, 0, "Teacher");

    add_op("aten::embedding", net);
    add_op("aten::linear", inner);
    add_op("aten::conv2d", teacher);
    add_op("aten::relu", teacher);
    add_op("aten::mul", 0);
    add_op("autograd::engine::evaluate_function: AddmmBackward0", 0)->is_engine = true;
    add_op("Optimizer.step#SGD.step", 0)->line = OPTIMIZER_LINE;
    add_op("Optimizer.step#Adam.step", 0)->line = OPTIMIZER_LINE + 1;
    add_op("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 0);
    add_op("my scope", 0);
    add_op("aten::zero_", 0);
}

static void set_up(void)
{
    made_init(&session);
    add_ops();
    memset(&events, 0, sizeof events);
    events.session = &session;
    events.from.clock = &clock_of_ns;
    events.heap.stage = HEAP_EXACT;
    array_init(&events.lanes, sizeof(struct events_lane));
    ck_assert_ptr_nonnull(array_add(&events.lanes));
    beats_init(&events.beats, &session);
    op_growth_init(&events.growth, &events);
    now = 0;
    open_count = 0;
}

static void tear_down(void)
{
    op_growth_fini(&events.growth);
    beats_fini(&events.beats);
    array_fini(&events.lanes);
    made_fini(&session);
}

static struct events_lane *lane(void)
{
    return array_at(&events.lanes, 0);
}

static bool records(char letter)
{
    return letter == 'f' || letter == 'g' || letter == 'n';
}

static void enter(char letter)
{
    const struct reader_event event = {
        .ticks = now, .duration = records(letter) ? TRACE_OP_BACKWARD << 1 : 0};

    beats_enter_op(&events, lane(), &event, op_of(letter));
}

static void leave(char letter)
{
    const struct reader_event event = {.ticks = now + TICKS / 2};
    const struct beats_op ended = {op_of(letter), records(letter)};

    beats_leave_op(&events, lane(), &event, &ended);
}

static void run_letter(char letter)
{
    if (letter == '/') {
        leave(open_ops[--open_count]);
    } else {
        enter((char)tolower(letter));
        if (isupper(letter))
            open_ops[open_count++] = (char)tolower(letter);
        else
            leave(letter);
    }
    now += TICKS;
}

static void run_ops(const char *program)
{
    for (const char *letter = program; *letter; letter++)
        run_letter(*letter);
}

static void run_program(const char *program)
{
    run_ops(program);
    beats_finish(&events);
}

/* ---- beats ------------------------------------------------------------------ */

struct beats_case {
    const char *program;
    const char *beats; /* O( an optimizer's step starts, O) it ends; - nothing after all */
};

static const struct beats_case beats_cases[] = {
    {"", ""},
    {".", ""},
    {"f", "F(F)"},
    {"fg", "F(F)"},
    {"f.g", "F(F)F(F)"},
    {"n", "F(F)"},
    {"fe", "F(F)F(F)"},
    {"lfgbbo", "L(L)F(F)B(B)O(O)"},
    {"ll", "L(L)L(L)"},
    /* Ops inside of an optimizer or of a scope. */
    {"Ofgb/", "O(O)"},
    {"sfgs", "F(F)"},
    {"Sfg/b", "F(F)B(B)"},
    /* Consecutive calls of a module: f starts them, g ends them. */
    {"fgfg.", "F(F)F(F)"},
    {"fggfg.", "F(F)F(F)"},
    {"ff.", "F(F)F(F)"},
    /* A loop inside a call: the call ends with another op than the turns do. */
    {"ffg.ffg.", "F(-)-(F)F(-)-(F)"},
};

static void append_beats(char text[TEXT_SIZE])
{
    static const char kinds[BEAT_KINDS] = {[BEAT_NONE] = '-',      [BEAT_REGION] = 'R',
                                           [BEAT_OPTIMIZER] = 'O', [BEAT_LOADER] = 'L',
                                           [BEAT_BACKWARD] = 'B',  [BEAT_FORWARD] = 'F'};
    size_t size = 0;

    text[0] = '\0';
    for (size_t i = 0; i < session.beats.count; i++) {
        const struct session_beat *beat = array_at(&session.beats, i);

        ck_assert_uint_lt(size + 2, TEXT_SIZE);
        size += (size_t)snprintf(text + size, TEXT_SIZE - size, "%c%c", kinds[beat->kind],
                                 beat->is_end ? ')' : '(');
    }
}

START_TEST(ops_of_one_kind_in_a_row_are_a_pass)
{
    char text[TEXT_SIZE];

    run_program(beats_cases[_i].program);
    append_beats(text);
    ck_assert_str_eq(text, beats_cases[_i].beats);
}
END_TEST

static void change_heap(int64_t bytes)
{
    events.heap.live_bytes += (uint64_t)bytes;
    if (bytes > 0)
        beats_obtain(&events, lane(), (uint64_t)bytes);
}

static void check_beat(size_t index, uint64_t live, uint64_t peak, uint64_t obtained)
{
    const struct session_beat *beat = array_at(&session.beats, index);

    ck_assert_uint_eq(beat->live_bytes, live);
    ck_assert_uint_eq(beat->peak_bytes, peak);
    ck_assert_uint_eq(beat->obtained_bytes, obtained);
}

/* The heap after the last op of a pass belongs to the next pass. */
START_TEST(each_beat_has_the_heap_and_its_peak_since_the_one_before)
{
    change_heap(100);
    enter('f');
    change_heap(50);
    change_heap(-40);
    leave('f');
    change_heap(5);
    now += TICKS;
    run_ops("b");
    beats_finish(&events);
    check_beat(0, 100, 100, 100);
    check_beat(1, 110, 150, 150);
    check_beat(2, 115, 115, 155);
    ck_assert_uint_eq(session.beats.count, 4);
}
END_TEST

START_TEST(a_beat_knows_the_op_that_ran_at_the_peak)
{
    enter('f');
    lane()->op = op_of('g');
    change_heap(50);
    lane()->op = 0;
    change_heap(-50);
    leave('f');
    beats_finish(&events);
    ck_assert_uint_eq(((const struct session_beat *)array_at(&session.beats, 1))->peak_op,
                      op_of('g'));
}
END_TEST

/* From then on, some of the blocks represent all. */
START_TEST(what_was_obtained_is_unknown_once_blocks_are_drawn)
{
    change_heap(100);
    run_ops("f.");
    events.heap.stage = HEAP_BLOCKS;
    events.heap.live_bytes *= 2;
    beats_scale(&events, 2);
    run_program("b");
    check_beat(0, 200, 200, 100);
    check_beat(2, 200, 200, SESSION_UNKNOWN);
}
END_TEST

START_TEST(a_window_begins_without_beats_and_inside_of_a_pass)
{
    run_ops("f");
    beats_restart(&events);
    run_program("gb");
    ck_assert_uint_eq(session.beats.count, 3);
    ck_assert(((const struct session_beat *)array_at(&session.beats, 0))->is_end);
}
END_TEST

/* ---- steps ------------------------------------------------------------------ */

struct steps_case {
    const char *program;
    const char *steps; /* each in brackets, with its ops; * before the first of an epoch */
    enum steps_source source;
};

static const struct steps_case steps_cases[] = {
    {"fgbofgbo", "*[fgbo][fgbo]", STEPS_OPTIMIZER},
    {"lfgbolfgbo", "*[lfgbo][lfgbo]", STEPS_OPTIMIZER},
    /* Four batches a step. */
    {"fgbfgbofgbfgbo", "*[fgbfgbo][fgbfgbo]", STEPS_OPTIMIZER},
    /* Optimizers in a row, and two that take turns: the rarer one, then the last one. */
    {"fgbopfgbop", "*[fgbop][fgbop]", STEPS_OPTIMIZER},
    {"fgbofgbofgbpfgbofgbofgbp", "*[fgbofgbofgbp][fgbofgbofgbp]", STEPS_OPTIMIZER},
    {"fgbofgbpfgbofgbp", "*[fgbofgbp][fgbofgbp]", STEPS_OPTIMIZER},
    /* A teacher in each step, and a validation between two. */
    {"ehfgboehfgboehfgbo", "eh*[fgbo][ehfgbo][ehfgbo]", STEPS_OPTIMIZER},
    {"fgbofgbofgboeh.ehfgbofgbo", "*[fgbo][fgbo][fgbo]eh.eh*[fgbo][fgbo]", STEPS_OPTIMIZER},
    /* A loader that has no more is asked once more. */
    {"lfbolfbollfbolfbo", "*[lfbo][lfbo]*[llfbo][lfbo]", STEPS_OPTIMIZER},
    /* No optimizer; no gradients. */
    {"fgbfgb", "*[fgb][fgb]", STEPS_BACKWARD},
    {"eh.eh.eh.", "[eh].[eh].[eh].", STEPS_MODULE},
    {"eheheheh", "[eh][eh][eh][eh]", STEPS_MODULE},
    {"fgbo", "fgbo", STEPS_NONE},
    {"...", "...", STEPS_NONE},
};

static void append_letter(char text[TEXT_SIZE], char letter)
{
    size_t size = strlen(text);

    ck_assert_uint_lt(size + 1, TEXT_SIZE);
    text[size] = letter;
    text[size + 1] = '\0';
}

/* Brackets mark where steps start and end among the ops. */
static void append_steps(char text[TEXT_SIZE], const char *program, const struct steps *steps)
{
    size_t next = 0;

    text[0] = '\0';
    for (size_t i = 0; program[i]; i++) {
        const struct step *step = next < steps->steps.count ? array_at(&steps->steps, next) : NULL;

        if (step && step->start_ns < (i + 1) * TICKS &&
            (i == 0 || step->start_ns + TICKS / 2 >= i * TICKS) &&
            (i == 0 || step->start_ns > (i - 1) * TICKS)) {
            if (step->begins_epoch)
                append_letter(text, '*');
            append_letter(text, '[');
        }
        append_letter(text, program[i]);
        if (step && step->end_ns > i * TICKS && step->end_ns < (i + 1) * TICKS) {
            append_letter(text, ']');
            next++;
        }
    }
}

START_TEST(passes_tell_the_steps)
{
    const struct steps_case *of = &steps_cases[_i];
    struct steps steps = {.source = STEPS_NONE};
    char text[TEXT_SIZE];

    array_init(&steps.steps, sizeof(struct step));
    run_program(of->program);
    steps_find_ops(&steps, &session);
    append_steps(text, of->program, &steps);
    ck_assert_str_eq(text, of->steps);
    ck_assert_int_eq(steps.source, of->source);
    array_fini(&steps.steps);
}
END_TEST

int check_beats(void)
{
    Suite *suite = suite_create("beats");
    TCase *tests = tcase_create("beats");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, ops_of_one_kind_in_a_row_are_a_pass, 0,
                        sizeof beats_cases / sizeof *beats_cases);
    tcase_add_test(tests, each_beat_has_the_heap_and_its_peak_since_the_one_before);
    tcase_add_test(tests, a_beat_knows_the_op_that_ran_at_the_peak);
    tcase_add_test(tests, what_was_obtained_is_unknown_once_blocks_are_drawn);
    tcase_add_test(tests, a_window_begins_without_beats_and_inside_of_a_pass);
    tcase_add_loop_test(tests, passes_tell_the_steps, 0, sizeof steps_cases / sizeof *steps_cases);
    suite_add_tcase(suite, tests);
    return suite_run_in_pool(suite);
}
