/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Requests and answers of HTTP/1.1.
 *
 * Source: RFC 9112; fetch.spec.whatwg.org for Origin.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* accept4, memmem */
#endif
#include "live/http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static const uint64_t patience_ns = 5000000000;

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* ---- the address ----------------------------------------------------------------------- */

/* An address of either family. */
union address {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
};

static bool read_port(const char *text, uint16_t *port)
{
    char *end;
    long number = strtol(text, &end, 10);

    *port = (uint16_t)number;
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && number <= UINT16_MAX;
}

/* Returns: the size of the address; 0: it is none of this machine alone. */
static socklen_t read_address(const char *text, union address *address)
{
    const char *colon = strrchr(text, ':');
    char host[HTTP_HOST_SIZE];
    uint16_t port;

    memset(address, 0, sizeof *address);
    if (!colon || (size_t)(colon - text) >= sizeof host || !read_port(colon + 1, &port))
        return 0;
    snprintf(host, sizeof host, "%.*s", (int)(colon - text), text);
    if (strcmp(host, "localhost") == 0)
        strcpy(host, "127.0.0.1");
    if (inet_pton(AF_INET, host, &address->four.sin_addr) == 1 &&
        ntohl(address->four.sin_addr.s_addr) >> 24 == 127) {
        address->four.sin_family = AF_INET;
        address->four.sin_port = htons(port);
        return sizeof address->four;
    }
    if (strcmp(host, "[::1]") == 0) {
        address->six.sin6_family = AF_INET6;
        address->six.sin6_addr = in6addr_loopback;
        address->six.sin6_port = htons(port);
        return sizeof address->six;
    }
    return 0;
}

static bool make_token(char token[HTTP_TOKEN_SIZE])
{
    unsigned char bytes[(HTTP_TOKEN_SIZE - 1) / 2];

    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return false;
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

/* The port may have been left to the system. */
static void name_host(struct http *http)
{
    union address address;
    socklen_t size = sizeof address;
    char host[INET6_ADDRSTRLEN];

    if (getsockname(http->descriptor, &address.any, &size) != 0)
        return;
    if (address.any.sa_family == AF_INET) {
        http->port = ntohs(address.four.sin_port);
        inet_ntop(AF_INET, &address.four.sin_addr, host, sizeof host);
        snprintf(http->host, sizeof http->host, "%s:%u", host, http->port);
    } else {
        http->port = ntohs(address.six.sin6_port);
        snprintf(http->host, sizeof http->host, "[::1]:%u", http->port);
    }
}

enum status http_open(struct http *http, const char *text, struct diagnostic *diagnostic)
{
    union address address;
    socklen_t size = read_address(text, &address);
    int yes = 1;

    http->descriptor = -1;
    for (size_t i = 0; i < HTTP_CLIENTS; i++)
        http->clients[i].descriptor = -1;
    if (size == 0)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "live --serve %.60s: expected an address of this machine and a port, "
                              "such as 127.0.0.1:0 or [::1]:8080; ssh -L leads there from outside",
                              text);
    http->descriptor = socket(address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (http->descriptor >= 0)
        setsockopt(http->descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (http->descriptor < 0 || bind(http->descriptor, &address.any, size) != 0 ||
        listen(http->descriptor, HTTP_CLIENTS) != 0 || !make_token(http->token))
        return diagnostic_set(diagnostic, STATUS_IO, "live --serve %.60s: %s", text,
                              strerror(errno));
    name_host(http);
    return STATUS_OK;
}

static void drop(struct http_client *client)
{
    close(client->descriptor);
    client->descriptor = -1;
    text_fini(&client->answer);
}

void http_close(struct http *http)
{
    for (size_t i = 0; i < HTTP_CLIENTS; i++)
        if (http->clients[i].descriptor >= 0)
            drop(&http->clients[i]);
    if (http->descriptor >= 0)
        close(http->descriptor);
    http->descriptor = -1;
}

/* ---- answers --------------------------------------------------------------------------- */

static void append_head(struct text *answer, const char *status, const char *type, size_t size)
{
    text_appendf(answer, "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n", status, type,
                 size);
#define HEADER(name, value) text_append(answer, name ": " value "\r\n");
#include "live/http_headers.def"
#undef HEADER
    text_append(answer, "\r\n");
}

static void refuse(struct text *answer, const char *status)
{
    append_head(answer, status, "text/plain", strlen(status) + 1);
    text_appendf(answer, "%s\n", status);
}

/* Returns: the value of a header, and its size; NULL: there is none.  `count` gets how many there
 * are. */
static const char *find_header(const char *request, const char *name, size_t *size, size_t *count)
{
    size_t length = strlen(name);
    const char *value = NULL;

    *count = 0;
    for (const char *line = strstr(request, "\r\n"); line && line[2] != '\r';
         line = strstr(line + 2, "\r\n")) {
        const char *start = line + 2;

        if (strncasecmp(start, name, length) != 0 || start[length] != ':')
            continue;
        start += length + 1;
        start += strspn(start, " \t");
        *size = strcspn(start, "\r\n");
        while (*size > 0 && (start[*size - 1] == ' ' || start[*size - 1] == '\t'))
            --*size;
        value = start;
        ++*count;
    }
    return value;
}

static bool is_value(const char *value, size_t size, const char *words)
{
    return size == strlen(words) && memcmp(value, words, size) == 0;
}

/* "127.0.0.1:PORT", or the same by the name that browsers resolve themselves. */
static bool is_own_host(const struct http *http, const char *value, size_t size)
{
    char name[HTTP_HOST_SIZE];

    snprintf(name, sizeof name, "localhost:%u", http->port);
    return is_value(value, size, http->host) || is_value(value, size, name);
}

static bool is_own_request(const struct http *http, const char *request)
{
    static const char scheme[] = "http://";
    size_t size = 0, count;
    const char *value = find_header(request, "Host", &size, &count);

    if (!value || count != 1 || !is_own_host(http, value, size))
        return false;
    value = find_header(request, "Origin", &size, &count);
    if (!value)
        return true;
    return count == 1 && size > sizeof scheme - 1 &&
           memcmp(value, scheme, sizeof scheme - 1) == 0 &&
           is_own_host(http, value + sizeof scheme - 1, size - (sizeof scheme - 1));
}

/* Compares in a time that tells nothing of the token. */
static bool has_token(const struct http *http, const char *path, size_t size)
{
    const size_t length = sizeof http->token - 1;
    unsigned char differs = 0;

    if (size < length + 1 || path[0] != '/')
        return false;
    for (size_t i = 0; i < length; i++)
        differs |= (unsigned char)(path[1 + i] ^ http->token[i]);
    return differs == 0 && (size == length + 1 || path[length + 1] == '/');
}

static void serve_path(const struct http *http, const char *path, size_t size, bool is_head,
                       struct text *answer)
{
    char name[32];
    const char *type;
    struct text body;

    path += sizeof http->token; /* the first slash and the token */
    size -= sizeof http->token;
    path += size > 0;
    size -= size > 0;
    snprintf(name, sizeof name, "%.*s", (int)(size < sizeof name ? size : sizeof name), path);
    text_init(&body);
    type = http->make(http->of, name, &body);
    if (!type) {
        refuse(answer, "404 Not Found");
    } else {
        append_head(answer, "200 OK", type, body.size);
        if (!is_head)
            text_append_bytes(answer, body.bytes, body.size);
    }
    text_fini(&body);
}

void http_answer(const struct http *http, const char *request, struct text *answer)
{
    bool is_get = strncmp(request, "GET ", 4) == 0, is_head = strncmp(request, "HEAD ", 5) == 0;
    const char *path = request + (is_head ? 5 : 4);
    size_t size = strcspn(path, " ?\r\n");

    if (!is_get && !is_head)
        refuse(answer, "405 Method Not Allowed");
    else if (!is_own_request(http, request))
        refuse(answer, "403 Forbidden");
    else if (!has_token(http, path, size))
        refuse(answer, "404 Not Found");
    else
        serve_path(http, path, size, is_head, answer);
}

/* ---- connections ----------------------------------------------------------------------- */

static void admit(struct http *http)
{
    int descriptor = accept4(http->descriptor, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

    if (descriptor < 0)
        return;
    for (size_t i = 0; i < HTTP_CLIENTS; i++)
        if (http->clients[i].descriptor < 0) {
            http->clients[i] = (struct http_client){.descriptor = descriptor, .since_ns = now_ns()};
            text_init(&http->clients[i].answer);
            return;
        }
    close(descriptor);
}

static void receive(const struct http *http, struct http_client *client)
{
    ssize_t got = recv(client->descriptor, client->request + client->size,
                       sizeof client->request - 1 - client->size, 0);

    if (got <= 0 && !(got < 0 && (errno == EAGAIN || errno == EINTR))) {
        drop(client);
        return;
    }
    client->size += got > 0 ? (size_t)got : 0;
    client->request[client->size] = '\0';
    if (strstr(client->request, "\r\n\r\n"))
        http_answer(http, client->request, &client->answer);
    else if (client->size == sizeof client->request - 1)
        refuse(&client->answer, "431 Request Header Fields Too Large");
}

static void send_rest(struct http_client *client)
{
    ssize_t sent = send(client->descriptor, client->answer.bytes + client->sent,
                        client->answer.size - client->sent, MSG_NOSIGNAL);

    if (sent < 0 && errno != EAGAIN && errno != EINTR) {
        drop(client);
        return;
    }
    client->sent += sent > 0 ? (size_t)sent : 0;
    if (client->sent == client->answer.size)
        drop(client);
}

bool http_serve(struct http *http, int timeout_ms)
{
    struct pollfd waited[HTTP_CLIENTS + 1];

    waited[HTTP_CLIENTS] = (struct pollfd){.fd = http->descriptor, .events = POLLIN};
    for (size_t i = 0; i < HTTP_CLIENTS; i++)
        waited[i] = (struct pollfd){.fd = http->clients[i].descriptor,
                                    .events = http->clients[i].descriptor >= 0 &&
                                                      http->clients[i].answer.size > 0
                                                  ? POLLOUT
                                                  : POLLIN};
    if (poll(waited, HTTP_CLIENTS + 1, timeout_ms) < 0)
        return errno == EINTR;
    for (size_t i = 0; i < HTTP_CLIENTS; i++) {
        struct http_client *client = &http->clients[i];

        if (client->descriptor < 0)
            continue;
        if (waited[i].revents & POLLOUT)
            send_rest(client);
        else if (waited[i].revents != 0)
            receive(http, client);
        if (client->descriptor >= 0 && now_ns() - client->since_ns > patience_ns)
            drop(client);
    }
    if (waited[HTTP_CLIENTS].revents & POLLIN)
        admit(http);
    return true;
}
