/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Prints the results of the calls in answers.c, which take some ms in the C library.
 */
#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static int look_up(void)
{
    int (*found)(struct pollfd *, nfds_t, int) = dlsym(RTLD_DEFAULT, "poll");

    return found(NULL, 0, 1);
}

int main(void)
{
    struct timespec span = {.tv_nsec = 1000000};
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    sigset_t none;

    sigemptyset(&none);
    sigaddset(&none, SIGUSR2);
    printf("poll %d, looked up %d\n", poll(NULL, 0, 1), look_up());
    printf("sleep %u\n", sleep(0));
    printf("ppoll %d\n", ppoll(&output, 1, &span, NULL));
    printf("sigtimedwait %d\n", sigtimedwait(&none, NULL, &span));
    printf("sigignore %d\n", sigignore(SIGUSR1));
    return 0;
}
