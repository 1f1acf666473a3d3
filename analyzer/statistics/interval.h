/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two bounds that an estimate has.
 */
#ifndef STATISTICS_INTERVAL_H
#define STATISTICS_INTERVAL_H

/* An unknown bound is NAN. */
struct statistics_interval {
    double low;
    double high;
};

#endif
