/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A row of the call frame table: where the caller's registers are when the code is at one
 * address (DWARF 5, 6.4.1).
 */
#ifndef UNWIND_FRAME_ROW_H
#define UNWIND_FRAME_ROW_H

#include "unwind/description.h"

enum frame_how { FRAME_SAME, FRAME_UNDEFINED, FRAME_AT_CFA, FRAME_EXPRESSION, FRAME_STRANGE };

/* Where one register of the caller is. */
struct frame_saved {
    enum frame_how how;
    int64_t offset;                /* AT_CFA */
    struct dwarf_bytes expression; /* EXPRESSION: it computes the place */
};

struct frame_row {
    uint64_t cfa_register;
    int64_t cfa_offset;
    struct dwarf_bytes cfa_expression; /* instead of the two above, unless empty */
    struct frame_saved pc;
    struct frame_saved fp;
};

/* Run the instructions of a description up to an address, and write the row there.
 * Returns: false for an unknown instruction. */
bool frame_row_find(const struct description *description, uintptr_t pc, struct frame_row *row);

#endif
