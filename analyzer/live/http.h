/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A server of a few read-only pages for browsers of this machine.
 *
 * It listens on a loopback address only.  Each path begins with a random token, so another user of
 * the machine cannot guess it.  A page of another site cannot read it through the user's browser:
 * the Host header must be the server's own address, against names that are made to lead here (DNS
 * rebinding), and so must the Origin, where there is one.
 *
 * One request a connection, GET and HEAD only; a slow client is dropped.
 */
#ifndef LIVE_HTTP_H
#define LIVE_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"
#include "base/status.h"
#include "base/text.h"

enum { HTTP_TOKEN_SIZE = 33, HTTP_HOST_SIZE = 64, HTTP_CLIENTS = 16, HTTP_REQUEST_SIZE = 4096 };

struct http_client {
    int descriptor; /* -1: none */
    uint64_t since_ns;
    size_t size;
    char request[HTTP_REQUEST_SIZE];
    struct text answer; /* to be sent */
    size_t sent;
};

struct http {
    int descriptor;
    uint16_t port;
    char host[HTTP_HOST_SIZE]; /* "127.0.0.1:8080" */
    char token[HTTP_TOKEN_SIZE];
    struct http_client clients[HTTP_CLIENTS];
    /* Make the body of a page, by its path behind the token: "", "data", "metrics".
     * Returns: its type; NULL: there is no such page. */
    const char *(*make)(void *of, const char *path, struct text *body);
    void *of;
};

/* Listen on "127.0.0.1:0" or "[::1]:8080".
 * Errors: STATUS_USAGE: the address is not a loopback address with a port; STATUS_IO. */
enum status http_open(struct http *http, const char *address,
                      struct diagnostic *diagnostic) MUST_CHECK;
void http_close(struct http *http);

/* Serve for some time.  Returns: whether it may go on. */
bool http_serve(struct http *http, int timeout_ms);

/* The answer to a request, which ends with an empty line.  For the server and its tests. */
void http_answer(const struct http *http, const char *request, struct text *answer);

#endif
