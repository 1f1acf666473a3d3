/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the host did while a device had nothing to run.
 *
 * A gap ends with a command.  The thread that asked for it made the device wait: before its call it
 * waited or computed, and from its call on the command was on its way.
 */
#ifndef DEVICES_GAPS_H
#define DEVICES_GAPS_H

#include "model/busy.h"

enum gap_cause {
    GAP_LAUNCH, /* the command was asked for, and had not started */
    GAP_BUILD,  /* the host built code for the device */
    GAP_DEVICE, /* the host waited for the device: it had ended, and the host did not know yet */
    GAP_FILES,  /* the host waited for files or sockets */
    GAP_LOCKS,  /* for locks, other threads or a time */
    GAP_CODE,   /* it ran other code, or waited where no call was recorded */
    GAP_END,    /* no further command came */
    GAP_CAUSES
};

struct gap_sum {
    double ns;
    uint64_t gaps; /* those that it is the largest part of */
    double longest_ns;
    uint32_t chain; /* of the command that ended the longest one; SESSION_NONE */
};

/* Sum the gaps by their cause. */
void gaps_sum(struct gap_sum sums[GAP_CAUSES], const struct session *session,
              const struct busy *busy);

/* The key of a cause, and what it means. */
const char *gap_cause_key(enum gap_cause cause);
const char *gap_cause_words(enum gap_cause cause);

#endif
