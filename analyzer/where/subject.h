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
    char name[64];        /* name of its first thread */
    char command[1024];   /* with its arguments, truncated; "" when unknown */
    char root[64];        /* root of its files, for symbols_set_root; "" when they are tprof's
                             own */
    char map[128];        /* path of the map of its compiled code, if it wrote one */
    char dump[128];       /* path of a dump that may exist instead */
    uint64_t start_ns;    /* since 1970; 0 when unknown */
    uint64_t start_ticks; /* together with the number, it identifies a process */
};

/* Read a process's properties.
 *
 * Errors: STATUS_USAGE: the process is tprof itself; STATUS_IO: it does not exist, has ended, is a
 * thread of the kernel, is traced by another program (unless `may_be_traced`) or may not be
 * observed; STATUS_UNSUPPORTED: it is for another kind of processor. */
enum status subject_open(struct subject *subject, pid_t pid, bool may_be_traced,
                         struct diagnostic *diagnostic) MUST_CHECK;

/* Ask whether the process still exists, and no other has its number. */
bool subject_is_alive(const struct subject *subject);

/* Say why Linux refused, by errno: name the one setting to change.
 * Returns: STATUS_IO. */
enum status subject_refuse(const struct subject *subject, int error, struct diagnostic *diagnostic);

/* Say that the process has ended.  Returns: STATUS_IO. */
enum status subject_say_gone(pid_t pid, struct diagnostic *diagnostic);

#endif
