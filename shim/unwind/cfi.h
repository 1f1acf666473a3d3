/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Call frame information: the .eh_frame sections of loaded objects, as the
 * compiler wrote them, turned into rules.
 *
 * The shim has its own reader.  libunwind exports the _Unwind_* functions, and would take them away
 * from the program's C++ runtime.  It also takes locks, and it steps one frame, while a cache needs
 * the rule of an address.  tests/system/chains.c compares the reader with libunwind.
 *
 * Source: DWARF 5, 6.4; Linux Standard Base 5, 10.6 (.eh_frame, .eh_frame_hdr).
 */
#ifndef UNWIND_CFI_H
#define UNWIND_CFI_H

#include "unwind/cfi_result.h"
#include "unwind/rule.h"

/* Find the rule of the code at `pc`, an address inside the instruction: for a call, its return
 * address less one.
 * Safety: that of description.h. */
enum cfi_result cfi_find_rule(uintptr_t pc, struct unwind_rule *rule);

/* Does a function begin at `pc`, by its table?  Safety: the same. */
bool cfi_begins_function(uintptr_t pc);

#endif
