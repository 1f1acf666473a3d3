/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sums that several sections of a report need.
 */
#ifndef SCREEN_REPORT_SUMS_H
#define SCREEN_REPORT_SUMS_H

#include <stdint.h>

#include "cpu/cpu_row.h"
#include "findings/context.h"
#include "findings/finding.h"
#include "heap/memory_work.h"
#include "kernels/compute.h"
#include "kernels/groups.h"
#include "model/session_process.h"

struct session;

/* A session, and the sums that several sections need. */
struct report_sums {
    const struct session *session;
    struct groups groups;
    struct memory_work memory;
    struct compute compute;
    struct findings findings;
    struct cpu_time cpu; /* processor time by function */
    uint64_t kernel_ns; /* exclusive, over threads */
    uint64_t kernel_calls;
};

void report_sums_init(struct report_sums *sums, const struct session *session,
                      const struct analysis_options *options);
void report_sums_fini(struct report_sums *sums);

/* Processor time in percent of the allowed processors' time; NAN: unknown. */
double report_cpu_percent(const struct session_process *process);

/* Counts of slots and bindings. */
struct report_coverage {
    uint64_t hooked;
    uint64_t missed;
    uint64_t called;
};
struct report_coverage report_count_coverage(const struct session *session);

#endif
