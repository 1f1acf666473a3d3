/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One run of one point: its end, times and memory.
 */
#ifndef BENCH_SAMPLE_H
#define BENCH_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>

#include "runs/run.h"

enum { SAMPLE_WORDS = 160 };

enum sample_end {
    SAMPLE_DONE,       /* status 0 */
    SAMPLE_FAILED,     /* another status, in `code` */
    SAMPLE_SIGNALLED,  /* by its own signal or another process's; `code` is the signal */
    SAMPLE_TIMED_OUT,  /* we ended it */
    SAMPLE_INTERRUPTED /* the user did; `code` is the signal */
};

/* NAN: unknown. */
struct sample {
    size_t point; /* index in the plan */
    unsigned round;
    bool is_warmup;
    enum sample_end end;
    int code;
    double wall_ns; /* from exec to the end of the started process */
    double user_ns; /* time in user mode, with awaited children; so are all below */
    double system_ns;
    double peak_rss_bytes;    /* peak of the largest process */
    double overhead;          /* cost of recording, as a fraction of thread time */
    unsigned traces;          /* processes that called kernels */
    char words[SAMPLE_WORDS]; /* the last line of its errors, when it failed */
    struct run run;           /* the same with the data of the trace, for comparisons */
};

/* Ask whether the run counts: it ended normally, or with a failure that is ignored. */
bool sample_counts(const struct sample *sample);

void sample_init(struct sample *sample, size_t point);
void sample_fini(struct sample *sample);

#endif
