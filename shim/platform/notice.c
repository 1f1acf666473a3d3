/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing to standard error without stdio's buffers or locks.
 */
#include "platform/notice.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/calls.h"

static struct stat at_start;
static bool is_known;

void notice_init(void)
{
    is_known = calls_fstat(STDERR_FILENO, &at_start) == 0;
}

static bool is_still_there(void)
{
    struct stat now;

    return is_known && calls_fstat(STDERR_FILENO, &now) == 0 && now.st_dev == at_start.st_dev &&
           now.st_ino == at_start.st_ino && now.st_rdev == at_start.st_rdev;
}

/* SIGPIPE for a reader that has gone would end the program because of our line. */
static void write_line(const char *line, size_t length)
{
    static const uint64_t pipe = UINT64_C(1) << (SIGPIPE - 1);
    uint64_t signals = calls_block_signals(UINT64_MAX);
    bool was_pending = (calls_pending_signals() & pipe) != 0;

    if (calls_write(STDERR_FILENO, line, length) < 0) {
        is_known = false;
        if (errno == EPIPE && !was_pending)
            calls_drop_signal(pipe);
    }
    calls_block_signals(signals);
}

bool notice(const char *format, ...)
{
    static const char prefix[] = "tprof: ";
    char line[1024];
    int saved_errno = errno;
    va_list arguments;
    bool is_there;
    int length;

    va_start(arguments, format);
    length = snprintf(line, sizeof line, "%s", prefix);
    length += vsnprintf(line + length, sizeof line - (size_t)length - 1, format, arguments);
    va_end(arguments);
    if (length > (int)sizeof line - 2)
        length = sizeof line - 2;
    line[length++] = '\n';
    is_there = is_still_there();
    if (is_there && calls_may_write(STDERR_FILENO))
        write_line(line, (size_t)length);
    errno = saved_errno;
    return is_there;
}
