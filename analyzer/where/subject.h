/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The observed process: its properties, and whether it may be observed.
 */
#ifndef WHERE_SUBJECT_H
#define WHERE_SUBJECT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/attributes.h"
#include "base/status.h"

struct subject {
    pid_t pid;
    char name[64];        /* of its first thread */
    char command[1024];   /* with its arguments, cut; "" when unknown */
    char root[64];        /* where its files are, for symbols_set_root; "" when they are ours */
    char map[128];        /* of the code that it made, as it would write it */
    char dump[128];       /* which may be there in its place */
    uint64_t start_ns;    /* since 1970; 0 when unknown */
    uint64_t start_ticks; /* with the number it names one process */
};

/* Read a process's properties.
 *
 * Errors: STATUS_USAGE: it is ours; STATUS_IO: it is not there, has ended, is a thread of the
 * kernel, is traced by another program (unless `may_be_traced`) or may not be observed;
 * STATUS_UNSUPPORTED: it is for another kind of processor. */
enum status subject_open(struct subject *subject, pid_t pid, bool may_be_traced,
                         struct diagnostic *diagnostic) MUST_CHECK;

/* Ask whether it is still there, and no other with its number. */
bool subject_is_alive(const struct subject *subject);

/* Say why Linux does not allow it, as errno said: the one setting to change.
 * Returns: STATUS_IO. */
enum status subject_refuse(const struct subject *subject, int error, struct diagnostic *diagnostic);

/* Say that it has ended.  Returns: STATUS_IO. */
enum status subject_say_gone(pid_t pid, struct diagnostic *diagnostic);

#endif
