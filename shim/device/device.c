/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of devices and queues.  Runs in the program's calls that make a queue, and for the
 * facts.
 */
#include "device/device.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "device/blocks.h"
#include "device/state.h"
#include "device/handles.h"
#include "device/pending.h"
#include "platform/memory.h"
#include "record/facts.h"
#include "record/lane.h"

enum { TEXTS = 4, TEXT_SIZE = 256, QUEUE_NAME = 48 };

struct device_row {
    struct trace_device fact;
    const void *handle;
    uint32_t text_size;
    char texts[TEXT_SIZE]; /* TEXTS of them, each with its zero byte */
};

struct queue_row {
    struct trace_queue fact;
    struct trace_queue *written; /* its copy in this process's trace */
    char name[QUEUE_NAME];
};

static struct device_row *devices;
static struct queue_row *queues;
static atomic_uint device_count, queue_count; /* of complete rows */

bool device_init(void)
{
    if (device_state)
        return true;
    if (!devices)
        devices = memory_map(DEVICES_MAX * sizeof *devices);
    if (!queues)
        queues = memory_map(DEVICE_QUEUES_MAX * sizeof *queues);
    return devices && queues && handles_init() && blocks_init() && pending_init() && state_init();
}

static unsigned count_devices(void)
{
    return atomic_load_explicit(&device_count, memory_order_acquire);
}

uint32_t device_find(const void *handle)
{
    for (unsigned i = 0; i < count_devices(); i++)
        if (devices[i].handle == handle)
            return i + 1;
    return 0;
}

static void add_text(struct device_row *row, const char *text)
{
    size_t room = TEXT_SIZE / TEXTS, size = text ? strnlen(text, room - 1) : 0;

    if (size > 0)
        memcpy(row->texts + row->text_size, text, size);
    row->texts[row->text_size + size] = '\0';
    row->text_size += (uint32_t)size + 1;
}

static uint32_t add_device(const void *handle, const struct device_description *description)
{
    unsigned count = count_devices();
    struct device_row *row = &devices[count];

    if (device_find(handle) != 0 || count == DEVICES_MAX)
        return device_find(handle);
    *row = (struct device_row){.fact = description->fact, .handle = handle};
    row->fact.id = count + 1;
    add_text(row, description->name);
    add_text(row, description->maker);
    add_text(row, description->driver);
    add_text(row, description->identity);
    atomic_store_explicit(&device_count, count + 1, memory_order_release);
    return count + 1;
}

/* Rows are numbered while no signal handler of this thread can do the same. */
uint32_t device_add(const void *handle, const struct device_description *description)
{
    int saved_errno = errno;
    struct lane *lane = device_state ? lane_enter() : NULL;
    uint32_t id;

    if (!lane)
        return 0;
    lock_take(&device_state->lock);
    id = add_device(handle, description);
    lock_release(&device_state->lock);
    facts_flush_now();
    lane_leave(lane);
    errno = saved_errno;
    return id;
}

/* The last row stands for all further queues. */
static uint32_t add_queue(uint32_t device, uint32_t flags, const char *name)
{
    unsigned count = atomic_load_explicit(&queue_count, memory_order_acquire);
    struct queue_row *row = &queues[count];

    if (count == DEVICE_QUEUES_MAX)
        return DEVICE_QUEUES_MAX;
    *row = (struct queue_row){.fact = {count + 1, device, flags, 0}};
    if (count + 1 == DEVICE_QUEUES_MAX)
        row->fact.flags |= TRACE_QUEUE_REST;
    if (name)
        memcpy(row->name, name, strnlen(name, QUEUE_NAME - 1));
    atomic_store_explicit(&queue_count, count + 1, memory_order_release);
    return count + 1;
}

uint32_t device_add_queue(const void *handle, uint32_t device, uint32_t flags, const char *name)
{
    int saved_errno = errno;
    struct lane *lane = device_state && device != 0 ? lane_enter() : NULL;
    uint32_t id;

    if (!lane)
        return 0;
    lock_take(&device_state->lock);
    id = add_queue(device, flags, name);
    lock_release(&device_state->lock);
    handles_set(handle, HANDLES_QUEUE, id);
    facts_flush_now();
    lane_leave(lane);
    errno = saved_errno;
    return id;
}

/* A forked child finds no handle: it must not use what its parent made. */
uint32_t device_find_queue(const void *handle)
{
    return (uint32_t)handles_find(handle, HANDLES_QUEUE);
}

const struct trace_queue *device_queue_at(uint32_t id)
{
    return &queues[id - 1].fact;
}

const struct trace_device *device_at(uint32_t id)
{
    return &devices[id - 1].fact;
}

/* It is the last of the texts. */
const char *device_identity(uint32_t id)
{
    const struct device_row *row = &devices[id - 1];
    const char *text = row->texts;

    for (unsigned i = 0; i < TEXTS - 1; i++)
        text += strlen(text) + 1;
    return text;
}

uint32_t device_count_known(void)
{
    return count_devices();
}

void device_set_queue_flags(uint32_t id, uint32_t flags)
{
    struct queue_row *row = &queues[id - 1];

    row->fact.flags |= flags;
    if (row->written)
        row->written->flags |= flags;
}

static bool write_device(unsigned index)
{
    const struct device_row *row = &devices[index];

    return facts_write(TRACE_FACT_DEVICE, &row->fact, sizeof row->fact, row->texts, row->text_size);
}

static bool write_queue(unsigned index)
{
    struct queue_row *row = &queues[index];

    row->written =
        facts_write(TRACE_FACT_QUEUE, &row->fact, sizeof row->fact, row->name, strlen(row->name));
    return row->written;
}

bool device_write_facts(unsigned *written)
{
    return facts_write_list(written, count_devices(), write_device);
}

bool device_write_queues(unsigned *written)
{
    return facts_write_list(written, atomic_load_explicit(&queue_count, memory_order_acquire),
                            write_queue);
}

void device_write_uuid(char text[DEVICE_UUID_TEXT], const unsigned char uuid[DEVICE_UUID_SIZE])
{
    static const char digits[] = "0123456789abcdef";
    char *to = text;

    for (unsigned i = 0; i < DEVICE_UUID_SIZE; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            *to++ = '-';
        *to++ = digits[uuid[i] >> 4];
        *to++ = digits[uuid[i] & 15];
    }
    *to = '\0';
}
