/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions that the file of a module defines.
 *
 * Only the file itself is read, and no debug file: the inner functions of a stripped library stay
 * unknown.
 */
#ifndef SYMBOLS_MODULE_SYMBOLS_H
#define SYMBOLS_MODULE_SYMBOLS_H

#include <stdbool.h>

#include "base/attributes.h"
#include "base/status.h"
#include "symbols/symbols.h"

/* Called for each function; the name is gone when the visit is over. */
typedef void (*module_symbols_visitor)(void *of, const char *name, bool is_exported);

/* Other facts about the file. */
struct module_symbols {
    bool has_inner;   /* the file has the table of functions that are not exported */
    bool is_symbolic; /* linked with -Bsymbolic: its own calls are bound inside */
};

/* Visit the functions of .dynsym, which are exported, and then those of .symtab, which repeats
 * them; functions that only jump elsewhere are left out.  `root`: see symbols_set_root.
 *
 * Errors: as module_file_open.
 */
enum status module_symbols_visit(const struct symbols_module *module, const char *root,
                                 module_symbols_visitor visitor, void *of,
                                 struct module_symbols *symbols) MUST_CHECK;

#endif
