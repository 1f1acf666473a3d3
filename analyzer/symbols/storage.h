/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The texts of a session, each stored once.
 *
 * Equal texts have equal addresses, so they can be compared as pointers.
 */
#ifndef SYMBOLS_STORAGE_H
#define SYMBOLS_STORAGE_H

#include <stddef.h>

#include "base/attributes.h"
#include "base/text.h"
#include "spec/catalog.h"
#include "spec/catalog_later.h"

struct pool;
struct storage_text;

struct storage {
    struct storage_text *texts;
    struct pool *pool; /* of the texts; NULL: they belong to the storage */
    struct catalog_arena arena; /* memory of the session's catalog */
    struct catalog_later later; /* the catalog, where it is read kernel by kernel */
    struct text catalog_text;   /* which it is read from */
};

/* Returns: an empty storage, of the pool in use, if there is one. */
struct storage *storage_new(void) MUST_CHECK;

/* One of a pool goes with the pool. */
void storage_free(struct storage *storage);

/* Keep a text of `size` bytes, or up to the first zero byte in it.
 *
 * Returns: the terminated text, owned by the storage.
 */
const char *storage_keep(struct storage *storage, const char *bytes, size_t size) MUST_CHECK;

#endif
