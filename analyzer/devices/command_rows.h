/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The commands of devices, folded into rows.
 */
#ifndef DEVICES_COMMAND_ROWS_H
#define DEVICES_COMMAND_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/analysis.h"
#include "base/array.h"

struct session;

struct command_row {
    const char *name;   /* of the kernel, or the kind in words; or that of the dimension */
    const char *kind;   /* key of commands.def; NULL: several */
    const char *device; /* NULL: none, or several */
    const char *place;  /* the line that asked most; NULL: unknown */
    uint64_t calls;
    uint64_t timed;
    uint64_t failed;
    uint64_t refused;
    double run_ns;
    double wait_ns;
    uint64_t queued; /* of the timed ones, those whose queueing is known */
    double host_ns;
    uint64_t min_ns; /* UINT64_MAX when none is timed */
    uint64_t max_ns;
    uint64_t bytes;
    uint64_t timed_bytes;
    uint64_t work;
    double moved_ns;  /* run_ns of the commands that move bytes */
    double worked_ns; /* run_ns of the commands with work-items */
    bool has_builds;  /* its time is the host's, in part at least */
};

/* Fill an array of struct command_row, which is not initialized, in the pool in use. */
void command_rows_fill(struct array *rows, const struct session *session,
                       const struct analysis_options *options);

#endif
