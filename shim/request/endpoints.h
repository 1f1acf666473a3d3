/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of endpoints: with TPROF_REQUESTS=paths those of HTTP, and those of functions that the
 * catalog names requests.  There are 256 names at most; further ones share one.
 *
 * All data is in memory that a fork wipes, like the names in the trace.
 */
#ifndef REQUEST_ENDPOINTS_H
#define REQUEST_ENDPOINTS_H

#include <stddef.h>
#include <stdint.h>

#include "platform/attributes.h"
#include "request/first_bytes.h"

/* Returns: the string id of the request's endpoint; 0: it has none.  Takes the process lock for a
 * new name; the caller keeps errno. */
REALIGNED uint32_t endpoints_find(struct first_bytes bytes);

/* The same for a name of that size, which a zero ends. */
REALIGNED uint32_t endpoints_find_name(const char *text, size_t size);

#endif
