/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Findings of KNOWN-COST, for rules that would tell the same time with less.
 */
#ifndef FINDINGS_KNOWN_COSTS_H
#define FINDINGS_KNOWN_COSTS_H

#include "findings/finding.h"

/* Returns: the time of the known cost at a place whose title has this word ("": any word); 0: no
 * such finding was added yet. */
double known_costs_at(const struct findings *findings, const char *place, const char *word);

/* Withdraw the advice on the known costs at a place whose title has this word: a finding with the
 * same repair tells it, with its gain. */
void known_costs_withdraw(struct findings *findings, const char *place, const char *word);

#endif
