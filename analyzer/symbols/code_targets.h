/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Starts of functions that no table lists, from the code that calls them.
 *
 * Assembler code without unwind tables, common in codecs, leaves nothing in a stripped file except
 * the code itself.  A function starts where other code calls it or takes its address.  Only for
 * x86-64.
 */
#ifndef SYMBOLS_CODE_TARGETS_H
#define SYMBOLS_CODE_TARGETS_H

#include <libelf.h>
#include <stdint.h>

#include "symbols/intervals.h"

struct function_ranges;

/* Add such functions of a file, whose addresses are `bias` above those in the file: each extends to
 * the next.  `functions`: those in a table, which are left out.  A file with more than 128 MiB of
 * code is not searched. */
void code_targets_read(struct intervals *targets, Elf *elf, uint64_t bias,
                       const struct function_ranges *functions);

#endif
