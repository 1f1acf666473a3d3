/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The interval of an estimate.
 */
#ifndef STATISTICS_INTERVAL_H
#define STATISTICS_INTERVAL_H

/* An unknown bound is NAN. */
struct statistics_interval {
    double low;
    double high;
};

#endif
