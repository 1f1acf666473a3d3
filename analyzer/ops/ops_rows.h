/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ops of a session, grouped: by name, inputs, line, function of Python, module, or region.
 */
#ifndef OPS_OPS_ROWS_H
#define OPS_OPS_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/analysis.h"
#include "base/array.h"
#include "rows/fold.h"

struct session;

/* Ops of one group. */
struct ops_row {
    const char *name;   /* name of the group; texts live as long as the ops_rows */
    const char *inputs; /* for rows by shape only; else NULL */
    const char *framework;
    const char *class;  /* for rows by module only; NULL: no module */
    uint64_t calls;
    uint64_t outer_calls; /* calls inside no other op of the group */
    bool is_estimated;
    bool is_backward;
    uint64_t total_ns;         /* time of outer calls */
    uint64_t self_ns;          /* time of all its ops, without inner ops */
    uint64_t kernel_ns;        /* time of kernels called directly, in no inner op */
    uint64_t device_ns;        /* time of commands asked for directly, on their devices */
    uint64_t commands;         /* of these commands */
    uint64_t untimed;          /* of these commands */
    uint64_t kernels;          /* calls of kernels in its ops and inner ops */
    long double flops;         /* of its ops and inner ops: from kernels, or from op_flops.h */
    bool is_ruled;             /* some are by the latter */
    const char *device;        /* as in struct op_sum */
    long double bytes;         /* bytes that these at least read and write */
    uint64_t allocations;      /* those in no inner op */
    uint64_t allocated_bytes;
    uint64_t peak_bytes;     /* of its ops and inner ops, as in struct session_op */
    uint64_t kept_bytes;
    uint64_t kept_blocks;
    uint64_t no_grad_calls;  /* as in struct session_op */
    uint64_t autocast_calls; /* calls whose inputs were converted to 16 bits by themselves */
    uint64_t backward_calls; /* calls of ops that computed gradients of its ops and inner ops */
    double backward_ns;      /* in these */
    long double backward_flops;
    double share_ns;         /* part of all_ns: self_ns, and for a module also its ops' backward
                                ops, which then are not in the row without a module */
};

struct ops_rows {
    const struct session *session;
    struct array rows; /* of struct ops_row */
    uint64_t all_ns;   /* in ops: the sum of self_ns */
    bool is_by_module;
    bool knows_peak;   /* peak_bytes is known */
    bool knows_kept;   /* kept_bytes and kept_blocks are known */
    bool knows_inputs; /* no_grad_calls and autocast_calls are known */
    long double flops; /* FLOPs of all ops */
    long double forward_flops; /* part in ops that compute no gradients and belong to no optimizer
                                  or loader */
    struct fold fold;
};

/* Group them. */
void ops_rows_init(struct ops_rows *rows, const struct session *session, enum analysis_by by);

#endif
