/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs that did not end as a program does that did its work: by a signal, or with an exit
 * status other than 0.
 */
#ifndef COMPARE_ENDINGS_H
#define COMPARE_ENDINGS_H

#include "compare/pair.h"

/* Ask whether a run ended badly; no when nobody saw how. */
bool ending_is_bad(const struct run *run);

/* Count new runs that ended badly, and as no run of the base did: a program may mean
 * something by its status.
 * Returns: the first of them, or NULL. */
const struct run *endings_find_new(const struct pair *pair, size_t *count);

/* Say how many runs of a side ended badly, which and how; nothing when none did. */
void endings_add(struct text_list *lines, const struct run_side *side);

#endif
