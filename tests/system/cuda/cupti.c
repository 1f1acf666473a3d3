/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A stand-in for libcupti.so.13: it hands out records of the commands of libcudart.so.13, in
 * buffers of whoever registered last, as CUPTI does.  The layouts are CUPTI's own.  CUPTI_VERSION
 * is the version that it tells.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

enum { SUCCESS = 0, INVALID_OPERATION = 7, MAX_LIMIT_REACHED = 12, MULTIPLE_SUBSCRIBERS = 39 };
enum { PAGEABLE = 1, PINNED = 2, DEVICE_MEMORY = 3 };
enum { KIND_MEMCPY = 1, KIND_MEMSET = 2, KIND_CONCURRENT_KERNEL = 10, KINDS = 64 };

struct kernel_record {
    uint32_t kind;
    uint8_t cache, shared_memory;
    uint16_t registers;
    uint32_t requested, executed;
    uint64_t start, end, completed;
    uint32_t device, context, stream;
    int32_t grid[3], block[3];
    int32_t static_shared, dynamic_shared;
    uint32_t local_a_thread, local;
    uint32_t correlation;
    int64_t grid_id;
    const char *name;
    void *reserved;
    uint64_t queued, submitted;
    char rest[112];
};

struct copy_record {
    uint32_t kind;
    uint8_t copy_kind, from, to, flags;
    uint64_t bytes, start, end;
    uint32_t device, context, stream, correlation;
    char rest[64];
};

struct fill_record {
    uint32_t kind, value;
    uint64_t bytes, start, end;
    uint32_t device, context, stream, correlation;
    char rest[56];
};

_Static_assert(offsetof(struct kernel_record, name) == 104, "as in cupti_activity.h");
_Static_assert(offsetof(struct kernel_record, submitted) == 128, "as in cupti_activity.h");
_Static_assert(offsetof(struct copy_record, correlation) == 44, "as in cupti_activity.h");
_Static_assert(sizeof(struct kernel_record) == 248, "CUpti_ActivityKernel13");
_Static_assert(sizeof(struct copy_record) == 112, "CUpti_ActivityMemcpy7");
_Static_assert(sizeof(struct fill_record) == 104, "CUpti_ActivityMemset5");

/* CUpti_CallbackData. */
struct call_data {
    uint32_t site;
    const char *function;
    const void *parameters;
    void *result;
    const char *symbol;
    void *context;
    uint32_t context_id;
    uint64_t *data;
    uint32_t correlation;
};

typedef void (*call_back)(void *user, uint32_t domain, uint32_t number, const struct call_data *);
typedef void (*buffer_request)(uint8_t **buffer, size_t *size, size_t *records);
typedef void (*buffer_completed)(void *context, uint32_t stream, uint8_t *buffer, size_t size,
                                 size_t used);

static buffer_request request;
static buffer_completed completed;
static bool is_enabled[KINDS];
static uint8_t *buffer;
static size_t buffer_size, buffer_used;

#ifndef CUPTI_VERSION
#define CUPTI_VERSION 130500
#endif

int cuptiGetVersion(uint32_t *version)
{
    *version = CUPTI_VERSION;
    return SUCCESS;
}

int cuptiGetTimestamp(uint64_t *now)
{
    *now = device_now();
    return SUCCESS;
}

/* ---- calls ----------------------------------------------------------------- */

enum { DRIVER_API = 1, CALLS = 1024 };
static call_back subscribed;
static void *subscribed_user;
static bool is_call_enabled[CALLS];

static void pass_call(uint32_t number, uint32_t site, const void *parameters, const char *symbol,
                      uint32_t correlation)
{
    const struct call_data data = {.site = site,
                                   .parameters = parameters,
                                   .symbol = symbol,
                                   .context_id = 1,
                                   .correlation = correlation};

    if (subscribed && is_call_enabled[number])
        subscribed(subscribed_user, DRIVER_API, number, &data);
}

int cuptiSubscribe(void **subscriber, call_back call, void *user)
{
#ifdef CUPTI_HAS_A_USER
    (void)subscriber, (void)call, (void)user;
    return MULTIPLE_SUBSCRIBERS;
#endif
    if (subscribed)
        return MULTIPLE_SUBSCRIBERS;
    subscribed = call;
    subscribed_user = user;
    *subscriber = &subscribed;
    device_watch_calls(pass_call);
    return SUCCESS;
}

int cuptiUnsubscribe(void *subscriber)
{
    (void)subscriber;
    subscribed = NULL;
    return SUCCESS;
}

int cuptiEnableCallback(uint32_t enable, void *subscriber, uint32_t domain, uint32_t number)
{
    (void)subscriber;
    if (domain == DRIVER_API && number < CALLS)
        is_call_enabled[number] = enable;
    return SUCCESS;
}

/* ---- records --------------------------------------------------------------- */

static void hand_out(void)
{
    uint8_t *full = buffer;

    buffer = NULL;
    if (full)
        completed(NULL, 0, full, buffer_size, buffer_used);
}

static void put(const void *record, size_t size)
{
    size_t records = 0;

    if (buffer && buffer_size - buffer_used < size)
        hand_out();
    if (!buffer) {
        buffer_used = 0;
        request(&buffer, &buffer_size, &records);
    }
    if (!buffer)
        return;
    memcpy(buffer + buffer_used, record, size);
    buffer_used += size;
}

static void put_kernel(const struct command *command)
{
    struct kernel_record record = {.kind = KIND_CONCURRENT_KERNEL,
                                   .start = command->start,
                                   .end = command->end,
                                   .device = command->device,
                                   .context = 1,
                                   .stream = command->stream,
                                   .grid = {(int32_t)command->grid, 1, 1},
                                   .block = {(int32_t)command->block, 1, 1},
                                   .correlation = command->correlation,
                                   .name = command->name};

    put(&record, sizeof record);
}

static void put_copy(const struct command *command)
{
    const uint8_t host = command->is_pageable ? PAGEABLE : PINNED;
    struct copy_record record = {.kind = KIND_MEMCPY,
                                 .copy_kind = (uint8_t)command->copy_kind,
                                 .from = command->copy_kind == 1 ? host : DEVICE_MEMORY,
                                 .to = command->copy_kind == 2 ? host : DEVICE_MEMORY,
                                 .bytes = command->bytes,
                                 .start = command->start,
                                 .end = command->end,
                                 .device = command->device,
                                 .context = 1,
                                 .stream = command->stream,
                                 .correlation = command->correlation};

    put(&record, sizeof record);
}

static void put_fill(const struct command *command)
{
    struct fill_record record = {.kind = KIND_MEMSET,
                                 .bytes = command->bytes,
                                 .start = command->start,
                                 .end = command->end,
                                 .device = command->device,
                                 .context = 1,
                                 .stream = command->stream,
                                 .correlation = command->correlation};

    put(&record, sizeof record);
}

static void watch(const struct command *command)
{
    if (command->kind == COMMAND_KERNEL && is_enabled[KIND_CONCURRENT_KERNEL])
        put_kernel(command);
    if (command->kind == COMMAND_COPY && is_enabled[KIND_MEMCPY])
        put_copy(command);
    if (command->kind == COMMAND_FILL && is_enabled[KIND_MEMSET])
        put_fill(command);
}

int cuptiActivityRegisterCallbacks(buffer_request asks, buffer_completed takes)
{
    request = asks;
    completed = takes;
    return SUCCESS;
}

int cuptiActivityEnable(uint32_t kind)
{
    if (kind < KINDS)
        is_enabled[kind] = true;
    device_watch(watch);
    return SUCCESS;
}

int cuptiActivityDisable(uint32_t kind)
{
    if (kind < KINDS)
        is_enabled[kind] = false;
    return SUCCESS;
}

int cuptiActivityFlushAll(uint32_t flags)
{
    (void)flags;
    if (!completed)
        return INVALID_OPERATION;
    device_flush();
    hand_out();
    return SUCCESS;
}

static size_t record_size(uint32_t kind)
{
    return kind == KIND_CONCURRENT_KERNEL ? sizeof(struct kernel_record)
           : kind == KIND_MEMCPY          ? sizeof(struct copy_record)
                                          : sizeof(struct fill_record);
}

int cuptiActivityGetNextRecord(uint8_t *from, size_t used, uint32_t **record)
{
    uint8_t *next = *record ? (uint8_t *)*record + record_size(**record) : from;

    if (next >= from + used)
        return MAX_LIMIT_REACHED;
    *record = (uint32_t *)next;
    return SUCCESS;
}

int cuptiActivityGetNumDroppedRecords(void *context, uint32_t stream, size_t *dropped)
{
    (void)context;
    (void)stream;
    *dropped = 0;
    return SUCCESS;
}
