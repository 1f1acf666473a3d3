/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Facts of devices, of their queues and their memory.
 */
#include "model/facts_parts.h"

#include <string.h>

#include "model/devices.h"
#include "model/session.h"
#include "model/session_unknown.h"

/* More are damage. */
enum { DEVICES_MOST = 1024, QUEUES_MOST = 65536 };

/* Take a text with its zero byte off a payload. */
static const char *take_text(struct facts *facts, struct facts_payload *payload)
{
    size_t size = strnlen(payload->bytes, payload->size);
    const char *text = facts_keep(facts, (struct facts_payload){payload->bytes, size});

    size += size < payload->size;
    payload->bytes += size;
    payload->size -= size;
    return text;
}

enum status facts_read_device(struct facts *facts, struct facts_payload payload)
{
    struct array *devices = &facts->session->devices.devices;
    struct trace_device head;

    if (!facts_take(&payload, &head, sizeof head) || head.kind >= TRACE_DEVICE_KINDS ||
        head.api >= TRACE_DEVICE_APIS || devices->count == DEVICES_MOST) {
        facts_skip(facts);
        return STATUS_OK;
    }
    struct session_device *device = array_add(devices);
    device->fact = head;
    device->error_ns = SESSION_UNKNOWN;
    device->name = take_text(facts, &payload);
    device->maker = take_text(facts, &payload);
    device->driver = take_text(facts, &payload);
    device->identity = take_text(facts, &payload);
    return STATUS_OK;
}

/* Its device is written before it. */
enum status facts_read_queue(struct facts *facts, struct facts_payload payload)
{
    struct session_devices *devices = &facts->session->devices;
    struct trace_queue head;
    uint32_t device = SESSION_NONE;

    if (facts_take(&payload, &head, sizeof head) && devices->queues.count < QUEUES_MOST)
        device = devices_find(devices, head.device);
    if (device == SESSION_NONE) {
        facts_skip(facts);
        return STATUS_OK;
    }
    struct session_queue *queue = array_add(&devices->queues);
    *queue = (struct session_queue){head, device, facts_keep(facts, payload)};
    return STATUS_OK;
}

enum status facts_read_device_memory(struct facts *facts, struct facts_payload payload)
{
    struct session_devices *devices = &facts->session->devices;
    struct trace_device_memory head;
    uint32_t device = SESSION_NONE;

    if (facts_take(&payload, &head, sizeof head) && head.place < TRACE_DEVICE_PLACES)
        device = devices_find(devices, head.device);
    if (device == SESSION_NONE) {
        facts_skip(facts);
        return STATUS_OK;
    }
    struct session_device_memory *memory = array_add(&devices->memory);
    *memory = (struct session_device_memory){head, device, SESSION_UNKNOWN};
    return STATUS_OK;
}
