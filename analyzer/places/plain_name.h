/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions of the C library by the names that programs call them.
 */
#ifndef PLACES_PLAIN_NAME_H
#define PLACES_PLAIN_NAME_H

#include <stdbool.h>

struct text;

/* Ask whether a file is the C library or its libm, by its base name; NULL is neither. */
bool plain_name_is_libc(const char *module);

/* Append the public name of a function of the C library, which has internal names and variants for
 * processors: "__memmove_avx512_unaligned_erms" is "memmove", "__ieee754_exp_fma" is "exp",
 * "_int_malloc" is "malloc".  Other names stay unchanged. */
void plain_name_append(struct text *text, const char *name);

#endif
