/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Libraries that come and go.
 *
 * usage: libraries rounds COUNT A B     A and B in turn, each closed before the other
 *        libraries threads COUNT L...   all opened, COUNT threads call each, all closed, twice
 *
 * A library defines library_work, which calls back for its blocks from a function with a separate
 * name.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "survive.h"

enum { BLOCK = 100, LIBRARIES = 64, THREADS = 8 };

typedef void (*work_function)(void *(*obtain)(size_t size), void (*release)(void *block));

static void *handles[LIBRARIES];
static work_function works[LIBRARIES];
static int library_count;

static void *open_library(const char *path)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);

    if (!handle) {
        fprintf(stderr, "libraries: %s\n", dlerror());
        _exit(EXIT_FAILURE);
    }
    return handle;
}

static work_function find_work(void *handle)
{
    void *symbol = dlsym(handle, "library_work");
    work_function work;

    if (!symbol)
        survive_give_up("libraries: library_work is missing");
    memcpy(&work, &symbol, sizeof work);
    return work;
}

static void call(work_function work)
{
    tprof_region_begin("work");
    work(survive_obtain, survive_release);
    tprof_region_end("work");
}

/* ---- rounds -------------------------------------------------------------- */

static uintptr_t use_once(const char *path)
{
    void *handle = open_library(path);
    work_function work = find_work(handle);
    uintptr_t address = (uintptr_t)work;

    call(work);
    if (dlclose(handle) != 0)
        survive_give_up("libraries: dlclose");
    return address;
}

static void run_rounds(int count, char **paths)
{
    uintptr_t first = 0;
    uint64_t same = 0;

    for (int i = 0; i < count; i++) {
        uintptr_t address = use_once(paths[i % 2]);

        if (i == 0)
            first = address;
        same += address == first;
    }
    survive_say("rounds", (uint64_t)count);
    survive_say("same_address", same);
}

/* ---- threads ------------------------------------------------------------- */

static void *obtain_nothing(size_t size)
{
    static _Thread_local char block[BLOCK];

    return size <= BLOCK ? block : NULL;
}

static void release_nothing(void *block)
{
    (void)block;
}

/* A thread's first call obtains its part of the library's thread-local data. */
static void *call_all(void *unused)
{
    for (int i = 0; i < library_count; i++) {
        works[i](obtain_nothing, release_nothing);
        call(works[i]);
    }
    return unused;
}

static void use_all(int count, char **paths)
{
    pthread_t threads[THREADS];

    for (int i = 0; i < library_count; i++) {
        handles[i] = open_library(paths[i]);
        works[i] = find_work(handles[i]);
    }
    for (int i = 0; i < count; i++)
        if (pthread_create(&threads[i], NULL, call_all, NULL) != 0)
            survive_give_up("libraries: pthread_create");
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < library_count; i++)
        dlclose(handles[i]);
}

static void run_threads(int count, char **paths)
{
    use_all(count, paths);
    use_all(count, paths);
    survive_say("libraries", (uint64_t)library_count);
}

int main(int argument_count, char **arguments)
{
    int count = argument_count > 2 ? atoi(arguments[2]) : 0;

    library_count = argument_count - 3;
    if (library_count < 2 || library_count > LIBRARIES || count > 1000)
        return 2;
    if (strcmp(arguments[1], "rounds") == 0)
        run_rounds(count, arguments + 3);
    else if (count <= THREADS)
        run_threads(count, arguments + 3);
    survive_print();
    return 0;
}
