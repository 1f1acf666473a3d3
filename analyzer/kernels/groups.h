/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernel calls gathered into the rows that people read: one a symbol and
 * shape, or one a symbol, in one library; or one a class, role, region, thread
 * or place of the call.  Timing, FLOPs and the report all start from these, so
 * that their numbers agree.
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
    struct array rows;       /* of struct group, most self time first; at the end those that are
                                inside others of the same routine alone */
    size_t own_rows;         /* those before */
    struct fold fold;        /* has the texts of the rows */
    struct array next_slots; /* of size_t: the next slot of the same row, by slot */
    uint64_t self_ns;        /* of all */
    uint64_t nested_ns;      /* of these, of calls inside one that owns the FLOPs */
    uint64_t calls;          /* without those inside others of the same routine */
    uint64_t timed_calls;
    uint64_t interrupted_calls; /* of these: see struct session_slot */
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

/* Threads that called no kernel while others did: those of a library that wait for
 * work, and the program's own. */
enum { GROUPS_BYSTANDERS_SIZE = 64 };
struct groups_bystanders {
    uint64_t ns; /* of their lives */
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
