/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Devices and their queues: what a program asks for commands, whoever made it.
 *
 * This folder knows no vendor.  An adapter (shim/opencl) wraps the calls of a library, names its
 * devices and queues here, and reports
 *
 *     a call that asks for a command, at its end        device/command.h
 *     the times of a command, once they are known       device/command.h
 *     an event to be asked for these times later        device/pending.h
 *     memory of a device                                device/blocks.h
 *     an instant on both clocks                         device/clock_join.h
 *     readings of a device                              device/readings.h
 *     its functions and their wrappers                  call/library.h
 *     a call that waits for a device                    call/wait.h, a row of spec/waits.def of the
 *                                                       class DEVICE
 *
 *   operation                     any thread   signal handler
 *   device_find, device_queue_at  yes          yes
 *   device_add, device_add_queue  one by one   not while it interrupts a record: they give 0
 *
 * Rows are only ever added.  They stay valid in a forked child, which writes them to its own trace.
 */
#ifndef DEVICE_DEVICE_H
#define DEVICE_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "device/state.h"
#include "spec/trace.h"

enum { DEVICE_QUEUES_MAX = 4096 };

/* The description of a device; texts may be NULL. */
struct device_description {
    struct trace_device fact; /* the id is set here */
    const char *name;
    const char *maker;
    const char *driver;
    const char *identity;
};

/* Take memory for the tables.  Called before any other, under the lock of hook.c, when the first
 * library of an adapter is found; later calls do nothing.
 * Returns: false when there is none; then nothing of devices is recorded. */
bool device_init(void);

/* Find the id of a device, by the handle of its library.  Returns: 0 when it is unknown. */
uint32_t device_find(const void *handle);

/* Add a device, or find it.  Returns: its id; 0 when there is no room. */
uint32_t device_add(const void *handle, const struct device_description *description);

/* Note a new queue under its handle, in place of an earlier one with that handle.  `name`: NULL if
 * it has none.
 * Returns: its id; that of the row which stands for the rest when rows have run out; 0 when nothing
 * can be recorded. */
uint32_t device_add_queue(const void *handle, uint32_t device, uint32_t flags, const char *name);

/* Find the id of a queue by its handle.  Returns: 0 when it is unknown.
 * Budget: one hash and mostly one comparison. */
uint32_t device_find_queue(const void *handle);

/* The facts of a queue and of a device by their ids, which must be known. */
const struct trace_queue *device_queue_at(uint32_t id);
const struct trace_device *device_at(uint32_t id);

/* The UUID of a device; "" when it is unknown. */
const char *device_identity(uint32_t id);

/* Returns: the number of devices, whose ids count from 1. */
uint32_t device_count_known(void);

enum { DEVICE_UUID_SIZE = 16, DEVICE_UUID_TEXT = 37 };

/* Write a UUID as other tools do: 8-4-4-4-12 digits. */
void device_write_uuid(char text[DEVICE_UUID_TEXT], const unsigned char uuid[DEVICE_UUID_SIZE]);

/* Change the flags of a queue: the program asked for something later. */
void device_set_queue_flags(uint32_t id, uint32_t flags);

/* Rows of fact_writers. */
bool device_write_facts(unsigned *written);
bool device_write_queues(unsigned *written);

#endif
