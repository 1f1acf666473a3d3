/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Adapters: what the wrapper of a function does beside its call when the shape
 * of the work is not in the arguments but in an object that was made before.
 *
 * An adapter is a file with a struct adapter_call for each sort of function it
 * knows, and the paragraphs of the catalog with its name in `adapter`.  It
 * keeps what it knows of objects in call/object.h:
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
#ifndef ADAPTER_ADAPTER_H
#define ADAPTER_ADAPTER_H

#include "call/binding.h"
#include "call/object.h"

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

/* Catch up with what constructors of libraries may have called whose slots are hooked now.
 * Called by each scan at its end; `first_row`: of the coverage record, that it may have
 * added. */
void adapter_catch_up(unsigned first_row);

/* What is to be done around the calls of a symbol, or NULL. */
const struct adapter_call *adapter_find(const char *symbol);

/* The same of one adapter. */
const struct adapter_call *onednn_find(const char *symbol);
const struct adapter_call *fftw_find(const char *symbol);
const struct adapter_call *onnxruntime_find(const char *symbol);

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

/* The kernels of the catalog that adapters name, and the places of their
 * terms: ADAPTED_dnnl_matmul, TERM_dnnl_matmul_m. */
enum adapted {
#define ADAPTED(name, kernel, terms, owns) ADAPTED_##name,
#include "kernels.def"
#undef ADAPTED
};

enum adapted_term {
#define TERM(kernel, term, place) TERM_##kernel##_##term = place,
#include "kernels.def"
#undef TERM
};

/* A shape of this kernel whose values are 0 and whose text is empty. */
struct object_shape adapter_begin_shape(enum adapted kernel);

/* Put a text of up to 8 characters in a value. */
int64_t adapter_pack_text(const char *text);

#endif
