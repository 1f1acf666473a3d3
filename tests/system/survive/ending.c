/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Usage: ending MICROSECONDS.  A timer whose handler maps memory fires while the program leaves, so
 * often that its records need separate chunks.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>

static int after_us;

static void on_alarm(int number)
{
    (void)number;
    for (int i = 0; i < 10000; i++) {
        void *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        munmap(page, 4096);
    }
}

static void at_the_end(void)
{
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, after_us}}, NULL);
}

int main(int count, char **arguments)
{
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};

    after_us = atoi(arguments[count - 1]);
    sigaction(SIGALRM, &action, NULL);
    atexit(at_the_end);
    return 3;
}
