/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of functions as a row has room for them.
 */
#ifndef PLACES_SHORT_NAME_H
#define PLACES_SHORT_NAME_H

struct text;

/* Append the short form of a function's name, without its result, arguments, long template
 * arguments and unnamed namespaces.  If it is still wider than a column, the outer namespaces are
 * left out, too: "void at::native::add<float, std::plus<float> >(at::Tensor&)" is
 * "at::native::add<...>".  Names in C, scripts and assembler stay unchanged. */
void short_name_append(struct text *text, const char *name);

/* Find a function's own name.  The demangled name of a template function starts with its return
 * type, as in "std::vector<int> load<float>(int)".
 * Returns: the start of the name. */
const char *short_name_find_own(const char *name);

#endif
