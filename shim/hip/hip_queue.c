/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What HIP says of devices and kernels, and its functions that make streams.
 */
#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "device/device.h"
#include "hip/hip_api.h"
#include "hip/hip_parts.h"

enum { TEXT = 128 };

static struct streams_handles handles;

/* ---- devices -------------------------------------------------------------- */

static uint32_t ask_number(int32_t attribute, int32_t device)
{
    typedef int32_t (*asker)(int32_t *, int32_t, int32_t);
    asker ask = (asker)hip_real.hipDeviceGetAttribute;
    int32_t value = 0;

    return ask && ask(&value, attribute, device) == HIP_SUCCEEDED && value > 0 ? (uint32_t)value
                                                                               : 0;
}

static uint64_t ask_memory(int32_t device)
{
    typedef int32_t (*asker)(size_t *, int32_t);
    asker ask = (asker)hip_real.hipDeviceTotalMem;
    size_t bytes = 0;

    return ask && ask(&bytes, device) == HIP_SUCCEEDED ? bytes : 0;
}

static void ask_name_of_device(int32_t device, char text[TEXT])
{
    typedef int32_t (*asker)(char *, int32_t, int32_t);
    asker ask = (asker)hip_real.hipDeviceGetName;

    if (!ask || ask(text, TEXT, device) != HIP_SUCCEEDED)
        text[0] = '\0';
}

/* As rocm-smi writes it: AMD's devices have digits for the bytes. */
static void ask_identity(int32_t device, char text[TEXT])
{
    typedef int32_t (*asker)(unsigned char *, int32_t);
    static const char prefix[] = "GPU-";
    asker ask = (asker)hip_real.hipDeviceGetUuid;
    unsigned char uuid[DEVICE_UUID_SIZE];
    unsigned digits = 0;

    text[0] = '\0';
    if (!ask || ask(uuid, device) != HIP_SUCCEEDED)
        return;
    while (digits < DEVICE_UUID_SIZE && isxdigit(uuid[digits]))
        digits++;
    memcpy(text, prefix, sizeof prefix);
    if (digits < DEVICE_UUID_SIZE)
        device_write_uuid(text + strlen(prefix), uuid);
    else
        snprintf(text + strlen(prefix), TEXT - sizeof prefix, "%.*s", (int)sizeof uuid,
                 (const char *)uuid);
}

/* As hipDriverGetVersion has it: 60342134 is 6.3.42134. */
static void ask_version(char text[TEXT])
{
    typedef int32_t (*asker)(int32_t *);
    asker ask = (asker)hip_real.hipDriverGetVersion;
    int32_t version = 0;

    text[0] = '\0';
    if (ask && ask(&version) == HIP_SUCCEEDED)
        snprintf(text, TEXT, "HIP %d.%d.%d", version / 10000000, version / 100000 % 100,
                 version % 100000);
}

static REALIGNED uint32_t learn_device(int32_t ordinal, const void *handle)
{
    struct device_description description = {
        .fact = {.api = TRACE_DEVICE_API_HIP,
                 .kind = TRACE_DEVICE_GPU,
                 .flags = TRACE_DEVICE_UNQUEUED | TRACE_DEVICE_UNTIMED,
                 .resolution_ns = 1},
        .maker = "AMD"};
    char name[TEXT], version[TEXT], identity[TEXT];

    ask_name_of_device(ordinal, name);
    ask_version(version);
    ask_identity(ordinal, identity);
    description.fact.memory_bytes = ask_memory(ordinal);
    description.fact.units = ask_number(HIP_MULTIPROCESSORS, ordinal);
    description.fact.clock_mhz = ask_number(HIP_CLOCK_KHZ, ordinal) / 1000;
    if (ask_number(HIP_IS_INTEGRATED, ordinal) != 0)
        description.fact.flags |= TRACE_DEVICE_SHARES_MEMORY;
    description.name = name;
    description.driver = version;
    description.identity = identity;
    return device_add(handle, &description);
}

static int32_t present_device(void)
{
    typedef int32_t (*asker)(int32_t *);
    asker ask = (asker)hip_real.hipGetDevice;
    int32_t device = -1;

    return ask && ask(&device) == HIP_SUCCEEDED ? device : -1;
}

/* ---- names ---------------------------------------------------------------- */

static const char *ask_name(const void *function, bool is_of_driver)
{
    typedef const char *(*driver_asker)(const void *);
    typedef const char *(*asker)(const void *, const void *);

    if (is_of_driver)
        return hip_real.hipKernelNameRef ? ((driver_asker)hip_real.hipKernelNameRef)(function)
                                         : NULL;
    return hip_real.hipKernelNameRefByPtr ? ((asker)hip_real.hipKernelNameRefByPtr)(function, NULL)
                                          : NULL;
}

const struct streams hip_streams = {
    .handles = &handles, .present = present_device, .learn = learn_device, .name = ask_name};

/* ---- streams -------------------------------------------------------------- */

static int32_t note_stream(int32_t status, void *const *stream)
{
    return streams_note(&hip_streams, status, stream);
}

int32_t hip_stream_create(void **stream)
{
    typedef int32_t (*creator)(void **);

    return note_stream(((creator)hip_real.hipStreamCreate)(stream), stream);
}

int32_t hip_stream_create_with_flags(void **stream, uint32_t flags)
{
    typedef int32_t (*creator)(void **, uint32_t);

    return note_stream(((creator)hip_real.hipStreamCreateWithFlags)(stream, flags), stream);
}

int32_t hip_stream_create_with_priority(void **stream, uint32_t flags, int32_t priority)
{
    typedef int32_t (*creator)(void **, uint32_t, int32_t);
    creator real = (creator)hip_real.hipStreamCreateWithPriority;

    return note_stream(real(stream, flags, priority), stream);
}

int32_t hip_stream_create_with_mask(void **stream, uint32_t size, const uint32_t *mask)
{
    typedef int32_t (*creator)(void **, uint32_t, const uint32_t *);
    creator real = (creator)hip_real.hipExtStreamCreateWithCUMask;

    return note_stream(real(stream, size, mask), stream);
}
