/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which suppression matches a call chain of a session.
 *
 * There may be hundreds of thousands of chains, a hundred calls each: the patterns are tried
 * once a place of the program, and each call is passed once.
 *
 * Memory: 4 bytes a call of the session.
 */
#ifndef HEAP_SUPPRESSOR_H
#define HEAP_SUPPRESSOR_H

#include "heap/suppressions.h"
#include "places/places.h"

struct suppressor;

/* The suppressions and the places stay the caller's, and are there as long as this. */
struct suppressor *suppressor_new(const struct suppressions *suppressions,
                                  const struct session *session, struct places *places) MUST_CHECK;

/* Find the first suppression that matches the function, the source file or the module of a place of
 * a chain, whose innermost call is given.  Functions that only pass on to an allocator, such as
 * operator new, are matched by their names alone: their library does not show which code leaks.
 *
 * Returns: in `of`, NULL when none does, or without a suppressor. */
void suppressor_find(struct suppressor *suppressor, uint32_t call, struct suppression **of);

#endif
