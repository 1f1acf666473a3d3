/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of endpoints, with TPROF_REQUESTS=paths.  There are 256 names at most; further ones share
 * one.
 *
 * All data is in memory that a fork wipes, like the names in the trace.
 */
#ifndef REQUEST_ENDPOINTS_H
#define REQUEST_ENDPOINTS_H

#include <stdint.h>

#include "platform/attributes.h"
#include "request/first_bytes.h"

/* Returns: the string id of the request's endpoint; 0: it has none.  Takes the process lock for a
 * new name; the caller keeps errno. */
REALIGNED uint32_t endpoints_find(struct first_bytes bytes);

#endif
