/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running call frame instructions.
 */
#include "unwind/frame_row.h"

#include "unwind/machine.h"

enum { REMEMBERED_MAX = 8, PRIMARY_BITS = 0xc0 };

/* The operands of an instruction, as dwarf.def names them. */
enum operand_kind {
    NONE,
    LOW,
    LOW_UNSIGNED,
    POINTER,
    SIZE_1,
    SIZE_2,
    SIZE_4,
    UNSIGNED,
    SIGNED,
    NUMBER,
    NUMBER_UNSIGNED,
    NUMBER_SIGNED,
    BLOCK,
    NUMBER_BLOCK
};

/* The operands of one instruction. */
struct operands {
    uint64_t number; /* a register or a distance in code */
    int64_t offset;
    struct dwarf_bytes block;
};

struct machine {
    const struct description *description;
    struct frame_row row;
    struct frame_row initial; /* after the common instructions */
    struct frame_row remembered[REMEMBERED_MAX];
    struct frame_saved nowhere; /* for registers that no rule needs */
    unsigned depth;
    uintptr_t location;
    uintptr_t sought;
};

static struct frame_saved *saved_of(struct machine *machine, struct frame_row *row, uint64_t number)
{
    if (number == machine->description->pc_register)
        return &row->pc;
    return number == UNWIND_DWARF_FP ? &row->fp : &machine->nowhere;
}

static void set_saved(struct machine *machine, uint64_t number, enum frame_how how, int64_t offset)
{
    struct frame_saved *saved = saved_of(machine, &machine->row, number);

    saved->how = how;
    saved->offset = offset;
}

static void set_expression(struct machine *machine, uint64_t number, struct dwarf_bytes expression,
                           enum frame_how how)
{
    struct frame_saved *saved = saved_of(machine, &machine->row, number);

    saved->how = how;
    saved->expression = expression;
}

static void restore(struct machine *machine, uint64_t number)
{
    *saved_of(machine, &machine->row, number) = *saved_of(machine, &machine->initial, number);
}

static void set_cfa(struct machine *machine, uint64_t number, int64_t offset)
{
    machine->row.cfa_register = number;
    machine->row.cfa_offset = offset;
    machine->row.cfa_expression = (struct dwarf_bytes){0};
}

static void remember(struct machine *machine)
{
    if (machine->depth < REMEMBERED_MAX)
        machine->remembered[machine->depth] = machine->row;
    machine->depth++;
}

static bool recall(struct machine *machine)
{
    if (machine->depth == 0 || --machine->depth >= REMEMBERED_MAX)
        return false;
    machine->row = machine->remembered[machine->depth];
    return true;
}

static ALWAYS_INLINE struct operands read_operands(enum operand_kind kind, unsigned byte,
                                                   struct dwarf_bytes *bytes, unsigned encoding)
{
    struct operands operands = {.number = byte & ~(unsigned)PRIMARY_BITS};

    switch (kind) {
    case NONE:
    case LOW: break;
    case LOW_UNSIGNED:
    case UNSIGNED: operands.offset = (int64_t)dwarf_read_unsigned(bytes); break;
    case SIGNED: operands.offset = dwarf_read_signed(bytes); break;
    case POINTER: operands.number = dwarf_read_pointer(bytes, encoding); break;
    case SIZE_1: operands.number = dwarf_read_fixed(bytes, 1); break;
    case SIZE_2: operands.number = dwarf_read_fixed(bytes, 2); break;
    case SIZE_4: operands.number = dwarf_read_fixed(bytes, 4); break;
    case BLOCK: operands.block = dwarf_take_block(bytes); break;
    case NUMBER: operands.number = dwarf_read_unsigned(bytes); break;
    case NUMBER_UNSIGNED:
        operands.number = dwarf_read_unsigned(bytes);
        operands.offset = (int64_t)dwarf_read_unsigned(bytes);
        break;
    case NUMBER_SIGNED:
        operands.number = dwarf_read_unsigned(bytes);
        operands.offset = dwarf_read_signed(bytes);
        break;
    case NUMBER_BLOCK:
        operands.number = dwarf_read_unsigned(bytes);
        operands.block = dwarf_take_block(bytes);
        break;
    }
    return operands;
}

/* Returns: false when there is no state to restore. */
static ALWAYS_INLINE bool execute(struct machine *machine, enum dwarf_instruction instruction,
                                  struct operands operands)
{
    const struct description *description = machine->description;
    uint64_t number = operands.number;
    int64_t factored = operands.offset * description->data_unit;

    switch (instruction) {
    case DWARF_NOP:
    case DWARF_GNU_ARGS_SIZE:
    case DWARF_AARCH64_NEGATE_RA_STATE: break; /* unwind_address() drops signatures */
    case DWARF_SET_LOC: machine->location = number; break;
    case DWARF_ADVANCE_LOC:
    case DWARF_ADVANCE_LOC1:
    case DWARF_ADVANCE_LOC2:
    case DWARF_ADVANCE_LOC4: machine->location += number * description->code_unit; break;
    case DWARF_OFFSET:
    case DWARF_OFFSET_EXTENDED:
    case DWARF_OFFSET_EXTENDED_SF: set_saved(machine, number, FRAME_AT_CFA, factored); break;
    case DWARF_GNU_NEGATIVE_OFFSET_EXTENDED:
        set_saved(machine, number, FRAME_AT_CFA, -factored);
        break;
    case DWARF_UNDEFINED: set_saved(machine, number, FRAME_UNDEFINED, 0); break;
    case DWARF_SAME_VALUE: set_saved(machine, number, FRAME_SAME, 0); break;
    case DWARF_REGISTER:
    case DWARF_VAL_OFFSET:
    case DWARF_VAL_OFFSET_SF: set_saved(machine, number, FRAME_STRANGE, 0); break;
    case DWARF_EXPRESSION: set_expression(machine, number, operands.block, FRAME_EXPRESSION); break;
    case DWARF_VAL_EXPRESSION:
        set_expression(machine, number, operands.block, FRAME_STRANGE);
        break;
    case DWARF_RESTORE:
    case DWARF_RESTORE_EXTENDED: restore(machine, number); break;
    case DWARF_REMEMBER_STATE: remember(machine); break;
    case DWARF_RESTORE_STATE: return recall(machine);
    case DWARF_DEF_CFA: set_cfa(machine, number, operands.offset); break;
    case DWARF_DEF_CFA_SF: set_cfa(machine, number, factored); break;
    case DWARF_DEF_CFA_REGISTER: set_cfa(machine, number, machine->row.cfa_offset); break;
    case DWARF_DEF_CFA_OFFSET: machine->row.cfa_offset = operands.offset; break;
    case DWARF_DEF_CFA_OFFSET_SF: machine->row.cfa_offset = factored; break;
    case DWARF_DEF_CFA_EXPRESSION: machine->row.cfa_expression = operands.block; break;
    }
    return true;
}

/* One switch decodes an instruction, because the compiler then knows the operands in each case.
 * Returns: false for an unknown instruction, whose operands cannot be skipped, and at a
 * mistake. */
static ALWAYS_INLINE bool run_next(struct machine *machine, struct dwarf_bytes *bytes)
{
    unsigned encoding = machine->description->encoding;
    unsigned byte = *bytes->at++;

    switch (byte & PRIMARY_BITS ? byte & PRIMARY_BITS : byte) {
#define INSTRUCTION(name, code, operands)                                                          \
    case code:                                                                                     \
        return execute(machine, DWARF_##name, read_operands(operands, byte, bytes, encoding));
#include "unwind/dwarf.def"
#undef INSTRUCTION
    default: return false;
    }
}

/* Run up to the row of the sought address: the instruction that moves beyond it leaves the row
 * unchanged. */
static bool run(struct machine *machine, struct dwarf_bytes bytes)
{
    while (dwarf_has(&bytes, 1) && machine->location <= machine->sought)
        if (!run_next(machine, &bytes))
            return false;
    return true;
}

bool frame_row_find(const struct description *description, uintptr_t pc, struct frame_row *row)
{
    struct machine machine = {.description = description, .sought = pc};

    if (!run(&machine, description->common))
        return false;
    machine.initial = machine.row;
    machine.location = description->start;
    if (!run(&machine, description->instructions))
        return false;
    *row = machine.row;
    return true;
}
