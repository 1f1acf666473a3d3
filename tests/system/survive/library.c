/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A library for the program `libraries`.  NAME is the function in which it
 * obtains its block; with TLS it has thread-local data too, of which a thread
 * gets its part when it first touches it.
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
