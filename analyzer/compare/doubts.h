/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Why a difference between two sides may not be one between two programs: the machine,
 * the threads, the libraries, the order in which the runs were made; which of them
 * ended badly; and whether the slower side only waited longer.
 */
#ifndef COMPARE_DOUBTS_H
#define COMPARE_DOUBTS_H

#include "compare/pair.h"

/* Add a sentence for each. */
void doubts_add(struct text_list *doubts, const struct pair *pair);

#endif
