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
 * over the threads.  Op 0 is the root: the time outside of any op. */
struct session_op {
    const char *name;      /* "aten::addmm" */
    const char *framework; /* "torch" */
    const char *inputs; /* "f32[8,16] f32[16]"; NULL: no tensors, or unknown */
    const char *device; /* "cuda": it has a tensor there, so its times only cover launches; NULL:
                           none */
    uint32_t parent;       /* the op around it */
    uint32_t depth;        /* depth of the root: 0 */
    uint32_t region;       /* index in regions */
    uint64_t site;         /* Python call of the outermost op around it, as in a slot; 0: unknown */
    uint64_t line;         /* the same, in the program's own code if there is any */
    uint32_t layer;        /* index in layers: the innermost around; 0: none */
    uint64_t calls;        /* completed */
    bool is_estimated;     /* calls and times, by drawn calls in a window */
    uint64_t inclusive_ns; /* time of completed calls, summed over threads */
    uint64_t exclusive_ns; /* without inner ops */
    uint64_t allocations;  /* these are exclusive, too */
    uint64_t allocated_bytes;
    uint64_t frees;
    uint64_t peak_bytes;     /* part live at the peak of the heap; UNKNOWN */
    uint64_t kept_bytes;     /* obtained by a forward op, and freed or used by
                                the backward pass; or UNKNOWN */
    uint64_t kept_blocks;
    uint64_t kept_peak_bytes; /* part of kept_bytes live at the peak of the heap; or UNKNOWN */
    uint64_t no_grad_calls;   /* the program's calls on tensors without a record
                                 for gradients; by the trace's records */
    uint64_t backward_calls; /* calls of ops that only computed its gradients, by records */
    double backward_ns;      /* inclusive, of these */
    long double worker_flops; /* kernels called by other threads outside of ops, while no other op
                                 was open, by records; then their bytes and their time */
    long double worker_bytes;
    double worker_ns;
    uint32_t tie;     /* its last one, in op_ties; 0: none */
    bool is_backward; /* computes the gradients of another op */
    enum op_kind kind;    /* from its name */
    double most_elements; /* of one of its inputs; 0: unknown */
    uint64_t followers; /* calls after another elementwise op on as many
                           elements, with only views between; by records */
    double follower_ns; /* inclusive, of these */
    double gap_ns;      /* short gaps between it and the op before, of an outermost one */
    bool is_engine;   /* contains such an op, and frees that op's inputs */
};

/* An op, and one of the ops that computed its gradients or of their inner ops.  Tie 0 means
 * none. */
struct session_op_tie {
    uint32_t forward; /* indices in ops */
    uint32_t backward;
    uint32_t next; /* next tie of the forward op; 0: it is the last */
    double calls;  /* calls of the backward op, by records */
};

/* A framework, and whether its ops are recorded. */
struct session_framework {
    struct trace_ops fact; /* zeros: the process had none */
    bool is_there;
    uint64_t off_ns; /* when the budget ended the recording of its ops; UNKNOWN: never */
    uint64_t gradient_records; /* records that ops made for their gradients */
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
