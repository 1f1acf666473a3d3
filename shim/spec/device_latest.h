/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The last readings of a device, for those who watch: a property of the process that is changed
 * in place.  Its value has fields of twenty digits, each with a blank behind it.  The first is the
 * time of the readings in ticks, the second the device.  The values follow, and the largest
 * possible values, both in the order of device_numbers.def.  The last is the time again.  If it
 * differs, the value is being written.  All ones are unknown.
 */
#ifndef SPEC_DEVICE_LATEST_H
#define SPEC_DEVICE_LATEST_H

#include "spec/trace.h"

#define DEVICE_LATEST_KEY "device_latest"

enum {
    DEVICE_LATEST_BEGUN,
    DEVICE_LATEST_DEVICE,
    DEVICE_LATEST_VALUES,
    DEVICE_LATEST_MOST = DEVICE_LATEST_VALUES + TRACE_DEVICE_NUMBERS,
    DEVICE_LATEST_DONE = DEVICE_LATEST_MOST + TRACE_DEVICE_NUMBERS,
    DEVICE_LATEST_FIELDS,
    DEVICE_LATEST_DIGITS = 20,
    DEVICE_LATEST_WIDTH = DEVICE_LATEST_DIGITS + 1,
    DEVICE_LATEST_SIZE = DEVICE_LATEST_FIELDS * DEVICE_LATEST_WIDTH
};

#endif
