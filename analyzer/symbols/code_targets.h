/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Starts of functions that no table lists, from the code that calls them.
 *
 * Assembler without unwind tables, common in codecs, leaves nothing in a stripped file but its
 * code.  A function starts where other code calls or takes an address.  On x86-64 alone.
 */
#ifndef SYMBOLS_CODE_TARGETS_H
#define SYMBOLS_CODE_TARGETS_H

#include <libelf.h>
#include <stdint.h>

#include "symbols/intervals.h"

struct function_ranges;

/* Add such functions of a file, whose addresses are `bias` above those in it: each reaches to the
 * next.  `functions`: those that a table lists, which are left out.
 * A file with more than 128 MiB of code is not searched. */
void code_targets_read(struct intervals *targets, Elf *elf, uint64_t bias,
                       const struct function_ranges *functions);

#endif
