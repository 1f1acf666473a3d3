/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands: a call of the program asks a device for one, and its times are known later.
 *
 *     struct device_command command = {.queue = …, .what = TRACE_COMMAND_KERNEL, …};
 *
 *     command_begin(&command);
 *     result = real(…);
 *     asked = command_end(&command, &caller, result == 0);
 *     …
 *     command_time(&asked, &times);           (any thread, later)
 *
 * Calls with the same queue, kind, name, place and region share a cell, so totals are exact even if
 * records are left out to keep a budget.
 *
 * Budget of the pair: two clock reads, one call chain, one look-up of a cell, a record of six
 * words.  No allocation, lock or system call on the common path; errno is kept.
 */
#ifndef DEVICE_COMMAND_H
#define DEVICE_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/clock.h"
#include "spec/trace.h"
#include "unwind/rule.h"

struct device_command {
    uint32_t queue; /* id; 0: none, of work that the host does itself */
    uint32_t name;  /* string id; 0: none */
    uint16_t what;  /* enum trace_command_kind */
    uint16_t flags; /* enum trace_command_flag */
    uint64_t bytes;
    uint64_t work;
    uint64_t start; /* ticks; set by command_begin */
    uint64_t end;   /* ticks; set by command_end */
};

/* A command that was recorded. */
struct device_asked {
    struct trace_command *cell; /* NULL: it was not recorded */
    uint64_t number;            /* 0: it has no record, but counts in its cell */
    uint64_t bytes;
};

/* When a command was queued, submitted, started and ended, in nanoseconds of its device's clock. */
struct device_times {
    uint64_t queued_ns;
    uint64_t submitted_ns;
    uint64_t started_ns;
    uint64_t ended_ns;
    bool has_failed;
    bool is_pageable; /* a copy from or to memory of the host that is not pinned */
};

static inline void command_begin(struct device_command *command)
{
    command->start = clock_read();
}

/* Record the call.  `is_asked`: it succeeded.
 * Safety: any thread; in a signal handler that interrupts a record it is lost and counted. */
struct device_asked command_end(struct device_command *command, const struct unwind_state *caller,
                                bool is_asked);

/* Record the times of a command.  Safety: any thread, while the process records. */
void command_time(const struct device_asked *asked, const struct device_times *times);

#endif
