/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Usage: strict prctl|number|syscall alone|inside|threads.  Works, enters the strict mode of
 * seccomp(2), and goes on working.  In this mode, any system call except read, write, exit and
 * rt_sigreturn kills the thread, and so does its counter.  The work: blocks of all sizes, regions,
 * kernels, waits, loaded names.  Inside: it enters in a call of a library, and in a region.
 * Threads: two others work all the time, outside; the last to end gives the status.
 */
#include <dlfcn.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "routes/blas.h"
#include "tprof.h"

enum { ROUNDS = 20000, THREADS = 2, ALL_SIZES = 1 << 22, ROOM = 1 << 26, STATUS = 5 };

void call_back(void (*function)(void)); /* in callback.c */

static const char *way;
static int ends[2]; /* of a pipe */
static atomic_bool is_over;

/* The heap has room, so libc asks the kernel for none. */
static void make_room(void)
{
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, 2 * ROOM);
    mallopt(M_TOP_PAD, ROOM);
    free(malloc(1));
}

static void allocate(size_t size)
{
    char *block = malloc(size);

    block[0] = block[size - 1] = 1;
    block = realloc(block, 2 * size);
    free(block);
    free(calloc(1, size));
    free(memalign(64, size));
}

static void sum(void)
{
    static const float ones[4] = {1, 1, 1, 1};
    float result[4] = {0};

    cblas_sgemm(101, 111, 111, 2, 2, 2, 1, ones, 2, ones, 2, 0, result, 2);
}

static void work(void)
{
    tprof_region_begin("work");
    for (size_t size = 1; size < ALL_SIZES; size += 1 + size / 2)
        allocate(size);
    for (size_t i = 0; i < ROUNDS; i++) {
        free(malloc(1 + i % 999));
        sum();
    }
    tprof_region_end("work");
    tprof_metric("number", 2);
    tprof_snapshot("asked for");
}

/* One thread at a time: the linker's lock waits by a system call. */
static void look_up(void)
{
    if (!dlopen(NULL, RTLD_NOW) || !dlsym(RTLD_DEFAULT, "cblas_sgemm"))
        abort();
}

static void wait_for_bytes(void)
{
    char byte = 'x';

    for (int i = 0; i < 100; i++)
        if (write(ends[1], &byte, 1) != 1 || read(ends[0], &byte, 1) != 1)
            abort();
}

static void enter(void)
{
    long result;

    if (strcmp(way, "syscall") == 0)
        result = syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 0, NULL);
    else if (strcmp(way, "number") == 0)
        result = syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0);
    else
        result = prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
    if (result != 0)
        _exit(77);
}

static void work_inside(void)
{
    work();
    look_up();
    wait_for_bytes();
}

static void enter_in_call(void)
{
    tprof_region_begin("around");
    enter();
    work_inside();
    tprof_region_end("around");
}

/* The whole process ends where the last of its threads does. */
static void *work_along(void *number)
{
    while (!is_over)
        work();
    if (number)
        return NULL;
    usleep(100000);
    _exit(STATUS);
}

int main(int count, char **arguments)
{
    const char *mode = arguments[count - 1];
    pthread_t threads[THREADS];

    if (count != 3 || pipe(ends) != 0)
        return 2;
    way = arguments[1];
    make_room();
    work_inside();
    for (size_t i = 0; strcmp(mode, "threads") == 0 && i < THREADS; i++)
        pthread_create(&threads[i], NULL, work_along, (void *)i);
    if (strcmp(mode, "inside") == 0)
        call_back(enter_in_call);
    else
        enter();
    work_inside();
    write(STDOUT_FILENO, "inside\n", 7);
    is_over = true;
    syscall(SYS_exit, STATUS);
}
