/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An open-loop sender: request k is due at k / rate, whatever became of those before it.
 *
 *     sender PORT RATE COUNT CONNECTIONS PATH...
 *
 * Paths take turns.  CONNECTIONS stay open; 0: each request has a connection of its own.  A request
 * whose connection is busy waits for it.  Prints the answers, and percentiles of the latency from
 * the schedule, in ns.
 */
#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <pthread.h>

enum { CONNECTIONS_MAX = 64, TEXT_SIZE = 65536 };

struct sender {
    pthread_t thread;
    unsigned first;
    uint64_t *latencies;
    unsigned answers;
};

static uint16_t port;
static double rate;
static unsigned count, step;
static char **paths;
static unsigned path_count;
static uint64_t start_ns;
static int is_short;

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static int dial(void)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
    int socket_of = socket(AF_INET, SOCK_STREAM, 0);

    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(socket_of, (struct sockaddr *)&to, sizeof to) != 0) {
        perror("connect");
        exit(1);
    }
    return socket_of;
}

/* Read one answer: its head, and the bytes that the head says; without a length up to the end. */
static int receive(int from)
{
    static _Thread_local char text[TEXT_SIZE];
    size_t size = 0;
    ssize_t got;

    while ((got = recv(from, text + size, sizeof text - 1 - size, 0)) > 0) {
        char *body, *length;

        size += (size_t)got;
        text[size] = '\0';
        body = strstr(text, "\r\n\r\n");
        length = strcasestr(text, "content-length:");
        if (body && length && (size_t)(body + 4 - text) + strtoul(length + 15, NULL, 10) <= size)
            return 1;
    }
    return size > 0;
}

static void wait_until(uint64_t due)
{
    struct timespec at = {(time_t)(due / 1000000000), (long)(due % 1000000000)};

    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

static void *run(void *of)
{
    struct sender *sender = of;
    int to = is_short ? -1 : dial();

    for (unsigned k = sender->first; k < count; k += step) {
        uint64_t due = start_ns + (uint64_t)(k / rate * 1e9);
        char text[256];

        wait_until(due);
        if (is_short)
            to = dial();
        snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: here\r\nConnection: %s\r\n\r\n",
                 paths[k % path_count], is_short ? "close" : "keep-alive");
        send(to, text, strlen(text), MSG_NOSIGNAL);
        if (receive(to)) {
            sender->latencies[k] = now_ns() - due;
            sender->answers++;
        }
        if (is_short)
            close(to);
    }
    if (!is_short)
        close(to);
    return NULL;
}

static int compare(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

    return a < b ? -1 : a > b;
}

int main(int argc, char **argv)
{
    static struct sender senders[CONNECTIONS_MAX];
    unsigned answers = 0;
    uint64_t *latencies;

    if (argc < 6)
        return 2;
    port = (uint16_t)atoi(argv[1]);
    rate = atof(argv[2]);
    count = (unsigned)atoi(argv[3]);
    is_short = atoi(argv[4]) == 0;
    step = is_short ? 4 : (unsigned)atoi(argv[4]);
    paths = argv + 5;
    path_count = (unsigned)argc - 5;
    latencies = calloc(count, sizeof *latencies);
    start_ns = now_ns() + 10000000;
    for (unsigned i = 0; i < step; i++) {
        senders[i] = (struct sender){.first = i, .latencies = latencies};
        pthread_create(&senders[i].thread, NULL, run, &senders[i]);
    }
    for (unsigned i = 0; i < step; i++) {
        pthread_join(senders[i].thread, NULL);
        answers += senders[i].answers;
    }
    qsort(latencies, count, sizeof *latencies, compare);
    printf("answers %u\np50 %lu\np99 %lu\n", answers, (unsigned long)latencies[(count + 1) / 2 - 1],
           (unsigned long)latencies[(count * 99 + 99) / 100 - 1]);
    return 0;
}
