/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernel calls gathered into the rows of reports: one for each symbol and shape; or one for each
 * symbol in one library; or one for each class, role, region, thread or place of the call.  Timing,
 * FLOPs and the report all use these rows, so their numbers agree.
 */
#ifndef KERNELS_GROUPS_H
#define KERNELS_GROUPS_H

#include "analysis/analysis.h"
#include "kernels/group.h"
#include "rows/dimensions.h"
#include "rows/fold.h"

/* Rows that are no kernels, and all rows: a bit 1 << ANALYSIS_BY_... each. */
enum {
    GROUPS_LABELLED =
        DIMENSIONS | 1 << ANALYSIS_BY_CLASS | 1 << ANALYSIS_BY_OP | 1 << ANALYSIS_BY_LIBRARY,
    GROUPS_ROWS = GROUPS_LABELLED | 1 << ANALYSIS_BY_SHAPE | 1 << ANALYSIS_BY_KERNEL
};

struct groups {
    struct array rows;       /* struct group, most self time first; those that occur only inside
                                others of the same routine come last */
    size_t own_rows;         /* number of rows before */
    struct fold fold;        /* holds the texts of the rows */
    struct array next_slots; /* size_t: the next slot of the same row, by slot */
    uint64_t self_ns;        /* time of all rows */
    uint64_t nested_ns;      /* part in calls inside a call that owns the FLOPs */
    uint64_t calls;          /* calls, without those nested in others of the same routine */
    uint64_t timed_calls;
    uint64_t interrupted_calls; /* interrupted calls: see struct session_slot */
    struct group_work work;
    bool names_libraries; /* a symbol is served by two libraries */
};

/* Gather the slots of a session. */
void groups_init(struct groups *groups, const struct session *session,
                 const struct analysis_options *options);
/* Walk through the slots of a row, from its first one on.
 * Returns: the next one; GROUPS_NO_SLOT after the last. */
#define GROUPS_NO_SLOT SIZE_MAX
size_t groups_next_slot(const struct groups *groups, size_t slot);

/* Threads that called no kernel while others did: a library's waiting threads, and the program's
 * own. */
enum { GROUPS_BYSTANDERS_SIZE = 64 };
struct groups_bystanders {
    uint64_t ns; /* sum of their lifetimes */
    size_t count;
    char name[GROUPS_BYSTANDERS_SIZE]; /* "1 thread without kernels", or "1 idle worker thread" */
};

/* The thread time that no kernel took, in parts that sum to it. */
struct groups_rest {
    struct groups_bystanders bystanders;
    uint64_t loading_ns; /* reading files, pipes and sockets, in threads that call kernels */
    uint64_t own_ns; /* estimated cost of recording */
    uint64_t other_ns;
};
struct groups_rest groups_split_rest(const struct session *session, uint64_t kernel_ns);

#endif
