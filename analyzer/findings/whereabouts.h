/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of a program's wall time: before its kernels, in them, between them, after them, or
 * waiting.  For AMDAHL, and for the one line of a program without findings.
 */
#ifndef FINDINGS_WHEREABOUTS_H
#define FINDINGS_WHEREABOUTS_H

#include "base/text.h"
#include "findings/context.h"

enum whereabouts_part {
    WHEREABOUTS_BEFORE,  /* the first kernel that counts: start-up */
    WHEREABOUTS_BETWEEN, /* between kernels; if their events are unknown, all time outside */
    WHEREABOUTS_AFTER,   /* the last */
    WHEREABOUTS_KERNELS,
    WHEREABOUTS_IDLE, /* overlaps the others: the least time when no thread computed */
    WHEREABOUTS_PARTS
};

struct whereabouts {
    double ns[WHEREABOUTS_PARTS]; /* parts of the wall time; without the last one they sum up to
                                     it */
};

struct whereabouts whereabouts_find(const struct findings_context *context);

/* The part outside kernels to look at first: waiting if it is most of the time, else the
 * largest. */
enum whereabouts_part whereabouts_first_outside(const struct whereabouts *of);

/* The command that shows more of a part: "py-spy record names the functions." */
const struct said *whereabouts_command(const struct findings_context *context,
                                       enum whereabouts_part part);

/* Say "2.14 s of 2.65 s (81.0 %) passes before the first kernel. ..." */
void whereabouts_append(struct text *text, const struct findings_context *context);

#endif
