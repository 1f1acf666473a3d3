/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the first bytes of a read or a write say.  Pure functions; no vector registers.
 */
#ifndef REQUEST_FIRST_BYTES_H
#define REQUEST_FIRST_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spec/trace.h"

struct first_bytes {
    const char *text; /* NULL: not in memory */
    size_t size;
};

/* The protocol of a connection, by the first bytes that were read. */
enum trace_protocol first_bytes_protocol(struct first_bytes bytes);

/* Do they start with a method of HTTP, or with a part of one? */
bool first_bytes_are_method(struct first_bytes bytes);

/* Returns: the status of an answer of HTTP/1 that starts with these bytes; 0: they start none. */
unsigned first_bytes_status(struct first_bytes bytes);

#endif
