/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs that need more room than there is, or try the impossible.
 *
 * usage: limits files TRACE     threads while TRACE, which must be the program's own, may
 *                               grow by one chunk of 64 KiB, and afterwards
 *        limits forks TRACE     a thread while TRACE may not grow, which forks when it may
 *        limits facts BYTES     work while files may have so many bytes, and an end without
 *                               that limit
 *        limits deep [labels]   141 regions inside one another, 0.2 s in the one of label 119;
 *                               their ends tell their labels or do not
 *        limits unmap           memory that is mapped, and calls to unmap it that fail
 *        limits exec            an exec that fails, 0.3 s of work, and SIGKILL
 *        limits labels          10,000 regions, each with a label of its own
 *        limits crowd THREADS   this many threads that run at once
 *        limits queue THREADS   this many threads one after another
 *        limits nodes           a thread that is in all the regions it can be, then others
 *
 * All counted calls are in the region "work".
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <tprof.h>

enum { BLOCKS = 100, BLOCK_BYTES = 1000, THREADS = 3, CHUNK = 65536, PAGE = 4096 };

static const char *argument;

static _Noreturn void give_up(const char *why)
{
    perror(why);
    exit(EXIT_FAILURE);
}

static void work(void)
{
    tprof_region_begin("work");
    for (int i = 0; i < BLOCKS; i++) {
        void *volatile block = malloc(BLOCK_BYTES);

        free(block);
    }
    tprof_region_end("work");
}

static pthread_t start(void *(*function)(void *), void *of)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, function, of) != 0)
        give_up("limits: pthread_create");
    return thread;
}

/* ---- files --------------------------------------------------------------- */

static pthread_barrier_t barrier;

static void *work_and_wait(void *unused)
{
    work();
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    return unused;
}

static void *work_in_thread(void *unused)
{
    work();
    return unused;
}

static void run_threads(void)
{
    for (int i = 0; i < THREADS; i++)
        pthread_join(start(work_in_thread, NULL), NULL);
}

static void limit_files(rlim_t size)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_FSIZE, &limit) != 0)
        give_up("limits: getrlimit");
    limit.rlim_cur = size;
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        give_up("limits: setrlimit");
}

/* The first thread keeps its lane while others need one. */
static void run_files(void)
{
    struct stat trace = {0};
    pthread_t first;

    pthread_barrier_init(&barrier, NULL, 2);
    first = start(work_and_wait, NULL);
    pthread_barrier_wait(&barrier);
    stat(argument, &trace);
    limit_files((rlim_t)trace.st_size + CHUNK + PAGE);
    run_threads();
    limit_files(RLIM_INFINITY);
    run_threads();
    pthread_barrier_wait(&barrier);
    pthread_join(first, NULL);
    printf("truth: kept %d\ntruth: lost %d\n", (1 + THREADS) * BLOCKS, THREADS * BLOCKS);
}

/* ---- forks --------------------------------------------------------------- */

static void *work_and_fork(void *unused)
{
    pid_t child;

    work();
    limit_files(RLIM_INFINITY);
    child = fork();
    if (child == 0) {
        work();
        exit(EXIT_SUCCESS);
    }
    waitpid(child, NULL, 0);
    return unused;
}

static void run_forks(void)
{
    struct stat trace = {0};
    pthread_t first;

    pthread_barrier_init(&barrier, NULL, 2);
    first = start(work_and_wait, NULL);
    pthread_barrier_wait(&barrier);
    stat(argument, &trace);
    limit_files((rlim_t)trace.st_size);
    pthread_join(start(work_and_fork, NULL), NULL);
    pthread_barrier_wait(&barrier);
    pthread_join(first, NULL);
    printf("truth: child %d\n", BLOCKS);
}

/* ---- facts --------------------------------------------------------------- */

static void run_facts(void)
{
    limit_files(strtoul(argument, NULL, 10));
    work();
    limit_files(RLIM_INFINITY);
    printf("truth: kept %d\n", BLOCKS);
}

/* ---- deep ---------------------------------------------------------------- */

enum { DEEP = 140, TAKES_TIME = 119, SLEEP_NS = 200000000 };

static void end_deep(const char *label, int depth)
{
    const struct timespec pause = {0, SLEEP_NS};

    if (depth == TAKES_TIME)
        nanosleep(&pause, NULL);
    tprof_region_end(argument[0] != '\0' ? label : NULL);
}

static void run_deep(void)
{
    static char labels[DEEP][8];

    tprof_region_begin("work");
    for (int i = 0; i < DEEP; i++) {
        snprintf(labels[i], sizeof labels[i], "%d", i);
        tprof_region_begin(labels[i]);
    }
    for (int i = DEEP; i-- > 0;)
        end_deep(labels[i], i);
    tprof_region_end("work");
    printf("truth: regions %d\n", 1 + DEEP);
}

/* ---- unmap --------------------------------------------------------------- */

static void unmap(char *memory, size_t size)
{
    int result = munmap(memory, size);

    printf("munmap: %d %s\n", result, result == 0 ? "" : strerror(errno));
}

static void run_unmap(void)
{
    enum { SIZE = 64 << 20 };
    char *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED)
        give_up("limits: mmap");
    unmap(memory + 1, SIZE - PAGE);
    unmap(memory, 0);
    unmap(memory, SIZE / 4);
    printf("truth: mapped %d\n", SIZE / 4 * 3);
}

/* ---- exec ---------------------------------------------------------------- */

static void run_exec(void)
{
    char *nothing[] = {"nothing", NULL};
    struct timespec now = {0};

    work();
    execv("/nonexistent/nothing", nothing);
    while (now.tv_sec == 0 && now.tv_nsec < 300000000)
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    work();
    printf("truth: cpu_ns 300000000\n");
    fflush(stdout);
    raise(SIGKILL);
}

/* ---- labels -------------------------------------------------------------- */

static void run_labels(void)
{
    enum { LABELS = 10000 };
    char label[32];

    for (int i = 0; i < LABELS; i++) {
        snprintf(label, sizeof label, "step %d", i);
        tprof_region_begin(label);
        tprof_region_end(label);
    }
    printf("truth: regions %d\n", LABELS);
}

/* ---- crowd --------------------------------------------------------------- */

/* The highest resident memory in kilobytes; not on standard output, which must be the same with the
 * shim. */
static void tell_resident(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    fprintf(stderr, "resident %ld\n", usage.ru_maxrss);
}

static void run_crowd(void)
{
    enum { CROWD_MOST = 4000 };
    static pthread_t threads[CROWD_MOST];
    long count = strtol(argument, NULL, 10);

    if (count < 1 || count > CROWD_MOST)
        give_up("limits crowd");
    pthread_barrier_init(&barrier, NULL, (unsigned)count + 1);
    for (long i = 0; i < count; i++)
        threads[i] = start(work_and_wait, NULL);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    for (long i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    printf("truth: kept %ld\n", count * BLOCKS);
    tell_resident();
}

/* ---- a queue ------------------------------------------------------------- */

static void run_queue(void)
{
    long count = strtol(argument, NULL, 10);

    for (long i = 0; i < count; i++)
        pthread_join(start(work_in_thread, NULL), NULL);
    printf("truth: kept %ld\ntruth: threads %ld\n", count * BLOCKS, 1 + count);
    tell_resident();
}

/* ---- nodes --------------------------------------------------------------- */

/* A lane holds 512 chunks of 511 regions, each in its place below its parents; these are 90,000
 * more. */
static void *enter_regions(void *unused)
{
    enum { LABELS = 600 };
    static char labels[LABELS][8];

    for (int i = 0; i < LABELS; i++)
        snprintf(labels[i], sizeof labels[i], "%d", i);
    for (int i = 0; i < LABELS; i++) {
        tprof_region_begin(labels[i]);
        for (int j = 0; j < LABELS; j++) {
            tprof_region_begin(labels[j]);
            tprof_region_end(labels[j]);
        }
        tprof_region_end(labels[i]);
    }
    return unused;
}

static void run_nodes(void)
{
    pthread_join(start(enter_regions, NULL), NULL);
    run_threads();
    printf("truth: threads %d\n", 2 + THREADS);
}

/* ---- the program --------------------------------------------------------- */

static const struct {
    const char *name;
    void (*run)(void);
} verbs[] = {
    {"files", run_files}, {"forks", run_forks}, {"facts", run_facts},   {"deep", run_deep},
    {"unmap", run_unmap}, {"exec", run_exec},   {"labels", run_labels}, {"crowd", run_crowd},
    {"queue", run_queue}, {"nodes", run_nodes},
};

int main(int argument_count, char **arguments)
{
    argument = argument_count > 2 ? arguments[2] : "";
    for (size_t i = 0; argument_count > 1 && i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(verbs[i].name, arguments[1]) == 0) {
            verbs[i].run();
            return 0;
        }
    fprintf(stderr, "limits: there is no such verb\n");
    return EXIT_FAILURE;
}
