/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which of the words that there are somebody meant who typed another.
 *
 *   struct nearest nearest = {.typed = "repor"};
 *   nearest_offer(&nearest, "report");
 *   nearest_offer(&nearest, "run");
 *   nearest.word is "report"
 */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

struct nearest {
    const char *typed;
    const char *word; /* the best that was offered and is near; NULL: none is */
    size_t distance;  /* of it */
};

/* Offer a word, which must live as long as the nearest is read.  Of equals the first stays.
 *
 * Near is what a third of the letters, and three at most, make of it: by one that is
 * missing, too many, wrong or in the other order; or what it is the beginning of.
 */
void nearest_offer(struct nearest *nearest, const char *word);

#endif
