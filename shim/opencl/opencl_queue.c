/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Queues with profiling switched on, and the program's view of them.
 *
 * The program sees the properties that it asked for, and gets no times unless it asked for them.
 * If the library refuses to make a queue with profiling, the program gets the queue that it asked
 * for, or the library's refusal.
 */
#include "opencl/opencl_parts.h"

#include <string.h>

#include "device/device.h"
#include "device/pending.h"

enum { PROPERTIES_MAX = 32, QUEUES_KEPT = 64, TEXT = 256 };

/* ---- devices -------------------------------------------------------------- */

static void ask_text(cl_object device, uint32_t name, char text[TEXT])
{
    text[0] = '\0';
    if (!opencl_ask(opencl_real.clGetDeviceInfo, device, name, TEXT, text))
        text[0] = '\0';
    text[TEXT - 1] = '\0';
}

static void ask_identity(cl_object device, char text[TEXT])
{
    unsigned char uuid[DEVICE_UUID_SIZE];

    text[0] = '\0';
    if (opencl_ask(opencl_real.clGetDeviceInfo, device, CL_DEVICE_UUID_KHR, sizeof uuid, uuid))
        device_write_uuid(text, uuid);
}

static enum trace_device_kind kind_of(uint64_t type)
{
    if (type & CL_DEVICE_TYPE_GPU)
        return TRACE_DEVICE_GPU;
    if (type & CL_DEVICE_TYPE_CPU)
        return TRACE_DEVICE_CPU;
    return type & CL_DEVICE_TYPE_ACCELERATOR ? TRACE_DEVICE_ACCELERATOR : TRACE_DEVICE_OTHER;
}

static void ask_numbers(cl_object device, struct trace_device *fact)
{
    void *info = opencl_real.clGetDeviceInfo;
    uint64_t type = 0;
    uint32_t is_unified = 0;
    size_t resolution = 0;

    opencl_ask(info, device, CL_DEVICE_TYPE, sizeof type, &type);
    opencl_ask(info, device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof fact->memory_bytes,
               &fact->memory_bytes);
    opencl_ask(info, device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof fact->units, &fact->units);
    opencl_ask(info, device, CL_DEVICE_MAX_CLOCK_FREQUENCY, sizeof fact->clock_mhz,
               &fact->clock_mhz);
    opencl_ask(info, device, CL_DEVICE_PROFILING_TIMER_RESOLUTION, sizeof resolution, &resolution);
    opencl_ask(info, device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof is_unified, &is_unified);
    fact->kind = (uint16_t)kind_of(type);
    fact->resolution_ns = (uint32_t)resolution;
    fact->flags = is_unified ? TRACE_DEVICE_SHARES_MEMORY : 0;
}

static REALIGNED uint32_t learn_device(cl_object device)
{
    struct device_description description = {.fact = {.api = TRACE_DEVICE_API_OPENCL}};
    char name[TEXT], maker[TEXT], driver[TEXT], identity[TEXT];

    ask_numbers(device, &description.fact);
    ask_text(device, CL_DEVICE_NAME, name);
    ask_text(device, CL_DEVICE_VENDOR, maker);
    ask_text(device, CL_DRIVER_VERSION, driver);
    ask_identity(device, identity);
    description.name = name;
    description.maker = maker;
    description.driver = driver;
    description.identity = identity;
    return device_add(device, &description);
}

uint32_t opencl_device_id(cl_object device)
{
    uint32_t id = device ? device_find(device) : 0;

    return id != 0 || !device ? id : learn_device(device);
}

uint32_t opencl_context_device(cl_object context)
{
    cl_object devices[DEVICES_MAX] = {NULL};

    opencl_ask(opencl_real.clGetContextInfo, context, CL_CONTEXT_DEVICES, sizeof devices, devices);
    return opencl_device_id(devices[0]);
}

/* ---- the properties of a queue -------------------------------------------- */

/* A list of pairs that ends with a zero. */
struct properties {
    uint64_t words[PROPERTIES_MAX];
    unsigned count; /* with the zero; 0: there are too many */
};

/* The lists that programs gave: clGetCommandQueueInfo returns them. */
static struct kept {
    cl_object queue;
    struct properties properties;
} kept[QUEUES_KEPT];
static unsigned kept_next;

static void keep_list(cl_object queue, const struct properties *properties)
{
    struct kept *place = &kept[__atomic_fetch_add(&kept_next, 1, __ATOMIC_RELAXED) % QUEUES_KEPT];

    place->queue = NULL;
    place->properties = *properties;
    place->queue = queue;
}

static const struct properties *find_list(cl_object queue)
{
    for (unsigned i = 0; i < QUEUES_KEPT; i++)
        if (kept[i].queue == queue)
            return &kept[i].properties;
    return NULL;
}

static struct properties copy_list(const uint64_t *list)
{
    struct properties copy = {.count = 0};
    unsigned count = 0;

    while (list && list[count] != 0)
        count += 2;
    if (!list || count + 3 > PROPERTIES_MAX)
        return copy;
    memcpy(copy.words, list, count * sizeof *list);
    copy.count = count + 1;
    return copy;
}

static uint64_t find_flags(const struct properties *properties)
{
    for (unsigned i = 0; i + 1 < properties->count; i += 2)
        if (properties->words[i] == CL_QUEUE_PROPERTIES)
            return properties->words[i + 1];
    return 0;
}

/* The same list with profiling. */
static struct properties add_profiling(const struct properties *properties)
{
    struct properties with = *properties;
    unsigned end = with.count == 0 ? 0 : with.count - 1;

    for (unsigned i = 0; i < end; i += 2)
        if (with.words[i] == CL_QUEUE_PROPERTIES) {
            with.words[i + 1] |= CL_QUEUE_PROFILING;
            return with;
        }
    with.words[end] = CL_QUEUE_PROPERTIES;
    with.words[end + 1] = CL_QUEUE_PROFILING;
    with.words[end + 2] = 0;
    with.count = end + 3;
    return with;
}

static uint32_t flags_of(uint64_t asked, bool has_times)
{
    return (asked & CL_QUEUE_OUT_OF_ORDER ? TRACE_QUEUE_UNORDERED : 0) |
           (asked & CL_QUEUE_PROFILING ? TRACE_QUEUE_PROFILES : 0) |
           (has_times ? 0 : TRACE_QUEUE_UNTIMED);
}

static void note_queue(cl_object queue, cl_object device, uint32_t flags)
{
    if (queue)
        device_add_queue(queue, opencl_device_id(device), flags, NULL);
}

/* ---- making a queue ------------------------------------------------------- */

typedef cl_object (*maker)(cl_object context, cl_object device, uint64_t properties,
                           int32_t *error);
typedef cl_object (*list_maker)(cl_object context, cl_object device, const uint64_t *properties,
                                int32_t *error);

cl_object opencl_create_queue(cl_object context, cl_object device, uint64_t properties,
                              int32_t *error)
{
    maker real = (maker)opencl_real.clCreateCommandQueue;
    cl_object queue = real(context, device, properties | CL_QUEUE_PROFILING, error);
    bool has_times = queue != NULL;

    if (!queue)
        queue = real(context, device, properties, error);
    note_queue(queue, device, flags_of(properties, has_times));
    return queue;
}

/* A queue on the device is filled by its own kernels: there are no calls to record. */
cl_object opencl_create_queue_with_properties(cl_object context, cl_object device,
                                              const uint64_t *list, int32_t *error)
{
    list_maker real = (list_maker)opencl_real.clCreateCommandQueueWithProperties;
    const struct properties asked = copy_list(list), with = add_profiling(&asked);
    uint64_t flags = find_flags(&asked);
    bool is_meant = (!list || asked.count > 0) && !(flags & CL_QUEUE_ON_DEVICE);
    cl_object queue = is_meant ? real(context, device, with.words, error) : NULL;
    bool has_times = queue != NULL;

    if (!queue)
        queue = real(context, device, list, error);
    note_queue(queue, device, flags_of(flags, has_times));
    if (has_times)
        keep_list(queue, &asked);
    return queue;
}

/* A queue that was made where no slot leads here. */
static REALIGNED uint32_t learn_queue(cl_object queue)
{
    void *info = opencl_real.clGetCommandQueueInfo;
    cl_object device = NULL;
    uint64_t flags = 0;

    if (!opencl_ask(info, queue, CL_QUEUE_DEVICE, sizeof device, &device))
        return 0;
    opencl_ask(info, queue, CL_QUEUE_PROPERTIES, sizeof flags, &flags);
    return device_add_queue(queue, opencl_device_id(device),
                            flags_of(flags, flags & CL_QUEUE_PROFILING), NULL);
}

uint32_t opencl_queue_id(cl_object queue)
{
    uint32_t id = device_find_queue(queue);

    return LIKELY(id != 0) || !queue ? id : learn_queue(queue);
}

/* Its commands may have ended: nobody looks at them later. */
int32_t opencl_release_queue(cl_object queue)
{
    pending_look_all();
    return ((int32_t(*)(cl_object))opencl_real.clReleaseCommandQueue)(queue);
}

/* ---- the view of the program --------------------------------------------- */

/* Profiling was switched on by the shim alone. */
static bool is_ours(cl_object queue)
{
    uint32_t id = device_find_queue(queue);

    return id != 0 && !(device_queue_at(id)->flags & (TRACE_QUEUE_PROFILES | TRACE_QUEUE_UNTIMED));
}

static int32_t tell_list(const struct properties *properties, size_t size, void *value,
                         size_t *value_size)
{
    size_t needed = properties->count * sizeof *properties->words;

    if (value && size < needed)
        return CL_INVALID_VALUE;
    if (value)
        memcpy(value, properties->words, needed);
    if (value_size)
        *value_size = needed;
    return CL_SUCCESS;
}

int32_t opencl_get_queue_info(cl_object queue, uint32_t name, size_t size, void *value,
                              size_t *value_size)
{
    int32_t result =
        ((cl_info)opencl_real.clGetCommandQueueInfo)(queue, name, size, value, value_size);
    const struct properties *properties;

    if (!is_ours(queue))
        return result;
    properties = name == CL_QUEUE_PROPERTIES_ARRAY ? find_list(queue) : NULL;
    if (properties && (result == CL_SUCCESS || value))
        return tell_list(properties, size, value, value_size);
    if (result == CL_SUCCESS && name == CL_QUEUE_PROPERTIES && value)
        *(uint64_t *)value &= ~(uint64_t)CL_QUEUE_PROFILING;
    return result;
}

/* OpenCL 1.0 alone has this function.  Profiling stays on. */
int32_t opencl_set_queue_property(cl_object queue, uint64_t properties, uint32_t enable,
                                  uint64_t *old)
{
    typedef int32_t (*setter)(cl_object, uint64_t, uint32_t, uint64_t *);
    uint64_t passed = enable ? properties : properties & ~(uint64_t)CL_QUEUE_PROFILING;
    int32_t result = ((setter)opencl_real.clSetCommandQueueProperty)(queue, passed, enable, old);

    if (result == CL_SUCCESS && old && is_ours(queue))
        *old &= ~(uint64_t)CL_QUEUE_PROFILING;
    if (result == CL_SUCCESS && enable && properties & CL_QUEUE_PROFILING && is_ours(queue))
        device_set_queue_flags(device_find_queue(queue), TRACE_QUEUE_PROFILES);
    return result;
}

/* What a library says of such a queue, whatever else is asked. */
int32_t opencl_get_profiling_info(cl_object event, uint32_t name, size_t size, void *value,
                                  size_t *value_size)
{
    cl_info real = (cl_info)opencl_real.clGetEventProfilingInfo;
    cl_object queue = NULL;

    opencl_ask(opencl_real.clGetEventInfo, event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue);
    if (queue && is_ours(queue))
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    return real(event, name, size, value, value_size);
}
