/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * prctl, exported: a filter of seccomp(2) may end the program at a system call
 * that it did not foresee, such as one of ours.  Before it enters such a
 * sandbox the books are closed, and nothing is recorded from there on.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <sys/prctl.h>

#include "cold/lanes.h"
#include "cold/process.h"
#include "hot/next.h"

enum { WORDS = 4 };

static int enter(const unsigned long *words)
{
    int saved_errno = errno;
    struct lane *lane;
    int result;

    process_enter_sandbox();
    lane = lanes_stop();
    errno = saved_errno;
    result = next.prctl(PR_SET_SECCOMP, words[0], words[1], words[2], words[3]);
    saved_errno = errno;
    if (result != 0) {
        process_leave_sandbox();
        lanes_go_on(lane);
    }
    errno = saved_errno;
    return result;
}

EXPORT int prctl(int option, ...)
{
    unsigned long words[WORDS];
    va_list rest;

    va_start(rest, option);
    for (int i = 0; i < WORDS; i++)
        words[i] = va_arg(rest, unsigned long);
    va_end(rest);
    if (option == PR_SET_SECCOMP && process_is_own())
        return enter(words);
    return next.prctl(option, words[0], words[1], words[2], words[3]);
}
