/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The path of attributes from one module of torch.nn to another: "layers.0.self_attn".
 *
 * The dictionaries of both are read through the kernel, so that no read can fail in the program,
 * even if other threads change them meanwhile.  Nothing is called, and nothing is written.  A path
 * is returned only if it ends at that very object.
 *
 * Safety: any thread, with or without the lock of the interpreter; no lock; errno is kept.
 * Budget: some 20 us for a module, and 512 system calls at most.
 */
#ifndef TORCH_ATTRIBUTES_H
#define TORCH_ATTRIBUTES_H

#include <stdbool.h>
#include <stdint.h>

enum { ATTRIBUTES_SIZE = 256 };

/* Find the path from a module to one below it.  Returns: false when there is none, or it cannot be
 * read. */
bool attributes_find(uintptr_t outer, uintptr_t object, char path[ATTRIBUTES_SIZE]);

#endif
