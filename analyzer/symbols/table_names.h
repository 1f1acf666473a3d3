/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names that a file's own tables give to functions without a symbol.
 *
 * Python's modules name their methods, R its primitives, and C++ its classes, in tables that point
 * to the functions; strip leaves these tables in place.
 *
 * Source: PyMethodDef of CPython's Include/methodobject.h, FUNTAB of R's src/include/Defn.h, and
 * the Itanium C++ ABI, 2.5.2 and 2.9.5.
 */
#ifndef SYMBOLS_TABLE_NAMES_H
#define SYMBOLS_TABLE_NAMES_H

#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "base/status.h"

struct function_ranges;
struct text;

struct table_names {
    struct array sections; /* of struct section */
    struct array entries;  /* of struct entry, by the starts of their functions */
};

void table_names_init(struct table_names *names);

void table_names_fini(struct table_names *names);

/* Read the tables of a 64-bit file, whose addresses are `bias` above those in the file.  Functions
 * are those of its unwind table.  The file must stay open. */
void table_names_read(struct table_names *names, Elf *elf, uint64_t bias,
                      const struct function_ranges *functions);

/* Append the name of the function that starts at an address: "Python: sort", "R: paste",
 * "pov::Sphere::virtual_3".  Returns: whether there is one. */
bool table_names_append(struct text *text, const struct table_names *names, uint64_t start);

#endif
