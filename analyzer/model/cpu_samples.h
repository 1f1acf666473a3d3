/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The samples of a trace, summed up by chain, thread, region and kernel.
 *
 * Memory grows with distinct chains, not with samples.  At most SESSION_TICKS_MAX single samples
 * are kept.
 */
#ifndef MODEL_CPU_SAMPLES_H
#define MODEL_CPU_SAMPLES_H

#include "model/clock.h"
#include "model/session.h"
#include "model/session_samples.h"
#include "spec/trace.h"

struct cpu_samples_entry;

struct cpu_samples {
    struct session *session;
    struct cpu_samples_entry *entries;
    uint64_t seen; /* samples offered to the session's ticks */
};

void cpu_samples_init(struct cpu_samples *samples, struct session *session);
void cpu_samples_fini(struct cpu_samples *samples);

/* Add a sample, with a count of 1, in the order of time. */
void cpu_samples_take(struct cpu_samples *samples, const struct session_sample *sample,
                      uint64_t time_ns);

/* Fill in the session's sampling: period, signal, losses. */
void cpu_samples_fill(struct session *session, const struct trace_header *header,
                      const struct clock *clock);

#endif
