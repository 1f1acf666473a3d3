/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One pass over the symbols of an object.  The hashes in its hash section refuse nearly all
 * symbols without reading their names, so the cost does not depend on the catalog.
 *
 * Decision: doc/decisions/catalog-at-start.
 */
#include "hook/names.h"

#include <string.h>

#include "call/library.h"
#include "hook/catalog.h"
#include "hook/waits.h"

enum { NAMES_MAX = 16384, FILTER_BITS = 4096, WORD_BITS = 64 };

static struct name names[NAMES_MAX]; /* by index */
static unsigned count, offered, left_out;

/* A large object has many slots and few that matter. */
static uint64_t filter[FILTER_BITS / WORD_BITS];

static uint64_t *filter_word(size_t index)
{
    return &filter[index % FILTER_BITS / WORD_BITS];
}

/* Waits matter only if the object calls them, not if it exports them. */
static int find_wait(const struct elf_object *object, size_t index)
{
    const ElfW(Sym) *symbol = &object->symbols[index];

    return symbol->st_shndx == SHN_UNDEF ? waits_find(object->strings + symbol->st_name)
                                         : WAITS_NONE;
}

static int find_entry(const struct elf_object *object, size_t index)
{
    const ElfW(Sym) *symbol = &object->symbols[index];

    return symbol->st_shndx == SHN_UNDEF ? library_find(object->strings + symbol->st_name)
                                         : LIBRARY_NONE;
}

static void add_name(const struct elf_object *object, size_t index)
{
    const struct symbol *symbol =
        catalog_find_named(object->strings + object->symbols[index].st_name);
    int wait = symbol ? WAITS_NONE : find_wait(object, index);
    int entry = symbol || wait != WAITS_NONE ? LIBRARY_NONE : find_entry(object, index);

    if (!symbol && wait == WAITS_NONE && entry == LIBRARY_NONE)
        return;
    if (count == NAMES_MAX) {
        left_out++;
        return;
    }
    names[count++] = (struct name){index, symbol, wait, entry};
    *filter_word(index) |= UINT64_C(1) << index % WORD_BITS;
    offered += symbol && elf_is_offered(object, index);
}

/* Most names are in no cache, and lie in no order. */
static void fetch_ahead(const struct elf_object *object, size_t index, size_t end)
{
    enum { AHEAD = 16 };

    if (index + AHEAD < end)
        __builtin_prefetch(object->strings + object->symbols[index + AHEAD].st_name);
}

/* The C library exports 3,000 functions, and the built-in catalog has none of them. */
static bool exports_none(const struct elf_object *object)
{
    return !catalog_has_users() && object->soname && strcmp(object->soname, "libc.so.6") == 0;
}

unsigned names_gather(const struct elf_object *object)
{
    const struct elf_symbols symbols = elf_list_symbols(object);
    const size_t end = exports_none(object) ? symbols.listed : symbols.end;

    count = offered = 0;
    for (unsigned i = 0; i < FILTER_BITS / WORD_BITS; i++)
        filter[i] = 0;
    for (size_t i = 1; i < symbols.listed; i++) {
        fetch_ahead(object, i, symbols.listed);
        add_name(object, i);
    }
    for (size_t i = symbols.listed; i < end; i++)
        if (catalog_may_hold(symbols.hashes[i - symbols.listed]))
            add_name(object, i);
    return count;
}

unsigned names_offered(void)
{
    return offered;
}

unsigned names_left_out(void)
{
    return left_out;
}

/* Returns: the first name at or after this index. */
static unsigned find_place(size_t index)
{
    unsigned low = 0, high = count;

    while (low < high) {
        unsigned middle = (low + high) / 2;

        if (names[middle].index < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct name *names_find(size_t index)
{
    unsigned place;

    if (!(*filter_word(index) >> index % WORD_BITS & 1))
        return NULL;
    place = find_place(index);
    return place < count && names[place].index == index ? &names[place] : NULL;
}
