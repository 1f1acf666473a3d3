/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What to do about processes of a job that wait for one another.
 */
#ifndef RUNS_JOB_ADVICE_H
#define RUNS_JOB_ADVICE_H

#include "document/document.h"

struct job_links;

/* Add a table of findings; for people, lines, and none where nothing was found.  `busy`: the share
 * of the processors' time that the job took; NAN: not known.  `last`: a sentence for people behind
 * them; it may be empty. */
void job_advice_add(const struct job_links *links, double busy, const struct text *last,
                    struct document *document);

#endif
