/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ops of PyTorch, by the callbacks that it offers to observers (at::RecordFunction).
 *
 * Safety: torch_found and torch_gone under the lock of the scan.
 *
 * Decision: doc/decisions/torch-ops.
 */
#ifndef TORCH_TORCH_H
#define TORCH_TORCH_H

#include <stdbool.h>
#include <stdint.h>

#include "torch/inputs.h"

struct torch_callback;

/* Addresses of the needed symbols in a library; NULL: the library lacks them. */
struct torch_symbols {
    uint32_t module; /* id of its row */
    uint64_t (*add)(struct torch_callback callback); /* at::addGlobalCallback */
    void (*remove)(uint64_t handle);                 /* at::removeCallback */
    const char *(*name)(const void *function);       /* at::RecordFunction::name */
    struct inputs_symbols inputs;
};

/* A PyTorch was found. */
void torch_found(const struct torch_symbols *symbols);

/* Its library is no longer there. */
void torch_gone(void);

/* Register a callback for PyTorch's ops, once PyTorch was found.  The caller holds no lock, and the
 * constructors of all libraries have run. */
void torch_register(void);

/* A row of fact_writers. */
bool torch_write_facts(unsigned *written);

#endif
