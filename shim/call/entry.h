/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Entry stubs: wrappers for functions of any prototype.
 *
 * A stub passes on all possible arguments (integer and floating registers, words of the stack) and
 * all possible results (two integer and two or four floating registers).  So it needs no compiler
 * and knows no types: small structures and complex numbers return unchanged.  The plan of its
 * kernel reads the shape (spec/plan.h).  The personality of its frame closes calls that a throw or
 * a thread's end leaves open.
 *
 * There is one stub for each real function; all lead into one body, which is
 * assembly (entry_x86_64.S, entry_aarch64.S).  Kernels whose calls are short
 * have compiled wrappers instead (wrappers.c).
 */
#ifndef CALL_ENTRY_H
#define CALL_ENTRY_H

#include "call/entry_layout.h"
#include "call/probe.h"
#include "spec/plan.h"

/* A floating register whole. */
struct entry_real {
    word words[2];
};

/* A call through a stub.  Assembly code knows the fields up to `binding`.  The struct is on the
 * program's stack, which recursion may fill: keep it small. */
struct entry_frame {
    word integers[PLAN_REGISTERS];
    word extra[2];                       /* other registers of a call; later the results */
    struct entry_real reals[PLAN_REALS]; /* later the floating-point results */
    struct binding *binding;
    const word *stack; /* arguments after those in registers */
    struct probe probe;
};

/* Give the place of an integer or pointer argument, counted from 0 among these. */
static ALWAYS_INLINE const word *entry_integer_place(const struct entry_frame *frame,
                                                     unsigned place)
{
    return place < PLAN_REGISTERS ? &frame->integers[place] : &frame->stack[place - PLAN_REGISTERS];
}

static ALWAYS_INLINE word entry_integer(const struct entry_frame *frame, unsigned place)
{
    return *entry_integer_place(frame, place);
}

enum { ENTRY_NOT_RECORDED = -1 };

/* Start the call; `stack`: the caller's arguments on the stack; `site`: its return address.
 * Returns: the number of stack words to pass on; ENTRY_NOT_RECORDED: the call is not recorded, and
 * entry_leave must not run. */
int entry_enter(struct entry_frame *frame, const word *stack, uintptr_t site) HIDDEN;

/* The same for a plain binding, if its call can take the usual path.  Touches no floating-point
 * register.
 * Returns: ENTRY_NOT_RECORDED if it cannot; nothing has changed then. */
int entry_enter_plainly(struct entry_frame *frame, const word *stack, uintptr_t site) HIDDEN;

extern struct binding entry_bindings[ENTRY_STUBS];
extern const char entry_stubs[] HIDDEN;

/* A return address in the mark of a stub means that the stub's function is running.  On machines
 * whose stubs make a call, the mark is the stub itself. */
extern const char entry_marks[] HIDDEN;

#endif
