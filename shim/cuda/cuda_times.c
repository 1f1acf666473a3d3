/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The times of commands, from CUPTI's activity records.
 *
 * CUPTI gives every call of the driver a number, its correlation, and tells it to a call-back in
 * the thread of the call; the record of the command has it, too.  So the call-back keeps the
 * number, the wrapper joins it with the command that it recorded, and the record finds the command
 * by it.  A library may ask for commands by functions that no slot leads to, as cuBLAS does: then
 * the call-back itself records the command.
 *
 * CUPTI serves one user.  When the program begins to use it, ours ends, and the commands after that
 * have no times.
 *
 * Records arrive in buffers, in a thread of CUPTI or in that of a call which waited.
 *
 * Source: the documentation in cupti_activity.h and cupti_callbacks.h of CUDA 13.5.
 */
#include "cuda/cuda_times.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#include "cuda/cuda_parts.h"
#include "device/clock_join.h"
#include "device/device.h"
#include "platform/clock.h"
#include "platform/memory.h"
#include "record/facts.h"
#include "record/process.h"
#include "spec/trace.h"
#include "unwind/machine.h"

/* Versions up to CUDA 12 count from 1, later ones are 10000 times the version of CUDA.  Known:
 * CUDA 11.8, 12.9 and 13.5, between which the records only grew. */
enum { VERSION_FIRST = 18, VERSION_LAST_SMALL = 99, VERSION_13 = 130000, VERSION_LAST = 130599 };

enum {
    EXPECTED = 1 << 16,    /* commands whose records are awaited */
    WINDOW = 8,            /* places for one of them */
    BUFFER_SIZE = 1 << 18, /* about a thousand records */
    BUFFERS_KEPT = 16,
    SETTLE_NS = 100000000
};

static struct {
#define CUPTI(name, wrapper) void *name;
#include "cuda/cupti.def"
#undef CUPTI
} real;

/* Functions of the driver that ask for commands, as CUPTI numbers them, and where their parameters
 * have the stream.  Numbers are only ever added. */
static const struct asking {
    uint16_t number;
    uint16_t what;     /* enum trace_command_kind */
    uint16_t function; /* offset of the kernel's function in the structure of parameters */
    uint16_t stream;   /* offset of the stream; 0: the default one */
    uint16_t bytes;    /* offset of the number of bytes; 0: none */
} askings[] = {
    {276, TRACE_COMMAND_TO_DEVICE, 0, 0, 16},    /* cuMemcpyHtoD_v2 */
    {277, TRACE_COMMAND_TO_DEVICE, 0, 24, 16},   /* cuMemcpyHtoDAsync_v2 */
    {278, TRACE_COMMAND_FROM_DEVICE, 0, 0, 16},  /* cuMemcpyDtoH_v2 */
    {279, TRACE_COMMAND_FROM_DEVICE, 0, 24, 16}, /* cuMemcpyDtoHAsync_v2 */
    {280, TRACE_COMMAND_WITHIN, 0, 0, 16},       /* cuMemcpyDtoD_v2 */
    {281, TRACE_COMMAND_WITHIN, 0, 24, 16},      /* cuMemcpyDtoDAsync_v2 */
    {306, TRACE_COMMAND_BETWEEN, 0, 24, 16},     /* cuMemcpyAsync */
    {218, TRACE_COMMAND_FILL, 0, 24, 0},         /* cuMemsetD16Async */
    {216, TRACE_COMMAND_FILL, 0, 24, 16},        /* cuMemsetD8Async */
    {220, TRACE_COMMAND_FILL, 0, 24, 0},         /* cuMemsetD32Async */
    {307, TRACE_COMMAND_KERNEL, 0, 40, 0},       /* cuLaunchKernel */
    {442, TRACE_COMMAND_KERNEL, 0, 40, 0},       /* cuLaunchKernel_ptsz */
    {477, TRACE_COMMAND_KERNEL, 0, 40, 0},       /* cuLaunchCooperativeKernel */
    {652, TRACE_COMMAND_KERNEL, 8, 0, 0},        /* cuLaunchKernelEx */
    {653, TRACE_COMMAND_KERNEL, 8, 0, 0},        /* cuLaunchKernelEx_ptsz */
    {514, TRACE_COMMAND_GRAPH, 0, 8, 0},         /* cuGraphLaunch */
};

/* A command whose record is awaited. */
struct expected {
    _Atomic uint32_t correlation; /* 0: the place is free */
    struct device_asked asked;
};

/* In memory that a fork wipes: a child, which cannot use its parent's CUPTI, finds no owner. */
struct expectations {
    atomic_bool is_own;
    struct expected places[EXPECTED];
};

enum state { UNTRIED, STARTING, HAD, OFF };

static atomic_int state;
static struct expectations *expectations;
static void *subscriber;
static _Atomic uint64_t settled_ticks;
static uint64_t settle_ticks; /* between two questions for records */
static atomic_uint unmatched, without_room;
static atomic_uint told; /* enum trace_device_times */
static _Thread_local uint32_t last_correlation INITIAL_EXEC;

/* Asked at each command, so no system call tells whose process this is. */
static bool is_own(void)
{
    return process_is_recording() &&
           atomic_load_explicit(&expectations->is_own, memory_order_relaxed);
}

bool cuda_times_are_had(void)
{
    return atomic_load_explicit(&state, memory_order_acquire) == HAD && is_own();
}

/* ---- awaited records ------------------------------------------------------ */

static struct expected *place_of(uint32_t correlation, unsigned i)
{
    return &expectations->places[(correlation + i * 64) % EXPECTED];
}

static void expect(uint32_t correlation, const struct device_asked *asked)
{
    for (unsigned i = 0; i < WINDOW; i++) {
        struct expected *place = place_of(correlation, i);

        if (atomic_load_explicit(&place->correlation, memory_order_acquire) != 0)
            continue;
        place->asked = *asked;
        atomic_store_explicit(&place->correlation, correlation, memory_order_release);
        return;
    }
    atomic_fetch_add_explicit(&without_room, 1, memory_order_relaxed);
}

/* Returns: NULL when unknown, as all records of a graph but the first one are. */
static struct expected *find_expected(uint32_t correlation)
{
    for (unsigned i = 0; i < WINDOW; i++) {
        struct expected *place = place_of(correlation, i);

        if (atomic_load_explicit(&place->correlation, memory_order_acquire) == correlation)
            return place;
    }
    return NULL;
}

void cuda_times_expect(const struct device_asked *asked)
{
    if (last_correlation != 0 && asked->cell && cuda_times_are_had())
        expect(last_correlation, asked);
    last_correlation = 0;
}

/* ---- records -------------------------------------------------------------- */

/* The start and the end are those of the device alone. */
static struct device_times times_of(uint64_t start, uint64_t end)
{
    return (struct device_times){
        .queued_ns = start, .submitted_ns = start, .started_ns = start, .ended_ns = end};
}

static void take(uint32_t correlation, struct device_times times)
{
    struct expected *place = find_expected(correlation);

    if (!place) {
        atomic_fetch_add_explicit(&unmatched, 1, memory_order_relaxed);
        return;
    }
    command_time(&place->asked, &times);
    atomic_store_explicit(&place->correlation, 0, memory_order_release);
}

static void take_copy(const struct cupti_copy *copy)
{
    struct device_times times = times_of(copy->start, copy->end);

    times.is_pageable = copy->from == CUPTI_PAGEABLE || copy->to == CUPTI_PAGEABLE;
    take(copy->correlation, times);
}

static void take_record(const uint32_t *record)
{
    const struct cupti_kernel *kernel = (const struct cupti_kernel *)record;
    const struct cupti_fill *fill = (const struct cupti_fill *)record;

    if (*record == CUPTI_KIND_KERNEL)
        take(kernel->correlation, times_of(kernel->start, kernel->end));
    if (*record == CUPTI_KIND_COPY)
        take_copy((const struct cupti_copy *)record);
    if (*record == CUPTI_KIND_FILL)
        take(fill->correlation, times_of(fill->start, fill->end));
}

/* ---- buffers -------------------------------------------------------------- */

static _Atomic(uint8_t *) kept[BUFFERS_KEPT];

static void request_buffer(uint8_t **buffer, size_t *size, size_t *records)
{
    *size = BUFFER_SIZE;
    *records = 0; /* as many as fit */
    for (unsigned i = 0; i < BUFFERS_KEPT; i++) {
        *buffer = atomic_exchange_explicit(&kept[i], NULL, memory_order_acquire);
        if (*buffer)
            return;
    }
    *buffer = memory_map(BUFFER_SIZE);
}

static void keep_buffer(uint8_t *buffer)
{
    for (unsigned i = 0; i < BUFFERS_KEPT; i++) {
        uint8_t *none = NULL;

        if (atomic_compare_exchange_strong(&kept[i], &none, buffer))
            return;
    }
    memory_unmap(buffer, BUFFER_SIZE);
}

static void take_buffer(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t used)
{
    typedef int32_t (*getter)(uint8_t *, size_t, uint32_t **);
    getter next_record = (getter)real.cuptiActivityGetNextRecord;
    uint32_t *record = NULL;

    (void)context;
    (void)stream;
    (void)size;
    while (is_own() && next_record(buffer, used, &record) == CUPTI_SUCCEEDED)
        take_record(record);
    keep_buffer(buffer);
}

/* ---- calls ---------------------------------------------------------------- */

static const struct asking *find_asking(uint32_t number)
{
    for (unsigned i = 0; i < sizeof askings / sizeof *askings; i++)
        if (askings[i].number == number)
            return &askings[i];
    return NULL;
}

static uint64_t parameter(const struct cupti_call *call, uint16_t offset)
{
    return *(const uint64_t *)((const char *)call->parameters + offset);
}

static uint32_t name_of(const struct asking *asking, const struct cupti_call *call)
{
    if (asking->what != TRACE_COMMAND_KERNEL || !call->symbol)
        return 0;
    return streams_kernel_named((const void *)parameter(call, asking->function), call->symbol);
}

/* No wrapper of ours is running: a library asked by a function that no slot leads to. */
static void record_unseen(const struct asking *asking, const struct cupti_call *call)
{
    const struct unwind_state caller = unwind_caller();
    struct device_command command = {
        .queue = streams_queue(
            &cuda_streams, asking->stream ? (const void *)parameter(call, asking->stream) : NULL),
        .what = asking->what,
        .name = name_of(asking, call),
        .bytes = asking->bytes ? parameter(call, asking->bytes) : 0,
    };
    struct device_asked asked;

    command_begin(&command);
    asked = command_end(&command, &caller, true);
    if (asked.cell)
        expect(call->correlation, &asked);
}

static void on_call(void *user, uint32_t domain, uint32_t number, const struct cupti_call *call)
{
    const struct asking *asking = find_asking(number);

    (void)user;
    if (domain != CUPTI_DRIVER_API || !asking || !cuda_times_are_had())
        return;
    if (call->site == CUPTI_ENTER)
        last_correlation = call->correlation;
    else if (streams_depth == 0)
        record_unseen(asking, call);
}

/* ---- start and end -------------------------------------------------------- */

static bool is_known_version(void)
{
    uint32_t version = 0;

    if (!real.cuptiGetVersion ||
        ((int32_t(*)(uint32_t *))real.cuptiGetVersion)(&version) != CUPTI_SUCCEEDED)
        return false;
    return (version >= VERSION_FIRST && version <= VERSION_LAST_SMALL) ||
           (version >= VERSION_13 && version <= VERSION_LAST);
}

static bool is_complete(void)
{
    return real.cuptiGetTimestamp && real.cuptiSubscribe && real.cuptiUnsubscribe &&
           real.cuptiEnableCallback && real.cuptiActivityRegisterCallbacks &&
           real.cuptiActivityEnable && real.cuptiActivityDisable && real.cuptiActivityFlushAll &&
           real.cuptiActivityGetNextRecord;
}

static const uint32_t kinds[] = {CUPTI_KIND_KERNEL, CUPTI_KIND_COPY, CUPTI_KIND_FILL};

static void enable(bool is_on)
{
    typedef int32_t (*call_switch)(uint32_t, void *, uint32_t, uint32_t);
    typedef int32_t (*kind_switch)(uint32_t);
    kind_switch set = (kind_switch)(is_on ? real.cuptiActivityEnable : real.cuptiActivityDisable);

    for (unsigned i = 0; i < sizeof askings / sizeof *askings; i++)
        ((call_switch)real.cuptiEnableCallback)(is_on, subscriber, CUPTI_DRIVER_API,
                                                askings[i].number);
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
        set(kinds[i]);
}

static void note_clock(void)
{
    uint64_t start = clock_read(), now = 0;

    if (((int32_t(*)(uint64_t *))real.cuptiGetTimestamp)(&now) == CUPTI_SUCCEEDED)
        clock_join_note(streams_device(&cuda_streams), start, clock_read(), now);
}

static void flush(uint32_t flags)
{
    note_clock();
    ((int32_t(*)(uint32_t))real.cuptiActivityFlushAll)(flags);
}

/* Runs before the handlers that CUPTI and the runtime registered when they were loaded. */
static void flush_at_exit(void)
{
    if (cuda_times_are_had())
        flush(CUPTI_FLUSH_FORCED);
}

static enum trace_device_times start(void)
{
    typedef int32_t (*subscribing)(void **, void *, void *);
    typedef int32_t (*registering)(void *, void *);

    if (!is_known_version() || !is_complete())
        return TRACE_TIMES_UNKNOWN_VERSION;
    expectations = memory_map_wiped(sizeof *expectations);
    if (expectations)
        atomic_store_explicit(&expectations->is_own, true, memory_order_relaxed);
    if (!expectations ||
        ((subscribing)real.cuptiSubscribe)(&subscriber, (void *)on_call, NULL) != CUPTI_SUCCEEDED)
        return TRACE_TIMES_REFUSED;
    if (((registering)real.cuptiActivityRegisterCallbacks)(
            (void *)request_buffer, (void *)take_buffer) != CUPTI_SUCCEEDED) {
        ((int32_t(*)(void *))real.cuptiUnsubscribe)(subscriber);
        return TRACE_TIMES_REFUSED;
    }
    settle_ticks = clock_ticks_of(SETTLE_NS);
    atexit(flush_at_exit);
    return TRACE_TIMES_HAD;
}

/* By the first thread that comes. */
static REALIGNED void try_to_start(void)
{
    int untried = UNTRIED;

    if (!atomic_compare_exchange_strong(&state, &untried, STARTING))
        return;
    atomic_store(&told, start());
    if (atomic_load(&told) != TRACE_TIMES_HAD) {
        atomic_store(&state, OFF);
        return;
    }
    atomic_store_explicit(&state, HAD, memory_order_release);
    enable(true);
    note_clock();
}

void cuda_times_look(void)
{
    if (UNLIKELY(atomic_load_explicit(&state, memory_order_relaxed) == UNTRIED) &&
        real.cuptiActivityEnable)
        try_to_start();
}

void cuda_times_settle(void)
{
    uint64_t now = clock_read();
    uint64_t last = atomic_load_explicit(&settled_ticks, memory_order_relaxed);

    if (!cuda_times_are_had() || now - last < settle_ticks)
        return;
    if (atomic_compare_exchange_strong(&settled_ticks, &last, now))
        flush(0);
}

/* ---- a program that uses CUPTI -------------------------------------------- */

/* Records that CUPTI has by now are fetched. */
static void give_up(void)
{
    int had = HAD, untried = UNTRIED;

    if (atomic_compare_exchange_strong(&state, &untried, OFF))
        atomic_store(&told, TRACE_TIMES_GIVEN_UP);
    if (!cuda_times_are_had())
        return;
    flush(CUPTI_FLUSH_FORCED);
    if (!atomic_compare_exchange_strong(&state, &had, OFF))
        return;
    atomic_store(&told, TRACE_TIMES_GIVEN_UP);
    enable(false);
    ((int32_t(*)(void *))real.cuptiUnsubscribe)(subscriber);
}

static int32_t pass_subscribe(void **own, void *call, void *user)
{
    typedef int32_t (*subscribing)(void **, void *, void *);

    give_up();
    return ((subscribing)real.cuptiSubscribe)(own, call, user);
}

static int32_t pass_subscribe_v2(void **own, void *call, void *user, void *parameters)
{
    typedef int32_t (*subscribing)(void **, void *, void *, void *);

    give_up();
    return ((subscribing)real.cuptiSubscribe_v2)(own, call, user, parameters);
}

static int32_t pass_register(void *request, void *completed)
{
    typedef int32_t (*registering)(void *, void *);

    give_up();
    return ((registering)real.cuptiActivityRegisterCallbacks)(request, completed);
}

static int32_t pass_enable(uint32_t kind)
{
    give_up();
    return ((int32_t(*)(uint32_t))real.cuptiActivityEnable)(kind);
}

static const struct library_entry entries[] = {
#define CUPTI(name, wrapper) {#name, (void *)(wrapper), &real.name},
#include "cuda/cupti.def"
#undef CUPTI
};

const struct library cupti_library = {.title = "CUPTI",
                                      .sign = "cuptiActivityEnable",
                                      .init = device_init,
                                      .entries = entries,
                                      .count = sizeof entries / sizeof *entries};

/* ---- facts ---------------------------------------------------------------- */

bool cuda_times_write_state(unsigned *written)
{
    return facts_update_number(written, "device_times", atomic_load(&told));
}

bool cuda_times_write_unmatched(unsigned *written)
{
    return facts_update_number(written, "device_times_unmatched", atomic_load(&unmatched));
}

bool cuda_times_write_left_out(unsigned *written)
{
    return facts_update_number(written, "device_times_left_out", atomic_load(&without_room));
}
