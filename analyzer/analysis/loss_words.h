/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The losses of a trace, in words: for the report, the findings and the doctor.
 */
#ifndef ANALYSIS_LOSS_WORDS_H
#define ANALYSIS_LOSS_WORDS_H

#include "base/text.h"

struct session;

/* Ask whether a record, a sampled block or a part of the file is missing or damaged. */
bool loss_words_are_due(const struct session *session);

/* Append "2 records lost, 10 overwritten, 0 chunks unreadable, 0 records damaged". */
void loss_words_append(struct text *text, const struct session *session);

/* Ask whether a recorded allocation has a call chain that ends before its thread's start. */
bool loss_words_has_short_chains(const struct session *session);

/* Append "3 of 200 recorded allocations (1.5 %) have a call chain that ends early: 2 after
 * 256 calls, 1 ...". */
void loss_words_append_chains(struct text *text, const struct session *session);

#endif
