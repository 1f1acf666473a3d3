/* SPDX-License-Identifier: GPL-3.0-or-later */
/* attributes.h: the compiler attributes of the analyzer, each named once.
 *
 * They are the only GNU extension the analyzer uses.  Every header with a
 * fallible or printf-like function includes this one.
 */
#ifndef BASE_ATTRIBUTES_H
#define BASE_ATTRIBUTES_H

/* The result is the only sign of a failure: ignoring it is a mistake. */
#define MUST_CHECK __attribute__((warn_unused_result))

/* Argument number `format_index`, counted from 1, is a printf format; its own
 * arguments start at number `first`, or 0 when they come as a va_list. */
#define PRINTF_LIKE(format_index, first) __attribute__((format(printf, format_index, first)))

#endif
