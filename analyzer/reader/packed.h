/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The contents of packed chunks as they were before.
 *
 * Nothing of a packed chunk is trusted: what comes out has exactly the size
 * that its head says, no more than a chunk of its kind may have, and the
 * checksums of its frames are right; or nothing comes out.
 */
#ifndef READER_PACKED_H
#define READER_PACKED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attributes.h"
#include "reader/reader_chunks.h"

/* The memory that unpacking takes, whatever the file says. */
struct unpacker;

struct unpacker *unpacker_new(void) MUST_CHECK;

void unpacker_free(struct unpacker *unpacker);

/* What stands between the head of a packed chunk and the next chunk. */
struct packed {
    const struct trace_packed *head;
    const char *payload;
    size_t size; /* of the payload */
};

/* Unpack a payload to head->kept bytes, which must be TRACE_PACKED_MAX at most.
 *
 * Returns: false when it is damaged; the bytes are then of no use.
 */
bool packed_decode(struct unpacker *unpacker, const struct packed *packed, char *bytes) MUST_CHECK;

/* Read a packed chunk and unpack what it holds, without a head, which is
 * chunk->size less that of a head. */
bool packed_read(const struct reader *reader, const struct reader_chunk *chunk,
                 char *bytes) MUST_CHECK;

/* Tell whether the packed head makes sense at a chunk of this one. */
bool packed_head_is_sound(const struct trace_packed *packed);

#endif
