/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Findings whose repairs save the same time: their gains do not add up.
 */
#ifndef FINDINGS_OVERLAP_H
#define FINDINGS_OVERLAP_H

#include "base/text_list.h"
#include "findings/finding.h"

/* A finding that is shown, and its name for the reader: "IMPORTS", or its number. */
struct overlap_row {
    const struct finding *finding;
    const char *label;
};

struct overlap_rows {
    const struct overlap_row *rows;
    size_t count;
    const char *indent; /* the text before each line */
};

/* Say which findings may save the same time, in one line for each kind of time. */
void overlaps_say(struct text_list *lines, const struct overlap_rows *of);

#endif
