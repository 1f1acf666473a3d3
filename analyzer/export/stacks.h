/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Call stacks with weights: the contents of all formats of tprof export.
 *
 * Processor time comes from samples and kernels' clocks, and sums up to the processor time of the
 * process: time without a stack gets a stack of one frame.  Waiting comes from recorded calls.
 * Wall time is the whole lives of all threads: processor time, waiting, and the rest.  Calls, FLOPs
 * and bytes come from kernels, with their ops or their callers.  Memory comes from sites.
 */
#ifndef EXPORT_STACKS_H
#define EXPORT_STACKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/units.h"
#include "stacks/call_frame.h"
#include "stacks/call_tree.h"

struct session;

enum export_weight {
#define WEIGHT(id, name, unit, help) EXPORT_##id,
#include "export/weights.def"
#undef WEIGHT
    EXPORT_WEIGHTS
};

struct export_weight_row {
    const char *name;
    const char *unit;
    const char *help;
};

/* Give the row of a weight. */
const struct export_weight_row *export_weight_at(enum export_weight weight);

/* A number as people read it: "1.5 s", "3 MiB". */
void export_format_weight(char text[UNITS_SIZE], enum export_weight weight, double number);

/* The outermost frames: functions; or threads with their functions, if a stack's thread is known;
 * or one frame with all labels, if any is known. */
enum export_root { EXPORT_BY_FUNCTION, EXPORT_BY_THREAD, EXPORT_BY_LABELS };

/* A node of the tree is the innermost frame of a stack; the path to the root is the rest of the
 * stack. */
struct export_stacks {
    const struct session *session; /* the last that was added */
    enum export_root root_is;
    struct call_tree tree;    /* a tree of EXPORT_WEIGHTS weights; each node is a frame */
    bool has[EXPORT_WEIGHTS]; /* the session knows this weight */
    uint64_t unknown_calls;   /* kernel calls that were left out, as their FLOPs are unknown */
    const char *no_samples;   /* why there are no samples; NULL: there are some */
};

/* Make an empty tree with frames of one kind.  Then add the stacks of a session below a node, and
 * sum them up; or do both, with complete frames. */
void export_stacks_init(struct export_stacks *stacks, enum export_root root_is,
                        enum call_frames_by by);
void export_stacks_add(struct export_stacks *stacks, const struct session *session,
                       struct call_node *root);
void export_stacks_make(struct export_stacks *stacks, const struct session *session,
                        enum export_root root_is);

/* Returns: the requested weight.  Without a request (EXPORT_WEIGHTS), it is processor time if
 * known, else the time of all threads. */
enum export_weight export_stacks_choose(const struct export_stacks *stacks,
                                        enum export_weight asked);

/* Whole numbers that sum up to the rounded sum. */
struct export_rounding {
    double sum;
    int64_t told;
};

int64_t export_round(struct export_rounding *rounding, double weight);

#endif
