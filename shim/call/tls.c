/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Wrappers of OpenSSL's functions.  Source: SSL_read(3ssl), SSL_write(3ssl), SSL_get_fd(3ssl) of
 * OpenSSL 1.1 and 3.
 */
#include "call/tls.h"

#include <stddef.h>
#include <stdint.h>

#include "request/connections.h"
#include "request/sessions.h"

typedef void ssl;

static struct {
#define TLS(name, wrapper) void *name;
#include "call/tls.def"
#undef TLS
} real;

/* A call of a session, with the words of a read or a write of its connection. */
struct plain_call {
    uint64_t words[3];
    struct connections_call call;
};

/* A session of a client belongs to no request.  Before OpenSSL 1.1, nobody knows. */
static bool is_server(const ssl *session)
{
    return real.SSL_is_server && ((int (*)(const ssl *))real.SSL_is_server)(session) == 1;
}

static uint64_t find_descriptor(const ssl *session)
{
    struct sessions_found found;
    int descriptor = real.SSL_get_fd ? ((int (*)(const ssl *))real.SSL_get_fd)(session) : -1;

    if (descriptor >= 0)
        return (uint32_t)descriptor;
    if (!is_server(session))
        return UINT64_MAX;
    found = sessions_find(session);
    return connections_is(found.descriptor, found.connection) ? found.descriptor : UINT64_MAX;
}

static struct plain_call begin(const ssl *session, enum connections_role role, const void *bytes)
{
    struct plain_call plain = {
        .words = {0, (uintptr_t)bytes},
        .call = {.role = role, .descriptor = UINT64_MAX, .is_plain = true},
    };

    if (!connections_marks)
        return plain;
    plain.call.descriptor = find_descriptor(session);
    if (connections_has(plain.call.descriptor))
        connections_begin(&plain.call);
    return plain;
}

static void end(struct plain_call *plain, uint64_t size)
{
    plain->call.words = plain->words;
    if (plain->call.asked != 0)
        connections_end(&plain->call, size);
}

static uint64_t size_of(int result)
{
    return result > 0 ? (uint64_t)result : 0;
}

static int tls_read(ssl *session, void *bytes, int size)
{
    struct plain_call plain = begin(session, CONNECTIONS_READS, bytes);
    int result = ((int (*)(ssl *, void *, int))real.SSL_read)(session, bytes, size);

    end(&plain, size_of(result));
    return result;
}

static int tls_read_ex(ssl *session, void *bytes, size_t size, size_t *taken)
{
    struct plain_call plain = begin(session, CONNECTIONS_READS, bytes);
    int result =
        ((int (*)(ssl *, void *, size_t, size_t *))real.SSL_read_ex)(session, bytes, size, taken);

    end(&plain, result == 1 ? *taken : 0);
    return result;
}

static int tls_write(ssl *session, const void *bytes, int size)
{
    struct plain_call plain = begin(session, CONNECTIONS_WRITES, bytes);
    int result = ((int (*)(ssl *, const void *, int))real.SSL_write)(session, bytes, size);

    end(&plain, size_of(result));
    return result;
}

static int tls_write_ex(ssl *session, const void *bytes, size_t size, size_t *written)
{
    struct plain_call plain = begin(session, CONNECTIONS_WRITES, bytes);
    int result = ((int (*)(ssl *, const void *, size_t, size_t *))real.SSL_write_ex)(session, bytes,
                                                                                     size, written);

    end(&plain, result == 1 ? *written : 0);
    return result;
}

/* The first call of a session works on the bytes that the thread has just read. */
static void note_handshake(const ssl *session)
{
    if (connections_marks)
        find_descriptor(session);
}

static int tls_accept(ssl *session)
{
    note_handshake(session);
    return ((int (*)(ssl *))real.SSL_accept)(session);
}

static int tls_do_handshake(ssl *session)
{
    note_handshake(session);
    return ((int (*)(ssl *))real.SSL_do_handshake)(session);
}

static void tls_free(ssl *session)
{
    if (connections_marks)
        sessions_forget(session);
    ((void (*)(ssl *))real.SSL_free)(session);
}

static const struct library_entry entries[] = {
#define TLS(name, wrapper) {#name, (void *)(wrapper), &real.name},
#include "call/tls.def"
#undef TLS
};

const struct library tls_library = {
    .title = "TLS", .entries = entries, .count = sizeof entries / sizeof *entries};
