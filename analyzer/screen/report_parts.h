/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of a report, for report.c alone: the records that programs read
 * and the screen that people read, from the same sums.
 */
#ifndef SCREEN_REPORT_PARTS_H
#define SCREEN_REPORT_PARTS_H

#include "document/document.h"
#include "figures/compute.h"
#include "figures/cpu_time.h"
#include "figures/groups.h"
#include "findings/context.h"
#include "memory/memory_work.h"
#include "model/session_process.h"

struct session;

/* A session, and the sums that several sections need. */
struct report_sums {
    const struct session *session;
    struct groups groups;
    struct memory_work memory;
    struct compute compute;
    struct findings findings;
    struct cpu_time cpu; /* by function */
    uint64_t kernel_ns; /* exclusive, over threads */
    uint64_t kernel_calls;
};

/* Errors: STATUS_OUT_OF_MEMORY; the sums may be finished all the same. */
enum status report_sums_init(struct report_sums *sums, const struct session *session,
                             const struct analysis_options *options) MUST_CHECK;
void report_sums_fini(struct report_sums *sums);

/* Processor time against what the allowed processors could have given, in
 * percent; NAN when unknown. */
double report_cpu_percent(const struct session_process *process);

/* Slots and bindings by what became of them. */
struct report_coverage {
    uint64_t hooked;
    uint64_t missed;
    uint64_t called;
};
struct report_coverage report_count_coverage(const struct session *session);

/* Append how the process ended, "exited with status 0". */
void report_append_ending(struct text *line, const struct session_process *process);

/* Append the name that TPROF_NAME gave, or the command as it was typed, cut short. */
void report_append_name(struct text *line, const struct session_process *process);

/* Add the sections of the JSON contract.  Errors: STATUS_OUT_OF_MEMORY. */
enum status report_add_facts(struct document *document, const struct report_sums *sums,
                             const struct analysis_options *options) MUST_CHECK;

/* Add the parts of what people see, from above.  Errors: STATUS_OUT_OF_MEMORY. */
enum status report_add_head(struct document *document, const struct session *session) MUST_CHECK;
enum status report_add_time(struct document *document, const struct report_sums *sums) MUST_CHECK;

/* Fill its table alone, with `limit` rows of kernels.  Errors: as above. */
enum status report_fill_time(struct table *table, const struct report_sums *sums,
                             size_t limit) MUST_CHECK;
enum status report_add_summary(struct document *document,
                               const struct report_sums *sums) MUST_CHECK;

/* Add what people see.  Errors: STATUS_OUT_OF_MEMORY. */
enum status report_add_screen(struct document *document, const struct report_sums *sums,
                              const struct analysis_options *options) MUST_CHECK;

#endif
