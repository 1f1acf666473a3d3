/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How to get from a frame to the frame that called it.
 *
 * A rule belongs to a return address: wherever the code after it runs, the caller's registers are
 * found in the same way.
 */
#ifndef UNWIND_RULE_H
#define UNWIND_RULE_H

#include <stdbool.h>
#include <stdint.h>

/* A frame: its next instruction, and the two registers that rules need. */
struct unwind_state {
    uintptr_t pc;
    uintptr_t sp;
    uintptr_t fp;
};

enum unwind_base { UNWIND_NONE, UNWIND_SP, UNWIND_FP, UNWIND_CFA };

/* A word of the stack: its place counts from a register or from the CFA. */
struct unwind_place {
    int32_t offset;
    uint32_t base; /* enum unwind_base; NONE: the register is unchanged */
};

enum unwind_kind {
    UNWIND_FRAME = 1, /* the places below hold */
    UNWIND_SIGNAL,    /* the registers are right, and a signal interrupted the caller */
    UNWIND_END,       /* the outermost frame */
    UNWIND_NO_CODE,   /* lost: the address is in no object */
    UNWIND_NO_TABLE,  /* lost: the object has no table for it */
    UNWIND_STRANGE    /* lost: the table fits no rule */
};

/* CFA is the canonical frame address, the caller's stack pointer after the
 * return (DWARF 5, 6.4). */
struct unwind_rule {
    uint32_t kind;        /* enum unwind_kind */
    uint32_t is_indirect; /* the CFA is stored at `cfa`; it is not that address */
    struct unwind_place cfa;
    struct unwind_place pc; /* where the return address is saved */
    struct unwind_place fp; /* where the caller's frame pointer is saved */
};

/* Does no rule lead from the frame to its caller? */
static inline bool unwind_is_lost(const struct unwind_rule *rule)
{
    return rule->kind >= UNWIND_NO_CODE;
}

_Static_assert(sizeof(struct unwind_rule) == 32, "rules are compared as bytes");

#endif
