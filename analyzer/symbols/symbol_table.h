/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions that one file has symbols for.
 *
 * One table, sorted by address, of .symtab, the debug file's .symtab, .gnu_debugdata and .dynsym,
 * because libdwfl's own look-up goes through all symbols for each address.
 */
#ifndef SYMBOLS_SYMBOL_TABLE_H
#define SYMBOLS_SYMBOL_TABLE_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/array.h"
#include "symbols/intervals.h"

struct storage;

/* A function at an address. */
struct symbol_found {
    const char *name; /* from the file, unchanged; NULL: none, and the other fields are 0 */
    uint64_t start;
    bool is_sized; /* its end is known, too */
};

struct symbol_table {
    struct array symbols; /* only while it is being read */
    struct array names;   /* of struct symbol_found, in the order of addresses */
    struct intervals intervals;
    bool is_cut; /* a map had more functions than are read */
    bool has_inner; /* includes functions that are not exported: no label between others is
                       missing */
};

/* Functions of a map: 10 million are 950 MB as a file and 2.4 GB here. */
enum { SYMBOL_TABLE_MAP_MOST = 10000000 };

void symbol_table_init(struct symbol_table *table);

void symbol_table_fini(struct symbol_table *table);

/* Read the symbols of a module; names stay in its file's memory.
 *
 * A file without symbols makes an empty table.
 */
void symbol_table_read(struct symbol_table *table, Dwfl_Module *module);

/* Read the map that a program wrote for perf, of the functions that it compiled at run time: lines
 * of "START SIZE NAME" with hexadecimal numbers.  If two overlap, the later line is valid, because
 * its code replaced the other.  Lines of another form are skipped.  Functions after
 * SYMBOL_TABLE_MAP_MOST are left out.  Names remain in the storage.
 *
 * A dump (jitdump) may exist instead of the map.  It has a record for each function, and later
 * records replace earlier ones.  Records of functions that moved are left out.
 *
 * Source: jit-interface.txt and jitdump-specification.txt of Linux's tools/perf/Documentation.
 */
void symbol_table_read_map(struct symbol_table *table, FILE *map, struct storage *storage);

/* Find the function at an address in the file, and its start.
 *
 * Shape: among several names at one address the global one, then the one with a size, then the one
 * with the fewest leading underscores.  A symbol without a size, as assemblers make, extends to the
 * next symbol or to its section's end.
 */
struct symbol_found symbol_table_find(const struct symbol_table *table, uint64_t address);

#endif
