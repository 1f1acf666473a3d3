/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads that each do one thing in a separate function, until standard input ends: what tprof
 * where should see, and what the threads noticed.
 *
 * Prints "ready" once all are there, and at the end a line of JSON: for each thread its number, its
 * calls, and how many of them ended with EINTR or otherwise than they should.
 *
 *   waiting          those threads
 *   waiting churn    threads that begin and end all the time
 *   waiting signals  a thread that gets 2,000 queued signals; prints how many came
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

struct worker {
    const char *name; /* name of the thread; its function is NAME_here */
    void (*work)(struct worker *worker);
    pthread_t thread;
    pid_t tid;
    unsigned long calls;
    unsigned long interrupted;
    unsigned long wrong;
};

static atomic_bool is_over;
static atomic_uint ready;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int pipe_ends[2], full_pipe[2], sockets[2], event;
static sem_t semaphore;
static volatile unsigned long sink;

static void note(struct worker *worker, long result, long expected)
{
    worker->calls++;
    if (result == expected)
        return;
    if (result < 0 && errno == EINTR)
        worker->interrupted++;
    else
        worker->wrong++;
}

static NOINLINE void spin_here(struct worker *worker)
{
    while (!is_over)
        for (int i = 0; i < 1000; i++)
            sink += (unsigned long)i;
    worker->calls++;
}

static NOINLINE void read_here(struct worker *worker)
{
    char byte;

    while (!is_over)
        note(worker, read(pipe_ends[0], &byte, 1), 1);
}

static NOINLINE void wait_here(struct worker *worker)
{
    pthread_mutex_lock(&mutex);
    while (!is_over)
        note(worker, pthread_cond_wait(&condition, &mutex), 0);
    pthread_mutex_unlock(&mutex);
}

static NOINLINE void sleep_here(struct worker *worker)
{
    const struct timespec nap = {.tv_nsec = 300000000};
    struct timespec start, end;

    while (!is_over) {
        clock_gettime(CLOCK_MONOTONIC, &start);
        int error = clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL);
        clock_gettime(CLOCK_MONOTONIC, &end);
        errno = error;
        note(worker, error ? -1 : 0, 0);
        worker->wrong +=
            (end.tv_sec - start.tv_sec) * 1000000000 + end.tv_nsec - start.tv_nsec < nap.tv_nsec;
    }
}

static NOINLINE void poll_here(struct worker *worker)
{
    int set = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event wanted = {.events = EPOLLIN}, found;

    epoll_ctl(set, EPOLL_CTL_ADD, event, &wanted);
    while (!is_over)
        note(worker, epoll_wait(set, &found, 1, -1), 1);
    close(set);
}

/* More than a pipe holds: reading at the end lets the call go on. */
static NOINLINE void write_here(struct worker *worker)
{
    enum { SIZE = 1 << 20 };
    char *bytes = calloc(1, SIZE);

    note(worker, write(full_pipe[1], bytes, SIZE), SIZE);
    free(bytes);
}

static NOINLINE void receive_here(struct worker *worker)
{
    char bytes[8];

    while (!is_over)
        note(worker, recv(sockets[0], bytes, sizeof bytes, MSG_WAITALL), sizeof bytes);
}

static NOINLINE void take_here(struct worker *worker)
{
    while (!is_over)
        note(worker, sem_wait(&semaphore), 0);
}

static struct worker workers[] = {
    {.name = "spin", .work = spin_here},       {.name = "read", .work = read_here},
    {.name = "wait", .work = wait_here},       {.name = "sleep", .work = sleep_here},
    {.name = "poll", .work = poll_here},       {.name = "write", .work = write_here},
    {.name = "receive", .work = receive_here}, {.name = "take", .work = take_here},
    {.name = "take2", .work = take_here},      {.name = "take3", .work = take_here},
};

enum { WORKERS = sizeof workers / sizeof *workers };

static NOINLINE void *begin_worker(void *of)
{
    struct worker *worker = of;

    worker->tid = (pid_t)syscall(SYS_gettid);
    pthread_setname_np(pthread_self(), worker->name);
    ready++;
    worker->work(worker);
    sink++; /* no tail call */
    return NULL;
}

static void wake_all(void)
{
    static char drain[1 << 16];
    const uint64_t one = 1;
    size_t left = 1 << 20;

    is_over = true;
    if (write(pipe_ends[1], "x", 1) != 1 || write(event, &one, sizeof one) != sizeof one ||
        write(sockets[1], "12345678", 8) != 8)
        abort();
    for (int i = 0; i < WORKERS; i++)
        sem_post(&semaphore);
    pthread_mutex_lock(&mutex);
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
    close(full_pipe[1]);
    for (ssize_t size; left > 0 && (size = read(full_pipe[0], drain, sizeof drain)) > 0;)
        left -= (size_t)size;
}

static NOINLINE void read_input(void)
{
    char byte;

    while (read(STDIN_FILENO, &byte, 1) > 0)
        ;
}

/* Whether a thread waits in a call, by Linux's word for it. */
static bool waits(pid_t tid)
{
    char path[64], line[256] = "";
    const char *state;

    snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)tid);
    FILE *file = fopen(path, "r");
    if (!file)
        return true;
    state = fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
    fclose(file);
    return !state || state[2] == 'S';
}

/* All except the one that spins, which has no call to wait in. */
static void await_all(void)
{
    while (ready < WORKERS)
        usleep(1000);
    for (int i = 1; i < WORKERS; i++)
        while (!waits(workers[i].tid))
            usleep(1000);
    usleep(100000);
}

static int work(void)
{
    if (pipe(pipe_ends) || pipe(full_pipe) || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets))
        return 1;
    event = eventfd(0, EFD_CLOEXEC);
    sem_init(&semaphore, 0, 0);
    for (int i = 0; i < WORKERS; i++)
        if (pthread_create(&workers[i].thread, NULL, begin_worker, &workers[i]))
            return 1;
    await_all();
    puts("ready");
    fflush(stdout);
    read_input();
    wake_all();
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i].thread, NULL);
    for (int i = 0; i < WORKERS; i++)
        printf("%s\"%s\": {\"tid\": %d, \"calls\": %lu, \"interrupted\": %lu, \"wrong\": %lu}",
               i ? ", " : "{", workers[i].name, (int)workers[i].tid, workers[i].calls,
               workers[i].interrupted, workers[i].wrong);
    puts("}");
    return 0;
}

static NOINLINE void *live_briefly(void *of)
{
    for (int i = 0; i < 1000; i++)
        sink += (unsigned long)i;
    return of;
}

static void *watch_input(void *of)
{
    read_input();
    is_over = true;
    return of;
}

static int churn(void)
{
    enum { AT_ONCE = 8 };
    pthread_t threads[AT_ONCE], watch;
    char marks[AT_ONCE];
    unsigned long lives = 0;

    if (pthread_create(&watch, NULL, watch_input, NULL))
        return 1;
    puts("ready");
    fflush(stdout);
    while (!is_over) {
        for (int i = 0; i < AT_ONCE; i++)
            if (pthread_create(&threads[i], NULL, live_briefly, &marks[i]))
                return 1;
        for (int i = 0; i < AT_ONCE; i++) {
            void *of;

            if (pthread_join(threads[i], &of) || of != &marks[i])
                return 1;
            lives++;
        }
    }
    return lives > 0 ? 0 : 1;
}

static volatile sig_atomic_t came;

static void count_signal(int number)
{
    (void)number;
    came++;
}

static NOINLINE void *get_signals(void *of)
{
    while (!is_over)
        sink++;
    return of;
}

static int count_signals(void)
{
    enum { SIGNALS = 2000 };
    const struct sigaction counting = {.sa_handler = count_signal};
    pthread_t thread;

    sigaction(SIGRTMIN, &counting, NULL);
    if (pthread_create(&thread, NULL, get_signals, NULL))
        return 1;
    puts("ready");
    fflush(stdout);
    for (int i = 0; i < SIGNALS; i++) {
        while (pthread_sigqueue(thread, SIGRTMIN, (union sigval){0}) != 0)
            usleep(1000);
        usleep(500);
    }
    for (int i = 0; came < SIGNALS && i < 5000; i++)
        usleep(1000);
    is_over = true;
    pthread_join(thread, NULL);
    printf("%d of %d\n", (int)came, SIGNALS);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "churn") == 0)
        return churn();
    if (argc > 1 && strcmp(argv[1], "signals") == 0)
        return count_signals();
    return work();
}
