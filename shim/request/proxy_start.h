/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When a proxy in front of the server had a request: the header X-Request-Start or X-Queue-Start.
 * Pure functions; no vector registers.
 */
#ifndef REQUEST_PROXY_START_H
#define REQUEST_PROXY_START_H

#include <stdint.h>

#include "request/first_bytes.h"

/* Find the header in the first bytes of a request.  Its value is a number of seconds, milliseconds
 * or microseconds since 1970, which may stand behind t=.
 * Returns: microseconds since 1970; 0: there is no such header, or no number in it.
 * Source: the documents of New Relic and Heroku on request queueing. */
uint64_t proxy_start_find(struct first_bytes bytes);

#endif
