/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs that wear a recorder out, in numbers that the caller chooses.
 *
 * usage: wear work THREADS [HOW]      pairs in so many threads until a file "go" is there, and
 *                                     some more; with a handler of SIGBUS set before or behind the
 *                                     first region
 *        wear chains COUNT            so many call chains, a block from each
 *        wear libraries COUNT FILE    so many dlopens and dlcloses of a library
 *        wear children COUNT BLOCKS   so many forks in a heap of so many blocks
 *        wear action                  what the program sees of SIGBUS, and sets
 *        wear fault | send | handle   a SIGBUS of its own: by a store, by kill, with a handler
 *
 * All counted calls are in the region "work".  Resident kilobytes are printed on standard error.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tprof.h>

enum { SIZE = 100, PAIRS = 1000, ROUNDS = 200, THREADS_MAX = 64, PAGE = 4096 };

#define APART __attribute__((noinline, noclone))
#define KEEP_FRAME() __asm__ volatile("" : : : "memory")

static void *volatile last;
static unsigned long count;

static APART void make_pair(void)
{
    void *volatile block = malloc(SIZE);

    free(block);
    KEEP_FRAME();
}

static void tell_resident(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    fprintf(stderr, "resident %ld\n", usage.ru_maxrss);
}

static void tell_pairs(unsigned long pairs)
{
    printf("truth: allocations %lu\ntruth: frees %lu\n", pairs, pairs);
}

/* ---- work ------------------------------------------------------------------------ */

static void make_pairs(void)
{
    for (int i = 0; i < PAIRS; i++)
        make_pair();
}

static void *work(void *unused)
{
    tprof_region_begin("work");
    while (access("go", F_OK) != 0)
        make_pairs();
    for (int i = 0; i < ROUNDS; i++)
        make_pairs();
    tprof_region_end("work");
    return unused;
}

static void on_bus(int number)
{
    static const char text[] = "handled\n";

    (void)number;
    _exit(write(1, text, sizeof text - 1) > 0 ? 4 : 1);
}

static void run_work(const char *how)
{
    pthread_t threads[THREADS_MAX];

    if (strcmp(how, "before") == 0)
        signal(SIGBUS, on_bus);
    tprof_region_begin("first");
    tprof_region_end("first");
    if (strcmp(how, "behind") == 0)
        signal(SIGBUS, on_bus);
    for (unsigned long i = 0; i < count && i < THREADS_MAX; i++)
        if (pthread_create(&threads[i], NULL, work, NULL) != 0)
            exit(1);
    for (unsigned long i = 0; i < count && i < THREADS_MAX; i++)
        pthread_join(threads[i], NULL);
    puts("done");
}

/* ---- chains ---------------------------------------------------------------------- */

static void descend(unsigned long path);

static APART void turn_left(unsigned long path)
{
    descend(path);
    KEEP_FRAME();
}

static APART void turn_right(unsigned long path)
{
    descend(path);
    KEEP_FRAME();
}

/* The path ends with its highest bit. */
static APART void descend(unsigned long path)
{
    if (path <= 1)
        make_pair();
    else if (path & 1)
        turn_right(path >> 1);
    else
        turn_left(path >> 1);
    KEEP_FRAME();
}

static void run_chains(void)
{
    tprof_region_begin("work");
    for (unsigned long path = 1; path <= count; path++)
        descend(path);
    tprof_region_end("work");
    tell_pairs(count);
}

/* ---- libraries ------------------------------------------------------------------- */

static void run_libraries(const char *file)
{
    tprof_region_begin("opening");
    for (unsigned long i = 0; i < count; i++) {
        void *library = dlopen(file, RTLD_NOW);

        if (!library)
            exit(1);
        tprof_region_begin("work");
        make_pair();
        tprof_region_end("work");
        dlclose(library);
    }
    tprof_region_end("opening");
    tell_pairs(count);
}

/* ---- children -------------------------------------------------------------------- */

static void fill_heap(unsigned long blocks)
{
    for (unsigned long i = 0; i < blocks; i++)
        last = malloc(SIZE);
}

static void run_children(unsigned long blocks)
{
    fill_heap(blocks);
    for (unsigned long i = 0; i < count; i++) {
        pid_t child = fork();
        int status = 0;

        if (child == 0) {
            tprof_region_begin("work");
            make_pairs();
            tprof_region_end("work");
            exit(3);
        }
        if (child < 0 || waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 3)
            exit(1);
    }
    tell_pairs(PAIRS);
}

/* ---- SIGBUS ---------------------------------------------------------------------- */

static const char *name_of(sighandler_t handler)
{
    return handler == SIG_DFL ? "default" : handler == SIG_IGN ? "ignored" : "a handler";
}

static void on_told(int number, siginfo_t *info, void *context)
{
    sigset_t blocked;

    (void)context;
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    printf("signal %d, code %d, user's %d, itself %d\n", number, info->si_code,
           sigismember(&blocked, SIGUSR1), sigismember(&blocked, SIGBUS));
}

static void show(const char *how, const struct sigaction *action)
{
    printf("%s: %s, flags %x, user's %d\n", how, name_of(action->sa_handler),
           (unsigned)action->sa_flags, sigismember(&action->sa_mask, SIGUSR1));
}

/* The program finds the action that it set, and gets its signals. */
static void run_flags(int flags)
{
    struct sigaction action = {.sa_sigaction = on_told, .sa_flags = flags | SA_SIGINFO}, old;

    sigaddset(&action.sa_mask, SIGUSR1);
    sigaction(SIGBUS, &action, &old);
    show("before", &old);
    sigaction(SIGBUS, NULL, &old);
    show(old.sa_sigaction == on_told ? "mine" : "not mine", &old);
    raise(SIGBUS);
}

/* The trace is a file by then. */
static void run_action(void)
{
    struct sigaction action = {.sa_handler = SIG_IGN}, old;

    tprof_region_begin("work");
    tprof_region_end("work");
    sigaction(SIGBUS, NULL, &old);
    printf("%s %x\n", name_of(old.sa_handler), (unsigned)old.sa_flags);
    puts(name_of(signal(SIGBUS, SIG_DFL)));
    sigaction(SIGBUS, &action, &old);
    puts(name_of(old.sa_handler));
    puts(name_of(signal(SIGBUS, on_bus)));
    puts(name_of(sysv_signal(SIGBUS, SIG_DFL)));
    run_flags(SA_NODEFER | SA_ONSTACK);
    run_flags(SA_RESTART);
    run_flags((int)SA_RESETHAND);
    sigaction(SIGBUS, NULL, &old);
    show("served", &old);
}

/* Beyond the end of a file of one page. */
static void store_beyond(void)
{
    int file = open("short", O_RDWR | O_CREAT | O_TRUNC, 0600);
    char *bytes = file >= 0 && ftruncate(file, PAGE) == 0
                      ? mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                      : MAP_FAILED;

    if (bytes != MAP_FAILED)
        *(volatile char *)(bytes + PAGE) = 1;
}

static void run_fault(const char *way)
{
    tprof_region_begin("work");
    tprof_region_end("work");
    if (strcmp(way, "handle") == 0)
        signal(SIGBUS, on_bus);
    if (strcmp(way, "send") == 0)
        kill(getpid(), SIGBUS);
    else
        store_beyond();
}

int main(int argc, char **argv)
{
    const char *verb = argc > 1 ? argv[1] : "";

    count = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    if (strcmp(verb, "work") == 0)
        run_work(argc > 3 ? argv[3] : "");
    else if (strcmp(verb, "chains") == 0)
        run_chains();
    else if (strcmp(verb, "libraries") == 0 && argc > 3)
        run_libraries(argv[3]);
    else if (strcmp(verb, "children") == 0 && argc > 3)
        run_children(strtoul(argv[3], NULL, 10));
    else if (strcmp(verb, "action") == 0)
        run_action();
    else
        run_fault(verb);
    tell_resident();
    return 0;
}
