/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The figures that all rules share, computed once.
 */
#ifndef FINDINGS_CONTEXT_H
#define FINDINGS_CONTEXT_H

#include "cpu/cpu_row.h"
#include "cpu/python_split.h"
#include "findings/finding.h"
#include "findings/capacity.h"
#include "findings/succession.h"
#include "kernels/groups.h"
#include "kernels/judge.h"
#include "kernels/roles.h"
#include "model/session_kernels.h"
#include "requests/request_rows.h"
#include "waits/wall.h"

struct session;

/* The FLOP/s of large products of matrices: calibrated, or the best row of this trace
 * where that is higher or nothing was calibrated.  See rates.h. */
struct product_rate {
    double flops_per_second; /* NAN when both are unknown */
    bool is_calibrated;
};

struct findings_context {
    const struct session *session;
    struct analysis_options options; /* the user's options, with rows by shape */
    struct groups groups;            /* by kernel and shape, sorted by self time */
    struct array rows;               /* size_t: the row of a group, one for each slot */
    struct array judgements;         /* of struct judgement, one a group */
    struct judge judge;
    struct roles roles;
    struct successions successions;
    struct product_rate rates[MACHINE_PRECISIONS + 1]; /* the last: of unknown precision */
    struct wall wall;
    struct capacity capacity;
    struct cpu_time time; /* processor time by function */
    struct request_rows requests;
    struct python_split python; /* the split of `time`, if has_python */
    bool has_python;            /* frames of Python code were read, and there are samples */
    double kernel_ns;     /* wall time in any kernel */
};

/* Gather all of it. */
void findings_context_init(struct findings_context *context, const struct session *session,
                           const struct analysis_options *options);
const struct group *findings_group(const struct findings_context *context, size_t index);
const struct judgement *findings_judgement(const struct findings_context *context, size_t index);

/* The row that a slot of the session is in. */
size_t findings_row(const struct findings_context *context, size_t slot);

/* Time of kernels, over threads, as a part of the wall time. */
double findings_wall_ns(const struct findings_context *context, double thread_ns);

/* Time of threads between their kernel calls, as a part of the wall time.  Gaps of several
 * threads overlap, and their sum cannot exceed the time outside all kernels. */
double findings_outside_ns(const struct findings_context *context, double thread_ns);

/* Returns: the wall time of this processor time.  Threads wait for processors, too. */
double findings_elapsed_ns(const struct findings_context *context, double cpu_ns);

/* Returns: how long the main thread waits for other threads. */
double findings_waiting_for_others_ns(const struct findings_context *context);

/* Ask whether other programs used the processors enough to make calls longer. */
bool findings_is_disturbed(const struct findings_context *context);

/* Returns: one slot of a group.  All slots of a group have the same shape. */
const struct session_slot *findings_slot(const struct findings_context *context,
                                         const struct group *group);

/* Ask whether the process answers requests: then its threads wait for work, and clients wait for
 * them. */
bool findings_is_server(const struct findings_context *context);

/* Ask whether PyTorch was loaded, in Python or C++. */
bool findings_has_torch(const struct findings_context *context);

/* Ask whether samples show the time of Python code; if not, add a note with the reason. */
bool findings_has_python_time(const struct findings_context *context, struct findings *findings);

/* Count allocated blocks of 1 MiB and more. */
double findings_large_blocks(const struct findings_context *context);

/* Ask whether a row's name was lost with a part of the trace: such a row gets no advice. */
bool findings_lost_name(const struct group *group);

/* Name a row: "cblas_sgemm m=64 n=64 k=64". */
void findings_append_name(struct text *text, const struct group *group);

/* Say how thread time was converted to wall time, if several threads call kernels. */
void findings_say_whole(struct text *text, const struct findings_context *context);

/* Evaluate every rule, and order the findings. */
void findings_evaluate(struct findings *findings, const struct findings_context *context);

/* Evaluate a single rule, for tests. */
void findings_evaluate_rule(struct findings *findings, const struct findings_context *context,
                            enum finding_rule rule);
/* The rules; each adds findings, or one note. */
#define RULE(name, id, gain, help)                                                                 \
    void rule_##name(const struct findings_context *context, struct findings *findings);
#include "findings/rules.def"
#undef RULE

#endif
