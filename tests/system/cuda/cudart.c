/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A stand-in for libcudart.so.13, with the functions' own prototypes: memory is the host's, and a
 * command takes the time that device.h says, in the order of its stream.  The address of a kernel
 * is its name.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device.h"

enum { SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, COMMANDS_MAX = 1 << 21, PINNED_MAX = 64 };

struct dim3 {
    unsigned x, y, z;
};

static struct command *commands;
static unsigned command_count, handed_out;
static uint64_t busy_until[DEVICES][STREAMS];
static unsigned stream_count = 1; /* 0 is the default stream */
static int current;
static command_watcher watcher;
static call_watcher watching_calls;

uint64_t device_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void device_watch(command_watcher done)
{
    watcher = done;
    handed_out = command_count;
}

void device_flush(void)
{
    for (; watcher && handed_out < command_count; handed_out++)
        watcher(&commands[handed_out]);
}

void device_watch_calls(call_watcher call)
{
    watching_calls = call;
}

/* Parameters of the driver's functions, as generated_cuda_meta.h has them. */
struct launch_parameters {
    const void *function;
    unsigned grid[3], block[3], shared;
    void *stream;
    void **arguments, **extra;
};

struct move_parameters {
    const void *to, *from;
    size_t size;
    void *stream;
};

enum {
    LAUNCH = 307,
    TO_DEVICE = 277,
    TO_HOST = 279,
    BETWEEN = 306,
    FILL = 216,
    ENTER = 0,
    EXIT = 1
};

static void tell(uint32_t number, uint32_t site, const void *parameters, const char *symbol)
{
    if (watching_calls)
        watching_calls(number, site, parameters, symbol, command_count + (site == ENTER));
}

static struct command *ask(enum command_kind kind, uint32_t stream, uint64_t duration)
{
    uint64_t now = device_now(), *busy = &busy_until[current][stream % STREAMS];
    struct command *command;

    if (!commands)
        commands = malloc(COMMANDS_MAX * sizeof *commands);
    command = &commands[command_count++ % COMMANDS_MAX];
    *command = (struct command){.kind = kind,
                                .device = (uint32_t)current,
                                .stream = stream + 7, /* CUPTI's numbers are its own */
                                .correlation = command_count,
                                .queued = now,
                                .start = *busy > now ? *busy : now};
    command->end = command->start + duration;
    *busy = command->end;
    return command;
}

static void wait_until(uint64_t time)
{
    struct timespec until = {.tv_sec = (time_t)(time / 1000000000),
                             .tv_nsec = (long)(time % 1000000000)};

    while (clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL) != 0)
        ;
}

static uint32_t stream_number(void *stream)
{
    return (uint32_t)(uintptr_t)stream;
}

int cudaRuntimeGetVersion(int *version)
{
    *version = 13050;
    return SUCCESS;
}

int cudaGetDeviceCount(int *count)
{
    *count = DEVICES;
    return SUCCESS;
}

int cudaSetDevice(int device)
{
    if (device < 0 || device >= DEVICES)
        return INVALID_VALUE;
    current = device;
    return SUCCESS;
}

int cudaGetDevice(int *device)
{
    *device = current;
    return SUCCESS;
}

/* ---- memory ---------------------------------------------------------------- */

static int obtain(void **place, size_t size)
{
    if (size > (size_t)1 << 40)
        return OUT_OF_MEMORY;
    *place = size ? malloc(size) : NULL;
    return SUCCESS;
}

int cudaMalloc(void **place, size_t size)
{
    return obtain(place, size);
}

int cudaMallocManaged(void **place, size_t size, unsigned flags)
{
    (void)flags;
    return obtain(place, size);
}

/* The pinned blocks of a program that has few. */
static struct pinned {
    const char *start;
    size_t size;
} pinned[PINNED_MAX];
static unsigned pinned_count;

static int obtain_pinned(void **place, size_t size)
{
    int status = obtain(place, size);

    if (status == SUCCESS && pinned_count < PINNED_MAX)
        pinned[pinned_count++] = (struct pinned){*place, size};
    return status;
}

static bool is_pinned(const char *place)
{
    for (unsigned i = 0; i < pinned_count; i++)
        if (place >= pinned[i].start && place < pinned[i].start + pinned[i].size)
            return true;
    return false;
}

int cudaMallocHost(void **place, size_t size)
{
    return obtain_pinned(place, size);
}

int cudaHostAlloc(void **place, size_t size, unsigned flags)
{
    (void)flags;
    return obtain_pinned(place, size);
}

int cudaMallocAsync(void **place, size_t size, void *stream)
{
    (void)stream;
    return obtain(place, size);
}

int cudaMallocPitch(void **place, size_t *pitch, size_t width, size_t height)
{
    *pitch = (width + 511) / 512 * 512;
    return obtain(place, *pitch * height);
}

int cudaFree(void *place)
{
    free(place);
    return SUCCESS;
}

int cudaFreeHost(void *place)
{
    return cudaFree(place);
}

int cudaFreeAsync(void *place, void *stream)
{
    (void)stream;
    return cudaFree(place);
}

/* ---- commands -------------------------------------------------------------- */

int cudaFuncGetName(const char **name, const void *function)
{
    *name = function;
    return SUCCESS;
}

int device_launch(const char *name, unsigned blocks, unsigned threads, void *stream)
{
    const struct launch_parameters parameters = {
        .function = name, .grid = {blocks, 1, 1}, .block = {threads, 1, 1}, .stream = stream};
    struct command *command;

    tell(LAUNCH, ENTER, &parameters, name);
    command = ask(COMMAND_KERNEL, stream_number(stream), (uint64_t)blocks * NS_A_BLOCK);
    command->name = name;
    command->grid = blocks;
    command->block = threads;
    tell(LAUNCH, EXIT, &parameters, name);
    return SUCCESS;
}

int cudaLaunchKernel(const void *function, struct dim3 grid, struct dim3 block, void **arguments,
                     size_t shared, void *stream)
{
    unsigned blocks = grid.x * grid.y * grid.z;

    (void)arguments;
    (void)shared;
    if (blocks == 0 || block.x == 0)
        return INVALID_VALUE;
    return device_launch(function, blocks, block.x * block.y * block.z, stream);
}

static struct command *copy(void *to, const void *from, size_t size, int kind, void *stream)
{
    const uint32_t number = kind == 1 ? TO_DEVICE : kind == 2 ? TO_HOST : BETWEEN;
    const struct move_parameters parameters = {to, from, size, stream};
    struct command *command;

    tell(number, ENTER, &parameters, NULL);
    command = ask(COMMAND_COPY, stream_number(stream), size / BYTES_A_NS);
    memcpy(to, from, size);
    command->bytes = size;
    command->copy_kind = (uint32_t)kind;
    command->is_pageable = (kind == 1 && !is_pinned(from)) || (kind == 2 && !is_pinned(to));
    tell(number, EXIT, &parameters, NULL);
    return command;
}

int cudaMemcpyAsync(void *to, const void *from, size_t size, int kind, void *stream)
{
    copy(to, from, size, kind, stream);
    return SUCCESS;
}

int cudaMemcpy(void *to, const void *from, size_t size, int kind)
{
    wait_until(copy(to, from, size, kind, NULL)->end);
    return SUCCESS;
}

int cudaMemsetAsync(void *place, int value, size_t size, void *stream)
{
    const struct move_parameters parameters = {place, NULL, size, stream};

    tell(FILL, ENTER, &parameters, NULL);
    ask(COMMAND_FILL, stream_number(stream), size / BYTES_A_NS)->bytes = size;
    memset(place, value, size);
    tell(FILL, EXIT, &parameters, NULL);
    return SUCCESS;
}

int cudaMemset(void *place, int value, size_t size)
{
    return cudaMemsetAsync(place, value, size, NULL);
}

int cudaStreamCreate(void **stream)
{
    *stream = (void *)(uintptr_t)stream_count++;
    return SUCCESS;
}

int cudaStreamDestroy(void *stream)
{
    (void)stream;
    return SUCCESS;
}

int cudaStreamSynchronize(void *stream)
{
    wait_until(busy_until[current][stream_number(stream) % STREAMS]);
    return SUCCESS;
}

int cudaDeviceSynchronize(void)
{
    for (int i = 0; i < STREAMS; i++)
        wait_until(busy_until[current][i]);
    return SUCCESS;
}
