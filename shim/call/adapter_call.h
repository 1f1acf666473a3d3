/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Wrappers of functions whose shape is not in the arguments, but in an object made before.  Each
 * such library has one file in adapter/, with a struct adapter_call for each kind of function:
 *
 *   the function that     has the member
 *   makes an object       after: note the shape of executing it, or forget an earlier object
 *                         at this address
 *   executes it           object: the argument that is the object;
 *                         describe: the shape of an unknown object, or of one that differs
 *                         at each call (object_open)
 *   destroys it           before: forget it
 *
 * Such functions have entry stubs.  `integers` are their first arguments in integer registers.
 * After the call, the frame has all arguments and results.
 *
 * Safety: all code runs in the program's calls, on its stack, outside of the clock reads, and keeps
 * errno.
 */
#ifndef CALL_ADAPTER_CALL_H
#define CALL_ADAPTER_CALL_H

#include "call/binding.h"
#include "call/object.h"
#include "platform/attributes.h"

struct entry_frame;

struct adapter_call {
    int object;           /* index of the integer argument that is the object; -1: none */
    bool is_by_reference; /* the argument points to the object's address */
    bool is_no_kernel;    /* its calls are in no slot */
    /* Returns: the shape that the table keeps, or NULL. */
    const struct object_shape *(*describe)(const struct binding *binding, const word *integers);
    void (*before)(const struct entry_frame *frame);
    void (*after)(const struct entry_frame *frame, word result);
    /* An exception or the thread's end left the call. */
    void (*unwound)(const struct entry_frame *frame);
    /* Find the other functions of the library that the adapter needs, and store them as
     * binding->library.  Safety: under the lock of hook.c. */
    void (*bind)(struct binding *binding);
    /* Make up for calls before the slot was hooked.  Safety: under the linker's lock, so that the
     * library stays, and not under the lock of hook.c. */
    void (*catch_up)(const struct binding *binding);
};

/* The table of adapters: each returns the struct for the calls of a symbol, or NULL.  Its rows are
 * in adapter/adapter.c, a room above; hook/ calls them in turn. */
typedef const struct adapter_call *(*adapter_finder)(const char *symbol);
extern const adapter_finder adapter_finders[];
extern const unsigned adapter_finder_count;

/* Ask the adapter for the shape of this call.  Returns: object_unknown when it has none. */
COLD const struct object_shape *adapter_describe(const struct adapter_call *call,
                                                 const struct binding *binding,
                                                 const word *integers);

/* Find the shape of a call that executes an object.
 * Returns: object_unknown when there is none. */
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
