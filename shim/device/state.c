/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Takes memory for the state, under the lock of hook.c.
 */
#include "device/state.h"

#include <stddef.h>

#include "platform/memory.h"

struct device_state *device_state;

bool state_init(void)
{
    if (!device_state)
        device_state = memory_map_wiped(sizeof *device_state);
    return device_state != NULL;
}
