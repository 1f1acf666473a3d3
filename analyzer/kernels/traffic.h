/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bandwidth that a kernel can have: that of the loop which moves memory as it does.
 *
 * A loop that only reads, one that updates in place and one that writes elsewhere move other
 * bytes than they name, at other rates: lines that are written are read first, unless they
 * were read anyhow.
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
    double bytes_per_second; /* that it had */
};

/* Find the bandwidth that a kernel can have at a level.  A kernel without a row has the fastest
 * loop's; loops in place count only if faster than the others.
 * Returns: false when the calibration lacks its loop; the bandwidth is then the fastest one's. */
bool traffic_find_bandwidth(const struct traffic_asked *asked, const struct machine *machine,
                            double *bandwidth);

#endif
