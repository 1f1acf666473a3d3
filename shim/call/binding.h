/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bindings: a wrapper clone bound to one real function.
 *
 * The wrappers of a form (a prototype with the places of its shape) exist in many identical clones,
 * so each real function has its own wrapper: two plugins that contain a kernel of the same name
 * keep their own.
 */
#ifndef CALL_BINDING_H
#define CALL_BINDING_H

#include <stdbool.h>
#include <stdint.h>

struct adapter_call;
struct plan;

/* A machine word and a floating register, as a wrapper passes them on. */
typedef uint64_t word;
typedef double real;
typedef float _Complex float_complex;
typedef double _Complex double_complex;

/* A row of the catalog's symbols. */
struct symbol {
    const char *name;
    uint32_t hash;   /* hash of the name, as in GNU hash sections */
    uint32_t kernel; /* its index in the catalog */
    uint32_t form;
    bool owns;                          /* its FLOPs are known from the shape */
    bool is_sampled;                    /* its calls are counted and some are timed */
    const char *library;                /* glob for the library that must define it, or NULL */
    const struct plan *plan;            /* NULL: its wrapper is compiled */
    const struct adapter_call *adapter; /* for a library with objects; or NULL */
};

/* How an entry stub treats the floating registers of a call. */
enum binding_reals {
    BINDING_HAS_NO_REALS = 0,
    BINDING_KEEPS_REALS = 1,
    BINDING_IS_PLAIN = 2 /* entered by entry_plain.c, which keeps the floating registers */
};

struct binding {
    void *target; /* the real function; NULL while the clone is free */
    uint32_t id;  /* counts from 1 */
    bool owns;
    uint8_t reals;          /* enum binding_reals */
    uint8_t stack_words;    /* of the arguments that the entry stub passes on */
    bool guesses_stack : 1; /* the number of stack words is unknown: at most that many */
    bool is_sampled : 1;
    const struct symbol *symbol;
    const void *library; /* an adapter's data on the function's library, or NULL */
};

/* The clones of a form. */
struct wrapper_pool {
    void *const *entries; /* NULL: these are the entry stubs */
    struct binding *bindings;
    unsigned count;
    uint32_t first_id;
    unsigned used;
};

/* The pools of the compiled forms, by number, followed by the pool of the entry stubs. */
extern struct wrapper_pool wrapper_pools[];
extern const unsigned wrapper_stubs; /* number of the pool of entry stubs */

/* The entry of clone `index` of a pool. */
void *wrapper_entry(const struct wrapper_pool *pool, unsigned index);

/* Return addresses on a call chain belong to the clone from this address on. */
const void *wrapper_mark(const struct wrapper_pool *pool, unsigned index);

/* Is this the entry of a clone? */
bool wrapper_owns(const void *address);

#endif
