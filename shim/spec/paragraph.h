/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The paragraph of a kernel, read for one variant, and the reader for it.
 */
#ifndef SPEC_PARAGRAPH_H
#define SPEC_PARAGRAPH_H

#include "reader.h"

/* Make a reader, of no text yet.
 * Returns: the reader, in the arena; NULL, with the error stated: no memory is left. */
struct catalog_reader *paragraph_open(struct catalog *catalog, struct catalog_arena *arena,
                                      struct catalog_error *error);

/* Read the paragraph at the cursor into reader->kernel, for reader->variant.
 * Returns: false at a mistake, stated in the error. */
bool paragraph_read(struct catalog_reader *reader);

/* Put reader->kernel into `kernel`, with no more arguments and terms than it has: each process
 * reads a user's catalog.
 * Returns: false: no memory is left. */
bool paragraph_keep(struct catalog_reader *reader, struct catalog_kernel *kernel);

#endif
