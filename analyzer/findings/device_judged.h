/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The device that the rules of devices judge: the busiest one.
 */
#ifndef FINDINGS_DEVICE_JUDGED_H
#define FINDINGS_DEVICE_JUDGED_H

#include <stdint.h>

#include "devices/gaps.h"
#include "model/busy.h"
#include "model/session_devices.h"

struct findings_context;

struct device_judged {
    struct busy busy;
    const struct session_device *device; /* NULL: no command has times */
    uint32_t index;                      /* of the device */
    struct gap_sum gaps[GAP_CAUSES];
    double span_ns;
};

void device_judge(struct device_judged *judged, const struct findings_context *context);

/* Returns: nanoseconds of the judged time without a command. */
double device_judged_idle(const struct device_judged *judged);

#endif
