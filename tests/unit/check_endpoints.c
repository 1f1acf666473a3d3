/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of endpoint_name and first_bytes: what the first bytes of requests and answers say.
 */
#include "request/endpoint_name.h"

#include <string.h>

#include "request/first_bytes.h"
#include "request/proxy_start.h"
#include "suite.h"

static struct first_bytes of(const char *text)
{
    return (struct first_bytes){text, strlen(text)};
}

static const struct {
    const char *line;
    const char *name; /* "": none */
} names[] = {
    {"GET / HTTP/1.1\r\n", "GET /"},
    {"GET /users/12/orders HTTP/1.1\r\n", "GET /users/*"},
    {"POST /a/b/c/d HTTP/1.1\r\n", "POST /a/b"},
    {"GET /search?q=secret HTTP/1.1\r\n", "GET /search"},
    {"DELETE /item/3f2504e0-4f89-11d3-9a0c-0305e82c3301 HTTP/1.1\r\n", "DELETE /item/*"},
    {"GET /deadbeef/beef HTTP/1.1\r\n", "GET /deadbeef/beef"}, /* a word without a digit */
    {"GET /deadbeef01/x HTTP/1.1\r\n", "GET /*/x"},
    {"GET /v1/models HTTP/1.1\r\n", "GET /v1/models"},
    {"GET /a\x01\x7f/b HTTP/1.1\r\n", "GET /a"},
    {"GET /\x1b[31m HTTP/1.1\r\n", "GET /"},
    {"OPTIONS * HTTP/1.1\r\n", "OPTIONS "},
    {"GET /0123456789012345678901234567890123456789x/y HTTP/1.1\r\n", "GET /*/y"},
    {"GET", ""},
    {"G", ""},
    {"", ""},
    {"PING\r\n", ""},
    {"*1\r\n$4\r\nPING\r\n", ""},
    {"\x16\x03\x01", ""},
};

START_TEST(an_endpoint_is_the_method_and_two_segments)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[ENDPOINT_NAME_SIZE] = "";
        size_t size = endpoint_name_compose(of(names[i].line), text);

        ck_assert_str_eq(text, names[i].name);
        ck_assert_uint_eq(size, strlen(names[i].name));
    }
}
END_TEST

static const struct {
    const char *argument;
    const char *name;
} calls[] = {
    {"", "handle"},
    {"/", "handle /"},
    {"/users/12/orders", "handle /users/*"},
    {"/search?q=secret", "handle /search"},
    {"POST /a/b/c HTTP/1.1", "handle POST /a/b"},
    {"17", "handle 17"}, /* a kind of request */
    {"-3", "handle -3"},
    {"upload", "handle upload"},
    {"two words", "handle two"},
    {"3f2504e0-4f89-11d3-9a0c-0305e82c3301", "handle *"},
    {"\x1b[31m", "handle"},
};

START_TEST(a_call_is_named_by_its_function_and_an_argument)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        char text[ENDPOINT_NAME_SIZE] = "";
        size_t size = endpoint_name_of_call("handle", of(calls[i].argument), text);

        ck_assert_str_eq(text, calls[i].name);
        ck_assert_uint_eq(size, strlen(calls[i].name));
    }
}
END_TEST

START_TEST(a_long_name_of_a_call_stays_in_its_room)
{
    char name[1024], text[ENDPOINT_NAME_SIZE];

    memset(name, 'f', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    name[0] = '/';
    ck_assert_uint_lt(endpoint_name_of_call(name, of(name), text), ENDPOINT_NAME_SIZE);
    ck_assert_uint_eq(strlen(text), endpoint_name_of_call(name, of(name), text));
}
END_TEST

START_TEST(a_long_path_stays_in_its_room)
{
    char line[1024], text[ENDPOINT_NAME_SIZE];

    memset(line, '-', sizeof line);
    memcpy(line, "GET /", 5);
    ck_assert_uint_lt(endpoint_name_compose((struct first_bytes){line, sizeof line}, text),
                      ENDPOINT_NAME_SIZE);
}
END_TEST

static const struct {
    const char *bytes;
    enum trace_protocol protocol;
} protocols[] = {
    {"GET / HTTP/1.1\r\n", TRACE_PROTOCOL_HTTP},
    {"G", TRACE_PROTOCOL_HTTP},
    {"PO", TRACE_PROTOCOL_HTTP},
    {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", TRACE_PROTOCOL_HTTP2},
    {"PRI ", TRACE_PROTOCOL_HTTP2},
    {"\x16\x03\x01\x02", TRACE_PROTOCOL_TLS},
    {"*1\r\n", TRACE_PROTOCOL_OTHER},
    {"get a\r\n", TRACE_PROTOCOL_OTHER},
    {"", TRACE_PROTOCOL_OTHER},
};

START_TEST(the_first_bytes_tell_the_protocol)
{
    for (size_t i = 0; i < sizeof protocols / sizeof *protocols; i++)
        ck_assert_int_eq(first_bytes_protocol(of(protocols[i].bytes)), protocols[i].protocol);
    ck_assert_int_eq(first_bytes_protocol((struct first_bytes){NULL, 0}), TRACE_PROTOCOL_OTHER);
}
END_TEST

static const struct {
    const char *text;
    uint64_t us; /* 0: none */
} proxies[] = {
    {"GET / HTTP/1.1\r\nX-Request-Start: t=1700000000123456\r\n\r\n", 1700000000123456},
    {"GET / HTTP/1.1\r\nA: b\r\nx-request-start:1700000000123\r\n", 1700000000123000},
    {"GET / HTTP/1.1\nX-QUEUE-START: t=1700000000.25\n", 1700000000250000},
    {"GET / HTTP/1.1\r\nX-Request-Start: t=1700000000.1234567\r\n", 1700000000123456},
    {"GET / HTTP/1.1\r\nX-Request-Start: t=1700000000", 0}, /* not read as a whole */
    {"GET / HTTP/1.1\r\nX-Request-Start: soon\r\n", 0},
    {"GET / HTTP/1.1\r\nX-Request-Start", 0},
    {"GET / HTTP/1.1\r\n\r\nX-Request-Start: t=1700000000\r\n", 0}, /* in the body */
    {"GET / HTTP/1.1\r\nA: X-Request-Start: t=1700000000\r\n", 0},
    {"GET / HTTP/1.1\r\nX-Request-Start: t=99999999999999999999999\r\n", 9999999999999999},
    {"", 0},
};

START_TEST(a_proxy_tells_when_it_had_a_request)
{
    for (size_t i = 0; i < sizeof proxies / sizeof *proxies; i++)
        ck_assert_uint_eq(proxy_start_find(of(proxies[i].text)), proxies[i].us);
    ck_assert_uint_eq(proxy_start_find((struct first_bytes){NULL, 0}), 0);
}
END_TEST

START_TEST(an_answer_has_a_status)
{
    ck_assert_uint_eq(first_bytes_status(of("HTTP/1.1 200 OK\r\n")), 200);
    ck_assert_uint_eq(first_bytes_status(of("HTTP/1.0 404")), 404);
    ck_assert_uint_eq(first_bytes_status(of("HTTP/1.1 100 Continue\r\n")), 100);
    ck_assert_uint_eq(first_bytes_status(of("HTTP/1.1 20")), 0);
    ck_assert_uint_eq(first_bytes_status(of("HTTP/1.1 abc ")), 0);
    ck_assert_uint_eq(first_bytes_status(of("<html>HTTP/1.1 200")), 0);
    ck_assert_uint_eq(first_bytes_status((struct first_bytes){NULL, 0}), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("endpoints");
    TCase *tests = tcase_create("endpoints");

    tcase_add_test(tests, an_endpoint_is_the_method_and_two_segments);
    tcase_add_test(tests, a_call_is_named_by_its_function_and_an_argument);
    tcase_add_test(tests, a_long_name_of_a_call_stays_in_its_room);
    tcase_add_test(tests, a_long_path_stays_in_its_room);
    tcase_add_test(tests, the_first_bytes_tell_the_protocol);
    tcase_add_test(tests, a_proxy_tells_when_it_had_a_request);
    tcase_add_test(tests, an_answer_has_a_status);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
