/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Layers: the torch.nn.Module objects whose calls ran ops, each under its caller.
 *
 * The key of an object is its address, its type and its outer layer.  Two words of its memory are
 * read, its type and the type's name; and its path in the outer layer, if requested.
 *
 * Safety: any thread; takes the process lock.
 */
#ifndef TORCH_LAYERS_H
#define TORCH_LAYERS_H

#include <stdbool.h>
#include <stdint.h>

/* Find the layer of an object below another one, 0: below none.
 * Returns: its id; `outer` when the object is unreadable, or there is no room. */
uint32_t layers_find(uint32_t outer, uintptr_t object);

/* A row of fact_writers. */
bool layers_write_facts(unsigned *written);

#endif
