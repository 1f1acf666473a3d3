/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of waits: from cells of a trace to rows, and the wall time of a thread in its parts.
 */
#include <string.h>
#include <unistd.h>

#include "model/session.h"
#include "model/session_open.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "suite.h"
#include "trace_builder.h"
#include "waits/wait_rows.h"
#include "waits/wait_split.h"

enum { START = 1000, CHUNK = 8192, SITE = 0x4100, LIFE = 1000000, CPU = 300000, DELAY = 200000 };

static const struct trace_node thread = {.thread = 71,
                                         .cpu_ns = CPU,
                                         .delay_ns = DELAY,
                                         .first_ticks = START,
                                         .last_ticks = START + LIFE};

static void add_waited(struct trace_builder *builder, uint32_t id, uint32_t kind, const char *name)
{
    const struct trace_waited head = {id, kind};

    trace_builder_fact(builder, TRACE_FACT_WAITED, &head, sizeof head, name, strlen(name));
}

static void add_wait(struct trace_builder *builder, const struct trace_wait *wait)
{
    union trace_cell cell = {.wait = *wait};

    cell.wait.kind = TRACE_CELL_WAIT;
    trace_builder_add(builder, &cell, sizeof cell);
}

/* A thread of 1 ms with these waits; a tick is a nanosecond. */
static void open_trace(struct session *session, const struct trace_wait *waits, size_t count)
{
    const struct session_options options = session_defaults();
    struct trace_builder builder;
    struct diagnostic diagnostic;
    char path[BUILDER_PATH_SIZE];

    trace_builder_init(&builder);
    trace_builder_chunk(&builder, TRACE_FACTS, 0, 0, CHUNK, START);
    add_waited(&builder, 1, TRACE_WAITED_FILE, "/data/train.bin");
    add_waited(&builder, 2, TRACE_WAITED_SOCKET, "socket to 10.0.0.1 port 80");
    trace_builder_chunk(&builder, TRACE_TALLIES, 1, 0, TRACE_TALLY_CHUNK_SIZE, START);
    trace_builder_node(&builder, &thread);
    for (size_t i = 0; i < count; i++)
        add_wait(&builder, &waits[i]);
    trace_builder_write(&builder, builder.size, path);
    ck_assert_int_eq(session_open(session, path, &options, &diagnostic), STATUS_OK);
    trace_builder_fini(&builder);
    unlink(path);
}

static struct trace_wait make_wait(uint16_t call, uint32_t waited)
{
    return (struct trace_wait){.call = call,
                               .node = 1,
                               .waited = waited,
                               .site = SITE,
                               .calls = 2,
                               .ticks = 100000,
                               .bytes = 4096,
                               .min_ticks = 40000,
                               .max_ticks = 60000,
                               .cpu_ns = 10000,
                               .cpu_ticks = 100000};
}

START_TEST(a_wait_is_its_time_without_the_processor_time_in_it)
{
    const struct trace_wait raw = make_wait(TRACE_WAIT_READ, 1);
    struct session session;

    open_trace(&session, &raw, 1);
    const struct session_wait *wait = session_wait_at(&session, 0);
    ck_assert_str_eq(wait->function, "read");
    ck_assert_str_eq(wait->name, "/data/train.bin");
    ck_assert_int_eq(wait->class, TRACE_WAIT_CLASS_IO);
    ck_assert_uint_eq(wait->calls, 2);
    ck_assert_uint_eq(wait->bytes, 4096);
    ck_assert_uint_eq(wait->total_ns, 100000);
    ck_assert_uint_eq(wait->waiting_ns, 90000);
    session_close(&session);
}
END_TEST

START_TEST(untimed_calls_take_the_mean_of_the_short_ones)
{
    struct trace_wait raw = make_wait(TRACE_WAIT_READ, 1);
    struct session session;

    raw.calls = 11;
    raw.untimed = 1000;
    raw.slow_calls = 1;
    raw.slow_ticks = 90000; /* ten short ones took 1000 ticks each */
    open_trace(&session, &raw, 1);
    ck_assert_uint_eq(session_wait_at(&session, 0)->calls, 1011);
    ck_assert_uint_eq(session_wait_at(&session, 0)->total_ns, 100000 + 1000 * 1000);
    session_close(&session);
}
END_TEST

START_TEST(reading_a_socket_is_waiting_for_the_network)
{
    const struct trace_wait raw = make_wait(TRACE_WAIT_READ, 2);
    struct session session;

    open_trace(&session, &raw, 1);
    ck_assert_int_eq(session_wait_at(&session, 0)->class, TRACE_WAIT_CLASS_NETWORK);
    session_close(&session);
}
END_TEST

START_TEST(the_parts_of_a_life_sum_to_it)
{
    const struct trace_wait raw = make_wait(TRACE_WAIT_READ, 1);
    struct session session;

    open_trace(&session, &raw, 1);
    struct wait_split split = wait_split_of(&session, 0);
    ck_assert_double_eq_tol(split.wall_ns, LIFE, 1);
    ck_assert_double_eq_tol(split.cpu_ns + split.delay_ns + split.waiting_ns, LIFE, 1);
    ck_assert_double_eq_tol(split.hooked_ns, 90000, 1);
    ck_assert_double_eq_tol(split.unhooked_ns, LIFE - CPU - DELAY - 90000, 1);
    session_close(&session);
}
END_TEST

START_TEST(calls_never_wait_longer_than_their_thread)
{
    struct trace_wait raw = make_wait(TRACE_WAIT_POLL, 0);
    struct session session;

    raw.ticks = 10 * LIFE;
    open_trace(&session, &raw, 1);
    struct wait_split split = wait_split_of(&session, 0);
    ck_assert_double_eq_tol(split.hooked_ns, LIFE - CPU - DELAY, 1);
    ck_assert_double_eq_tol(split.unhooked_ns, 0, 1);
    session_close(&session);
}
END_TEST

START_TEST(rows_are_of_a_call_or_of_a_kind)
{
    const struct trace_wait raw[] = {make_wait(TRACE_WAIT_READ, 1), make_wait(TRACE_WAIT_PREAD, 1),
                                     make_wait(TRACE_WAIT_USLEEP, 0)};
    struct session session;
    struct wait_rows rows;

    open_trace(&session, raw, 3);
    wait_rows_init(&rows, &session, ANALYSIS_BY_DEFAULT);
    ck_assert_uint_eq(rows.rows.count, 4); /* three calls, and "waiting, not hooked" */
    wait_rows_init(&rows, &session, ANALYSIS_BY_KIND);
    ck_assert_uint_eq(rows.rows.count, 3);
    const struct wait_row *row = array_at(&rows.rows, 0);
    ck_assert_str_eq(row->name, "io");
    ck_assert_uint_eq(row->calls, 4);
    ck_assert_uint_eq(row->bytes, 8192);
    session_close(&session);
}
END_TEST

START_TEST(a_call_of_the_future_is_left_out)
{
    const struct trace_wait raw = make_wait(TRACE_WAIT_CALLS, 1);
    struct session session;

    open_trace(&session, &raw, 1);
    ck_assert_uint_eq(session.waits.count, 0);
    session_close(&session);
}
END_TEST

int check_waits(void)
{
    Suite *suite = suite_create("waits");
    TCase *waits = tcase_create("waits");

    tcase_add_test(waits, a_wait_is_its_time_without_the_processor_time_in_it);
    tcase_add_test(waits, untimed_calls_take_the_mean_of_the_short_ones);
    tcase_add_test(waits, reading_a_socket_is_waiting_for_the_network);
    tcase_add_test(waits, the_parts_of_a_life_sum_to_it);
    tcase_add_test(waits, calls_never_wait_longer_than_their_thread);
    tcase_add_test(waits, rows_are_of_a_call_or_of_a_kind);
    tcase_add_test(waits, a_call_of_the_future_is_left_out);
    suite_add_tcase(suite, waits);
    return suite_run_in_pool(suite);
}
