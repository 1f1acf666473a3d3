/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bindings: a wrapper clone bound to one real function.
 *
 * The wrappers of a form (a prototype with the places of its shape) are
 * made in many identical clones, so that each real function has a wrapper of
 * its own: two plugins that carry a kernel of the same name keep their own.
 */
#ifndef HOT_BINDING_H
#define HOT_BINDING_H

#include <stdbool.h>
#include <stdint.h>

struct generic_plan;

/* A machine word and a floating register, as a wrapper passes them on. */
typedef uint64_t word;
typedef double real;

/* A row of the catalog's symbols. */
struct symbol {
    const char *name;
    uint32_t kernel; /* its index in the catalog */
    uint32_t form;
    bool owns;                       /* its FLOPs are known from the shape */
    const char *library;             /* glob for the library that defines it, or NULL */
    const struct generic_plan *plan; /* of a user's kernel; NULL for a built-in one */
};

struct binding {
    void *target; /* the real function; NULL while the clone is free */
    uint32_t id;  /* counts from 1 */
    bool owns;
    const struct symbol *symbol;
    const void *library; /* what an adapter knows of the function's library, or NULL */
};

/* The clones of a form. */
struct wrapper_pool {
    void *const *entries;
    struct binding *bindings;
    unsigned count;
    unsigned used;
};

/* The pools of the built-in forms, by number, and then those of user kernels
 * that return a word, or a real. */
extern struct wrapper_pool wrapper_pools[];
extern const unsigned wrapper_generic_word;
extern const unsigned wrapper_generic_real;
extern struct binding wrapper_bindings[];
extern const unsigned wrapper_binding_count;

/* Is this the entry of a clone? */
bool wrapper_owns(const void *address);

#endif
