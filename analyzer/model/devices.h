/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Devices from facts, cells and events to a session.
 */
#ifndef MODEL_DEVICES_H
#define MODEL_DEVICES_H

#include "model/session_devices.h"

struct facts;
struct session;

void devices_init(struct session_devices *devices);
void devices_fini(struct session_devices *devices);

/* Find a device or a queue by the id of its fact.  Returns: its index; SESSION_NONE. */
uint32_t devices_find(const struct session_devices *devices, uint32_t id);
uint32_t devices_find_queue(const struct session_devices *devices, uint32_t id);

/* Join the clocks, after all events were read, and move the times of commands to the session's
 * clock.  In a window, leave out commands outside of it, and count sums from the records inside. */
void devices_settle(struct session *session);

#endif
