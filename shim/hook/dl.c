/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * dlopen, dlclose, dlsym and dlvsym, exported.
 *
 * The dynamic linker looks at the return address to learn who asks: whose
 * RUNPATH and $ORIGIN apply, what RTLD_NEXT means.  Where that matters these
 * functions end in a jump to the real one: a call in tail position, which the
 * compiler turns into a jump when it optimizes (-O2).
 *
 * Whoever calls dlsym or dlopen is out of an earlier dlopen, or in one of its
 * constructors, and then all its objects are relocated: a scan is safe.
 */
#include <dlfcn.h>

#include "hook/catalog.h"
#include "hook/hook.h"
#include "hot/next.h"

EXPORT void *dlopen(const char *file, int mode)
{
    void *handle;

    hook_rescan();
    if (hook_needs_caller(file, CALLER())) {
        hook_await_dlopen(mode, STACK_POINTER());
        return next.dlopen(file, mode);
    }
    handle = next.dlopen(file, mode);
    hook_after_dlopen(mode);
    return handle;
}

/* What stood where the object was may soon be something else. */
EXPORT int dlclose(void *handle)
{
    int result = next.dlclose(handle);

    hook_after_dlclose();
    return result;
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

    hook_rescan();
    symbol = handle == RTLD_NEXT ? NULL : catalog_find(name);
    if (UNLIKELY(symbol != NULL))
        return hook_wrap(symbol, look_up(handle, symbol, CALLER()), CALLER());
    return next.dlsym(handle, name);
}

EXPORT void *dlvsym(void *handle, const char *name, const char *version)
{
    const struct symbol *symbol;

    hook_rescan();
    symbol = handle == RTLD_NEXT || handle == RTLD_DEFAULT ? NULL : catalog_find(name);
    if (UNLIKELY(symbol != NULL))
        return hook_wrap(symbol, next.dlvsym(handle, name, version), CALLER());
    return next.dlvsym(handle, name, version);
}
