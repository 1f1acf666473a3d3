/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The waits of a session as rows: by object and place, or by only one of these.
 */
#ifndef WAITS_WAIT_ROWS_H
#define WAITS_WAIT_ROWS_H

#include "analysis/analysis.h"
#include "base/status.h"
#include "waits/wait_row.h"

struct session;
struct session_wait;
struct text;

/* Append the function and its object: "read data/train.bin", "poll pipe". */
void wait_append_call(struct text *text, const struct session_wait *wait);

/* Gather them.  `by`: the kind of rows. */
void wait_rows_init(struct wait_rows *rows, const struct session *session, enum analysis_by by);

/* Names the line of the program that a chain of calls came from; appends nothing if there is none.
 */
struct wait_lines {
    void (*append)(struct text *text, const void *of, uint32_t chain);
    const void *of;
};

/* The same by object and place, and apart by these lines. */
void wait_rows_init_by_line(struct wait_rows *rows, const struct session *session,
                            const struct wait_lines *lines);

#endif
