/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The calls of each thread in their order, by the rows of the context.
 */
#ifndef FINDINGS_ROW_CALLS_H
#define FINDINGS_ROW_CALLS_H

#include "findings/context.h"
#include "model/course.h"

struct row_call {
    const struct course_call *call, *before; /* before: NULL of the first of a thread */
    size_t row, row_before;                  /* indices in the rows of the context */
};

/* Visit every call that is in a course, thread by thread. */
typedef void (*row_calls_visit)(void *what, const struct row_call *at);
void row_calls_follow(const struct findings_context *context, row_calls_visit visit, void *what);

/* The time since the call before, our own cost left in.  Units: nanoseconds; NAN of the first. */
double row_call_gap_ns(const struct row_call *at);

#endif
