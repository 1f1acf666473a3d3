/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors of the analyzer, and their messages.
 *
 * A fallible function returns an `enum status` and fills a `struct diagnostic`
 * with the sentence for the user.  Only main prints that sentence, once, and
 * only main turns the status into the exit code of the process.
 */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

#include "base/attributes.h"

enum status {
    STATUS_OK,              /* zero, so that `if (status)` asks for failure */
    STATUS_POLICY_FAILED,   /* a gate, a limit or a leak check said no */
    STATUS_USAGE,           /* the command line asks for something impossible */
    STATUS_NOT_FOUND,       /* nothing has the given name */
    STATUS_IO,              /* the system refused to read or write a file */
    STATUS_CORRUPT,         /* the input violates its format */
    STATUS_UNSUPPORTED,     /* the input is valid, but not for this version */
    STATUS_NOT_ENOUGH_DATA, /* the input is fine and too small to decide */
    STATUS_LAST = STATUS_NOT_ENOUGH_DATA
};

/* The story of one failure.  `text` is one line without its newline. */
struct diagnostic {
    char text[1024];
    enum status status;
};

/* Write the sentence of a failure, cut at the size of the buffer.
 *
 * Returns: `status`, so that a caller can say `return diagnostic_set(...)`.
 * Safety: keeps errno; any thread may call it with its own diagnostic.
 */
enum status diagnostic_set(struct diagnostic *diagnostic, enum status status, const char *format,
                           ...) PRINTF_LIKE(3, 4);

/* Give the exit code that the manual promises for a status: 0 ok, 1 a policy failed, 2 usage, 3
 * unreadable input or a failure of ours, 4 not enough data.
 */
int status_exit_code(enum status status);

/* Name a status in a few words, for a message that has nothing better. */
const char *status_name(enum status status);

#endif
