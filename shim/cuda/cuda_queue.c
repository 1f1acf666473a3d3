/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What CUDA says of devices and kernels, and its functions that make streams.
 */
#include "cuda/cuda_parts.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cuda/cuda_readings.h"
#include "device/device.h"
#include "spec/trace.h"

enum { TEXT = 128 };

static struct streams_handles handles;

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

static REALIGNED uint32_t learn_device(int32_t ordinal, const void *handle)
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
    return device_add(handle, &description);
}

static int32_t present_device(void)
{
    typedef int32_t (*asker)(int32_t *);
    asker ask =
        (asker)(cuda_real.cudaGetDevice ? cuda_real.cudaGetDevice : cuda_real.cuCtxGetDevice);
    int32_t device = -1;

    return ask && ask(&device) == CUDA_SUCCEEDED ? device : -1;
}

/* ---- names ---------------------------------------------------------------- */

static const char *ask_name(const void *function, bool is_of_driver)
{
    typedef int32_t (*asker)(const char **, const void *);
    asker ask = (asker)(is_of_driver ? cuda_real.cuFuncGetName : cuda_real.cudaFuncGetName);
    const char *name = NULL;

    return ask && ask(&name, function) == CUDA_SUCCEEDED ? name : NULL;
}

const struct streams cuda_streams = {.handles = &handles,
                                     .present = present_device,
                                     .learn = learn_device,
                                     .name = ask_name,
                                     .begin = cuda_times_look,
                                     .are_timed = cuda_times_are_had,
                                     .expect = cuda_times_expect,
                                     .settle = cuda_times_settle,
                                     .end = cuda_readings_look};

/* ---- streams -------------------------------------------------------------- */

static int32_t note_stream(int32_t status, void *const *stream)
{
    return streams_note(&cuda_streams, status, stream);
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
