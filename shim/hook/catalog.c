/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of kernels.def as tables.
 */
#include "hook/catalog.h"

#include <stddef.h>
#include <string.h>

#include "hook/elf.h"

const struct symbol catalog_symbols[] = {
#define SYMBOL(name, kernel, form, owns, library) {name, kernel, form, owns, library},
#include "kernels.def"
#undef SYMBOL
};

enum { SYMBOL_COUNT = sizeof catalog_symbols / sizeof *catalog_symbols, PLACES = 2048 };

_Static_assert((int)PLACES >= 2 * (int)SYMBOL_COUNT, "the index stays half empty");

const unsigned catalog_symbol_count = SYMBOL_COUNT;
uint32_t catalog_hashes[SYMBOL_COUNT];

const char catalog_text[] =
#define TEXT(line) line
#include "kernels.def"
#undef TEXT
    ;

const unsigned catalog_text_size = sizeof catalog_text - 1;

static unsigned short places[PLACES]; /* number of a symbol plus one; 0 is free */

void catalog_init(void)
{
    for (unsigned i = 0; i < SYMBOL_COUNT; i++) {
        uint32_t place;

        catalog_hashes[i] = elf_hash(catalog_symbols[i].name);
        place = catalog_hashes[i] % PLACES;
        while (places[place] != 0)
            place = (place + 1) % PLACES;
        places[place] = (unsigned short)(i + 1);
    }
}

const struct symbol *catalog_find(const char *name)
{
    uint32_t hash = elf_hash(name);

    for (uint32_t place = hash % PLACES; places[place] != 0; place = (place + 1) % PLACES) {
        unsigned i = places[place] - 1u;

        if (catalog_hashes[i] == hash && strcmp(catalog_symbols[i].name, name) == 0)
            return &catalog_symbols[i];
    }
    return NULL;
}
