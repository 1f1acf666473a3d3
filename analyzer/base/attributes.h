/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The compiler attributes of the analyzer, each named once.
 *
 * They are the only GNU extension the analyzer uses.  Every header with a
 * fallible or printf-like function includes this one.
 */
#ifndef BASE_ATTRIBUTES_H
#define BASE_ATTRIBUTES_H

/* The result is the only sign of a failure: ignoring it is a mistake. */
#define MUST_CHECK __attribute__((warn_unused_result))

/* The result is never NULL, and nothing else points to the block. */
#define GIVES_MEMORY __attribute__((returns_nonnull, malloc, warn_unused_result))

/* Argument number `format_index`, counted from 1, is a printf format; its own arguments start at
 * number `first`, or 0 when they come as a va_list. */
#define PRINTF_LIKE(format_index, first) __attribute__((format(printf, format_index, first)))

/* Always inline the function: gcc 12 drops calls of a function that only
 * prefetches. */
#define ALWAYS_INLINE inline __attribute__((always_inline))

/* For rarely called functions: keeps them apart from hot code. */
#define COLD __attribute__((cold, noinline))

/* Compile the function for a processor with these extensions, such as "avx2,fma".  It may be called
 * only on such a processor. */
#define TARGET(extensions) __attribute__((target(extensions)))

/* A vector type of `bytes` bytes, which the processor handles at once.  It may alias its element
 * type. */
#define VECTOR(bytes) __attribute__((vector_size(bytes), may_alias))

/* A loop that is measured: sanitizers would be measured with it. */
#define MEASURED __attribute__((noinline, no_sanitize("address", "undefined", "thread")))

#endif
