/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether the heap leaks, with the start-up from the phases of the run.
 */
#ifndef HEAP_HEAP_LEAK_H
#define HEAP_HEAP_LEAK_H

#include "heap/leak_verdict.h"

/* Judge a session's heap, and again where it grew while the run started up. */
void heap_leak_judge(struct leak_judgement *judgement, const struct session *session,
                     const struct analysis_options *options);

#endif
