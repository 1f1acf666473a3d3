/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The device of the stand-ins: it has queues and a clock, and computes nothing.  Its commands take
 * times that follow from their sizes, so that a program knows them without asking.  libcudart.so.13
 * asks for commands, libcupti.so.13 hands their records out.
 */
#ifndef CUDA_DEVICE_H
#define CUDA_DEVICE_H

#include <stdint.h>

enum { NS_A_BLOCK = 1000, BYTES_A_NS = 10, DEVICES = 2, STREAMS = 8 };

enum command_kind { COMMAND_KERNEL, COMMAND_COPY, COMMAND_FILL };

/* Times are nanoseconds of CLOCK_REALTIME, as CUPTI's are. */
struct command {
    enum command_kind kind;
    uint32_t device, stream, correlation;
    uint32_t copy_kind;
    uint8_t is_pageable; /* a copy: the host's side is not pinned */
    uint32_t grid, block;
    uint64_t bytes, queued, start, end;
    const char *name;
};

/* Let the device be watched from now on: `done` gets each command that has ended when the device
 * is asked for its state. */
typedef void (*command_watcher)(const struct command *command);
void device_watch(command_watcher done);

/* A call of the driver that asks for a command, at its entry and its exit, as CUPTI numbers it. */
typedef void (*call_watcher)(uint32_t number, uint32_t site, const void *parameters,
                             const char *symbol, uint32_t correlation);
void device_watch_calls(call_watcher call);

/* Ask for a kernel, as a library does that has a runtime of its own. */
int device_launch(const char *name, unsigned blocks, unsigned threads, void *stream);

/* Hand all commands out, also those that will end later. */
void device_flush(void);

uint64_t device_now(void);

#endif
