/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The files, each opened once: shared by the parts of symbols.h.
 */
#ifndef SYMBOLS_SYMBOLS_PARTS_H
#define SYMBOLS_SYMBOLS_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "base/attributes.h"
#include "base/hash.h"
#include "symbols/debug_info.h"
#include "symbols/function_ranges.h"
#include "symbols/intervals.h"
#include "symbols/module_file.h"
#include "symbols/storage.h"
#include "symbols/stored_symbols.h"
#include "symbols/symbol_table.h"
#include "symbols/symbols.h"
#include "symbols/table_names.h"

/* A file of some module.  Epochs share it even if they loaded the module at different addresses. */
struct symbols_file {
    UT_hash_handle hh;
    struct module_file file;
    struct symbol_table table;
    struct debug_info debug;
    struct function_ranges ranges;
    struct table_names table_names;   /* for functions without a symbol */
    struct intervals targets;         /* functions known only from code */
    struct intervals linkage; /* its stubs that call other files (.plt), which no symbol names */
    const struct stored_file *stored; /* stored data that this file lacks; or NULL */
    const char *problem;              /* why the file gives no names, or NULL */
    enum symbols_cause cause;         /* why an address in the file may have no place */
    int code;                         /* descriptor of the file; 0: not opened, below 0: refused */
    bool has_ranges;                  /* the ranges were read */
    bool has_table_names;             /* the table names were read */
    bool has_targets;                 /* and these */
    bool is_map;                      /* a map of functions compiled at run time */
    char key[];                       /* build-id, blank, path */
};

struct symbols {
    unsigned sharers; /* sessions that have them beyond the first */
    struct storage *storage;
    struct symbols_file *files;
    struct symbols_place *places;
    struct array problems; /* const char * */
    struct stored_symbols *stored;
    struct array stored_files; /* const struct stored_file *, those that give names */
    struct module_file_search search;
    bool lacks_files; /* a requested file is missing or different */
};

/* Find a file, and open it the first time.  `map`: the map that replaces a file for the module;
 * NULL for a file. */
struct symbols_file *symbols_file_get(struct symbols *symbols, const struct symbols_module *module,
                                      const struct symbols_map *map) MUST_CHECK;

void symbols_file_free(struct symbols_file *file);

/* Ask whether the code at an address waits in a loop. */
bool symbols_file_pauses(struct symbols_file *file, uint64_t address);

/* Find the start of the function at an address that no table lists.  The first call searches the
 * code, and needs the ranges before; `start` is 0 if it is unknown. */
void symbols_file_find_target(struct symbols_file *file, uint64_t address, uint64_t *start);

/* Name a function without a symbol, by its start, from the file's own tables.  These are read the
 * first time, after the ranges; `name` is NULL if they have none. */
void symbols_file_find_table_name(struct symbols *symbols, struct symbols_file *file,
                                  uint64_t start, const char **name);

/* Find the range of the function at an address, reading the ranges the first time; `range` is NULL
 * if none is known. */
void symbols_file_find_range(struct symbols *symbols, struct symbols_file *file, uint64_t address,
                             const struct interval **range);

#endif
