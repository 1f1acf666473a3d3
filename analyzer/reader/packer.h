/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The contents of chunks, made smaller.
 *
 * packed_decode restores the bytes exactly.
 */
#ifndef READER_PACKER_H
#define READER_PACKER_H

#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"
#include "reader/packed.h"

/* The memory for packing. */
struct packer;

struct packer *packer_new(void) MUST_CHECK;

void packer_free(struct packer *packer);

/* Pack `head->kept` bytes, at most TRACE_PACKED_MAX, of a chunk of head->kind; bytes of events are
 * aligned to eight.  Fills in head->coding.
 *
 * Returns: the payload, valid until the next call.
 */
struct packed packer_pack(struct packer *packer, struct trace_packed *head, const char *bytes);

/* The number of packed events. */
uint64_t packer_count_events(const struct packer *packer);

#endif
