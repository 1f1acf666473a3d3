/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts to numbers, over uthash.
 */
#include "base/text_index.h"

#include <string.h>

#include "base/pool.h"

/* uthash takes and gives back its tables where an entry is added or removed. */
#define uthash_malloc(size) pool_resize(index->pool, NULL, size)
#define uthash_free(table, size) pool_free(index->pool, table)
#include "base/hash.h"

struct text_index_entry {
    UT_hash_handle hh;
    long number;
    char text[];
};

void text_index_init(struct text_index *index)
{
    *index = (struct text_index){.pool = pool_in_use()};
}

void text_index_fini(struct text_index *index)
{
    struct text_index_entry *entry, *next;

    HASH_ITER(hh, index->entries, entry, next)
    {
        HASH_DEL(index->entries, entry);
        pool_free(index->pool, entry);
    }
}

static long add_entry(struct text_index *index, const char *text)
{
    size_t size = strlen(text);
    struct text_index_entry *entry = pool_resize(index->pool, NULL, sizeof *entry + size + 1);

    memcpy(entry->text, text, size + 1);
    entry->number = (long)HASH_COUNT(index->entries);
    HASH_ADD_KEYPTR(hh, index->entries, entry->text, size, entry);
    return entry->number;
}

long text_index_add(struct text_index *index, const struct text *text)
{
    struct text_index_entry *entry = NULL;

    HASH_FIND_STR(index->entries, text->bytes, entry);
    return entry ? entry->number : add_entry(index, text->bytes);
}

/* The length marks where a part ends, so a part may contain any bytes. */
long text_index_add_words(struct text_index *index, const char *words)
{
    struct text text;
    long number;

    text_init(&text);
    text_append(&text, words);
    number = text_index_add(index, &text);
    text_fini(&text);
    return number;
}

void text_index_append_part(struct text *text, const char *part)
{
    if (part)
        text_appendf(text, "%zu:%s", strlen(part), part);
    else
        text_append(text, "-");
}
