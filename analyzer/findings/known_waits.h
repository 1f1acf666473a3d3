/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Waits that KNOWN-WAIT tells, for rules that would tell the same time with less.
 */
#ifndef FINDINGS_KNOWN_WAITS_H
#define FINDINGS_KNOWN_WAITS_H

#include <stdbool.h>
#include <stdint.h>

#include "places/places.h"

/* Ask whether a function of the table waits in this call: its name as in wait_rows, and its chain.
 */
bool known_wait_is(struct places *places, const char *name, uint32_t chain);

#endif
