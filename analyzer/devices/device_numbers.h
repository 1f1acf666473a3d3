/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The readings of a device, summed up: how busy its driver says it was, memory in use, temperature,
 * power, clocks.
 */
#ifndef DEVICES_DEVICE_NUMBERS_H
#define DEVICES_DEVICE_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "model/session_devices.h"

struct session;

/* One quantity of a device. */
struct device_number_sum {
    uint64_t count; /* of readings; with 0 the others say nothing */
    uint64_t least;
    uint64_t highest;
    uint64_t last;
    uint64_t most; /* the largest possible value; 0: unknown */
    uint64_t bits; /* set in any reading */
    double mean;   /* each reading stands for the time since the one before */
};

void device_number_sum(struct device_number_sum *sum, const struct session *session,
                       uint32_t device, enum trace_device_number number);

/* "temperature", "celsius", and its help. */
const char *device_number_key(enum trace_device_number number);
const char *device_number_unit(enum trace_device_number number);
const char *device_number_help(enum trace_device_number number);

/* Append a value with its unit: "64 °C", "412 W"; of THROTTLE the reasons. */
void device_number_append(struct text *text, enum trace_device_number number, double value);

/* Does one of these reasons slow a device because of its power or heat? */
bool device_is_slowed(uint64_t reasons);

/* Append why a device has no reading of the number. */
void device_number_append_reason(struct text *text, const struct session *session, uint32_t device,
                                 enum trace_device_number number);

/* Ask whether a device has readings of any number. */
bool device_has_numbers(const struct session *session, uint32_t device);

/* Returns: why a device has no readings at all; NULL: it has some, or its interface has none. */
const char *device_unread_reason(const struct session *session, uint32_t device);
const char *device_unread_key(const struct session *session, uint32_t device);

/* Append a line about the readings: "87.0 % busy on average, ...". */
void device_numbers_append(struct text *text, const struct session *session, uint32_t device);

#endif
