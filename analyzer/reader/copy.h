/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A trace file made from another: packed, or unpacked again.
 *
 * A packed copy has the chunks of its original in file order, each in a packed chunk; its header
 * counts the unreadable chunks.  Bytes that were never published are not kept; after unpacking they
 * are zeros.
 */
#ifndef READER_COPY_H
#define READER_COPY_H

#include <stdint.h>

#include "base/attributes.h"
#include "base/status.h"
#include "base/text.h"
#include "reader/reader.h"

/* A copy being written. */
struct copy {
    int descriptor;   /* descriptor of the new, empty file */
    const char *path; /* path of that file, for messages */
    /* Called after each chunk with the bytes of chunks done and in all; may be
     * NULL. */
    void (*on_progress)(uint64_t done, uint64_t whole);
    const struct text *symbols; /* facts of the files that ran, or NULL; not for copy_unpack */
    uint64_t size;              /* filled in: bytes of the new file */
    uint64_t events;            /* filled in by copy_pack */
    uint64_t torn_chunks;       /* filled in: chunks unreadable for the reader or now */
};

/* Write the packed copy of a trace that is not packed.
 *
 * Errors: STATUS_IO when the copy cannot be written; STATUS_UNSUPPORTED for a chunk of more than
 * TRACE_PACKED_MAX, which tprof does not write.
 */
enum status copy_pack(struct copy *copy, const struct reader *reader,
                      struct diagnostic *diagnostic) MUST_CHECK;

/* Write a packed trace again, with copy->symbols in place of its own.
 *
 * Errors: STATUS_CORRUPT when the copy was cut off; STATUS_IO when the new file cannot be written.
 */
enum status copy_change_symbols(struct copy *copy, const struct reader *reader,
                                struct diagnostic *diagnostic) MUST_CHECK;

/* Write the original of a packed trace.
 *
 * Errors: STATUS_IO when it cannot be written.
 */
enum status copy_unpack(struct copy *copy, const struct reader *reader,
                        struct diagnostic *diagnostic) MUST_CHECK;

#endif
