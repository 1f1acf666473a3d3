/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The texts of a session, each stored once.
 *
 * Built while a trace is opened; read-only afterwards.
 */
#include "symbols/storage.h"

#include <stdlib.h>
#include <string.h>

#include "base/pool.h"

/* uthash takes and gives back its tables where a text is added or removed. */
#define uthash_malloc(size) pool_resize(storage->pool, NULL, size)
#define uthash_free(table, size) pool_free(storage->pool, table)
#include "base/hash.h"

struct storage_text {
    UT_hash_handle hh;
    char bytes[];
};

struct storage *storage_new(void)
{
    struct storage *storage = pool_get_zeros(1, sizeof *storage);

    storage->pool = pool_in_use();
    return storage;
}

void storage_free(struct storage *storage)
{
    struct storage_text *text;
    struct storage_text *next;

    if (!storage)
        return;
    HASH_ITER(hh, storage->texts, text, next)
    {
        HASH_DEL(storage->texts, text);
        pool_free(storage->pool, text);
    }
    free(storage->arena.base);
    text_fini(&storage->catalog_text);
    pool_free(storage->pool, storage);
}

static struct storage_text *add(struct storage *storage, const char *bytes, size_t size)
{
    struct storage_text *text = pool_resize(storage->pool, NULL, sizeof *text + size + 1);

    memcpy(text->bytes, bytes, size);
    text->bytes[size] = '\0';
    HASH_ADD_KEYPTR(hh, storage->texts, text->bytes, size, text);
    return text;
}

const char *storage_keep(struct storage *storage, const char *bytes, size_t size)
{
    struct storage_text *text;
    size_t length = strnlen(bytes, size);

    HASH_FIND(hh, storage->texts, bytes, length, text);
    if (!text)
        text = add(storage, bytes, length);
    return text->bytes;
}
