/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The symbols that a module of another process exports, read from its memory.
 */
#ifndef WHERE_DYNAMIC_H
#define WHERE_DYNAMIC_H

#include <stdbool.h>
#include <stdint.h>

struct image;
struct image_module;

/* The data to look up symbols of one module. */
struct dynamic {
    struct image *image;
    uint64_t base;
    uint64_t symbols;
    uint64_t names;
    uint64_t hash; /* DT_GNU_HASH */
};

struct dynamic_symbol {
    uint64_t address;
    uint64_t size;
};

/* Returns: false when the module exports nothing, or has no GNU hash table. */
bool dynamic_open(struct dynamic *dynamic, struct image *image, const struct image_module *module);

/* Find a symbol that is defined.  Returns: false when there is none. */
bool dynamic_find(const struct dynamic *dynamic, const char *name, struct dynamic_symbol *found);

#endif
