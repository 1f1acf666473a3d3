/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads instructions at an address, to find their effect on a stack.
 */
#ifndef WHERE_CODE_H
#define WHERE_CODE_H

#include <stdbool.h>
#include <stdint.h>

struct image;

/* Ask whether the instruction before an address is a call, so that the address may be a return
 * address. */
bool code_follows_call(struct image *image, uint64_t address);

/* Ask whether a signal handler returns to this address, which calls rt_sigreturn. */
bool code_ends_signal(struct image *image, uint64_t address);

#endif
