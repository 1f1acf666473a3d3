/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Methods and versions of HTTP.
 */
#include "request/first_bytes.h"

enum { METHOD_START = 4, VERSION_SIZE = 8, STATUS_SIZE = VERSION_SIZE + 4 };

/* The first characters of the methods of RFC 9110, RFC 5789 and RFC 4918. */
static const char methods[][METHOD_START + 1] = {
    "GET ", "HEAD", "POST", "PUT ", "DELE", "CONN", "OPTI", "TRAC", "PATC",
    "PROP", "MKCO", "COPY", "MOVE", "LOCK", "UNLO", "REPO", "SEAR", "QUER",
};

/* Compares no further than the bytes go. */
static bool begins_like(struct first_bytes bytes, const char *text, size_t size)
{
    size_t compared = bytes.size < size ? bytes.size : size;

    for (size_t i = 0; i < compared; i++)
        if (bytes.text[i] != text[i])
            return false;
    return compared > 0;
}

bool first_bytes_are_method(struct first_bytes bytes)
{
    if (!bytes.text)
        return false;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (begins_like(bytes, methods[i], METHOD_START))
            return true;
    return false;
}

/* Source: RFC 9113, 3.4: the connection preface; RFC 8446, 5.1: a record of type handshake (22)
 * whose version starts with 3. */
enum trace_protocol first_bytes_protocol(struct first_bytes bytes)
{
    static const char preface[] = "PRI * HTTP/2.0";

    if (!bytes.text)
        return TRACE_PROTOCOL_OTHER;
    if (bytes.size >= METHOD_START && begins_like(bytes, preface, sizeof preface - 1))
        return TRACE_PROTOCOL_HTTP2;
    if (bytes.size >= 2 && bytes.text[0] == 22 && bytes.text[1] == 3)
        return TRACE_PROTOCOL_TLS;
    return first_bytes_are_method(bytes) ? TRACE_PROTOCOL_HTTP : TRACE_PROTOCOL_OTHER;
}

static bool is_digit(char character)
{
    return character >= '0' && character <= '9';
}

unsigned first_bytes_status(struct first_bytes bytes)
{
    const char *digits;

    if (!bytes.text || bytes.size < STATUS_SIZE || !begins_like(bytes, "HTTP/1.", VERSION_SIZE - 1))
        return 0;
    digits = bytes.text + VERSION_SIZE + 1;
    if (!is_digit(digits[0]) || !is_digit(digits[1]) || !is_digit(digits[2]))
        return 0;
    return (unsigned)(100 * (digits[0] - '0') + 10 * (digits[1] - '0') + (digits[2] - '0'));
}
