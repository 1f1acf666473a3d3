/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Looking up exported symbols by the GNU hash table.
 *
 * Source: the format as binutils write it: four words, a Bloom filter of addresses' width, buckets
 * and chains; the last entry of a chain has its lowest bit set.
 */
#include "where/dynamic.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

#include "where/image.h"

enum { ENTRIES_MOST = 512, CHAIN_MOST = 65536, NAME_MOST = 64 };

struct hash_head {
    uint32_t buckets;
    uint32_t first; /* symbol that is in the table */
    uint32_t filter_words;
    uint32_t shift;
};

/* Some dynamic linkers add the base to the addresses of this table. */
static uint64_t address_of(const struct image_module *module, uint64_t value)
{
    return value < module->base ? module->base + value : value;
}

bool dynamic_open(struct dynamic *dynamic, struct image *image, const struct image_module *module)
{
    ElfW(Dyn) entry = {0};

    *dynamic = (struct dynamic){.image = image, .base = module->base};
    for (size_t i = 0; module->dynamic != 0 && i < ENTRIES_MOST; i++) {
        if (!image_read(image, module->dynamic + i * sizeof entry, &entry, sizeof entry) ||
            entry.d_tag == DT_NULL)
            break;
        if (entry.d_tag == DT_SYMTAB)
            dynamic->symbols = address_of(module, entry.d_un.d_ptr);
        else if (entry.d_tag == DT_STRTAB)
            dynamic->names = address_of(module, entry.d_un.d_ptr);
        else if (entry.d_tag == DT_GNU_HASH)
            dynamic->hash = address_of(module, entry.d_un.d_ptr);
    }
    return dynamic->symbols != 0 && dynamic->names != 0 && dynamic->hash != 0;
}

static uint32_t hash_name(const char *name)
{
    uint32_t hash = 5381;

    for (; *name; name++)
        hash = hash * 33 + (unsigned char)*name;
    return hash;
}

/* Returns: false when no symbol has this hash, or the filter cannot be read. */
static bool may_have(const struct dynamic *dynamic, const struct hash_head *head, uint32_t hash)
{
    enum { BITS = 8 * sizeof(ElfW(Addr)) };
    ElfW(Addr) word;
    uint64_t at = dynamic->hash + sizeof *head;

    if (head->filter_words == 0 || head->buckets == 0)
        return false;
    at += (hash / BITS % head->filter_words) * sizeof word;
    return image_read(dynamic->image, at, &word, sizeof word) &&
           (word >> hash % BITS & word >> (hash >> head->shift) % BITS & 1);
}

static bool is_symbol(const struct dynamic *dynamic, const ElfW(Sym) * symbol, const char *name)
{
    char own[NAME_MOST];
    size_t size = strlen(name) + 1;

    return size <= sizeof own && symbol->st_shndx != SHN_UNDEF &&
           image_read(dynamic->image, dynamic->names + symbol->st_name, own, size) &&
           memcmp(own, name, size) == 0;
}

/* Follow a chain of symbols with hashes in the same bucket. */
static bool search(const struct dynamic *dynamic, const char *name, uint64_t hashes,
                   uint32_t number, struct dynamic_symbol *found)
{
    uint32_t wanted = hash_name(name), hash;
    ElfW(Sym) symbol;

    for (uint32_t i = 0; i < CHAIN_MOST; i++, number++) {
        if (!image_read(dynamic->image, hashes + number * sizeof hash, &hash, sizeof hash))
            return false;
        if ((hash | 1) == (wanted | 1) &&
            image_read(dynamic->image, dynamic->symbols + number * sizeof symbol, &symbol,
                       sizeof symbol) &&
            is_symbol(dynamic, &symbol, name)) {
            *found = (struct dynamic_symbol){dynamic->base + symbol.st_value, symbol.st_size};
            return true;
        }
        if (hash & 1)
            return false;
    }
    return false;
}

bool dynamic_find(const struct dynamic *dynamic, const char *name, struct dynamic_symbol *found)
{
    struct hash_head head;
    uint32_t hash = hash_name(name), number;

    if (!image_read(dynamic->image, dynamic->hash, &head, sizeof head) ||
        head.shift >= 32 || !may_have(dynamic, &head, hash))
        return false;
    uint64_t buckets =
        dynamic->hash + sizeof head + (uint64_t)head.filter_words * sizeof(ElfW(Addr));
    uint64_t hashes = buckets + (uint64_t)head.buckets * sizeof number;
    return image_read(dynamic->image, buckets + hash % head.buckets * sizeof number, &number,
                      sizeof number) &&
           number >= head.first &&
           search(dynamic, name, hashes - head.first * (uint64_t)sizeof hash, number, found);
}
