/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of devices: from facts, cells and records of a trace to busy time, gaps and memory.
 */
#include <string.h>
#include <unistd.h>

#include "devices/block_rows.h"
#include "devices/gaps.h"
#include "devices/stretch.h"
#include "model/busy.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_open.h"
#include "model/session_unknown.h"
#include "suite.h"
#include "trace_builder.h"

enum { START = 1000, CHUNK = 8192, LIFE = 1000000, CLOCK_APART = 5000000, CELL = 2, MIB = 1 << 20 };

static struct session session;

static void add_facts(struct trace_builder *builder)
{
    static const char texts[] = "card\0maker\0driver\0";
    const struct trace_device device = {
        .id = 1, .kind = TRACE_DEVICE_GPU, .api = TRACE_DEVICE_API_CUDA, .memory_bytes = 8 * MIB};
    const struct trace_queue queue = {.id = 1, .device = 1};

    trace_builder_chunk(builder, TRACE_FACTS, 0, 0, CHUNK, START);
    trace_builder_string(builder, 1, "saxpy");
    trace_builder_fact(builder, TRACE_FACT_DEVICE, &device, sizeof device, texts, sizeof texts);
    trace_builder_fact(builder, TRACE_FACT_QUEUE, &queue, sizeof queue, "stream", 6);
}

static void add_cells(struct trace_builder *builder, uint64_t calls)
{
    const struct trace_node thread = {
        .thread = 71, .first_ticks = START, .last_ticks = START + LIFE};
    const union trace_cell cell = {.command = {.kind = TRACE_CELL_COMMAND,
                                               .what = TRACE_COMMAND_KERNEL,
                                               .node = 1,
                                               .queue = 1,
                                               .name = 1,
                                               .calls = calls,
                                               .timed = calls,
                                               .run_ns = 100 * calls,
                                               .min_ns = 100,
                                               .max_ns = 100}};

    trace_builder_chunk(builder, TRACE_TALLIES, 1, 0, TRACE_TALLY_CHUNK_SIZE, START);
    trace_builder_node(builder, &thread);
    trace_builder_add(builder, &cell, sizeof cell);
}

/* A call of 10 ns that ends at `ticks`, for a command that runs from `start` to `end`. */
static void add_command(struct trace_builder *builder, uint64_t number, uint64_t ticks,
                        uint64_t start, uint64_t end)
{
    const uint64_t asked[] = {(uint64_t)CELL << TRACE_CHAIN_BITS, number, 10, 0, 64};
    const uint64_t times[] = {number, ticks + CLOCK_APART, 0, start - ticks, end - start};

    trace_builder_extended(builder, ticks, TRACE_EXTENDED_COMMAND, asked, 5);
    trace_builder_extended(builder, end, TRACE_EXTENDED_COMMAND_TIMES, times, 5);
}

static void add_clock(struct trace_builder *builder, uint64_t ticks, uint64_t error)
{
    const uint64_t words[] = {1, ticks + CLOCK_APART, ticks, error};

    trace_builder_extended(builder, ticks, TRACE_EXTENDED_DEVICE_CLOCK, words, 4);
}

static void begin(struct trace_builder *builder, uint64_t calls)
{
    trace_builder_init(builder);
    add_facts(builder);
    add_cells(builder, calls);
    trace_builder_chunk(builder, TRACE_EVENTS, 1, 0, CHUNK, START);
}

static void open_trace(struct trace_builder *builder)
{
    const struct session_options options = session_defaults();
    struct diagnostic diagnostic;
    char path[BUILDER_PATH_SIZE];

    trace_builder_write(builder, builder->size, path);
    ck_assert_int_eq(session_open(&session, path, &options, &diagnostic), STATUS_OK);
    trace_builder_fini(builder);
    unlink(path);
}

/* The first has ended when the second is asked for, so 300 ns have no command. */
static void open_two(void)
{
    struct trace_builder builder;

    begin(&builder, 2);
    add_clock(&builder, START + 100, 7);
    add_command(&builder, 1, START + 200, START + 300, START + 400);
    add_command(&builder, 2, START + 600, START + 700, START + 800);
    open_trace(&builder);
}

START_TEST(a_command_has_its_cell_and_its_times)
{
    const struct session_command_sum *sum;
    const struct session_command *command;

    open_two();
    ck_assert_uint_eq(session.devices.commands.count, 2);
    sum = session_command_sum_at(&session.devices, 0);
    ck_assert_str_eq(sum->name, "saxpy");
    ck_assert_uint_eq(sum->calls, 2);
    ck_assert_uint_eq(sum->run_ns, 200);
    command = session_command_at(&session.devices, 0);
    ck_assert_uint_eq(command->work, 64);
    ck_assert_uint_eq(command->call_start_ns, 190);
    session_close(&session);
}
END_TEST

START_TEST(times_of_a_device_move_to_the_clock_of_the_session)
{
    const struct session_command *command;

    open_two();
    command = session_command_at(&session.devices, 1);
    ck_assert_uint_eq(command->queued_ns, 600);
    ck_assert_uint_eq(command->start_ns, 700);
    ck_assert_uint_eq(command->end_ns, 800);
    ck_assert_uint_eq(session_device_at(&session.devices, 0)->error_ns, 7);
    session_close(&session);
}
END_TEST

START_TEST(a_rough_instant_gives_way_to_a_narrow_one)
{
    struct trace_builder builder;
    const uint64_t rough[] = {1, START + CLOCK_APART, START + 90, 90};

    begin(&builder, 1);
    trace_builder_extended(&builder, START, TRACE_EXTENDED_DEVICE_CLOCK, rough, 4);
    add_clock(&builder, START + 100, 7);
    add_command(&builder, 1, START + 200, START + 300, START + 400);
    open_trace(&builder);
    ck_assert_uint_eq(session_command_at(&session.devices, 0)->start_ns, 300);
    session_close(&session);
}
END_TEST

START_TEST(without_a_common_clock_a_command_has_no_place_in_time)
{
    struct trace_builder builder;

    begin(&builder, 1);
    add_command(&builder, 1, START + 200, START + 300, START + 400);
    open_trace(&builder);
    ck_assert_uint_eq(session_command_at(&session.devices, 0)->start_ns, SESSION_UNKNOWN);
    ck_assert_uint_eq(session_device_at(&session.devices, 0)->error_ns, SESSION_UNKNOWN);
    session_close(&session);
}
END_TEST

START_TEST(busy_time_is_the_union_of_commands)
{
    struct trace_builder builder;
    struct busy busy;

    begin(&builder, 3);
    add_clock(&builder, START + 100, 7);
    add_command(&builder, 1, START + 110, START + 300, START + 500);
    add_command(&builder, 2, START + 120, START + 400, START + 600);
    add_command(&builder, 3, START + 130, START + 800, START + 900);
    open_trace(&builder);
    ck_assert(stretch_find_judged(&busy, &session, session_find_frames));
    busy_measure(&busy, &session, 0);
    ck_assert_uint_eq(busy.from_ns, 100);
    ck_assert_uint_eq(busy.to_ns, 900);
    ck_assert_double_eq(busy.busy_ns, 400);
    ck_assert_uint_eq(busy.gaps.count, 2);
    session_close(&session);
}
END_TEST

START_TEST(only_commands_of_the_stretch_count)
{
    struct busy busy = {.from_ns = 500, .to_ns = 900};

    open_two();
    busy_measure(&busy, &session, 0);
    ck_assert_uint_eq(busy.commands, 1);
    ck_assert_double_eq(busy.busy_ns, 100);
    busy.from_ns = 810;
    busy_measure(&busy, &session, 0);
    ck_assert_uint_eq(busy.commands, 0);
    ck_assert(busy.is_timed);
    session_close(&session);
}
END_TEST

START_TEST(a_gap_is_code_before_the_call_and_a_launch_behind_it)
{
    struct gap_sum sums[GAP_CAUSES];
    struct busy busy;

    open_two();
    ck_assert(stretch_find_judged(&busy, &session, session_find_frames));
    busy_measure(&busy, &session, 0);
    gaps_sum(sums, &session, &busy);
    ck_assert_double_eq(sums[GAP_CODE].ns, 190);
    ck_assert_double_eq(sums[GAP_LAUNCH].ns, 110 + 110);
    session_close(&session);
}
END_TEST

static void add_block(struct trace_builder *builder, uint64_t number, uint64_t ticks)
{
    const uint64_t words[] = {
        UINT64_C(1) << TRACE_CHAIN_BITS | (uint64_t)TRACE_DEVICE_PLACE_DEVICE << 56, number, MIB};

    trace_builder_extended(builder, ticks, TRACE_EXTENDED_DEVICE_ALLOC, words, 3);
}

START_TEST(memory_of_a_device_peaks_when_most_of_it_lives)
{
    const uint64_t first = 1;
    struct trace_builder builder;
    uint64_t time_ns;

    begin(&builder, 1);
    add_block(&builder, 1, START + 100);
    add_block(&builder, 2, START + 200);
    trace_builder_extended(&builder, START + 300, TRACE_EXTENDED_DEVICE_FREE, &first, 1);
    add_block(&builder, 3, START + 400);
    open_trace(&builder);
    ck_assert_uint_eq(block_rows_peak(&session, 0, &time_ns), 2 * MIB);
    ck_assert_uint_eq(time_ns, 200);
    session_close(&session);
}
END_TEST

START_TEST(records_that_refer_to_nothing_are_left_out)
{
    const uint64_t clock[] = {9, 0, 0, 0}, times[] = {99, 0, 0, 0, 0}, free_of[] = {77};
    struct trace_builder builder;

    begin(&builder, 1);
    trace_builder_extended(&builder, START + 10, TRACE_EXTENDED_DEVICE_CLOCK, clock, 4);
    trace_builder_extended(&builder, START + 20, TRACE_EXTENDED_COMMAND_TIMES, times, 5);
    trace_builder_extended(&builder, START + 30, TRACE_EXTENDED_DEVICE_FREE, free_of, 1);
    open_trace(&builder);
    ck_assert_uint_eq(session.devices.instants.count, 0);
    ck_assert_uint_eq(session.devices.timeless, 1);
    session_close(&session);
}
END_TEST

int check_device_model(void)
{
    Suite *suite = suite_create("device_model");
    TCase *devices = tcase_create("devices");

    tcase_add_test(devices, a_command_has_its_cell_and_its_times);
    tcase_add_test(devices, times_of_a_device_move_to_the_clock_of_the_session);
    tcase_add_test(devices, a_rough_instant_gives_way_to_a_narrow_one);
    tcase_add_test(devices, without_a_common_clock_a_command_has_no_place_in_time);
    tcase_add_test(devices, busy_time_is_the_union_of_commands);
    tcase_add_test(devices, only_commands_of_the_stretch_count);
    tcase_add_test(devices, a_gap_is_code_before_the_call_and_a_launch_behind_it);
    tcase_add_test(devices, memory_of_a_device_peaks_when_most_of_it_lives);
    tcase_add_test(devices, records_that_refer_to_nothing_are_left_out);
    suite_add_tcase(suite, devices);
    return suite_run_in_pool(suite);
}
