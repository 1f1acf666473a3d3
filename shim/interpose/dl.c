/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * dlopen, dlmopen, dlclose, dlsym and dlvsym, exported.
 *
 * The dynamic linker reads the return address to learn its caller, for RUNPATH, $ORIGIN and
 * RTLD_NEXT.  If that matters, these functions end in a jump to the real one: a call in tail
 * position, which the compiler turns into a jump when it optimizes (-O2).
 *
 * A thread that calls dlsym or dlopen has left an earlier dlopen, or runs one of its constructors.
 * In both cases all objects of that dlopen are relocated, so a scan is safe.
 *
 * Decision: doc/decisions/scanning-under-the-linkers-lock.
 */
#include <dlfcn.h>

#include "call/library.h"
#include "call/wait.h"
#include "chain/callchain.h"
#include "hook/catalog.h"
#include "hook/hook.h"
#include "hook/waits.h"
#include "platform/next.h"
#include "record/process.h"

/* Clocked as a wait: the linker reads files. */
static __attribute__((noinline)) void *load(const char *file, int mode, struct unwind_state caller)
{
    const uint64_t words[WAIT_WORDS] = {(uintptr_t)file, (uint64_t)mode};

    return (void *)wait_call(TRACE_WAIT_DLOPEN, (void *)next.dlopen, words, &caller);
}

EXPORT void *dlopen(const char *file, int mode)
{
    void *handle;

    hook_rescan();
    hook_begin_dlopen(STACK_POINTER());
    if (hook_needs_caller(file, CALLER())) {
        hook_await_dlopen(mode, STACK_POINTER(), false);
        return next.dlopen(file, mode);
    }
    handle = load(file, mode, unwind_caller());
    hook_end_dlopen(STACK_POINTER());
    hook_after_dlopen(mode);
    return handle;
}

/* Another object may soon be at the same addresses. */
EXPORT int dlclose(void *handle)
{
    int result;

    hook_before_dlclose();
    result = next.dlclose(handle);
    hook_after_dlclose();
    return result;
}

/* A library in its own namespace calls its own dlopen and dlsym, not these; its slots are hooked
 * nevertheless. */
EXPORT void *dlmopen(Lmid_t space, const char *file, int mode)
{
    void *handle;

    hook_rescan();
    hook_begin_dlopen(STACK_POINTER());
    if (hook_needs_caller(file, CALLER())) {
        hook_await_dlopen(mode, STACK_POINTER(), true);
        return next.dlmopen(space, file, mode);
    }
    handle = next.dlmopen(space, file, mode);
    hook_end_dlopen(STACK_POINTER());
    hook_after_dlopen(mode);
    return handle;
}

/* RTLD_DEFAULT and RTLD_NEXT mean the caller's scope, so they are looked up here.  Returns: NULL,
 * also when only the linker knows. */
static void *look_up(void *handle, const char *name, const char *version, const void *caller)
{
    if (handle == RTLD_DEFAULT)
        return hook_resolve(name, version, caller);
    if (handle == RTLD_NEXT)
        return hook_resolve_next(name, version, caller);
    return version ? next.dlvsym(handle, name, version) : next.dlsym(handle, name);
}

/* The wrapper of a kernel or of a wait, or NULL.  In a sandbox the lock would take system
 * calls. */
static REALIGNED void *find_wrapper(void *handle, const char *name, const char *version,
                                    const void *caller)
{
    const struct symbol *row;
    int call;

    if (process_is_sandboxed())
        return NULL;
    row = catalog_find(name);
    if (row)
        return hook_wrap(row, name, look_up(handle, name, version, caller), caller);
    call = waits_find(name);
    if (UNLIKELY(call != WAITS_NONE))
        return hook_wrap_wait(call, look_up(handle, name, version, caller), caller);
    call = library_find(name);
    if (LIKELY(call == LIBRARY_NONE))
        return NULL;
    return hook_wrap_library(call, look_up(handle, name, version, caller));
}

EXPORT void *dlsym(void *handle, const char *name)
{
    void *wrapper;

    hook_rescan();
    wrapper = find_wrapper(handle, name, NULL, CALLER());
    if (wrapper)
        return wrapper;
    return next.dlsym(handle, name);
}

EXPORT void *dlvsym(void *handle, const char *name, const char *version)
{
    void *wrapper;

    hook_rescan();
    wrapper = find_wrapper(handle, name, version, CALLER());
    if (wrapper)
        return wrapper;
    return next.dlvsym(handle, name, version);
}
