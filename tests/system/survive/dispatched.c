/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program whose system calls are all dispatched to a handler while its selector says so, and that
 * makes none in that time.  It prints how many came.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

enum { SET_SYSCALL_USER_DISPATCH = 59, ON = 1, ALLOW = 0, BLOCK = 1, BLOCKS = 1000 };

static volatile char selector = ALLOW;
static volatile int dispatched;

static void on_dispatch(int number)
{
    (void)number;
    selector = ALLOW;
    dispatched++;
}

static void work(long rounds)
{
    static void *blocks[BLOCKS];

    for (long i = 0; i < rounds; i++) {
        free(blocks[i % BLOCKS]);
        blocks[i % BLOCKS] = malloc(16 + (size_t)(i % 200));
    }
}

int main(void)
{
    const long rounds = 2000000;

    signal(SIGSYS, on_dispatch);
    work(rounds);
    if (prctl(SET_SYSCALL_USER_DISPATCH, ON, 0, 0, &selector) != 0) {
        puts("refused");
        return 4;
    }
    for (int i = 0; i < 5; i++) {
        selector = BLOCK;
        work(rounds);
        selector = ALLOW;
    }
    printf("%d dispatched\n", dispatched);
    return 3;
}
