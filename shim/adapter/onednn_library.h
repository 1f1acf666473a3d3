/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A loaded oneDNN library and its description of a primitive, the same for its second and third
 * major version.  The shim does not link it.  Its functions are found in the library of the
 * function that the program calls, so two oneDNNs in one process each answer for their own
 * primitives.
 */
#ifndef ADAPTER_ONEDNN_LIBRARY_H
#define ADAPTER_ONEDNN_LIBRARY_H

#include <stdbool.h>
#include <stdint.h>

enum { ONEDNN_RANK_MAX = 12 };

struct onednn_library;

enum onednn_kind {
    ONEDNN_OTHER,
#define KIND(name, second, third) ONEDNN_##name,
#include "adapter/onednn.def"
#undef KIND
};

enum onednn_propagation {
    ONEDNN_TRAINING = 64,
    ONEDNN_INFERENCE = 96,
    ONEDNN_BACKWARD = 128, /* this and larger numbers mean backward */
    ONEDNN_BACKWARD_DATA = 160,
    ONEDNN_BACKWARD_WEIGHTS = 192
};

/* The numbers of tensors in dnnl_exec_arg_t, equal in both versions. */
enum onednn_argument {
    ONEDNN_SOURCE = 1,
    ONEDNN_RESULT = 17,
    ONEDNN_WEIGHTS = 33,
    ONEDNN_WEIGHTS_STATE = 34,
    ONEDNN_WEIGHTS_PEEPHOLE = 35,
    ONEDNN_WEIGHTS_PROJECTION = 36,
    ONEDNN_BIAS = 41,
    ONEDNN_SOURCE_GRADIENT = 129,
    ONEDNN_RESULT_GRADIENT = 145,
    ONEDNN_WEIGHTS_GRADIENT = 161,
    ONEDNN_MANY_SOURCES = 1024
};

/* dnnl_exec_arg_t: a tensor that a primitive is executed on. */
struct onednn_execution_argument {
    int argument;
    void *memory;
};

struct onednn_execution {
    int count;
    const struct onednn_execution_argument *arguments;
};

struct onednn_tensor {
    int rank; /* 0: the primitive lacks this tensor */
    int type;
    int64_t dims[ONEDNN_RANK_MAX];
    int64_t bytes;
};

/* A primitive whose description is at hand. */
struct onednn_primitive {
    const struct onednn_library *library;
    const void *description;
    const void *operation; /* its descriptor, in the second version */
    enum onednn_kind kind;
    int propagation; /* enum onednn_propagation; 0: there is none */
    const char *implementation;
    const struct onednn_execution *execution; /* NULL: not at hand */
    bool is_open; /* some size of its tensors is known at execution only */
};

/* How a window moves: by spatial dimension, as many as the tensors have. */
struct onednn_window {
    int64_t size[ONEDNN_RANK_MAX]; /* for pooling only */
    int64_t strides[ONEDNN_RANK_MAX];
    int64_t dilations[ONEDNN_RANK_MAX]; /* 0: none */
    int64_t padding[ONEDNN_RANK_MAX];   /* padding on the left */
};

/* Find the functions of the library that holds an address.
 * Returns: the library, the same for all its addresses; NULL for another library, or an unknown
 * version.
 * Safety: under the lock of hook.c. */
const struct onednn_library *onednn_library_find(const void *address);

/* Open the primitive that a program executes.  Returns: false when it has no description. */
bool onednn_primitive_open(struct onednn_primitive *primitive, const struct onednn_library *library,
                           const void *of);

/* A tensor of a primitive; a missing one has rank 0.  A size known only at execution is taken from
 * the execution, or is negative. */
struct onednn_tensor onednn_tensor(struct onednn_primitive *primitive, int argument);

/* A tensor of the depthwise convolution that is fused into this one; rank 0 when there is none. */
struct onednn_tensor onednn_second_tensor(struct onednn_primitive *primitive, int argument);

/* Give the algorithm's name, at most 8 characters; "?" when unknown. */
const char *onednn_algorithm(const struct onednn_primitive *primitive);

/* The window of a primitive; unknown numbers are 0. */
struct onednn_window onednn_window(struct onednn_primitive *primitive);

/* Is this RNN a GRU that is linear before reset? */
bool onednn_is_linear_before_reset(const struct onednn_primitive *primitive);

/* Give the number of neighbours of a local response normalization; 0 when it is unknown. */
int64_t onednn_local_size(const struct onednn_primitive *primitive);

/* Give a type's name; "?" when unknown. */
const char *onednn_type(int type);

#endif
