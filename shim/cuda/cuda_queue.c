/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Devices, streams, and the names of kernels.
 *
 * A thread has a present device.  The default stream is no object: each device has one.
 */
#include "cuda/cuda_parts.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "device/device.h"
#include "device/handles.h"
#include "record/strings.h"
#include "spec/trace.h"

enum { TEXT = 128, STREAMS_WITHOUT_OBJECTS = 3 };

/* The numbers of devices and of their default streams have addresses, as handles need.  They are as
 * far apart as objects, because the table of handles leaves out the lowest bits. */
static uint64_t device_handles[DEVICES_MAX];
static uint64_t default_streams[DEVICES_MAX][STREAMS_WITHOUT_OBJECTS];

/* ---- devices -------------------------------------------------------------- */

/* The driver's own questions; a program that links the runtime into itself has loaded it, too. */
static bool has_driver(void)
{
    return cuda_real.cuDeviceGet && cuda_real.cuDeviceGetName && cuda_real.cuDeviceTotalMem_v2 &&
           cuda_real.cuDeviceGetAttribute;
}

static uint32_t ask_number(int32_t attribute, int32_t device)
{
    typedef int32_t (*asker)(int32_t *, int32_t, int32_t);
    int32_t value = 0;

    return ((asker)cuda_real.cuDeviceGetAttribute)(&value, attribute, device) == CUDA_SUCCEEDED &&
                   value > 0
               ? (uint32_t)value
               : 0;
}

/* As nvidia-smi writes it. */
static void ask_identity(int32_t device, char text[TEXT])
{
    typedef int32_t (*asker)(unsigned char *, int32_t);
    static const char prefix[] = "GPU-";
    asker ask = (asker)cuda_real.cuDeviceGetUuid;
    unsigned char uuid[DEVICE_UUID_SIZE];

    text[0] = '\0';
    if (!ask || ask(uuid, device) != CUDA_SUCCEEDED)
        return;
    memcpy(text, prefix, sizeof prefix);
    device_write_uuid(text + strlen(prefix), uuid);
}

static void ask_version(char text[TEXT])
{
    typedef int32_t (*asker)(int32_t *);
    asker ask = (asker)cuda_real.cuDriverGetVersion;
    int32_t version = 0;

    text[0] = '\0';
    if (ask && ask(&version) == CUDA_SUCCEEDED)
        snprintf(text, TEXT, "CUDA %d.%d", version / 1000, version % 1000 / 10);
}

/* What the driver says of a device. */
static void ask_device(int32_t device, struct device_description *description, char texts[3][TEXT])
{
    typedef int32_t (*memory_asker)(size_t *, int32_t);
    typedef int32_t (*name_asker)(char *, int32_t, int32_t);
    size_t bytes = 0;

    ((memory_asker)cuda_real.cuDeviceTotalMem_v2)(&bytes, device);
    ((name_asker)cuda_real.cuDeviceGetName)(texts[0], TEXT, device);
    ask_version(texts[1]);
    ask_identity(device, texts[2]);
    description->fact.memory_bytes = bytes;
    description->fact.units = ask_number(CUDA_MULTIPROCESSORS, device);
    description->fact.clock_mhz = ask_number(CUDA_CLOCK_KHZ, device) / 1000;
    if (ask_number(CUDA_IS_INTEGRATED, device) != 0)
        description->fact.flags |= TRACE_DEVICE_SHARES_MEMORY;
    description->name = texts[0];
    description->driver = texts[1];
    description->identity = texts[2];
}

static REALIGNED uint32_t learn_device(int32_t ordinal)
{
    struct device_description description = {.fact = {.api = TRACE_DEVICE_API_CUDA,
                                                      .kind = TRACE_DEVICE_GPU,
                                                      .flags = TRACE_DEVICE_UNQUEUED,
                                                      .resolution_ns = 1},
                                             .maker = "NVIDIA"};
    char texts[3][TEXT] = {"", "", ""};
    typedef int32_t (*getter)(int32_t *, int32_t);
    int32_t device;

    if (!cuda_times_are_had())
        description.fact.flags |= TRACE_DEVICE_UNTIMED;
    if (has_driver() && ((getter)cuda_real.cuDeviceGet)(&device, ordinal) == CUDA_SUCCEEDED)
        ask_device(device, &description, texts);
    return device_add(&device_handles[ordinal], &description);
}

/* Returns: -1 when the thread has none. */
static int32_t present_device(void)
{
    typedef int32_t (*asker)(int32_t *);
    asker ask =
        (asker)(cuda_real.cudaGetDevice ? cuda_real.cudaGetDevice : cuda_real.cuCtxGetDevice);
    int32_t device = -1;

    if (!ask || ask(&device) != CUDA_SUCCEEDED || device >= DEVICES_MAX)
        return -1;
    return device;
}

uint32_t cuda_device_at(uint32_t ordinal)
{
    uint32_t id = ordinal < DEVICES_MAX ? device_find(&device_handles[ordinal]) : 0;

    return LIKELY(id != 0) || ordinal >= DEVICES_MAX ? id : learn_device((int32_t)ordinal);
}

uint32_t cuda_device_id(void)
{
    int32_t device = present_device();

    return device < 0 ? 0 : cuda_device_at((uint32_t)device);
}

/* ---- streams -------------------------------------------------------------- */

static const void *handle_of(const void *stream, int32_t device)
{
    uintptr_t number = (uintptr_t)stream;

    return number < STREAMS_WITHOUT_OBJECTS ? &default_streams[device][number] : stream;
}

static const char *name_of(const void *stream)
{
    static const char *const names[] = {[CUDA_STREAM_DEFAULT] = "default stream",
                                        [CUDA_STREAM_LEGACY] = "legacy default stream",
                                        [CUDA_STREAM_PER_THREAD] = "default stream of a thread"};
    uintptr_t number = (uintptr_t)stream;

    return number < STREAMS_WITHOUT_OBJECTS ? names[number] : NULL;
}

uint32_t cuda_queue_id(const void *stream)
{
    int32_t device = present_device();
    const void *handle;
    uint32_t id;

    if (device < 0)
        return 0;
    handle = handle_of(stream, device);
    id = device_find_queue(handle);
    return LIKELY(id != 0)
               ? id
               : device_add_queue(handle, cuda_device_at((uint32_t)device), 0, name_of(stream));
}

/* An earlier stream may have had this handle. */
static int32_t note_stream(int32_t status, void *const *stream)
{
    if (status == CUDA_SUCCEEDED)
        device_add_queue(*stream, cuda_device_id(), 0, NULL);
    return status;
}

int32_t cuda_stream_create(void **stream)
{
    typedef int32_t (*creator)(void **);

    return note_stream(((creator)cuda_real.cudaStreamCreate)(stream), stream);
}

int32_t cuda_stream_create_with_flags(void **stream, uint32_t flags)
{
    typedef int32_t (*creator)(void **, uint32_t);

    return note_stream(((creator)cuda_real.cudaStreamCreateWithFlags)(stream, flags), stream);
}

int32_t cuda_stream_create_with_priority(void **stream, uint32_t flags, int32_t priority)
{
    typedef int32_t (*creator)(void **, uint32_t, int32_t);
    creator real = (creator)cuda_real.cudaStreamCreateWithPriority;

    return note_stream(real(stream, flags, priority), stream);
}

int32_t cuda_driver_stream_create(void **stream, uint32_t flags)
{
    typedef int32_t (*creator)(void **, uint32_t);

    return note_stream(((creator)cuda_real.cuStreamCreate)(stream, flags), stream);
}

int32_t cuda_driver_stream_create_with_priority(void **stream, uint32_t flags, int32_t priority)
{
    typedef int32_t (*creator)(void **, uint32_t, int32_t);
    creator real = (creator)cuda_real.cuStreamCreateWithPriority;

    return note_stream(real(stream, flags, priority), stream);
}

/* ---- names ---------------------------------------------------------------- */

static COLD uint32_t remember(const void *function, const char *name)
{
    uint32_t id = strings_intern(name);

    handles_set(function, HANDLES_NAME, id);
    return id;
}

static REALIGNED uint32_t learn_name(const void *function, void *get_name)
{
    typedef int32_t (*asker)(const char **, const void *);
    const char *name = NULL;

    if (!get_name || ((asker)get_name)(&name, function) != CUDA_SUCCEEDED || !name)
        return 0;
    return remember(function, name);
}

uint32_t cuda_kernel_name(const void *function, void *get_name)
{
    uint32_t id = (uint32_t)handles_find(function, HANDLES_NAME);

    return LIKELY(id != 0) ? id : learn_name(function, get_name);
}

uint32_t cuda_kernel_named(const void *function, const char *name)
{
    uint32_t id = (uint32_t)handles_find(function, HANDLES_NAME);

    return LIKELY(id != 0) ? id : remember(function, name);
}
