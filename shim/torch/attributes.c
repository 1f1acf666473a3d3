/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Searching the dictionaries of modules.
 *
 * An object of a class has its dictionary before it in memory, from CPython 3.11 on.
 * torch.nn.Module stores the modules below one in the entry "_modules" of that dictionary, in a
 * second dictionary.  Misread data do no harm, because the search ends only at the wanted object.
 *
 * Sources: Include/cpython/dictobject.h, Include/internal/pycore_dict.h and pycore_object.h of
 * CPython 3.11 to 3.14, a build with the lock of the interpreter.
 */
#include "torch/attributes.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "platform/calls.h"
#include "python/frames.h"
#include "spec/python_code.h"
#include "spec/python_layout.h"

enum {
    OBJECT_DICT = -24, /* relative to its own address; odd or 0 if there is none yet */
    TYPE_FLAGS = 168,
    TYPE_IS_DICT = 1 << 29, /* Py_TPFLAGS_DICT_SUBCLASS */
    DICT_KEYS = 32,
    DICT_VALUES = 40, /* address of the values; 0: they are next to the keys */
    KEYS_INDEX_SHIFT = 9, /* one byte each: the size of the index, as a power of 2 */
    KEYS_KIND = 10,
    KEYS_COUNT = 24,
    KEYS_HEADER = 32,
    KIND_IS_GENERAL = 0, /* an entry has the hash of its key in front */
    LATE_VALUES = 8, /* from 3.13 on, values come after a header */
    INDEX_SHIFT_MOST = 24,
    ENTRY_WORDS = 3,
    CHUNK = 32, /* entries that are read at a time */
    READS_MOST = 512,
    DEPTH_MOST = 3, /* lists and dictionaries of modules are not called themselves */
    COUNT_MOST = 4096
};

struct search {
    pid_t process;
    int reads; /* remaining reads */
    uintptr_t object;
};

struct dict {
    uint64_t entries;
    uint64_t values; /* 0: the values are next to the keys */
    uint64_t count;
    unsigned words; /* words of an entry */
};

/* Some entries. */
struct entries {
    unsigned count;
    uint64_t keys[CHUNK];
    uint64_t values[CHUNK];
};

/* The text "_modules", which the interpreter has once.  0: not met yet. */
static _Atomic uint64_t modules_key;

static bool read_memory(void *of, uint64_t address, void *bytes, size_t size)
{
    struct search *search = of;
    struct iovec here = {bytes, size}, there = {(void *)(uintptr_t)address, size};

    return search->reads-- > 0 && calls_system(SYS_process_vm_readv, search->process, &here, 1,
                                               &there, 1, 0) == (ssize_t)size;
}

static bool read_word(struct search *search, uint64_t address, uint64_t *word)
{
    return address % sizeof *word == 0 && read_memory(search, address, word, sizeof *word);
}

static bool is_dict(struct search *search, uint64_t object)
{
    uint64_t type, flags;

    return object != 0 && read_word(search, object + PYTHON_TYPE, &type) &&
           read_word(search, type + TYPE_FLAGS, &flags) && (flags & TYPE_IS_DICT);
}

static bool read_dict(struct search *search, uint64_t object, struct dict *dict)
{
    unsigned char header[KEYS_HEADER];
    uint64_t keys;

    if (!is_dict(search, object) || !read_word(search, object + DICT_KEYS, &keys) ||
        !read_word(search, object + DICT_VALUES, &dict->values) ||
        !read_memory(search, keys, header, sizeof header) ||
        header[KEYS_INDEX_SHIFT] > INDEX_SHIFT_MOST)
        return false;
    if (dict->values != 0 && !python.layout.has_cframe)
        dict->values += LATE_VALUES;
    memcpy(&dict->count, header + KEYS_COUNT, sizeof dict->count);
    dict->words = header[KEYS_KIND] == KIND_IS_GENERAL ? ENTRY_WORDS : ENTRY_WORDS - 1;
    dict->entries = keys + KEYS_HEADER + (UINT64_C(1) << header[KEYS_INDEX_SHIFT]);
    return dict->count <= COUNT_MOST;
}

/* Returns: false at the end, and where they cannot be read. */
static bool read_entries(struct search *search, const struct dict *dict, uint64_t first,
                         struct entries *entries)
{
    uint64_t left = first < dict->count ? dict->count - first : 0;
    uint64_t words[CHUNK * ENTRY_WORDS];
    size_t size = dict->words * sizeof *words;

    entries->count = left < CHUNK ? (unsigned)left : CHUNK;
    if (entries->count == 0 ||
        !read_memory(search, dict->entries + first * size, words, entries->count * size))
        return false;
    for (unsigned i = 0; i < entries->count; i++) {
        entries->keys[i] = words[(i + 1) * dict->words - 2];
        entries->values[i] = words[(i + 1) * dict->words - 1];
    }
    return dict->values == 0 ||
           read_memory(search, dict->values + first * sizeof *words, entries->values,
                       entries->count * sizeof *words);
}

static size_t copy_key(struct search *search, uint64_t key, char text[ATTRIBUTES_SIZE])
{
    const struct python_memory memory = {read_memory, search};

    return python_text_copy(&memory, &python.layout, key, text, ATTRIBUTES_SIZE);
}

static bool is_modules(struct search *search, uint64_t key)
{
    static const char name[] = "_modules";
    uint64_t known = atomic_load(&modules_key);
    char text[ATTRIBUTES_SIZE];

    if (known != 0)
        return key == known;
    if (copy_key(search, key, text) != sizeof name - 1 || memcmp(text, name, sizeof name - 1) != 0)
        return false;
    atomic_store(&modules_key, key);
    return true;
}

/* Fills the dictionary of the modules right below one. */
static bool find_modules(struct search *search, uint64_t module, struct dict *modules)
{
    struct entries entries;
    struct dict own;
    uint64_t object;

    if (!read_word(search, module + (uint64_t)(int64_t)OBJECT_DICT, &object) ||
        !read_dict(search, object, &own))
        return false;
    for (uint64_t first = 0; read_entries(search, &own, first, &entries); first += CHUNK)
        for (unsigned i = 0; i < entries.count; i++)
            if (entries.keys[i] != 0 && is_modules(search, entries.keys[i]))
                return read_dict(search, entries.values[i], modules);
    return false;
}

/* Put ".name" in front of a path that ends at `end`.  Returns: its start; NULL: no room or name. */
static char *put_name(struct search *search, uint64_t key, char *path, char *end)
{
    char text[ATTRIBUTES_SIZE];
    size_t size = copy_key(search, key, text);

    if (size == 0 || size + 1 > (size_t)(end - path))
        return NULL;
    end -= size;
    memcpy(end, text, size);
    *--end = '.';
    return end;
}

/* Returns: the start of the path that leads to the object, written backwards from the end; NULL:
 * none. */
static char *find_path(struct search *search, uint64_t module, char *path, unsigned depth)
{
    struct entries entries;
    struct dict modules;

    if (!find_modules(search, module, &modules))
        return NULL;
    for (uint64_t first = 0; read_entries(search, &modules, first, &entries); first += CHUNK)
        for (unsigned i = 0; i < entries.count; i++)
            if (entries.values[i] == search->object)
                return put_name(search, entries.keys[i], path, path + ATTRIBUTES_SIZE - 1);
    for (uint64_t first = 0;
         depth < DEPTH_MOST && read_entries(search, &modules, first, &entries); first += CHUNK)
        for (unsigned i = 0; i < entries.count; i++) {
            char *rest = find_path(search, entries.values[i], path, depth + 1);

            if (rest)
                return put_name(search, entries.keys[i], path, rest);
        }
    return NULL;
}

bool attributes_find(uintptr_t outer, uintptr_t object, char path[ATTRIBUTES_SIZE])
{
    struct search search = {calls_getpid(), READS_MOST, object};
    int saved_errno = errno;
    char *begin;

    path[ATTRIBUTES_SIZE - 1] = '\0';
    begin = find_path(&search, outer, path, 1);
    if (begin)
        memmove(path, begin + 1, strlen(begin + 1) + 1);
    errno = saved_errno;
    return begin != NULL;
}
