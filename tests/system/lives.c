/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Allocations while threads and processes come and go.
 *
 * usage: lives forks COUNT         children of a program whose threads allocate
 *        lives destructors COUNT   threads whose destructors allocate
 *        lives children COUNT      between vfork, posix_spawn, system and popen
 *        lives leaving COUNT       exit while COUNT threads allocate
 *        lives files FOLDER        descriptors 3 to 255 closed and taken again
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>

#include "survive.h"

enum {
    BLOCK = 100,
    THREADS = 3,
    CHILD_BLOCKS = 100,
    CHILD_THREADS = 2,
    CHILD_SECONDS = 20,
    ALIVE = 8,
    ROUNDS = 3,
    FIRST_FILE = 3,
    LAST_FILE = 255,
    FILE_BLOCKS = 20000,
    STATUS = 42
};

static const char *argument;
static int count;

static void work(int blocks)
{
    tprof_region_begin("work");
    for (int i = 0; i < blocks; i++)
        survive_churn(BLOCK);
    tprof_region_end("work");
}

static pthread_t start(void *(*function)(void *))
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, function, NULL) != 0)
        survive_give_up("lives: pthread_create");
    return thread;
}

static void *work_in_thread(void *unused)
{
    work(CHILD_BLOCKS);
    return unused;
}

/* Not counted: it goes on while others look. */
static void *allocate_always(void *unused)
{
    for (;;) {
        void *volatile block = malloc(BLOCK);

        free(block);
    }
    return unused;
}

/* ---- forks --------------------------------------------------------------- */

static void print_child(void)
{
    char line[200];

    survive_write(line, snprintf(line, sizeof line,
                                 "truth: pid %d allocations %llu frees %llu allocated_bytes %llu\n",
                                 (int)getpid(), (unsigned long long)survive_truth.allocations,
                                 (unsigned long long)survive_truth.frees,
                                 (unsigned long long)survive_truth.bytes));
}

/* A hang ends it with a signal, which its parent reports. */
static _Noreturn void be_child(int number)
{
    pthread_t threads[CHILD_THREADS];

    alarm(CHILD_SECONDS);
    work(CHILD_BLOCKS);
    for (int i = 0; i < CHILD_THREADS; i++)
        threads[i] = start(work_in_thread);
    for (int i = 0; i < CHILD_THREADS; i++)
        pthread_join(threads[i], NULL);
    print_child();
    if (number % 2)
        exit(0);
    _exit(0);
}

static void wait_well(pid_t child)
{
    int status;

    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        survive_give_up("lives: the child");
}

static int run_forks(void)
{
    for (int i = 0; i < THREADS; i++)
        start(allocate_always);
    for (int i = 0; i < count; i++) {
        pid_t child = fork();

        if (child == 0)
            be_child(i);
        wait_well(child);
    }
    return 0;
}

/* ---- destructors --------------------------------------------------------- */

/* Registers destructors of thread_local objects of C++ (Itanium C++ ABI, 3.3.5). */
extern int __cxa_thread_atexit_impl(void (*destroy)(void *), void *object, void *library);
extern void *__dso_handle;

static pthread_key_t key;

static void destroy_key(void *round)
{
    work(1);
    if ((uintptr_t)round < ROUNDS)
        pthread_setspecific(key, (char *)round + 1);
}

static void destroy_object(void *block)
{
    tprof_region_begin("work");
    survive_release(survive_resize(block, 3 * BLOCK));
    survive_churn(BLOCK);
    tprof_region_end("work");
}

/* libc obtains a block for each destructor, which is not ours to count. */
static void *die_slowly(void *unused)
{
    void *block;

    tprof_region_begin("work");
    block = survive_obtain(BLOCK);
    tprof_region_end("work");
    __cxa_thread_atexit_impl(destroy_object, block, &__dso_handle);
    pthread_setspecific(key, (void *)1);
    return unused;
}

static int run_destructors(void)
{
    pthread_t threads[ALIVE];

    pthread_key_create(&key, destroy_key);
    for (int done = 0; done < count; done += ALIVE) {
        for (int i = 0; i < ALIVE; i++)
            threads[i] = start(die_slowly);
        for (int i = 0; i < ALIVE; i++)
            pthread_join(threads[i], NULL);
    }
    survive_print();
    return 0;
}

/* ---- children ------------------------------------------------------------ */

static char *const true_arguments[] = {(char *)"true", NULL};

static void start_by_vfork(void)
{
    pid_t child = vfork();

    if (child == 0) {
        execv("/bin/true", true_arguments);
        _exit(127);
    }
    wait_well(child);
}

static void start_by_spawn(void)
{
    pid_t child = -1;
    char *const none[] = {NULL};

    if (posix_spawn(&child, "/bin/true", NULL, NULL, true_arguments, none) != 0)
        survive_give_up("lives: posix_spawn");
    wait_well(child);
}

static void start_by_popen(void)
{
    char word[16] = "";
    FILE *pipe = popen("echo through", "r");

    if (!pipe || fscanf(pipe, "%15s", word) != 1 || strcmp(word, "through") != 0 ||
        pclose(pipe) != 0)
        survive_give_up("lives: popen");
}

static void start_by_system(void)
{
    errno = 0;
    if (WEXITSTATUS(system("exit 3")) != 3)
        survive_give_up("lives: system");
}

static int run_children(void)
{
    for (int i = 0; i < count; i++) {
        work(1);
        start_by_vfork();
        work(1);
        start_by_spawn();
        work(1);
        start_by_popen();
        work(1);
        start_by_system();
        work(1);
    }
    survive_print();
    return 0;
}

/* ---- leaving ------------------------------------------------------------- */

static int run_leaving(void)
{
    work(CHILD_BLOCKS);
    for (int i = 0; i < count; i++)
        start(allocate_always);
    usleep(2000);
    survive_print();
    return STATUS;
}

/* ---- files --------------------------------------------------------------- */

static void open_file(int expected)
{
    char path[4096];

    snprintf(path, sizeof path, "%s/%d", argument, expected);
    if (open(path, O_RDWR | O_CREAT | O_TRUNC, 0666) != expected)
        survive_give_up("lives: the number of a file is taken");
}

static void write_file(int descriptor, const char *word)
{
    char line[64];
    int size = snprintf(line, sizeof line, "%d %s\n", descriptor, word);

    if (write(descriptor, line, (size_t)size) != size)
        survive_give_up("lives: write");
}

static void write_files(const char *word)
{
    for (int i = FIRST_FILE; i <= LAST_FILE; i++)
        write_file(i, word);
}

static void *work_on_files(void *unused)
{
    work(FILE_BLOCKS);
    return unused;
}

/* New threads and much to record need room in the trace meanwhile. */
static int run_files(void)
{
    work(1);
    for (int i = FIRST_FILE; i <= LAST_FILE; i++)
        close(i);
    for (int i = FIRST_FILE; i <= LAST_FILE; i++)
        open_file(i);
    write_files("before");
    pthread_join(start(work_on_files), NULL);
    write_files("between");
    work(FILE_BLOCKS);
    write_files("after");
    for (int i = LAST_FILE; i >= FIRST_FILE; i--)
        if (close(i) != 0)
            survive_give_up("lives: close");
    survive_print();
    return 0;
}

/* ---- which --------------------------------------------------------------- */

static const struct {
    const char *name;
    int (*run)(void);
} verbs[] = {
    {"forks", run_forks},       {"destructors", run_destructors},
    {"children", run_children}, {"leaving", run_leaving},
    {"files", run_files},
};

int main(int argument_count, char **arguments)
{
    if (argument_count != 3)
        return 2;
    argument = arguments[2];
    count = atoi(argument);
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(verbs[i].name, arguments[1]) == 0)
            return verbs[i].run();
    return 2;
}
