/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inputs of an op of PyTorch, and its sequence number, read from its at::RecordFunction.
 *
 * PyTorch exports no C function for inputs, so they are read at the offsets of layout.def.  The
 * first ops of a process are compared with PyTorch's functions; a difference ends the reading for
 * good.
 *
 * Safety: any thread; nothing is allocated, locked or written to PyTorch's memory.
 * Budget: six loads an input.
 */
#ifndef TORCH_INPUTS_H
#define TORCH_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* PyTorch's functions with the values to compare. */
struct inputs_symbols {
    uint64_t (*count)(const void *function); /* at::RecordFunction::num_inputs */
    uint64_t (*next_sequence)(void);         /* at::sequence_number::peek */
};

enum { INPUTS_MAX = 6, INPUTS_DIMS_MAX = 8, INPUTS_LISTS_MAX = 6 };

/* A tensor among the inputs. */
struct inputs_tensor {
    const int64_t *sizes;
    uint32_t dims;
    uint16_t type;
    uint16_t device; /* a row of devices.def; others mean the processor */
};

/* A list of numbers, such as the strides of a convolution. */
struct inputs_list {
    uintptr_t values; /* array of c10::IValue */
    uint32_t count;
};

struct inputs {
    uint32_t count; /* number of tensors, at most INPUTS_MAX */
    uint32_t lists; /* if the second tensor may be the weights of a convolution */
    bool is_cut;    /* there are more tensors */
    uint64_t note;  /* sequence number and direction, as in a record */
    struct inputs_tensor tensors[INPUTS_MAX];
    struct inputs_list list[INPUTS_LISTS_MAX];
};

enum inputs_state { INPUTS_OFF, INPUTS_UNPROVEN, INPUTS_PROVEN };

/* Start reading, if these symbols exist. */
void inputs_begin(const struct inputs_symbols *symbols);

enum inputs_state inputs_state(void);

/* Read the inputs of an op, or only its number.
 * Returns: false when the inputs are unknown; `inputs` is then empty. */
bool inputs_read(const void *function, bool has_tensors, struct inputs *inputs);

/* Returns: a number of a list. */
int64_t inputs_number(const struct inputs_list *list, uint32_t index);

/* Put "f32[32,64] cuda:i64[7] (2,2)" in a text.  Returns: its length, less than `size`. */
size_t inputs_format(const struct inputs *inputs, char *text, size_t size);

#endif
