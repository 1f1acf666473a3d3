/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds the known word that a user meant by a mistyped one.
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
    size_t distance;  /* the distance of the nearest word */
};

/* Offer a word, which must live as long as `nearest` is read.  Among equals the first stays.
 *
 * A word is near if few edits turn the typed word into it, or if it starts with the typed word.  An
 * edit adds, drops or changes a letter, or swaps two; at most a third of the letters and at most
 * three may be edited.
 */
void nearest_offer(struct nearest *nearest, const char *word);

#endif
