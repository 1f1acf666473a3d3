/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The original contents of packed chunks.
 *
 * No part of a packed chunk is trusted.  Either its contents have the size in its head, within the
 * limit of its kind, and the checksums of its frames are right; or nothing is returned.
 */
#ifndef READER_PACKED_H
#define READER_PACKED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attributes.h"
#include "reader/reader_chunks.h"

/* The memory for unpacking, of a size that the file does not decide. */
struct unpacker;

struct unpacker *unpacker_new(void) MUST_CHECK;

void unpacker_free(struct unpacker *unpacker);

/* The bytes between the head of a packed chunk and the next chunk. */
struct packed {
    const struct trace_packed *head;
    const char *payload;
    size_t size; /* size of the payload */
};

/* Unpack a payload to head->kept bytes, which must be at most TRACE_PACKED_MAX.
 *
 * Returns: false for a damaged payload; `bytes` is then undefined.
 */
bool packed_decode(struct unpacker *unpacker, const struct packed *packed, char *bytes) MUST_CHECK;

/* Read a packed chunk and unpack its contents, without a head: chunk->size less
 * the size of a head. */
bool packed_read(const struct reader *reader, const struct reader_chunk *chunk,
                 char *bytes) MUST_CHECK;

/* Tell whether a chunk can have this packed head. */
bool packed_head_is_sound(const struct trace_packed *packed);

#endif
