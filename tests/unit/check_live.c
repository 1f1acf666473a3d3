/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of live: frames of a growing trace, its open calls, and the server of the page.
 */
#include "live/live.h"

#include <fcntl.h>
#include <math.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "live/http.h"
#include "suite.h"
#include "trace_builder.h"

enum { CHUNK = TRACE_TALLY_CHUNK_SIZE, FACTS = 4096, HEAD = sizeof(struct trace_chunk) };

static struct trace_builder builder;
static char path[BUILDER_PATH_SIZE];
static uint32_t thread, step;
static size_t tallies;

/* A process that runs, with a thread in a region with three ended calls. */
static void setup(void)
{
    struct trace_header *header;

    trace_builder_init(&builder);
    trace_builder_chunk(&builder, TRACE_FACTS, 0, 0, FACTS, 1000);
    trace_builder_string(&builder, 1, "step");
    trace_builder_chunk(&builder, TRACE_TALLIES, 1, 0, CHUNK, 1000);
    tallies = builder.chunk;
    thread = trace_builder_node(
        &builder,
        &(struct trace_node){.kind = TRACE_CELL_NODE, .thread = 4711, .first_ticks = 1000});
    step = trace_builder_node(
        &builder,
        &(struct trace_node){
            .kind = TRACE_CELL_NODE, .parent = thread, .label = 1, .calls = 3, .ticks = 3000000});
    header = trace_builder_header(&builder);
    header->ending = TRACE_RUNNING;
    header->end = (struct trace_clock_pair){0};
    header->latest = (struct trace_latest){.done = 2001000, .begun = 2001000};
}

static void teardown(void)
{
    unlink(path);
    trace_builder_fini(&builder);
}

static void write_trace(void)
{
    trace_builder_write(&builder, builder.size, path);
}

/* Change bytes of the written file, as the process would. */
static void change(uint64_t offset, const void *bytes, size_t size)
{
    int descriptor = open(path, O_WRONLY | O_CLOEXEC);

    ck_assert_int_ge(descriptor, 0);
    ck_assert_int_eq(pwrite(descriptor, bytes, size, (off_t)offset), (ssize_t)size);
    close(descriptor);
}

static uint64_t place_of(uint32_t cell, size_t field)
{
    return tallies + cell * sizeof(union trace_cell) + field;
}

static const struct live_row *find_row(const struct live *live, const char *name)
{
    const struct live_row *rows = live->rows.items;

    for (size_t i = 0; i < live->rows.count; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

START_TEST(a_frame_counts_the_calls_and_a_later_one_those_since)
{
    struct diagnostic diagnostic;
    struct live live;
    uint64_t calls = 5;

    write_trace();
    ck_assert_int_eq(live_open(&live, path, &diagnostic), STATUS_OK);
    ck_assert(live_read(&live));
    ck_assert_double_eq(find_row(&live, "step")->ring[0].calls, 3);
    change(place_of(step, offsetof(struct trace_node, calls)), &calls, sizeof calls);
    ck_assert(live_read(&live));
    ck_assert_double_eq(find_row(&live, "step")->ring[1].calls, 5);
    ck_assert_ptr_eq(live_find_steps(&live), find_row(&live, "step"));
    ck_assert(isfinite(live_rate(&live, find_row(&live, "step"), 1).calls));
    live_close(&live);
}
END_TEST

START_TEST(a_frame_whose_numbers_went_back_is_left_out)
{
    struct diagnostic diagnostic;
    struct live live;
    uint64_t calls = 2;

    write_trace();
    ck_assert_int_eq(live_open(&live, path, &diagnostic), STATUS_OK);
    ck_assert(live_read(&live));
    change(place_of(step, offsetof(struct trace_node, calls)), &calls, sizeof calls);
    ck_assert(!live_read(&live));
    ck_assert_uint_eq(live.file.dropped, 1);
    ck_assert_uint_eq(live.count, 1);
    live_close(&live);
}
END_TEST

START_TEST(what_is_open_is_named_with_its_thread)
{
    const struct trace_open opened = {.node = step, .node_ticks = 1500};
    const struct live_thread *found;
    struct diagnostic diagnostic;
    struct live live;

    write_trace();
    change(tallies + HEAD, &opened, sizeof opened);
    ck_assert_int_eq(live_open(&live, path, &diagnostic), STATUS_OK);
    ck_assert(live_read(&live));
    ck_assert_uint_eq(live.threads.count, 1);
    found = array_at(&live.threads, 0);
    ck_assert_uint_eq(found->id, 4711);
    ck_assert_str_eq(found->region, "step");
    ck_assert_ptr_null(found->call);
    live_close(&live);
}
END_TEST

/* Cells that no trace has: beyond the table, of another kind, their own parent. */
START_TEST(what_is_open_is_not_believed)
{
    const struct trace_open cases[] = {
        {.call = step, .wait = step, .node = UINT64_MAX},
        {.call = UINT32_MAX, .wait = 1 << 30, .node = 511},
        {.node = 0},
    };
    struct diagnostic diagnostic;
    struct live live;

    write_trace();
    change(tallies + HEAD, &cases[_i], sizeof cases[_i]);
    ck_assert_int_eq(live_open(&live, path, &diagnostic), STATUS_OK);
    ck_assert(live_read(&live));
    ck_assert_uint_eq(live.threads.count, 0);
    live_close(&live);
}
END_TEST

START_TEST(a_reading_that_is_being_written_is_none)
{
    struct diagnostic diagnostic;
    struct live live;

    trace_builder_header(&builder)->latest.begun = 3000000;
    write_trace();
    ck_assert_int_eq(live_open(&live, path, &diagnostic), STATUS_OK);
    ck_assert(live_read(&live));
    ck_assert_uint_eq(live.frames[live.shown].header.latest.done, 0);
    live_close(&live);
}
END_TEST

START_TEST(a_trace_that_is_cut_has_no_frame)
{
    struct diagnostic diagnostic;
    struct live live;

    write_trace();
    ck_assert_int_eq(live_open(&live, path, &diagnostic), STATUS_OK);
    ck_assert(live_read(&live));
    ck_assert_int_eq(truncate(path, 100), 0);
    ck_assert(!live_read(&live));
    live_close(&live);
}
END_TEST

/* ---- the server ------------------------------------------------------------------------ */

#define TOKEN "0123456789abcdef0123456789abcdef"
#define OWN "Host: 127.0.0.1:8080\r\n"

static const char *make(void *of, const char *name, struct text *body)
{
    (void)of;
    text_append(body, "body of ");
    text_append(body, name);
    return strcmp(name, "data") == 0 || name[0] == '\0' ? "text/plain" : NULL;
}

static const struct {
    const char *request;
    const char *status;
} requests[] = {
    {"GET /" TOKEN "/data HTTP/1.1\r\n" OWN "\r\n", "200 OK"},
    {"GET /" TOKEN "/ HTTP/1.1\r\n" OWN "\r\n", "200 OK"},
    {"GET /" TOKEN " HTTP/1.1\r\n" OWN "\r\n", "200 OK"},
    {"GET /" TOKEN "/data?x HTTP/1.1\r\nhost:localhost:8080 \r\n\r\n", "200 OK"},
    {"HEAD /" TOKEN "/data HTTP/1.1\r\n" OWN "\r\n", "200 OK"},
    {"GET /" TOKEN "/data HTTP/1.1\r\n" OWN "Origin: http://127.0.0.1:8080\r\n\r\n", "200 OK"},
    {"GET /" TOKEN "/data HTTP/1.1\r\n" OWN "Origin: http://evil.example\r\n\r\n", "403"},
    {"GET /" TOKEN "/data HTTP/1.1\r\n" OWN "Origin: null\r\n\r\n", "403"},
    {"GET /" TOKEN "/data HTTP/1.1\r\n" OWN
     "Origin: http://127.0.0.1:8080\r\nOrigin: http://evil.example\r\n\r\n",
     "403"},
    {"GET /" TOKEN "/data HTTP/1.1\r\nHost: evil.example:8080\r\n\r\n", "403"},
    {"GET /" TOKEN "/data HTTP/1.1\r\nHost: 127.0.0.1:8081\r\n\r\n", "403"},
    {"GET /" TOKEN "/data HTTP/1.1\r\n" OWN OWN "\r\n", "403"},
    {"GET /" TOKEN "/data HTTP/1.1\r\n\r\n", "403"},
    {"GET /" TOKEN "x/data HTTP/1.1\r\n" OWN "\r\n", "404"},
    {"GET /data HTTP/1.1\r\n" OWN "\r\n", "404"},
    {"GET /" TOKEN "/../etc/passwd HTTP/1.1\r\n" OWN "\r\n", "404"},
    {"GET  HTTP/1.1\r\n" OWN "\r\n", "404"},
    {"POST /" TOKEN "/data HTTP/1.1\r\n" OWN "\r\n", "405"},
    {"\r\n\r\n", "405"},
};

START_TEST(only_requests_of_the_own_page_are_served)
{
    struct http http = {.port = 8080, .host = "127.0.0.1:8080", .token = TOKEN, .make = make};
    struct text answer;
    bool is_served = strcmp(requests[_i].status, "200 OK") == 0;

    text_init(&answer);
    http_answer(&http, requests[_i].request, &answer);
    ck_assert_msg(strstr(answer.bytes, requests[_i].status) == answer.bytes + strlen("HTTP/1.1 "),
                  "%s", answer.bytes);
    ck_assert_int_eq(strstr(answer.bytes, "body of") != NULL,
                     is_served && strncmp(requests[_i].request, "GET", 3) == 0);
    ck_assert_ptr_nonnull(strstr(answer.bytes, "default-src 'none'"));
}
END_TEST

static const char *const addresses[] = {
    "0.0.0.0:0",  "192.0.2.1:80", "[::]:0",          "example.org:80", "127.0.0.1",
    "127.0.0.1:", "127.0.0.1:x",  "127.0.0.1:70000", "::1:0",          ""};

START_TEST(an_address_of_more_than_this_machine_is_refused)
{
    struct http http = {.make = make};
    struct diagnostic diagnostic;

    ck_assert_int_eq(http_open(&http, addresses[_i], &diagnostic), STATUS_USAGE);
    http_close(&http);
}
END_TEST

int check_live(void)
{
    Suite *suite = suite_create("live");
    TCase *frames = tcase_create("frames");
    TCase *server = tcase_create("server");

    tcase_add_checked_fixture(frames, setup, teardown);
    tcase_add_test(frames, a_frame_counts_the_calls_and_a_later_one_those_since);
    tcase_add_test(frames, a_frame_whose_numbers_went_back_is_left_out);
    tcase_add_test(frames, what_is_open_is_named_with_its_thread);
    tcase_add_loop_test(frames, what_is_open_is_not_believed, 0, 3);
    tcase_add_test(frames, a_reading_that_is_being_written_is_none);
    tcase_add_test(frames, a_trace_that_is_cut_has_no_frame);
    suite_add_tcase(suite, frames);
    tcase_add_loop_test(server, only_requests_of_the_own_page_are_served, 0,
                        (int)(sizeof requests / sizeof *requests));
    tcase_add_loop_test(server, an_address_of_more_than_this_machine_is_refused, 0,
                        (int)(sizeof addresses / sizeof *addresses));
    suite_add_tcase(suite, server);
    return suite_run(suite);
}
