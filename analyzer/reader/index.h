/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding the chunks of a trace file.
 */
#ifndef READER_INDEX_H
#define READER_INDEX_H

#include "reader/reader_chunks.h"

/* Fill the list of chunks, and count the claimed but unreadable ones.  The
 * header must have been read.
 */
void index_build(struct reader *reader);

#endif
