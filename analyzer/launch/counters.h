/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counts a program from outside, by perf_event_open(2) in its parent: the program runs none of this
 * code and holds no descriptor.  Counting starts with the program's exec, and includes its forked
 * processes.
 */
#ifndef LAUNCH_COUNTERS_H
#define LAUNCH_COUNTERS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text.h"
#include "spec/trace.h"

enum { COUNTERS_EVENTS_MAX = 32, COUNTERS_REASON_SIZE = 160 };

/* Which events this processor has. */
enum counters_condition { COUNTERS_ALWAYS, COUNTERS_INTEL, COUNTERS_ZEN };

/* The system, or its replacement in a test. */
struct counters_system {
    /* Returns: a descriptor, or a negative errno. */
    int (*open)(struct perf_event_attr *attributes, pid_t process);
    int paranoid; /* kernel.perf_event_paranoid; INT_MIN when it cannot be read */
    bool is_intel;
    bool is_zen;
};

struct counters {
    int descriptors[COUNTERS_EVENTS_MAX]; /* -1: none; in the order of counter_events.def */
    struct trace_counter values[TRACE_COUNTERS];
    char reasons[TRACE_COUNTERS][COUNTERS_REASON_SIZE];
};

/* This machine. */
struct counters_system counters_this_system(void);

/* Open all possible counters on a process before it calls exec. */
void counters_open(struct counters *counters, pid_t process, const struct counters_system *system);

/* Open nothing, and note the reason. */
void counters_refuse(struct counters *counters, const char *reason);

/* Take the sums after the end of the process, and close all. */
void counters_read(struct counters *counters);

/* Take the readings of the meters of the whole machine over `elapsed_ns`. */
struct meter_value;
void counters_take_meters(struct counters *counters, const struct meter_value *values,
                          uint64_t elapsed_ns);

/* Append the counters as facts of a trace. */
void counters_append(const struct counters *counters, struct text *facts);

#endif
