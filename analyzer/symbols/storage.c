/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The texts of a session, each kept once.
 *
 * Built while a trace is opened; read-only afterwards.
 */
#include "symbols/storage.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

struct storage_text {
    UT_hash_handle hh;
    char bytes[];
};

struct storage *storage_new(void)
{
    return memory_get_zeros(1, sizeof(struct storage));
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
        free(text);
    }
    free(storage->arena.base);
    free(storage);
}

static struct storage_text *add(struct storage *storage, const char *bytes, size_t size)
{
    struct storage_text *text = memory_get_zeros(1, sizeof *text + size + 1);

    memcpy(text->bytes, bytes, size);
    HASH_ADD_KEYPTR(hh, storage->texts, text->bytes, size, text);
    return text;
    free(text);
    return NULL;
}

const char *storage_keep(struct storage *storage, const char *bytes, size_t size)
{
    struct storage_text *text;
    size_t length = strnlen(bytes, size);

    HASH_FIND(hh, storage->texts, bytes, length, text);
    if (!text)
        text = add(storage, bytes, length);
    return text ? text->bytes : NULL;
}
