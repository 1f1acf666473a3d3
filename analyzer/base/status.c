/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of statuses with their exit codes, and diagnostics.
 *
 * Called from everywhere in the analyzer, on any thread.  Never prints.
 */
#include "base/status.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

struct status_row {
    int exit_code;
    const char *name;
};

/* Only a failed policy may exit 1, so that a build can distinguish "slower than allowed" from "the
 * tool broke".  Our own failures share 3. */
static const struct status_row status_rows[] = {
    [STATUS_OK] = {0, "ok"},
    [STATUS_POLICY_FAILED] = {1, "a policy failed"},
    [STATUS_USAGE] = {2, "wrong usage"},
    [STATUS_NOT_FOUND] = {2, "not found"},
    [STATUS_IO] = {3, "input or output failed"},
    [STATUS_CORRUPT] = {3, "unreadable input"},
    [STATUS_UNSUPPORTED] = {3, "unsupported input"},
    [STATUS_NOT_ENOUGH_DATA] = {4, "not enough data"},
};

_Static_assert(sizeof status_rows / sizeof *status_rows == STATUS_LAST + 1,
               "every status has a row");

enum status diagnostic_set(struct diagnostic *diagnostic, enum status status, const char *format,
                           ...)
{
    int saved_errno = errno;
    va_list arguments;

    diagnostic->status = status;
    va_start(arguments, format);
    vsnprintf(diagnostic->text, sizeof diagnostic->text, format, arguments);
    va_end(arguments);
    errno = saved_errno;
    return status;
}

int status_exit_code(enum status status)
{
    return status_rows[status].exit_code;
}

const char *status_name(enum status status)
{
    return status_rows[status].name;
}
