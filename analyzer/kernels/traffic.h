/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bandwidth available to a kernel: that of the loop with the same memory traffic.
 *
 * A loop that only reads, one that updates in place and one that writes elsewhere move other bytes
 * than they name, at different rates: written lines are read first, unless they were read anyway.
 */
#ifndef KERNELS_TRAFFIC_H
#define KERNELS_TRAFFIC_H

#include "model/machine.h"
#include "spec/catalog.h"

/* A question for the bandwidth of a kernel. */
struct traffic_asked {
    const struct catalog_kernel *kernel; /* or NULL */
    enum machine_level level;
    unsigned threads;
    double bytes_per_second; /* bandwidth of the loop */
};

/* Find the bandwidth available to a kernel at a level.  A kernel without a row gets the bandwidth
 * of the fastest loop; loops in place count only if they are faster than the others.
 * Returns: false when the calibration lacks its loop; the bandwidth is then that of the fastest
 * loop. */
bool traffic_find_bandwidth(const struct traffic_asked *asked, const struct machine *machine,
                            double *bandwidth);

#endif
