/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Waits whose truth the program prints: "NAME CALLS BYTES NS", with the time by its own clock
 * around the calls, and "held THREAD" for the thread that held a lock.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SHORT_READS = 20000, BLOCKS = 50, BLOCK = 65536, NAP_US = 30000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t is_held;
static int is_set;
static char block[BLOCK];

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void tell(const char *name, unsigned calls, unsigned bytes, uint64_t since_ns)
{
    printf("%s %u %u %llu\n", name, calls, bytes, (unsigned long long)(now_ns() - since_ns));
}

static void check(int is_right, const char *what)
{
    if (is_right)
        return;
    printf("wrong: %s\n", what);
    exit(1);
}

/* A thread gets the resources for recording before it waits. */
static void begin_thread(void)
{
    void *volatile given = malloc(1);

    free(given);
}

static void read_short(void)
{
    int zero = open("/dev/zero", O_RDONLY);
    uint64_t start = now_ns();

    for (int i = 0; i < SHORT_READS; i++)
        check(read(zero, block, 1) == 1, "read of a byte");
    tell("read:/dev/zero", SHORT_READS, SHORT_READS, start);
    close(zero);
}

static void write_file(void)
{
    int file = open("written.bin", O_RDWR | O_CREAT | O_TRUNC, 0600);
    uint64_t start = now_ns();

    for (int i = 0; i < BLOCKS; i++)
        check(write(file, block, BLOCK) == BLOCK, "write");
    tell("write:written.bin", BLOCKS, BLOCKS * BLOCK, start);
    start = now_ns();
    for (int i = 0; i < BLOCKS; i++)
        check(pread(file, block, BLOCK, (off_t)i * BLOCK) == BLOCK, "pread");
    tell("pread:written.bin", BLOCKS, BLOCKS * BLOCK, start);
    close(file);
    check(read(file, block, 1) == -1 && errno == EBADF, "errno of a closed descriptor");
}

/* A descriptor that libc closed unnoticed now means another file. */
static void reuse_descriptor(void)
{
    FILE *stream = fopen("written.bin", "r");
    int first = fileno(stream), second;
    uint64_t start;

    check(fread(block, 1, 100, stream) == 100, "fread");
    fclose(stream);
    second = open("other.bin", O_RDWR | O_CREAT | O_TRUNC, 0600);
    check(first == second, "the descriptor is the same");
    start = now_ns();
    check(write(second, block, 7) == 7, "write to the other");
    tell("write:other.bin", 1, 7, start);
    close(second);
}

static void nap(void)
{
    uint64_t start = now_ns();

    usleep(NAP_US);
    tell("usleep:", 1, 0, start);
}

static int may_wait; /* for a held lock */

/* Whether the first thread sleeps, by Linux's word for it. */
static int first_sleeps(void)
{
    char line[256] = "";
    const char *state;
    FILE *file = fopen("/proc/self/stat", "r");

    if (!file)
        return 1;
    state = fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
    fclose(file);
    return !state || state[2] == 'S';
}

/* On a busy machine the first thread may come to the lock late. */
static void *hold(void *unused)
{
    begin_thread();
    pthread_mutex_lock(&mutex);
    printf("held %ld\n", (long)syscall(SYS_gettid));
    sem_post(&is_held);
    do
        usleep(NAP_US);
    while (!__atomic_load_n(&may_wait, __ATOMIC_ACQUIRE) || !first_sleeps());
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void contend(void)
{
    pthread_t holder;
    uint64_t start;

    sem_init(&is_held, 0, 0);
    pthread_create(&holder, NULL, hold, NULL);
    sem_wait(&is_held);
    __atomic_store_n(&may_wait, 1, __ATOMIC_RELEASE);
    start = now_ns();
    pthread_mutex_lock(&mutex);
    tell("pthread_mutex_lock:", 1, 0, start);
    pthread_mutex_unlock(&mutex);
    start = now_ns();
    pthread_join(holder, NULL);
    tell("pthread_join:", 1, 0, start);
}

static void take_free_locks(void)
{
    for (int i = 0; i < 1000; i++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
}

/* Locks keep their results. */
static void ask_odd_locks(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutex_t odd;
    pthread_rwlock_t both = PTHREAD_RWLOCK_INITIALIZER;

    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&odd, &attributes);
    check(pthread_mutex_lock(&odd) == 0 && pthread_mutex_lock(&odd) == EDEADLK, "error-checking");
    pthread_mutex_unlock(&odd);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&odd, &attributes);
    check(pthread_mutex_lock(&odd) == 0 && pthread_mutex_lock(&odd) == 0, "recursive");
    check(pthread_mutex_unlock(&odd) == 0 && pthread_mutex_unlock(&odd) == 0, "as often");
    check(pthread_mutex_unlock(&odd) == EPERM, "not once more");
    check(pthread_rwlock_wrlock(&both) == 0 && pthread_rwlock_wrlock(&both) == EDEADLK, "rwlock");
    pthread_rwlock_unlock(&both);
}

static void *die_holding(void *lock)
{
    pthread_mutex_lock(lock);
    return NULL;
}

static void inherit_lock(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutex_t robust;
    pthread_t dead;

    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
    pthread_mutex_init(&robust, &attributes);
    pthread_create(&dead, NULL, die_holding, &robust);
    pthread_join(dead, NULL);
    check(pthread_mutex_lock(&robust) == EOWNERDEAD, "robust");
    check(pthread_mutex_consistent(&robust) == 0, "consistent");
    check(pthread_mutex_unlock(&robust) == 0, "unlock of a robust one");
}

static void *set_later(void *unused)
{
    usleep(NAP_US);
    pthread_mutex_lock(&mutex);
    is_set = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void await_condition(void)
{
    pthread_t setter;
    unsigned calls = 0;
    uint64_t start;

    pthread_mutex_lock(&mutex); /* it is not set before it is awaited */
    pthread_create(&setter, NULL, set_later, NULL);
    start = now_ns();
    for (; !is_set; calls++)
        pthread_cond_wait(&condition, &mutex);
    tell("pthread_cond_wait:", calls, 0, start);
    pthread_mutex_unlock(&mutex);
    pthread_join(setter, NULL);
}

static void await_child(void)
{
    int ends[2];
    struct pollfd asked;
    uint64_t start;
    pid_t child;

    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    fflush(stdout);
    child = fork();
    if (child == 0) {
        usleep(NAP_US);
        _exit(write(ends[1], "hello", 5) == 5 ? 7 : 1);
    }
    asked = (struct pollfd){.fd = ends[0], .events = POLLIN};
    start = now_ns();
    check(poll(&asked, 1, 60000) == 1, "poll");
    tell("poll:", 1, 0, start);
    start = now_ns();
    check(recv(ends[0], block, BLOCK, 0) == 5 && memcmp(block, "hello", 5) == 0, "recv");
    tell("recv:socket", 1, 5, start);
    int status = 0;
    start = now_ns();
    check(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7, "waitpid");
    tell("waitpid:", 1, 0, start);
}

static void *read_pipe(void *of)
{
    begin_thread();
    uint64_t start = now_ns();
    check(read(*(int *)of, block, BLOCK) == 3, "read of a pipe");
    tell("read:pipe", 1, 3, start);
    return NULL;
}

static void await_pipe(void)
{
    pthread_t reader;
    int ends[2];

    check(pipe(ends) == 0, "pipe");
    pthread_create(&reader, NULL, read_pipe, &ends[0]);
    usleep(NAP_US);
    check(write(ends[1], "abc", 3) == 3, "write to a pipe");
    pthread_join(reader, NULL);
}

/* Waits by a lock of a file are clocked, and not the other commands of fcntl. */
static void await_file_lock(void)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int file = open("written.bin", O_RDWR), ends[2], status = 0;
    uint64_t start;
    pid_t child;

    check(pipe(ends) == 0, "pipe");
    fflush(stdout);
    child = fork();
    if (child == 0) {
        int is_locked = fcntl(file, F_SETLKW, &lock) == 0 && write(ends[1], "x", 1) == 1;

        usleep(NAP_US);
        _exit(is_locked ? 0 : 1);
    }
    check(readv(ends[0], &(struct iovec){block, 1}, 1) == 1, "the child's lock");
    start = now_ns();
    check(fcntl(file, F_SETLKW, &lock) == 0, "F_SETLKW");
    tell("fcntl:written.bin", 1, 0, start);
    check((fcntl(file, F_GETFL) & O_ACCMODE) == O_RDWR, "F_GETFL");
    check(fcntl(file, F_SETLK, &lock) == 0, "F_SETLK");
    check(wait(&status) == child && status == 0, "the child that had the lock");
    close(file);
}

/* All seven words of syscall() arrive: the last is the mask of bits. */
static void await_futex(void)
{
    struct timespec until;
    unsigned word = 5;
    uint64_t start;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += NAP_US * 1000L;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    start = now_ns();
    check(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, 5, &until, NULL, 1) ==
                  -1 &&
              errno == ETIMEDOUT,
          "a futex that times out");
    tell("syscall(futex):", 1, 0, start);
    check(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 5, &until, NULL, 0) == -1 && errno == EINVAL,
          "a futex without bits");
    check(syscall(SYS_futex, &word, FUTEX_WAKE, 1) == 0, "waking nobody");
}

static void load_library(void)
{
    uint64_t start = now_ns();

    check(dlopen("libm.so.6", RTLD_NOW) != NULL, "dlopen");
    tell("dlopen:", 1, 0, start);
}

static int cleaned;

static void clean(void *unused)
{
    (void)unused;
    cleaned++;
}

static void *block_for_ever(void *of)
{
    pthread_cleanup_push(clean, NULL);
    begin_thread();
    if (read(*(int *)of, block, 1) > 0)
        cleaned = -1;
    pthread_cleanup_pop(0);
    return NULL;
}

static void cancel_reader(void)
{
    pthread_t reader;
    int ends[2];
    void *result;

    check(pipe(ends) == 0, "pipe");
    pthread_create(&reader, NULL, block_for_ever, &ends[0]);
    usleep(NAP_US / 3);
    pthread_cancel(reader);
    pthread_join(reader, &result);
    check(result == PTHREAD_CANCELED && cleaned == 1, "a cancelled read");
}

/* Reads uncounted data: in the read below, or just before it. */
static void on_alarm(int signal)
{
    int zero = open("/dev/full", O_RDONLY);

    (void)signal;
    if (read(zero, block, 1) == 1)
        close(zero);
}

/* The alarm comes again, as the first may come before the read. */
static void interrupt_pause(void)
{
    struct sigaction action = {.sa_handler = on_alarm};
    int ends[2];

    sigaction(SIGALRM, &action, NULL);
    check(pipe(ends) == 0, "pipe");
    ualarm(NAP_US / 3, NAP_US / 3);
    check(read(ends[0], block, 1) == -1 && errno == EINTR, "EINTR");
    ualarm(0, 0);
}

int main(void)
{
    begin_thread();
    read_short();
    write_file();
    reuse_descriptor();
    nap();
    contend();
    take_free_locks();
    ask_odd_locks();
    inherit_lock();
    await_condition();
    await_child();
    await_pipe();
    await_file_lock();
    await_futex();
    load_library();
    cancel_reader();
    interrupt_pause();
    puts("right");
    return 0;
}
