/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Symbols that tprof pack stored from the files of the modules.
 *
 * tprof pack --symbols writes them, and opening the trace reads them.  symbols.c and the coverage
 * use them for missing files.  None of this data is trusted.
 */
#ifndef SYMBOLS_STORED_SYMBOLS_H
#define SYMBOLS_STORED_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "base/attributes.h"
#include "base/hash.h"
#include "base/status.h"
#include "base/text.h"
#include "symbols/storage.h"
#include "symbols/symbols_frame.h"

/* The functions at an address. */
struct stored_place {
    UT_hash_handle hh;
    uint64_t address;
    size_t count; /* at least 1 */
    struct symbols_frame frames[];
};

struct stored_function {
    const char *name;
    bool is_exported;
};

struct stored_file {
    UT_hash_handle hh; /* by the number in the trace */
    UT_hash_handle by_key;
    uint32_t id;
    const char *path;
    const char *problem; /* why it gives no names, such as "libm.so.6: it has no symbols"; or
                            NULL */
    bool is_read;        /* the file existed, and was the one that ran */
    enum symbols_cause cause; /* why an address in the file has no place */
    bool is_alone;       /* no other file is asked */
    bool has_inner;      /* as in struct module_symbols */
    bool is_symbolic;
    bool has_lines;         /* some place has a stored source file */
    struct array functions; /* of struct stored_function, those of the catalog */
    struct stored_place *places;
    char *key; /* build-id, a blank, the path */
};

/* Returns: an empty set.  The storage, which holds the texts, must outlive it. */
struct stored_symbols *stored_symbols_new(struct storage *storage) MUST_CHECK;

void stored_symbols_free(struct stored_symbols *stored);

/* Returns: NULL when nothing is stored of this file. */
const struct stored_file *stored_symbols_find(const struct stored_symbols *stored,
                                              const char *build_id, const char *path);

/* The same, by build-id, a blank and the path. */
const struct stored_file *stored_symbols_find_key(const struct stored_symbols *stored,
                                                  const char *key);

/* Returns: NULL when nothing is stored of this address in the file. */
const struct stored_place *stored_file_find(const struct stored_file *file, uint64_t address);

struct stored_symbols_count {
    uint64_t files;
    uint64_t places;
};

struct stored_symbols_count stored_symbols_count(const struct stored_symbols *stored);

/* Take the payload of a fact.
 *
 * Errors: STATUS_CORRUPT: the fact is invalid and is left out.
 */
typedef enum status (*stored_symbols_reader)(struct stored_symbols *stored, const char *bytes,
                                             size_t size);
enum status stored_symbols_read_file(struct stored_symbols *stored, const char *bytes,
                                     size_t size) MUST_CHECK;
enum status stored_symbols_read_place(struct stored_symbols *stored, const char *bytes,
                                      size_t size) MUST_CHECK;
enum status stored_symbols_read_function(struct stored_symbols *stored, const char *bytes,
                                         size_t size) MUST_CHECK;

/* Append such a fact to others.  A place is left out if its texts exceed the largest chunk. */
void stored_symbols_write_file(struct text *facts, const struct stored_file *file);
void stored_symbols_write_place(struct text *facts, uint32_t file,
                                const struct symbols_known *known);
void stored_symbols_write_function(struct text *facts, uint32_t file,
                                   const struct stored_function *function);

#endif
