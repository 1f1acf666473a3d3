/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs that ended badly: by a signal, or with an exit status other than 0.
 */
#ifndef COMPARE_ENDINGS_H
#define COMPARE_ENDINGS_H

#include "compare/pair.h"

/* Ask whether a run ended badly; no when its end is unknown. */
bool ending_is_bad(const struct run *run);

/* Count new runs that ended badly, and unlike every run of the base: a program may use its status
 * as a result.
 * Returns: the first of them, or NULL. */
const struct run *endings_find_new(const struct pair *pair, size_t *count);

/* Say how many runs of a side ended badly, which ones, and how; nothing when none did. */
void endings_add(struct text_list *lines, const struct run_side *side);

#endif
