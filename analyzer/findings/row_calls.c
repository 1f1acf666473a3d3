/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The calls of each thread in their order.
 */
#include "findings/row_calls.h"

#include <math.h>

#include "model/session.h"

static void follow_course(const struct findings_context *context,
                          const struct session_course *course, row_calls_visit visit, void *what)
{
    const struct course_call *calls = course->calls.items;
    struct row_call at = {.before = NULL};

    for (size_t i = 0; i < course->calls.count; i++) {
        at.call = &calls[i];
        at.row = findings_row(context, calls[i].slot);
        visit(what, &at);
        at.before = at.call;
        at.row_before = at.row;
    }
}

void row_calls_follow(const struct findings_context *context, row_calls_visit visit, void *what)
{
    for (uint32_t i = 0; i < context->session->courses.count; i++)
        follow_course(context, course_of(context->session, i), visit, what);
}

double row_call_gap_ns(const struct row_call *at)
{
    return at->before ? (double)at->call->start_ns - (double)course_end_ns(at->before)
                      : (double)NAN;
}
