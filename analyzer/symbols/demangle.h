/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the name of a symbol to the name in the source: C++ and Rust.
 */
#ifndef SYMBOLS_DEMANGLE_H
#define SYMBOLS_DEMANGLE_H

#include <stdbool.h>

struct text;

/* Append the name in its source form: "foo::bar(int)".  Suffixes of compilers for the parts and
 * copies of a function (".cold", ".constprop.0") are left out, also in C names.  A name too long to
 * parse shows its functions and classes without types: "foo::bar<...>".
 *
 * Returns: false when the name already has its source form; nothing is then appended.
 */
bool demangle_append(struct text *text, const char *name);

#endif
