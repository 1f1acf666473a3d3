/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Call stacks with weights: what all formats of tprof export write.
 *
 * Processor time is that of samples and of kernels' clocks, and sums up to the processor time of
 * the process: what has no stack is a stack of one frame.  Waiting is that of calls that were seen,
 * and wall time is both and the rest of the lives of all threads.  Calls, FLOPs and bytes are those
 * of kernels, with their ops or their callers.  Memory is that of sites.
 */
#ifndef EXPORT_STACKS_H
#define EXPORT_STACKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "base/branches.h"
#include "base/status.h"
#include "base/text_index.h"
#include "base/units.h"
#include "cpu/cpu_row.h"

struct session;
struct storage;

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

enum export_label {
#define LABEL(id, name) EXPORT_LABEL_##id,
#include "export/labels.def"
#undef LABEL
    EXPORT_LABELS
};

const char *export_label_name(enum export_label label);

/* A number as people read it: "1.5 s", "3 MiB". */
void export_format_weight(char text[UNITS_SIZE], enum export_weight weight, double number);

/* A line of a function.  Texts belong to the stacks. */
struct export_frame {
    const char *name;
    const char *library; /* base name; NULL: none, or several */
    const char *file;    /* source; NULL: unknown */
    uint32_t line;       /* 0: unknown */
    bool is_python;      /* a function of Python code; the library is its file */
    bool is_inlined;     /* into the frame around it */
    bool is_thread;      /* it stands for a thread: see EXPORT_BY_THREAD */
    bool is_label;       /* it stands for the labels of the stack: see EXPORT_BY_LABELS */
    const char *labels[EXPORT_LABELS]; /* of such a one; NULL: it has none */
};

/* What the outermost frames are: functions; or where a stack's thread is known the threads, with
 * the functions in them; or where any label is known one frame that has them all. */
enum export_root { EXPORT_BY_FUNCTION, EXPORT_BY_THREAD, EXPORT_BY_LABELS };

/* The innermost frame of a stack: the way to the root is the rest of it. */
struct export_stack {
    struct branch branch; /* its name is the number of the frame */
    size_t index;         /* among the stacks; of what calls it larger than its own */
    double weights[EXPORT_WEIGHTS];
    double wholes[EXPORT_WEIGHTS]; /* with those of the frames inside */
};

struct export_stacks {
    const struct session *session;
    enum export_root root_is;
    struct cpu_time time;
    struct storage *texts;
    struct array frames; /* of struct export_frame, by number */
    struct text_index keys;
    struct branches branches;
    struct export_stack root;
    struct array stacks; /* of struct export_stack *, those inside before those around */
    bool has[EXPORT_WEIGHTS]; /* what is known */
    uint64_t unknown_calls;   /* of kernels whose FLOPs are not known, and left out */
};

/* Find them. */
void export_stacks_init(struct export_stacks *stacks, const struct session *session,
                        enum export_root root_is);

void export_stacks_fini(struct export_stacks *stacks);

/* Returns: the weight that was asked for; of EXPORT_WEIGHTS, none, processor time where it is told,
 * else the time of all threads. */
enum export_weight export_stacks_choose(const struct export_stacks *stacks,
                                        enum export_weight asked);

/* Give a stack by its place, and a frame of it. */
const struct export_stack *export_stack_at(const struct export_stacks *stacks, size_t index);
const struct export_frame *export_frame_of(const struct export_stacks *stacks,
                                           const struct export_stack *stack);

/* Returns: the stack without its innermost frame; NULL: that was the last. */
const struct export_stack *export_stack_around(const struct export_stacks *stacks,
                                               const struct export_stack *stack);

/* Whole numbers that sum up to the rounded sum. */
struct export_rounding {
    double sum;
    int64_t told;
};

int64_t export_round(struct export_rounding *rounding, double weight);

#endif
