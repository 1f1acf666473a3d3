/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Allocations that cannot fail: the program ends here when memory runs out.
 *
 * Used by every part of the analyzer.
 */
#include "base/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MEMORY_RAN_OUT = 3 }; /* as in status_exit_code: our own failure */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct memory_last_work *last_works;
static int exit_status = MEMORY_RAN_OUT;

/* A second thread without memory waits here until the first has ended the program. */
_Noreturn void memory_ran_out(void)
{
    static const char line[] = "tprof: out of memory\n";

    pthread_mutex_lock(&lock);
    for (const struct memory_last_work *work = last_works; work; work = work->next)
        work->act(work->of);
    if (write(STDERR_FILENO, line, sizeof line - 1) < 0)
        _exit(exit_status); /* nobody reads it */
    _exit(exit_status);
}

void memory_set_exit_status(int status)
{
    exit_status = status;
}

void memory_note_last_work(struct memory_last_work *work)
{
    pthread_mutex_lock(&lock);
    work->next = last_works;
    last_works = work;
    pthread_mutex_unlock(&lock);
}

void memory_drop_last_work(struct memory_last_work *work)
{
    struct memory_last_work **place = &last_works;

    pthread_mutex_lock(&lock);
    while (*place && *place != work)
        place = &(*place)->next;
    if (*place)
        *place = work->next;
    pthread_mutex_unlock(&lock);
}

void *memory_have(void *block)
{
    if (!block)
        memory_ran_out();
    return block;
}

/* malloc may give NULL for no bytes. */
static size_t at_least_one(size_t size)
{
    return size > 0 ? size : 1;
}

void *memory_get(size_t size)
{
    return memory_have(malloc(at_least_one(size)));
}

void *memory_get_zeros(size_t count, size_t size)
{
    return memory_have(calloc(at_least_one(count), at_least_one(size)));
}

void *memory_resize(void *block, size_t size)
{
    return memory_have(realloc(block, at_least_one(size)));
}

char *memory_copy(const char *string)
{
    return memory_have(strdup(string));
}

char *memory_copy_part(const char *string, size_t size)
{
    return memory_have(strndup(string, size));
}
