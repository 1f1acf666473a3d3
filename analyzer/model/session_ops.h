/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ops of a session: calls of a framework's operations.
 */
#ifndef MODEL_SESSION_OPS_H
#define MODEL_SESSION_OPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/op_texts.h"
#include "spec/trace.h"

struct session;

/* The calls of an op with the same inputs, from the same place, in the same op and region, merged
 * over the threads.  Op 0 is the root: what ran in no op. */
struct session_op {
    const char *name;      /* "aten::addmm" */
    const char *framework; /* "torch" */
    const char *inputs; /* "f32[8,16] f32[16]"; NULL: there are no tensors, or they are not told */
    const char *device; /* "cuda": a tensor is there, so its times are of handing over work alone;
                           NULL: none is */
    uint32_t parent;       /* the op around it */
    uint32_t depth;        /* of the root 0 */
    uint32_t region;       /* index in regions */
    uint64_t site;         /* where Python code called the outermost op around it: as of a slot;
                              0: not known */
    uint64_t line;         /* the same, in the program's own code where there is some */
    uint32_t layer;        /* index in layers: the innermost around; 0: none */
    uint64_t calls;        /* completed */
    bool is_estimated;     /* calls and times, by drawn calls in a window */
    uint64_t inclusive_ns; /* of completed calls, summed over threads */
    uint64_t exclusive_ns; /* without the ops inside */
    uint64_t allocations;  /* these are exclusive too */
    uint64_t allocated_bytes;
    uint64_t frees;
    uint64_t peak_bytes;     /* of these, live at the peak of the heap; UNKNOWN: not told */
    uint64_t kept_bytes;     /* that a forward op obtained, and the backward pass gave back or used;
                                or UNKNOWN */
    uint64_t kept_blocks;
    uint64_t kept_peak_bytes; /* of kept_bytes, live at the peak of the heap; or UNKNOWN */
    uint64_t no_grad_calls;   /* by the program, on tensors, that left no record for gradients; by
                                 records of the trace */
    uint64_t backward_calls; /* of ops that computed its gradients, by records; of it alone */
    double backward_ns;      /* inclusive, of these */
    long double worker_flops; /* of kernels that other threads called, in no op, while no other op
                                 was open, by records; then their bytes and their time */
    long double worker_bytes;
    double worker_ns;
    uint32_t tie;     /* index in op_ties: the last of it; 0: there is none */
    bool is_backward; /* it computes the gradients of another */
    enum op_kind kind;    /* by its name */
    double most_elements; /* of one of its inputs; 0: not known */
    uint64_t followers; /* calls that followed another elementwise op on as many elements, with
                           nothing but views between; by records */
    double follower_ns; /* inclusive, of these */
    double gap_ns;      /* short gaps between it and the op before, of an outermost one */
    bool is_engine;   /* it is around such an op, and frees what that needed */
};

/* An op and one of those that computed its gradients, or inside of them.  Tie 0 stands for none. */
struct session_op_tie {
    uint32_t forward; /* indices in ops */
    uint32_t backward;
    uint32_t next; /* tie of the forward op; 0: it is the last */
    double calls;  /* of the backward op, by records */
};

/* A framework whose ops are recorded, if they are. */
struct session_framework {
    struct trace_ops fact; /* zeros: the process had none */
    bool is_there;
    uint64_t off_ns; /* when recording its ops ended, because of the budget; UNKNOWN: it did not */
    uint64_t gradient_records; /* that ops made of what their gradients need */
    uint64_t gradient_ops;     /* calls of ops that computed gradients */
};

static inline const char *session_ops_off_words(uint32_t off)
{
    static const char *const words[] = {
#define OPS_OFF(off, key, words) words,
#include "spec/ops_off.def"
#undef OPS_OFF
    };

    return off < TRACE_OPS_OFFS ? words[off] : "not known";
}

#endif
