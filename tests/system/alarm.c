/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A timer's handler ends the program while all its threads allocate, so it often interrupts the
 * writing of a record.
 *
 * usage: alarm exit|quit MICROSECONDS
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { STATUS = 7, BLOCK = 64 };

static void leave_by_exit(int signal)
{
    (void)signal;
    exit(STATUS);
}

static void leave_by_quit(int signal)
{
    (void)signal;
    _exit(STATUS);
}

static void *allocate(void *unused)
{
    for (;;) {
        void *volatile block = malloc(BLOCK);

        free(block);
    }
    return unused;
}

int main(int count, char **arguments)
{
    struct itimerval timer = {{0, 0}, {0, 0}};
    pthread_t thread;

    if (count != 3)
        return 2;
    timer.it_value.tv_usec = atol(arguments[2]);
    signal(SIGALRM, strcmp(arguments[1], "exit") == 0 ? leave_by_exit : leave_by_quit);
    if (pthread_create(&thread, NULL, allocate, NULL) != 0)
        return 1;
    setitimer(ITIMER_REAL, &timer, NULL);
    allocate(NULL);
}
