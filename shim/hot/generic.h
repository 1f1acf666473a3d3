/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Wrappers for the kernels of a user's catalog file: one prototype that
 * holds any other of up to GENERIC_INTEGERS integers or pointers and
 * GENERIC_REALS floating arguments.  The shape is read by a plan, not by
 * code made for it, so no compiler is needed on the machine.
 */
#ifndef HOT_GENERIC_H
#define HOT_GENERIC_H

#include <stdbool.h>

#include "hot/binding.h"
#include "spec/catalog.h"

enum {
#if defined(__x86_64__)
    GENERIC_REGISTERS = 6, /* integer registers of the calling convention */
#else
    GENERIC_REGISTERS = 8,
#endif
    GENERIC_STACK = 8,
    GENERIC_INTEGERS = GENERIC_REGISTERS + GENERIC_STACK,
    GENERIC_REALS = 8,
    GENERIC_CLONES = 32 /* for each sort of result */
};

/* Where one word of the shape is. */
struct generic_step {
    uint8_t place;  /* among the integer arguments */
    uint8_t access; /* enum catalog_access */
    bool is_pointer;
};

struct adapter_call;
struct probe;

struct generic_plan {
    const struct adapter_call *adapter; /* the shape is that of an object, or there is none */
    unsigned dims;
    struct generic_step steps[CATALOG_WORDS_MAX];
};

/* Make the plan of a kernel.
 * Returns: NULL, or why the kernel cannot be wrapped. */
const char *generic_make_plan(struct generic_plan *plan, const struct catalog_kernel *kernel,
                              bool is_wide);

/* Fill in the shape of a call, and do what is to be done before it. */
void generic_prepare(const struct binding *binding, const word *integers, struct probe *probe,
                     int64_t *shape);

/* Do what is to be done after a call. */
void generic_conclude(const struct binding *binding, const word *integers, word result);

#endif
