/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parses the name and the inputs of an op.
 */
#ifndef MODEL_OP_TEXTS_H
#define MODEL_OP_TEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* See op_kinds.def. */
enum op_kind { OP_KIND_OTHER, OP_KIND_ELEMENTWISE, OP_KIND_VIEW, OP_KIND_READ };

enum op_kind op_kind_of(const char *name);

/* Comes after the inputs, if a framework gives the outputs: "f32[8,16] -> f32[8]". */
#define OP_OUTPUTS "-> "

/* A tensor or a list of numbers among the inputs.  Texts have no terminator. */
struct op_input {
    bool is_list;
    const char *device; /* device of a tensor: "cuda" in "cuda:f32[8,16]" */
    size_t device_size; /* 0: it is in the processor's memory */
    const char *type;   /* type of a tensor: "f32" */
    size_t type_size;
    const char *sizes; /* text after the bracket: "8,16]", or "1,1)" for a list */
};

/* Split the next input off `inputs`, such as "f32[8,16] (1,1)"; NULL is empty.
 * Returns: false when there is none. */
bool op_input_next(const char **inputs, struct op_input *input);

/* A tensor among the inputs, as above. */
struct op_tensor {
    const char *device;
    size_t device_size;
    const char *type;
    size_t type_size;
    double elements;
    double bytes;
};

/* The same for the next tensor; lists are skipped. */
bool op_tensor_next(const char **inputs, struct op_tensor *tensor);

/* Ask whether the elements of two tensors have one type. */
bool op_tensor_types_agree(const struct op_tensor *one, const struct op_tensor *other);

/* Sums over the inputs of an op. */
struct op_inputs {
    double bytes;
    double most_elements; /* largest number of elements of one input; 0: unknown */
    double most_bytes;
    const char *device; /* device of the first input on a device, as above */
    size_t device_size; /* 0: none is */
};

struct op_inputs op_inputs_sum(const char *inputs);

#endif
