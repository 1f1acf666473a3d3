/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Installed modules of Python that the program imported and that were not seen afterwards.
 *
 * Modules count by package, the part of their names before the first dot.  A package is used when
 * Python code of another package, outside its import, leads to a frame in its files or in libraries
 * first seen during its import.  It is also used when it called a kernel, or led to one.
 */
#ifndef CPU_UNSEEN_IMPORTS_H
#define CPU_UNSEEN_IMPORTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/array.h"

struct import_rows;

struct unseen_import {
    uint32_t row;     /* in import_rows, of its first module */
    double ns;        /* time of its import, without that of used packages */
    uint64_t samples; /* samples of the import */
};

struct unseen_imports {
    struct array found; /* of struct unseen_import */
    size_t seen;        /* packages of as long an import that were seen */
};

/* Find packages that a line of the program's own files imports, in `least_ns` or more. */
void unseen_imports_init(struct unseen_imports *unseen, const struct import_rows *rows,
                         double least_ns);

void unseen_imports_fini(struct unseen_imports *unseen);

#endif
