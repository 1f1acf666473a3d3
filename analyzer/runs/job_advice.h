/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Advice for processes of a job that wait for one another.
 */
#ifndef RUNS_JOB_ADVICE_H
#define RUNS_JOB_ADVICE_H

#include "document/document.h"

struct job_links;

/* Add a table of findings, and for people lines; none without findings.  `busy`: the job's share of
 * the processors' time; NAN: unknown.  `last`: a sentence for people at the end; may be empty. */
void job_advice_add(const struct job_links *links, double busy, const struct text *last,
                    struct document *document);

#endif
