/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The innermost place of a call chain in the author's own code.
 */
#ifndef FINDINGS_OWN_PLACE_H
#define FINDINGS_OWN_PLACE_H

#include "base/status.h"
#include "places/places.h"

struct findings_context;
struct session;
struct session_slot;

/* Append the innermost line of Python code, or else the innermost function of the program's own
 * file, or else nothing.  Functions that only pass on allocations, and functions of system headers,
 * do not count. */
void own_place_append(struct text *text, struct places *places, const struct session *session,
                      uint32_t call);

/* Find the innermost function of the program's own file.  Returns: false when there is none. */
bool own_place_find_function(struct places *places, const struct session *session, uint32_t call,
                             struct place *own);

/* Ask whether the innermost code of Python on a chain is a library's.  Without a chain, it is
 * not. */
bool own_place_is_in_library(const struct findings_context *context, uint32_t call);

/* Append the line that called a kernel, or above a library that called it: of the program's own
 * Python code, or of compiled code; nothing if the line is unknown. */
void own_place_append_slot(struct text *text, const struct findings_context *context,
                           const struct session_slot *slot);

#endif
