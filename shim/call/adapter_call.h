/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the wrapper of a function does beside its call when the shape of the work is not
 * in the arguments but in an object that was made before.  Libraries of that kind have
 * one file each in adapter/, with a struct adapter_call for each sort of function:
 *
 *   the function that     is told to
 *   makes an object       after: note what executing it is, or forget what an
 *                         earlier object of this address was
 *   executes it           object: the argument that is the object;
 *                         describe: tell what an object is that is not known yet,
 *                         or that is something else at each call (object_open)
 *   destroys it           before: forget it
 *
 * Functions it acts around have entry stubs, and their first arguments that are
 * in integer registers are `integers`.  After the call, all of it stands in its frame.
 *
 * Safety: all of it runs in the program's calls, on its stack, outside of the
 * clock reads, and keeps errno.
 */
#ifndef CALL_ADAPTER_CALL_H
#define CALL_ADAPTER_CALL_H

#include "call/binding.h"
#include "call/object.h"
#include "platform/attributes.h"

struct entry_frame;

struct adapter_call {
    int object;           /* which integer argument is the object; -1: none is */
    bool is_by_reference; /* the argument is the address of where the object's stands */
    /* Returns: the shape as it is kept, or NULL when it is not. */
    const struct object_shape *(*describe)(const struct binding *binding, const word *integers);
    void (*before)(const word *integers);
    void (*after)(const struct entry_frame *frame, word result);
    /* Find what else is needed of the library of a function, and keep it as
     * binding->library.  Safety: under the lock of hook.c. */
    void (*bind)(struct binding *binding);
    /* Do what calls before the slot was hooked would have led to.  Safety: under the linker's
     * lock, so that the library stays, and not under that of hook.c. */
    void (*catch_up)(const struct binding *binding);
};

/* The table of adapters: each tells what is to be done around the calls of a symbol, or
 * NULL.  Its rows stand in adapter/adapter.c, above; hook/ asks them in turn. */
typedef const struct adapter_call *(*adapter_finder)(const char *symbol);
extern const adapter_finder adapter_finders[];
extern const unsigned adapter_finder_count;

/* Ask the adapter what this call is.  Returns: object_unknown when it cannot
 * be told. */
COLD const struct object_shape *adapter_describe(const struct adapter_call *call,
                                                 const struct binding *binding,
                                                 const word *integers);

/* Tell what the call of a function that executes an object is.
 * Returns: a shape; object_unknown when nothing can be told. */
static ALWAYS_INLINE const struct object_shape *adapter_find_shape(const struct adapter_call *call,
                                                                   const struct binding *binding,
                                                                   const word *integers)
{
    word argument = integers[call->object];
    const void *object =
        UNLIKELY(call->is_by_reference) ? *(const void *const *)argument : (const void *)argument;
    const struct object_shape *shape = LIKELY(object != NULL) ? object_find(object) : NULL;

    if (UNLIKELY(!shape || shape == &object_open))
        return adapter_describe(call, binding, integers);
    return shape;
}

#endif
