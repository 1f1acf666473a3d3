/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cleans up before a signal ends tprof.
 */
#include "launch/stop.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static const char *volatile removed;
static volatile sig_atomic_t has_line;
static bool is_ready;

/* Every call in here is safe in a signal handler.  The signal that is raised waits for the end of
 * this, and ends us. */
static void stop(int number)
{
    if (has_line)
        (void)!write(STDERR_FILENO, STOP_ERASE_LINE, strlen(STOP_ERASE_LINE));
    if (removed)
        unlink(removed);
    signal(number, SIG_DFL);
    raise(number);
}

static void prepare(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    const struct sigaction own = {.sa_handler = stop};

    for (size_t i = 0; i < sizeof signals / sizeof *signals && !is_ready; i++) {
        struct sigaction before;

        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(signals[i], &own, NULL);
    }
    is_ready = true;
}

void stop_removes(const char *path)
{
    removed = path;
    prepare();
}

void stop_erases(bool there_is_one)
{
    has_line = there_is_one;
    prepare();
}
