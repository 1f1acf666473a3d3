/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which suppression matches a call chain of a session.
 *
 * There may be hundreds of thousands of chains of a hundred calls: the patterns are tried once for
 * each place of the program, and each call is visited once.
 *
 * Memory: 4 bytes a call of the session.
 */
#ifndef HEAP_SUPPRESSOR_H
#define HEAP_SUPPRESSOR_H

#include "heap/suppressions.h"
#include "places/places.h"

struct suppressor;

/* The caller keeps the suppressions and the places, which must outlive the suppressor. */
struct suppressor *suppressor_new(const struct suppressions *suppressions,
                                  const struct session *session, struct places *places) MUST_CHECK;

/* Find the first suppression that matches the function, source file or module of any place on a
 * chain; the chain's innermost call is given.  Functions that only pass on to an allocator, such as
 * operator new, are matched only by their names: their library does not show which code leaks.
 *
 * Returns: in `of`, NULL when none does, or without a suppressor. */
void suppressor_find(struct suppressor *suppressor, uint32_t call, struct suppression **of);

#endif
