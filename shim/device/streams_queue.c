/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Devices, streams and kernels of interfaces with streams, by their numbers and handles.
 *
 * Called in the thread of the program, from its wrappers, and by readers of times.
 */
#include "device/streams.h"

#include <stddef.h>

#include "device/device.h"
#include "device/handles.h"
#include "platform/attributes.h"
#include "record/strings.h"

/* ---- devices -------------------------------------------------------------- */

uint32_t streams_device_at(const struct streams *api, uint32_t ordinal)
{
    const void *handle = ordinal < DEVICES_MAX ? &api->handles->devices[ordinal] : NULL;
    uint32_t id = handle ? device_find(handle) : 0;

    return LIKELY(id != 0) || !handle ? id : api->learn((int32_t)ordinal, handle);
}

/* Returns: -1 when the thread has none. */
static int32_t present(const struct streams *api)
{
    int32_t device = api->present();

    return device < DEVICES_MAX ? device : -1;
}

uint32_t streams_device(const struct streams *api)
{
    int32_t device = present(api);

    return device < 0 ? 0 : streams_device_at(api, (uint32_t)device);
}

/* ---- streams -------------------------------------------------------------- */

static const void *handle_of(const struct streams *api, const void *stream, int32_t device)
{
    uintptr_t number = (uintptr_t)stream;

    return number < STREAMS_WITHOUT_OBJECTS ? &api->handles->defaults[device][number] : stream;
}

static const char *name_of(const void *stream)
{
    static const char *const names[] = {[STREAMS_DEFAULT] = "default stream",
                                        [STREAMS_LEGACY] = "legacy default stream",
                                        [STREAMS_PER_THREAD] = "default stream of a thread"};
    uintptr_t number = (uintptr_t)stream;

    return number < STREAMS_WITHOUT_OBJECTS ? names[number] : NULL;
}

uint32_t streams_queue(const struct streams *api, const void *stream)
{
    int32_t device = present(api);
    const void *handle;
    uint32_t id;

    if (device < 0)
        return 0;
    handle = handle_of(api, stream, device);
    id = device_find_queue(handle);
    return LIKELY(id != 0) ? id
                           : device_add_queue(handle, streams_device_at(api, (uint32_t)device), 0,
                                              name_of(stream));
}

int32_t streams_note(const struct streams *api, int32_t status, void *const *stream)
{
    if (status == 0)
        device_add_queue(*stream, streams_device(api), 0, NULL);
    return status;
}

/* ---- names ---------------------------------------------------------------- */

static COLD uint32_t remember(const void *function, const char *name)
{
    uint32_t id = strings_intern(name);

    handles_set(function, HANDLES_NAME, id);
    return id;
}

static REALIGNED uint32_t learn_name(const struct streams *api, const void *function,
                                     bool is_of_driver)
{
    const char *name = api->name(function, is_of_driver);

    return name ? remember(function, name) : 0;
}

uint32_t streams_kernel(const struct streams *api, const void *function, bool is_of_driver)
{
    uint32_t id = (uint32_t)handles_find(function, HANDLES_NAME);

    return LIKELY(id != 0) ? id : learn_name(api, function, is_of_driver);
}

uint32_t streams_kernel_named(const void *function, const char *name)
{
    uint32_t id = (uint32_t)handles_find(function, HANDLES_NAME);

    return LIKELY(id != 0) ? id : remember(function, name);
}
