/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A library for the program `libraries`.  NAME is the function that obtains its block; with TLS it
 * also has thread-local data, and a thread gets its copy at the first access.
 */
#include <stddef.h>
#include <string.h>

typedef void *(*obtain_function)(size_t size);
typedef void (*release_function)(void *block);

void NAME(obtain_function obtain, release_function release);
void library_work(obtain_function obtain, release_function release);

#ifdef TLS
static __thread char own[3000] = {1};
#else
static char own[3000] = {1};
#endif

__attribute__((noinline)) void NAME(obtain_function obtain, release_function release)
{
    char *block = obtain(100);

    memcpy(block, own, 100);
    own[1]++;
    release(block);
}

void library_work(obtain_function obtain, release_function release)
{
    NAME(obtain, release);
    own[0] = 1;
}
