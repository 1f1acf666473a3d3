/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls of libraries that compute on a device: their FLOPs, and the time of their commands.
 */
#ifndef DEVICES_LIBRARY_ROWS_H
#define DEVICES_LIBRARY_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"

struct session;

struct library_row {
    const char *name; /* the symbol; first member: rows differ by it */
    uint64_t calls;
    long double flops; /* NAN when unknown */
    double run_ns;     /* of the commands, from start to end */
    double host_ns;    /* of the calls */
    bool is_timed;     /* all commands have times */
};

/* Fill an array of struct library_row, which is not initialized, in the pool in use. */
void library_rows_fill(struct array *rows, const struct session *session);

#endif
