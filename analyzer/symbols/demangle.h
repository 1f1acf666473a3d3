/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the name of a symbol to the name in the source: C++ and Rust.
 */
#ifndef SYMBOLS_DEMANGLE_H
#define SYMBOLS_DEMANGLE_H

#include <stdbool.h>

struct text;

/* Append the name as the source has it: "foo::bar(int)".  Suffixes of compilers for the parts
 * and copies of a function (".cold", ".constprop.0") are left out, of names in C too.  A
 * name that is too long to take apart has its functions and classes without types:
 * "foo::bar<...>".
 *
 * Returns: false when the name is as in the source already; nothing was appended then.
 */
bool demangle_append(struct text *text, const char *name);

#endif
