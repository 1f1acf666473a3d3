/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A library to preload, whose calls return at once: some that the shim hooks, and some that it also
 * exports.
 */
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

int other(void);

int poll(struct pollfd *files, nfds_t count, int timeout)
{
    return files ? -1 : 40 + (int)count + timeout;
}

unsigned sleep(unsigned seconds)
{
    return 41 + seconds;
}

int ppoll(struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *set)
{
    return files && timeout && !set ? 42 + (int)count : -1;
}

int sigtimedwait(const sigset_t *signals, siginfo_t *info, const struct timespec *timeout)
{
    return signals && timeout && !info ? 43 : -1;
}

int sigignore(int number)
{
    return number == SIGUSR1 ? 44 : -1;
}

int other(void)
{
    return 1;
}
