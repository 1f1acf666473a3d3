/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers texts 0, 1, 2 ... in the order of their first use.
 *
 * For rows with texts as keys: the number of a row's key is the index of the
 * row, and a new number means a new row.
 */
#ifndef BASE_TEXT_INDEX_H
#define BASE_TEXT_INDEX_H

#include <stddef.h>

#include "base/text.h"

struct pool;
struct text_index_entry;

/* A zeroed one is empty, and of no pool. */
struct text_index {
    struct text_index_entry *entries;
    struct pool *pool; /* of the entries; NULL: they belong to the index */
};

/* Start an empty one in the pool in use, if there is one. */
void text_index_init(struct text_index *index);

/* Free the texts.  Those of a pool go with the pool. */
void text_index_fini(struct text_index *index);

/* Give the number of a text.  A new text is copied, and its number is the count of texts before.
 *
 * Returns: the number.
 */
long text_index_add(struct text_index *index, const struct text *text);

/* The same for a string. */
long text_index_add_words(struct text_index *index, const char *words);

/* Append one part of a text that joins several parts: different lists of parts make different
 * texts.  NULL is a part, too. */
void text_index_append_part(struct text *text, const char *part);

#endif
