/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Facts folded into rows: the facts of one key are one row.
 *
 * For all tables whose rows are sums over facts: kernel calls, samples, waits, ops, allocation
 * sites.  The caller makes the key of a fact, finds its row, names the row if it is new, and adds
 * the fact to it.  The rows are in an array of the caller, in the order of their first facts; the
 * caller may sort that array after the last fact.
 */
#ifndef ROWS_FOLD_H
#define ROWS_FOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "base/text.h"
#include "base/text_list.h"

struct fold_entry;

struct fold {
    struct array *rows;         /* the caller's */
    struct fold_entry *entries; /* the keys, with the index of their row */
    struct text key;            /* key of the current fact; bytes, not a string */
    struct text_list names;
    struct pool *pool; /* of the keys */
};

/* Start with no keys, in the pool in use, which frees keys and names; a new key adds an item to
 * `rows`. */
void fold_init(struct fold *fold, struct array *rows);

/* Append a part to the key of the next fact.  All keys of a fold have parts of the same kinds in
 * the same order, or start with a number for their kinds; then different lists of parts make
 * different keys.  NULL counts as a separate text. */
void fold_by_text(struct fold *fold, const char *words);
void fold_by_number(struct fold *fold, uint64_t number);
void fold_by_address(struct fold *fold, const void *address);

/* Find the row of the key, or add a row of zero bytes.  The next key starts empty.
 * Returns: whether the row is new; its index is in `row`. */
bool fold_find(struct fold *fold, uint32_t *row);

/* The same for rows that differ only by name; the name is their first member, a const char *.
 * Returns: the row; a new row has a copy of the name and zero bytes. */
void *fold_find_named(struct fold *fold, const char *name);

/* Keep a copy of a name as long as the fold; NULL stays NULL. */
const char *fold_keep(struct fold *fold, const char *name);

#endif
