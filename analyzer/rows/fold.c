/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Facts folded into rows, over uthash.
 */
#include "rows/fold.h"

#include <string.h>

#include "base/pool.h"

/* uthash takes and gives back its tables where a key is added. */
#define uthash_malloc(size) pool_resize(fold->pool, NULL, size)
#define uthash_free(table, size) pool_free(fold->pool, table)
#include "base/hash.h"

struct fold_entry {
    UT_hash_handle hh;
    uint32_t row;
    char key[];
};

void fold_init(struct fold *fold, struct array *rows)
{
    *fold = (struct fold){.rows = rows, .pool = pool_in_use()};
    text_init(&fold->key);
    text_list_init(&fold->names);
}

void fold_by_number(struct fold *fold, uint64_t number)
{
    text_append_bytes(&fold->key, (const char *)&number, sizeof number);
}

void fold_by_address(struct fold *fold, const void *address)
{
    fold_by_number(fold, (uintptr_t)address);
}

/* The size before a text marks its end, whatever bytes the text has. */
void fold_by_text(struct fold *fold, const char *words)
{
    size_t size = words ? strlen(words) : 0;

    fold_by_number(fold, words ? size : UINT64_MAX);
    text_append_bytes(&fold->key, words, size);
}

static struct fold_entry *add_entry(struct fold *fold)
{
    const struct text *key = &fold->key;
    struct fold_entry *entry = pool_resize(fold->pool, NULL, sizeof *entry + key->size);

    entry->row = (uint32_t)fold->rows->count;
    if (key->size > 0) /* for size 0 the pointer may be NULL, which memcpy does not allow */
        memcpy(entry->key, key->bytes, key->size);
    HASH_ADD_KEYPTR(hh, fold->entries, entry->key, key->size, entry);
    array_add(fold->rows);
    return entry;
}

bool fold_find(struct fold *fold, uint32_t *row)
{
    size_t count = fold->rows->count;
    struct fold_entry *entry = NULL;

    HASH_FIND(hh, fold->entries, fold->key.bytes, fold->key.size, entry);
    if (!entry)
        entry = add_entry(fold);
    text_clear(&fold->key);
    *row = entry->row;
    return fold->rows->count > count;
}

const char *fold_keep(struct fold *fold, const char *name)
{
    if (!name)
        return NULL;
    text_list_add(&fold->names, name);
    return text_list_at(&fold->names, text_list_count(&fold->names) - 1);
}

void *fold_find_named(struct fold *fold, const char *name)
{
    uint32_t index;

    fold_by_text(fold, name);
    bool is_new = fold_find(fold, &index);
    void *row = array_at(fold->rows, index);
    if (is_new)
        *(const char **)row = fold_keep(fold, name);
    return row;
}
