/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A server of one thread a connection, whose requests are calls of a library's handlers.  It
 * measures these itself.
 *
 *     server REQUESTS
 *
 * It prints its port.  After REQUESTS answers it prints a line for each path: the number of calls,
 * and p50 and p99 in ns.
 */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "handler.h"

enum { PATHS = 4, MOST = 4096, TEXT_SIZE = 4096 };

static const char *const names[PATHS] = {"/fast", "/nap", "/spin", "/leak"};

static struct {
    uint64_t ns[MOST];
    atomic_uint count;
} paths[PATHS];

static atomic_int left;
static int listener;

static uint64_t read_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void measure(int connection, const char *path)
{
    uint64_t from = read_clock(), ns;

    serve(connection, path);
    ns = read_clock() - from;
    for (unsigned i = 0; i < PATHS; i++)
        if (strcmp(path, names[i]) == 0)
            paths[i].ns[atomic_fetch_add(&paths[i].count, 1) % MOST] = ns;
}

static void answer(int connection, const char *path)
{
    static const char text[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    measure(connection, path);
    if (write(connection, text, sizeof text - 1) < 0)
        exit(1);
    if (atomic_fetch_sub(&left, 1) == 1)
        shutdown(listener, SHUT_RDWR);
}

static void *serve_connection(void *of)
{
    int connection = (int)(intptr_t)of;
    char text[TEXT_SIZE], path[TEXT_SIZE];
    ssize_t size;

    while ((size = read(connection, text, sizeof text - 1)) > 0) {
        text[size] = '\0';
        if (sscanf(text, "GET %s", path) == 1)
            answer(connection, path);
    }
    close(connection);
    return NULL;
}

static int compare(const void *left_of, const void *right_of)
{
    uint64_t a = *(const uint64_t *)left_of, b = *(const uint64_t *)right_of;

    return a < b ? -1 : a > b;
}

static void print_path(unsigned i)
{
    unsigned count = paths[i].count;

    if (count == 0)
        return;
    qsort(paths[i].ns, count, sizeof *paths[i].ns, compare);
    printf("%s %u %llu %llu\n", names[i], count,
           (unsigned long long)paths[i].ns[(count + 1) / 2 - 1],
           (unsigned long long)paths[i].ns[(count * 99 + 99) / 100 - 1]);
}

int main(int argc, char **argv)
{
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof own;
    pthread_t thread;
    int connection;

    left = argc > 1 ? atoi(argv[1]) : 1;
    listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&own, size) != 0 || listen(listener, 64) != 0 ||
        getsockname(listener, (struct sockaddr *)&own, &size) != 0)
        return 1;
    printf("port %d\n", ntohs(own.sin_port));
    fflush(stdout);
    while ((connection = accept(listener, NULL, NULL)) >= 0) {
        pthread_create(&thread, NULL, serve_connection, (void *)(intptr_t)connection);
        pthread_detach(thread);
    }
    usleep(100000); /* the last answer's threads end */
    for (unsigned i = 0; i < PATHS; i++)
        print_path(i);
    return 0;
}
