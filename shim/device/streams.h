/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Interfaces of devices with streams: the functions of CUDA and those of HIP have one form.
 *
 * A thread has a present device, a command goes to a stream of it, and the default stream is no
 * object: each device has one.  All functions take words and return a status of 32 bits, 0 if they
 * succeeded.  So one function serves them all, and tables say which word is what:
 *
 *     CALL(name, arguments, ACTION, WHAT, size, rows, stream, WAIT)
 *       ACTION, WHAT:
 *         OBTAIN     memory at a place; argument 0 points to where its address goes
 *         GIVE_BACK  NOTHING; argument 0 is the address
 *         KERNEL     where a launch has its function, its grid and its stream: enum streams_form
 *         MOVE       enum trace_command_kind, or BY_NUMBER(argument): 1 to a device, 2 from one, 3
 *                    within one
 *         AWAIT      NOTHING
 *       size, rows  the arguments whose product is the bytes; rows may be NOWHERE, or PAIRS or
 *                   FOURS of bytes; size is PITCH for the target of argument 1
 *       stream      its argument; NOWHERE for the default one
 *       WAIT        the row of waits.def of a call that returns when the command has ended, or NONE
 *     OTHER(name, wrapper)   wrapper: NULL where the shim only calls it
 *
 * Budget of a command: that of command.h, one question for the thread's device, and what the
 * adapter does for its times.
 */
#ifndef DEVICE_STREAMS_H
#define DEVICE_STREAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "device/command.h"
#include "device/state.h"
#include "device/words.h"
#include "platform/attributes.h"
#include "spec/trace.h"
#include "unwind/rule.h"

enum { STREAMS_NOWHERE = 255, STREAMS_PITCH = 254, STREAMS_PAIRS = 253, STREAMS_FOURS = 252 };

/* The most words that a function takes. */
enum { STREAMS_WORDS = 14 };

/* Streams that are no objects. */
enum { STREAMS_DEFAULT, STREAMS_LEGACY, STREAMS_PER_THREAD, STREAMS_WITHOUT_OBJECTS };

enum streams_action {
    STREAMS_OBTAIN,
    STREAMS_GIVE_BACK,
    STREAMS_KERNEL,
    STREAMS_MOVE,
    STREAMS_AWAIT
};

/* The arguments of a launch, in their order. */
enum streams_form {
    STREAMS_KERNEL_RUNTIME, /* function, dim3 grid, dim3 block, arguments, shared, stream */
    STREAMS_KERNEL_RUNTIME_CONFIGURED, /* struct streams_launch, function, arguments */
    STREAMS_KERNEL_DRIVER, /* function, three of the grid, three of the block, shared, stream */
    STREAMS_KERNEL_DRIVER_THREADS,    /* the same with numbers of threads for the grid */
    STREAMS_KERNEL_DRIVER_CONFIGURED, /* struct streams_launch, function, parameters, extra */
    STREAMS_KERNEL_GRAPH              /* graph, stream */
};

/* What the tables say of the other actions. */
enum {
    STREAMS_OBTAIN_DEVICE = TRACE_DEVICE_PLACE_DEVICE,
    STREAMS_OBTAIN_HOST = TRACE_DEVICE_PLACE_HOST,
    STREAMS_OBTAIN_SHARED = TRACE_DEVICE_PLACE_SHARED,
    STREAMS_GIVE_BACK_NOTHING = 0,
    STREAMS_MOVE_TO_DEVICE = TRACE_COMMAND_TO_DEVICE,
    STREAMS_MOVE_FROM_DEVICE = TRACE_COMMAND_FROM_DEVICE,
    STREAMS_MOVE_WITHIN = TRACE_COMMAND_WITHIN,
    STREAMS_MOVE_BETWEEN = TRACE_COMMAND_BETWEEN,
    STREAMS_MOVE_FILL = TRACE_COMMAND_FILL,
    STREAMS_BY_ARGUMENT = 0x100, /* an argument tells the kind of copy */
    STREAMS_AWAIT_NOTHING = 0
};
#define STREAMS_MOVE_BY_NUMBER(place) (STREAMS_BY_ARGUMENT | (place))

/* What that argument says. */
enum { STREAMS_HOST_TO_DEVICE = 1, STREAMS_DEVICE_TO_HOST = 2, STREAMS_DEVICE_TO_DEVICE = 3 };

enum { STREAMS_NO_WAIT = 0xffff };

struct streams_row {
    void *const *real;
    uint8_t action; /* enum streams_action */
    uint8_t arguments;
    uint8_t size;
    uint8_t rows;
    uint8_t stream;
    uint16_t what; /* a place of memory, enum streams_form, a kind of command, or BY_ARGUMENT */
    uint16_t wait; /* enum trace_wait_call, or STREAMS_NO_WAIT */
};

struct streams_dimensions {
    uint32_t x, y, z;
};

/* The beginning of a launch's configuration. */
struct streams_launch {
    struct streams_dimensions grid;
    struct streams_dimensions block;
    uint64_t shared;
    void *stream;
};

/* Numbers of devices and of streams have addresses here, as handles need.  They are as far apart as
 * objects, because the table of handles leaves out the lowest bits. */
struct streams_handles {
    uint64_t devices[DEVICES_MAX];
    uint64_t defaults[DEVICES_MAX][STREAMS_WITHOUT_OBJECTS];
};

/* An interface.  Functions for times may be NULL. */
struct streams {
    struct streams_handles *handles;
    int32_t (*present)(void); /* the number of the thread's device; -1: it has none */
    uint32_t (*learn)(int32_t ordinal, const void *handle);       /* device_add of a device */
    const char *(*name)(const void *function, bool is_of_driver); /* of a kernel, or NULL */
    void (*begin)(void);                                          /* before a call */
    bool (*are_timed)(void);                                      /* will commands have times? */
    void (*expect)(const struct device_asked *asked);             /* a command was recorded */
    void (*settle)(void);                                         /* a wait has ended */
    void (*end)(void);                                            /* after a call */
};

/* How many wrappers run in this thread: an inner one only passes its call on. */
extern _Thread_local unsigned streams_depth INITIAL_EXEC HIDDEN;

/* Do what a row says, and call the real function.  Returns: its status. */
int32_t streams_pass(const struct streams *api, const struct streams_row *row, const word *words,
                     const struct unwind_state *caller);

/* Give the id of a device by its number, or of the thread's.  Returns: 0 when unknown. */
uint32_t streams_device_at(const struct streams *api, uint32_t ordinal);
uint32_t streams_device(const struct streams *api);

/* Give the id of a stream, and learn it if it was not seen being made.  Returns: 0 when unknown. */
uint32_t streams_queue(const struct streams *api, const void *stream);

/* A stream was made, if the status says so; an earlier one may have had this handle.
 * Returns: the status. */
int32_t streams_note(const struct streams *api, int32_t status, void *const *stream);

/* Give the string id of a kernel's name, by its function.  Returns: 0 when the interface does not
 * tell. */
uint32_t streams_kernel(const struct streams *api, const void *function, bool is_of_driver);

/* The same, where its name is known. */
uint32_t streams_kernel_named(const void *function, const char *name);

#endif
