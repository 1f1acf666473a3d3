/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reasons to doubt that a difference comes from the programs: the machine, the threads, the
 * libraries, the order of the runs, bad endings, or a slower side that only waited longer.
 */
#ifndef COMPARE_DOUBTS_H
#define COMPARE_DOUBTS_H

#include "compare/pair.h"

/* Add a sentence for each doubt. */
void doubts_add(struct text_list *doubts, const struct pair *pair);

#endif
