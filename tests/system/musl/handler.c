/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A block that a signal handler allocates, while a loop runs that makes no call.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>

enum { BYTES = 123456 };

static void *volatile block;

static void handle(int number)
{
    (void)number;
    block = malloc(BYTES);
}

static __attribute__((noinline)) void spin(void)
{
    while (!block)
        ;
    free(block);
}

int main(void)
{
    const struct itimerval soon = {.it_value = {.tv_usec = 1000}};

    signal(SIGALRM, handle);
    setitimer(ITIMER_REAL, &soon, NULL);
    spin();
    return 0;
}
