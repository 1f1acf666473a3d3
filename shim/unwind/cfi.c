/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From an address to its frame description (unwind/description.h), through the instructions to the
 * row that is valid there (unwind/frame_row.h), and from the row to a rule.
 *
 * Decision: doc/decisions/own-unwinder.
 */
#include "unwind/cfi.h"

#include <string.h>

#include "unwind/frame_row.h"
#include "unwind/machine.h"

static bool set_place(struct unwind_place *place, uint64_t number, int64_t offset)
{
    if (number != UNWIND_DWARF_SP && number != UNWIND_DWARF_FP)
        return false;
    if (offset != (int32_t)offset)
        return false;
    place->base = number == UNWIND_DWARF_SP ? UNWIND_SP : UNWIND_FP;
    place->offset = (int32_t)offset;
    return true;
}

/* The expressions that compilers and libc write: a register and an offset (DW_OP_breg), and a load
 * from that address (DW_OP_deref). */
static bool read_expression(struct dwarf_bytes bytes, struct unwind_place *place,
                            uint32_t *is_indirect)
{
    unsigned opcode = (unsigned)dwarf_read_fixed(&bytes, 1);
    int64_t offset;

    if (opcode < DWARF_BREG0 || opcode > DWARF_BREG31)
        return false;
    offset = dwarf_read_signed(&bytes);
    *is_indirect = dwarf_has(&bytes, 1) && *bytes.at == DWARF_DEREF;
    bytes.at += *is_indirect;
    return bytes.at == bytes.end && set_place(place, opcode - DWARF_BREG0, offset);
}

static bool set_saved_place(struct unwind_place *place, const struct frame_saved *saved)
{
    uint32_t is_indirect = 0;

    switch (saved->how) {
    case FRAME_SAME:
    case FRAME_UNDEFINED: *place = (struct unwind_place){0, UNWIND_NONE}; return true;
    case FRAME_AT_CFA:
        *place = (struct unwind_place){(int32_t)saved->offset, UNWIND_CFA};
        return saved->offset == (int32_t)saved->offset;
    case FRAME_EXPRESSION:
        return read_expression(saved->expression, place, &is_indirect) && !is_indirect;
    case FRAME_STRANGE: break;
    }
    return false;
}

static bool make_rule(const struct frame_row *row, bool is_signal, struct unwind_rule *rule)
{
    bool has_cfa = row->cfa_expression.at
                       ? read_expression(row->cfa_expression, &rule->cfa, &rule->is_indirect)
                       : set_place(&rule->cfa, row->cfa_register, row->cfa_offset);

    if (row->pc.how == FRAME_UNDEFINED) {
        *rule = (struct unwind_rule){.kind = UNWIND_END};
        return true;
    }
    rule->kind = is_signal ? UNWIND_SIGNAL : UNWIND_FRAME;
    return has_cfa && set_saved_place(&rule->pc, &row->pc) && rule->pc.base != UNWIND_NONE &&
           set_saved_place(&rule->fp, &row->fp);
}

bool cfi_begins_function(uintptr_t pc)
{
    struct description description;

    return description_find(pc, &description) == CFI_FOUND && description.start == pc;
}

enum cfi_result cfi_find_rule(uintptr_t pc, struct unwind_rule *rule)
{
    struct description description;
    enum cfi_result result = description_find(pc, &description);
    struct frame_row row;

    memset(rule, 0, sizeof *rule);
    if (result != CFI_FOUND)
        return result;
    if (!frame_row_find(&description, pc, &row) || !make_rule(&row, description.is_signal, rule))
        return CFI_STRANGE;
    return CFI_FOUND;
}
