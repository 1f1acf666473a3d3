/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A trace file, opened: its header and where its chunks are.
 *
 * Nothing in the file is trusted: each offset, size and kind is checked before use, nothing is read
 * beyond the file, and no number in the file decides how much memory is allocated.  The file may
 * grow, shrink or be overwritten meanwhile, so it is read with pread and never mapped.
 */
#ifndef READER_READER_H
#define READER_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"
#include "base/status.h"
#include "reader/reader_chunks.h"
#include "spec/trace.h"

/* Read the header of a file, of any version, and nothing else.
 * Returns: whether it is a regular file that begins as a trace does. */
bool reader_peek(const char *path, struct trace_header *header) MUST_CHECK;

/* Check whether a file would open as a trace, reading only its header.
 *
 * Errors: those of reader_open.
 */
enum status reader_check(const char *path, struct diagnostic *diagnostic) MUST_CHECK;

/* Open a trace, check its header and find its chunks.
 *
 * Errors: STATUS_IO when the system refuses; STATUS_CORRUPT when the file is no trace;
 * STATUS_UNSUPPORTED for another version or byte order.  The reader is then closed.  Damage after
 * the header is counted; it is no error.
 */
enum status reader_open(struct reader *reader, const char *path,
                        struct diagnostic *diagnostic) MUST_CHECK;

/* Close a reader; it may be zeroed, or closed already. */
void reader_close(struct reader *reader);

/* Read a whole chunk without its head, but READER_LOAD_MAX bytes at most.
 *
 * Returns: the bytes, for the caller to free, and their number in `size`.
 */
char *reader_load(const struct reader *reader, const struct reader_chunk *chunk,
                  size_t *size) MUST_CHECK;

enum { READER_LOAD_MAX = 64 << 20 };

#endif
