/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The place of a call that asked for a device's work or memory, as evidence.
 */
#ifndef FINDINGS_DEVICE_PLACE_H
#define FINDINGS_DEVICE_PLACE_H

#include <stdint.h>

#include "base/text.h"

struct findings_context;

/* Append the place of a call; nothing for SESSION_NONE, or outside of the program's own code. */
void device_place_say(struct text *text, const struct findings_context *context, uint32_t chain);

#endif
