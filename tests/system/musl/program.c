/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Allocations by every function that musl has for them, threads of both kinds, a forked child, an
 * opened library, and kernels by slot and by name: prints their truth.
 */
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

enum { ROUNDS = 1000, ORDER = 16, LEAKED = 1234 };

int shared_kernel(int n);

static unsigned allocations, frees;
static uint64_t bytes;

static void *note(void *block, size_t size)
{
    if (!block)
        abort();
    allocations++;
    bytes += size;
    return block;
}

static void give_back(void *block)
{
    frees++;
    free(block);
}

static void check_zeros(const char *block, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (block[i] != 0)
            abort();
}

/* calloc of a used block, and of a size too large for it. */
static void clear(void)
{
    char *used = note(malloc(9000), 9000);

    memset(used, 1, 9000);
    give_back(used);
    used = note(calloc(9, 1000), 9000);
    check_zeros(used, 9000);
    give_back(used);
    used = note(calloc(1 << 10, 1 << 10), 1 << 20);
    check_zeros(used, 1 << 20);
    give_back(used);
}

static void align(void)
{
    void *block = NULL;

    give_back(note(aligned_alloc(64, 640), 640));
    give_back(note(memalign(128, 256), 256));
    if (posix_memalign(&block, 32, 320) != 0 || (uintptr_t)block % 32 != 0)
        abort();
    give_back(note(block, 320));
    if (posix_memalign(&block, 3, 320) == 0)
        abort();
    block = note(valloc(5000), 5000);
    if ((uintptr_t)block % 4096 != 0)
        abort();
    give_back(block);
}

static void replace(void)
{
    char *block = note(malloc(100), 100);

    for (int i = 0; i < 10; i++) {
        frees++;
        block = note(realloc(block, 100u << i), 100u << i);
    }
    give_back(block);
    give_back(note(strdup("eleven text"), 12));
}

static __attribute__((noinline)) void *leak(void)
{
    return note(malloc(LEAKED), LEAKED);
}

static void *work(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        volatile char *block = malloc(64);

        block[0] = 1;
        free((void *)block);
    }
    return unused;
}

static int work_plainly(void *unused)
{
    work(unused);
    return 7;
}

static void start_threads(void)
{
    pthread_t thread;
    thrd_t plain;
    int result = 0;

    if (pthread_create(&thread, NULL, work, NULL) != 0 || pthread_join(thread, NULL) != 0)
        abort();
    if (thrd_create(&plain, work_plainly, NULL) != thrd_success ||
        thrd_join(plain, &result) != thrd_success || result != 7)
        abort();
    allocations += 2 * ROUNDS;
    frees += 2 * ROUNDS;
    bytes += 2 * ROUNDS * 64;
}

static void have_child(void)
{
    int status = 0;

    if (fork() == 0)
        _exit(shared_kernel(ORDER) == 1240 ? 5 : 6);
    if (wait(&status) < 0 || WEXITSTATUS(status) != 5)
        abort();
}

static void call_kernels(void)
{
    void *library = dlopen("./libopened.so", RTLD_NOW);
    int (*opened)(int) = library ? (int (*)(int))(uintptr_t)dlsym(library, "opened_kernel") : NULL;
    int sum = opened ? 0 : -1;

    for (int i = 0; i < 10; i++)
        sum += shared_kernel(ORDER);
    for (int i = 0; opened && i < 5; i++)
        sum += opened(ORDER);
    printf("kernels: %d\n", sum);
}

int main(int argc, char **argv)
{
    void *leaked;

    (void)argv;
    clear();
    align();
    replace();
    start_threads();
    leaked = leak();
    printf("%u %u %llu %d\n", allocations, frees, (unsigned long long)bytes, leaked != NULL);
    call_kernels();
    have_child();
    fflush(stdout);
    if (argc > 1)
        quick_exit(6);
    return 3;
}
