/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts to numbers, over uthash.
 */
#include "base/text_index.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

struct text_index_entry {
    char *text;
    long number;
    UT_hash_handle hh;
};

void text_index_fini(struct text_index *index)
{
    struct text_index_entry *entry, *next;

    HASH_ITER(hh, index->entries, entry, next)
    {
        HASH_DEL(index->entries, entry);
        free(entry->text);
        free(entry);
    }
}

static long add_entry(struct text_index *index, const char *text)
{
    struct text_index_entry *entry = memory_get_zeros(1, sizeof *entry);

    entry->text = memory_copy(text);
    entry->number = (long)HASH_COUNT(index->entries);
    HASH_ADD_KEYPTR(hh, index->entries, entry->text, strlen(entry->text), entry);
    return entry->number;
}

long text_index_add(struct text_index *index, const struct text *text)
{
    struct text_index_entry *entry = NULL;

    HASH_FIND_STR(index->entries, text->bytes, entry);
    return entry ? entry->number : add_entry(index, text->bytes);
}

/* The length marks where a part ends, whatever bytes are in it. */
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
