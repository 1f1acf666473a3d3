/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds the library of PyTorch among the loaded objects.
 */
#ifndef HOOK_TORCH_H
#define HOOK_TORCH_H

/* Look after a scan, under its lock. */
void hook_torch_look(void);

#endif
