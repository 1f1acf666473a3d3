/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The file of a module, opened when it is the one that ran.
 */
#ifndef SYMBOLS_MODULE_FILE_H
#define SYMBOLS_MODULE_FILE_H

#include <elfutils/libdwfl.h>

#include "base/attributes.h"
#include "base/status.h"
#include "symbols/symbols_frame.h"

struct module_file {
    Dwfl *dwfl;
    Dwfl_Module *module; /* at base 0, so that its addresses are those in the file */
};

/* Where files, and separate debug files, are looked for. */
struct module_file_search {
    const char *root; /* a folder with the files of another system; NULL: none */
    char *path;       /* path of debug files: folders separated by colons; NULL: elfutils'
                         default */
    Dwfl_Callbacks callbacks;
};

void module_file_init_search(struct module_file_search *search);

/* Open the file of a module; `search` must outlive it.  A file that is not below the root is
 * searched at the module's own path.
 *
 * Errors: STATUS_IO: the file cannot be read; STATUS_CORRUPT: it is no program or library;
 * STATUS_NOT_FOUND: its build-id differs from that of the file that ran.  The text of the
 * diagnostic continues "libfoo.so.1: ".
 */
enum status module_file_open(struct module_file *file, const struct symbols_module *module,
                             const struct module_file_search *search,
                             struct diagnostic *diagnostic) MUST_CHECK;

/* The same for the code of Linux that is mapped into every process (vdso), taken from this process.
 *
 * Errors: STATUS_NOT_FOUND: this Linux has other code; STATUS_IO, STATUS_CORRUPT: it has none.
 */
enum status module_file_open_own(struct module_file *file, const struct symbols_module *module,
                                 const struct module_file_search *search,
                                 struct diagnostic *diagnostic) MUST_CHECK;

/* A file that was not opened may be closed. */
void module_file_close(struct module_file *file);

#endif
