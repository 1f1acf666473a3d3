/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The devices of a session: their queues, commands and memory, whoever made them.
 *
 * Times of commands are on the session's clock.  They are right within the device's `error_ns`, but
 * lengths of time on one device have no such error.
 */
#ifndef MODEL_SESSION_DEVICES_H
#define MODEL_SESSION_DEVICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "spec/trace.h"

struct session;
struct text_list;

struct session_device {
    struct trace_device fact;
    const char *name; /* texts are empty when unknown */
    const char *maker;
    const char *driver;
    const char *identity;
    uint64_t error_ns; /* most that times of its commands may be wrong on the session's clock;
                          SESSION_UNKNOWN: the clocks could not be joined */
};

struct session_queue {
    struct trace_queue fact;
    uint32_t device;  /* index in devices */
    const char *name; /* empty if it has none */
};

/* Memory of a device at a place: exact, even if records are lost. */
struct session_device_memory {
    struct trace_device_memory fact;
    uint32_t device;
    uint64_t peak_ns; /* when the peak was */
};

/* The commands of one kind and name on one queue, from one place in one region of one thread. */
struct session_command_sum {
    enum trace_command_kind kind;
    uint16_t flags;   /* enum trace_command_flag */
    uint32_t queue;   /* index in queues; SESSION_NONE: none */
    const char *name; /* NULL: it has none */
    uint32_t thread;
    uint32_t region;
    uint32_t op; /* index in ops: the op that asked; 0: none */
    uint64_t site;
    uint32_t slot;  /* index in slots: the kernel of the catalog that asked; SESSION_NONE */
    uint32_t chain; /* of its first command with a chain; SESSION_NONE */
    uint64_t calls;
    uint64_t refused;
    uint64_t host_ns; /* in the calls that asked */
    uint64_t bytes;
    uint64_t work;
    uint64_t timed;
    uint64_t failed;
    uint64_t run_ns;  /* of the timed ones */
    uint64_t wait_ns; /* of the timed ones, from the queueing to the start */
    uint64_t min_ns;  /* SESSION_UNKNOWN when none is timed */
    uint64_t max_ns;
    uint64_t timed_bytes;
};

/* A command with a record. */
struct session_command {
    uint32_t sum;   /* index in sums */
    uint32_t chain; /* SESSION_NONE: none was taken */
    uint64_t call_start_ns;
    uint64_t call_end_ns;
    uint64_t bytes;
    uint64_t work;
    uint64_t queued_ns; /* these four are SESSION_UNKNOWN when the times are */
    uint64_t submitted_ns;
    uint64_t start_ns;
    uint64_t end_ns;
    uint64_t number;
    bool is_pageable; /* a copy from or to memory of the host that is not pinned */
};

/* A block of a device's memory. */
struct session_device_block {
    uint32_t device;
    enum trace_device_place place;
    uint64_t bytes;
    uint64_t start_ns;
    uint64_t end_ns; /* SESSION_UNKNOWN: it was never given back */
    uint32_t chain;  /* SESSION_NONE: none was taken */
    uint32_t thread;
    uint64_t number;
};

/* A reading of a device. */
struct session_device_number {
    uint64_t time_ns;
    uint32_t device;
    enum trace_device_number number;
    uint64_t value;
    uint64_t most; /* the largest possible value; 0: unknown */
};

/* One instant on the clocks of a device and of the session. */
struct session_device_instant {
    uint32_t device;
    uint64_t device_ns;
    uint64_t host_ns;
    uint64_t error_ns;
};

struct session_devices {
    struct array devices;  /* of struct session_device */
    struct array queues;   /* of struct session_queue */
    struct array memory;   /* of struct session_device_memory */
    struct array sums;     /* of struct session_command_sum */
    struct array commands; /* of struct session_command, by the end of their calls */
    struct array blocks;   /* of struct session_device_block, by their start */
    struct array numbers;  /* of struct session_device_number, by time */
    struct array instants; /* of struct session_device_instant, by time */
    uint64_t timeless;     /* times of commands that have no record */
};

static inline const struct session_device *session_device_at(const struct session_devices *devices,
                                                             size_t index)
{
    return (const struct session_device *)devices->devices.items + index;
}

static inline const struct session_queue *session_queue_at(const struct session_devices *devices,
                                                           size_t index)
{
    return (const struct session_queue *)devices->queues.items + index;
}

static inline const struct session_command_sum *session_command_sum_at(
    const struct session_devices *devices, size_t index)
{
    return (const struct session_command_sum *)devices->sums.items + index;
}

static inline const struct session_command *session_command_at(
    const struct session_devices *devices, size_t index)
{
    return (const struct session_command *)devices->commands.items + index;
}

/* The device of a sum's commands; NULL when it has no queue. */
const struct session_device *session_device_of(const struct session_devices *devices,
                                               const struct session_command_sum *sum);

/* Ask whether a command of this kind copies memory. */
static inline bool session_command_copies(enum trace_command_kind kind)
{
    return kind >= TRACE_COMMAND_TO_DEVICE && kind <= TRACE_COMMAND_BETWEEN;
}

/* The key of device_times.def that says why commands of a device have no times; NULL: they have, or
 * the reason is unknown. */
const char *session_untimed_reason(const struct session *session, uint32_t device);

/* Add a line for each thing that is not known of the times of commands. */
void session_say_untimed(struct text_list *lines, const struct session *session);

#endif
