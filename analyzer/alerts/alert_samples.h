/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The readings of a process in a row, and what alerts measure between two of them.
 *
 * A trace gives them all at once; a watcher of a running process adds one after the other.
 */
#ifndef ALERTS_ALERT_SAMPLES_H
#define ALERTS_ALERT_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "alerts/alert_rules.h"
#include "base/array.h"
#include "spec/trace.h"

struct session;
struct session_device_number;
struct session_process;

/* Of the devices that the process uses the one that is worst off; NAN: no reading has it. */
struct alert_devices {
    double busy;   /* share of the driver's last period: of the idlest device */
    double memory; /* in use, of all that it has */
    double heat;   /* temperature, of that at which it slows down */
    double slowed; /* 1: power or heat slow it; else 0 */
};

/* No reading has any of it. */
struct alert_devices alert_devices_unknown(void);

/* Take a reading of one of them. */
void alert_devices_take(struct alert_devices *devices, const struct session_device_number *reading);

/* Readings at one time; words that are not known are all ones. */
struct alert_sample {
    uint64_t time_ns;
    struct trace_reading reading;
    struct trace_surroundings surroundings;
    uint64_t surroundings_ns; /* when these were read: they are not read with each reading */
    struct alert_devices devices;
};

struct alert_samples {
    struct array rows;           /* of struct alert_sample, by time */
    uint64_t cpu_count;          /* processors that the process may use; UINT64_MAX: unknown */
    uint64_t memory_limit_bytes; /* of its control group, by a fact; UINT64_MAX */
    uint64_t memory_total_bytes; /* of the machine; UINT64_MAX */
};

/* Start without samples of a process. */
void alert_samples_init(struct alert_samples *samples, const struct session_process *process);
void alert_samples_fini(struct alert_samples *samples);

/* Add the readings of a session, half a second or more apart. */
void alert_samples_fill(struct alert_samples *samples, const struct session *session);

/* Returns: a measure between a sample and the one before it; NAN: one of them lacks it. */
struct alert_point alert_samples_measure(const struct alert_samples *samples,
                                         enum alert_measure measure, size_t index);

/* The cause of a number: the program, or others. */
enum alert_cause { ALERT_CAUSE_UNKNOWN, ALERT_CAUSE_PROGRAM, ALERT_CAUSE_OTHERS };
enum alert_cause alert_samples_judge(const struct alert_samples *samples,
                                     enum alert_measure measure, size_t index);

/* Returns: the processors that may be used at a sample; NAN: unknown. */
double alert_samples_allowed(const struct alert_samples *samples, size_t index);

/* Returns: the processors that the process used there, on average; NAN: unknown. */
double alert_samples_used(const struct alert_samples *samples, size_t index);

#endif
