/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of tprof time by device.
 */
#ifndef DEVICES_DEVICE_TIME_H
#define DEVICES_DEVICE_TIME_H

#include "analysis/analysis.h"

struct session;
struct table;

/* Fill a table that was not initialized: how the time that passed divides among the devices and,
 * while none of them ran, among what the host did. */
void device_time_build(const struct session *session, const struct analysis_options *options,
                       struct table *table);

#endif
