/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A small server that measures itself: how long each request took from the return of the read to
 * the return of the last write.
 *
 *     server MODE REQUESTS
 *
 * It prints its port, and after REQUESTS answers what it measured: a line a path, with p50 and p99
 * in ns.  Paths: /fast; /nap sleeps 20 ms; /spin computes for 2 ms; /leak keeps 1000 bytes;
 * /stream answers in three parts with naps of 50 ms between them.
 *   loop      epoll and one thread        threads   a thread a connection
 *   fork      a process a connection      pass      a thread reads, another answers
 *   single    a thread a connection, reading byte by byte
 */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATHS = 5, MOST = 1 << 20, TEXT_SIZE = 4096, LEAKED = 1000 };

static const char *const names[PATHS] = {"/fast", "/nap", "/spin", "/leak", "/stream"};

static struct {
    uint64_t *ns;
    atomic_uint count;
} paths[PATHS];

static atomic_int left;
void *volatile kept; /* by /leak; not static, so that it is not optimized away */
static int listener;

static uint64_t read_clock(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void nap(long ms)
{
    struct timespec span = {.tv_nsec = ms * 1000000};

    nanosleep(&span, NULL);
}

static unsigned find_path(const char *text)
{
    for (unsigned i = 0; i < PATHS; i++)
        if (strncmp(text + 4, names[i], strlen(names[i])) == 0)
            return i;
    return 0;
}

static void put(int to, const char *text)
{
    if (write(to, text, strlen(text)) < 0)
        perror("write");
}

static void work(unsigned path, int to)
{
    uint64_t end = read_clock(CLOCK_THREAD_CPUTIME_ID) + 2000000;

    if (path == 1)
        nap(20);
    while (path == 2 && read_clock(CLOCK_THREAD_CPUTIME_ID) < end)
        ;
    if (path == 3)
        kept = malloc(LEAKED);
    if (path == 4) {
        put(to, "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nab");
        nap(50);
        put(to, "cd");
        nap(50);
        put(to, "ef");
        return;
    }
    put(to, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
}

/* Count an answer.  Returns: whether the server goes on. */
static int answer(int to, const char *text, uint64_t start)
{
    unsigned path = find_path(text), index;

    work(path, to);
    index = atomic_fetch_add(&paths[path].count, 1);
    paths[path].ns[index] = read_clock(CLOCK_MONOTONIC) - start;
    return atomic_fetch_sub(&left, 1) > 1;
}

/* Returns: the bytes of a request; 0: none. */
static ssize_t take(int from, char *text, int is_single)
{
    ssize_t size = 0, got = 0;

    if (!is_single)
        return read(from, text, TEXT_SIZE - 1);
    while (size < TEXT_SIZE - 1 && (got = recv(from, text + size, 1, 0)) == 1)
        if (++size >= 4 && memcmp(text + size - 4, "\r\n\r\n", 4) == 0)
            break;
    return got == 1 ? size : 0;
}

static void serve(int from, int is_single)
{
    char text[TEXT_SIZE];
    ssize_t size;

    for (;;) {
        uint64_t start = read_clock(CLOCK_MONOTONIC);

        if ((size = take(from, text, is_single)) <= 0)
            break;
        text[size] = '\0';
        if (!is_single)
            start = read_clock(CLOCK_MONOTONIC);
        if (!answer(from, text, start))
            break;
    }
    close(from);
}

static int mode_single;

static void *serve_alone(void *of)
{
    serve((int)(intptr_t)of, mode_single);
    return NULL;
}

/* ---- modes ------------------------------------------------------------------ */

static void loop(void)
{
    int poll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};

    epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
    while (atomic_load(&left) > 0) {
        struct epoll_event ready[16];
        int count = epoll_wait(poll, ready, 16, 1000);

        for (int i = 0; i < count; i++) {
            char text[TEXT_SIZE];
            int from = ready[i].data.fd;
            ssize_t size;

            if (from == listener) {
                event.data.fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
                epoll_ctl(poll, EPOLL_CTL_ADD, event.data.fd, &event);
            } else if ((size = read(from, text, sizeof text - 1)) <= 0) {
                close(from);
            } else {
                text[size] = '\0';
                answer(from, text, read_clock(CLOCK_MONOTONIC));
            }
        }
    }
}

static void start_threads(void)
{
    for (int i = 0; atomic_load(&left) > 0; i++) {
        struct timeval wait = {.tv_usec = 100000};
        pthread_t thread;
        int from;

        setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
        from = accept(listener, NULL, NULL);
        if (from < 0)
            continue;
        pthread_create(&thread, NULL, serve_alone, (void *)(intptr_t)from);
        pthread_detach(thread);
    }
    nap(50);
}

/* Each child serves one connection, and ends; the traces are those of the children. */
static void fork_all(void)
{
    while (atomic_load(&left) > 0) {
        int from = accept(listener, NULL, NULL);

        if (from >= 0 && fork() == 0) {
            atomic_store(&left, MOST);
            serve(from, 0);
            exit(0);
        }
        close(from);
        atomic_fetch_sub(&left, 1);
    }
    while (wait(NULL) > 0)
        ;
}

struct handed {
    int from;
    char text[TEXT_SIZE];
    uint64_t start;
};

static void *answer_handed(void *of)
{
    struct handed *handed = of;

    answer(handed->from, handed->text, handed->start);
    free(handed);
    return NULL;
}

static void pass(void)
{
    int from = accept(listener, NULL, NULL);

    while (atomic_load(&left) > 0) {
        struct handed *handed = malloc(sizeof *handed);
        ssize_t size = read(from, handed->text, sizeof handed->text - 1);
        pthread_t thread;

        handed->from = from;
        handed->start = read_clock(CLOCK_MONOTONIC);
        handed->text[size > 0 ? size : 0] = '\0';
        pthread_create(&thread, NULL, answer_handed, handed);
        pthread_join(thread, NULL);
    }
    close(from);
}

static int compare(const void *left_of, const void *right_of)
{
    uint64_t a = *(const uint64_t *)left_of, b = *(const uint64_t *)right_of;

    return a < b ? -1 : a > b;
}

static void tell(void)
{
    for (unsigned i = 0; i < PATHS; i++) {
        unsigned count = atomic_load(&paths[i].count);

        if (count == 0)
            continue;
        qsort(paths[i].ns, count, sizeof *paths[i].ns, compare);
        printf("%s %u %lu %lu\n", names[i], count, (unsigned long)paths[i].ns[(count + 1) / 2 - 1],
               (unsigned long)paths[i].ns[(count * 99 + 99) / 100 - 1]);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } modes[] = {{"loop", loop},
                 {"threads", start_threads},
                 {"single", start_threads},
                 {"fork", fork_all},
                 {"pass", pass}};
    struct sockaddr_in at = {.sin_family = AF_INET};
    socklen_t size = sizeof at;

    if (argc < 3)
        return 2;
    atomic_store(&left, atoi(argv[2]));
    mode_single = strcmp(argv[1], "single") == 0;
    for (unsigned i = 0; i < PATHS; i++)
        paths[i].ns = malloc(MOST * sizeof *paths[i].ns);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listener = socket(AF_INET, SOCK_STREAM, 0);
    bind(listener, (struct sockaddr *)&at, sizeof at);
    listen(listener, 128);
    getsockname(listener, (struct sockaddr *)&at, &size);
    printf("port %u\n", ntohs(at.sin_port));
    fflush(stdout);
    for (unsigned i = 0; i < sizeof modes / sizeof *modes; i++)
        if (strcmp(argv[1], modes[i].name) == 0)
            modes[i].run();
    tell();
    return 0;
}
