/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions of the unwinder that the cleanups in our own frames need.
 *
 * The shim does not link libgcc_s: without an installed one, as in Alpine containers, no program
 * would start.  Code that throws through the shim has an unwinder, so it is looked up when a throw
 * passes a frame of the shim.
 *
 * <unwind.h> is not included, because it declares these functions for export.
 */
#include <stdint.h>

#include "platform/attributes.h"
#include "platform/next.h"
#include "platform/next_find.h"
#include "platform/unwinder.h"

enum { CONTINUE_UNWIND = 8 }; /* _URC_CONTINUE_UNWIND of the Itanium C++ ABI */

/* The compiler refers to both. */
HIDDEN int __gcc_personality_v0(int version, int actions, uint64_t class, void *exception,
                                void *context);
HIDDEN void _Unwind_Resume(void *exception);

static bool is_found(void)
{
    return next._Unwind_Resume && next._Unwind_GetGR && next._Unwind_GetIP;
}

bool unwinder_find(void)
{
    if (!is_found())
        next_find();
    return is_found();
}

/* A program with a private unwinder passes the shim's frames as a longjmp does. */
int __gcc_personality_v0(int version, int actions, uint64_t class, void *exception, void *context)
{
    if (!unwinder_find() || !next.__gcc_personality_v0)
        return CONTINUE_UNWIND;
    return next.__gcc_personality_v0(version, actions, class, exception, context);
}

/* Runs only after a cleanup that the function above has started. */
void _Unwind_Resume(void *exception)
{
    next._Unwind_Resume(exception);
}
