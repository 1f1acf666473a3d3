/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The work of ops, each including its inner ops.
 */
#ifndef OPS_OP_SUMS_H
#define OPS_OP_SUMS_H

#include <stdbool.h>
#include <stdint.h>

struct session;

/* Sums over an op and its inner ops. */
struct op_sum {
    uint64_t kernel_ns; /* of only the op itself */
    uint64_t device_ns; /* the same: its commands on devices */
    uint64_t commands;  /* the same: how many it asked for */
    uint64_t untimed;   /* of these */
    uint64_t kernels;
    long double flops;
    long double own_flops; /* of only the op itself */
    bool is_ruled;         /* some of these are by rules for ops: op_flops.h */
    const char *device;    /* device of one of its ops, as in struct session_op; NULL: none */
    long double bytes;
    uint64_t backward_calls; /* calls of ops that computed gradients of these */
    double backward_ns;
    long double backward_flops;
    long double own_backward_flops; /* of only the op itself */
    uint64_t peak_bytes;            /* these three are undefined if blocks are unknown */
    uint64_t kept_bytes;
    uint64_t kept_blocks;
};

/* Sum them up.  Returns: one an op, of the pool in use. */
struct op_sum *op_sums_new(const struct session *session);

#endif
