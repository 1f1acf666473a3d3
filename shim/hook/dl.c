/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * dlopen, dlsym and dlvsym, exported.
 *
 * The dynamic linker looks at the return address to learn who asks: whose
 * RUNPATH and $ORIGIN apply, what RTLD_NEXT means.  So these functions end
 * in a jump to the real one wherever they can: a call in tail position,
 * which the compiler turns into a jump when it optimizes (-O2).
 */
#include <dlfcn.h>

#include "hook/catalog.h"
#include "hook/hook.h"
#include "hot/next.h"

EXPORT void *dlopen(const char *file, int mode)
{
    if (hook_rescan_is_due())
        hook_rescan();
    hook_note_dlopen(mode);
    return next.dlopen(file, mode);
}

/* What the scope of the caller holds: for callers from start-up that is the
 * global scope, for others their own as well. */
static void *look_up(void *handle, const struct symbol *symbol, const void *caller)
{
    void *found = handle == RTLD_DEFAULT ? hook_resolve(symbol, caller) : NULL;

    return found ? found : next.dlsym(handle, symbol->name);
}

EXPORT void *dlsym(void *handle, const char *name)
{
    const struct symbol *symbol;

    if (hook_rescan_is_due())
        hook_rescan();
    symbol = handle == RTLD_NEXT ? NULL : catalog_find(name);
    if (UNLIKELY(symbol != NULL))
        return hook_wrap(symbol, look_up(handle, symbol, CALLER()), CALLER());
    return next.dlsym(handle, name);
}

EXPORT void *dlvsym(void *handle, const char *name, const char *version)
{
    const struct symbol *symbol;

    if (hook_rescan_is_due())
        hook_rescan();
    symbol = handle == RTLD_NEXT || handle == RTLD_DEFAULT ? NULL : catalog_find(name);
    if (UNLIKELY(symbol != NULL))
        return hook_wrap(symbol, next.dlvsym(handle, name, version), CALLER());
    return next.dlvsym(handle, name, version);
}
