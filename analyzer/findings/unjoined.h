/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads that ended, and that nobody joined or detached.
 */
#ifndef FINDINGS_UNJOINED_H
#define FINDINGS_UNJOINED_H

#include <stdbool.h>

#include "analysis/analysis.h"
#include "heap/leak_verdict.h"

struct session;

/* Does the heap grow by the blocks of such threads? */
bool unjoined_explains(const struct leak_judgement *judgement, const struct session *session,
                       const struct analysis_options *options);

#endif
