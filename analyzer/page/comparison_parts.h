/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of a comparison: its verdicts, and the table of frames.
 */
#ifndef PAGE_COMPARISON_PARTS_H
#define PAGE_COMPARISON_PARTS_H

#include "page/comparison.h"
#include "page/html.h"

enum verdict {
#define VERDICT(id, words) VERDICT_##id,
#include "page/verdicts.def"
#undef VERDICT
    VERDICTS
};

const char *comparison_words(enum verdict verdict);

/* Put the judged frames that differ, with a column for each side: those deep in the tree that have
 * the difference, not all of their callers.  The frames must not have been put yet. */
void comparison_put_frames(struct html *html, const struct comparison *comparison);

#endif
