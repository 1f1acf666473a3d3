/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether a heap that grew like a leak grew only in the start-up.
 */
#ifndef HEAP_LEAK_START_H
#define HEAP_LEAK_START_H

#include "heap/leak_verdict.h"

/* The borders of a run's phases. */
struct leak_start {
    uint64_t end_ns;         /* end of the start-up */
    uint64_t steady_from_ns; /* end of the warm-up */
    uint64_t steady_to_ns;   /* end of the work */
    bool is_marked;          /* by steps, requests, tasks or regions; otherwise by kernels or
                                samples */
};

/* Ask whether the start-up matters: memory grew, and the user gave no length for the start-up. */
bool leak_may_be_start(const struct leak_judgement *judgement,
                       const struct analysis_options *options);

/* Judge again after leak_judge, now that the start-up is known. */
void leak_judge_after(struct leak_judgement *judgement, const struct session *session,
                      const struct analysis_options *options, const struct leak_start *start);

#endif
