/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans: they read the shape of a call from its arguments, for prototypes
 * without a compiled wrapper.
 *
 * A plan is a short program in postfix order.  Plans of the built-in catalog are made when tprof is
 * built and are rows of kernels.def; plans of a user's file are made when the file is read.
 * call/entry.c runs them.
 */
#ifndef SPEC_PLAN_H
#define SPEC_PLAN_H

#include "spec/catalog.h"

enum {
#if defined(__x86_64__)
    PLAN_REGISTERS = 6, /* integer arguments in registers */
#else
    PLAN_REGISTERS = 8,
#endif
    PLAN_REALS = 8,         /* floating arguments in registers */
    PLAN_STEPS_MAX = 192,   /* steps of one plan */
    PLAN_DEPTH_MAX = 32,    /* values of a plan at a time */
    PLAN_STACK_UNSURE = 16, /* stack words passed on when a prototype may lack arguments, */
    PLAN_STACK_HIDDEN = 8,  /* or this many more than it has */
    PLAN_STACK_BLIND = 64,  /* and without a prototype */
    PLAN_STACK_ALIGN = 64   /* largest alignment of a vector on the stack, in bytes */
};

enum plan_operation {
#define OPERATION(name, change) PLAN_##name,
#include "plan.def"
#undef OPERATION
};

struct plan_step {
    uint8_t operation;
    uint8_t place;  /* position of the argument, among the integers or the reals */
    uint8_t access; /* enum catalog_access, with the width of integers resolved */
    bool is_pointer;
    int32_t number; /* for NUMBER; for PUT_FLAG the bit */
};

struct plan {
    const struct plan_step *steps;
    uint8_t step_count;
    uint8_t words;     /* words of the shape */
    uint8_t integers;  /* arguments in integer registers or after them on the stack */
    bool keeps_reals;  /* there may be arguments in floating registers */
    bool has_no_proto; /* the arguments are unknown */
    bool is_users;     /* the prototype may leave arguments out, and pointers lead anywhere */
};

/* Make the plan of a kernel; its steps are written to `steps`, an array of PLAN_STEPS_MAX.
 * Returns: NULL, or why the kernel cannot be wrapped. */
const char *plan_make(struct plan *plan, struct plan_step *steps,
                      const struct catalog_kernel *kernel, bool is_wide);

/* The place of an argument: integers and reals are numbered separately. */
unsigned plan_place(const struct catalog_kernel *kernel, unsigned argument);

/* Is the argument passed in a floating register? */
bool plan_is_real(const struct catalog_argument *argument);

/* Resolve CATALOG_INTEGER for a symbol whose integers are wide or not. */
enum catalog_access plan_width(enum catalog_access access, bool is_wide);

#endif
