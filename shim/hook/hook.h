/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Redirects the relocation slots of loaded objects to wrappers.
 *
 * The shim does not export names of kernels.  Instead, a slot that leads to a kernel is changed to
 * lead to a wrapper clone, which is bound to the same function.  So every caller keeps its own
 * library.  A slot that could not be hooked is a row of the coverage record, so "never called" and
 * "not seen" differ.
 */
#ifndef HOOK_HOOK_H
#define HOOK_HOOK_H

#include <stdatomic.h>
#include <stdbool.h>

#include "call/binding.h"
#include "platform/attributes.h"
#include "spec/trace.h"

struct lane;

/* A row of the coverage record.  Rows are only ever added; they stay valid in a forked child. */
struct hook_row {
    struct trace_hook fact;
    struct trace_hook *written; /* its copy in this process's trace */
    const struct symbol *symbol;
    const struct binding *binding; /* NULL: none */
};

extern struct hook_row *hook_rows;
extern atomic_uint hook_row_count; /* the complete ones */
extern unsigned hook_rows_changed; /* times that a row got another slot; under the lock */

/* Give the number of rows that the coverage record had no room for. */
unsigned hook_rows_left_out(void);

/* Read the catalog and scan the loaded objects.  Called once, from the constructor.  `tells`:
 * mistakes in catalog files are reported. */
void hook_init(bool tells);

/* Scan once more when the process ends, unless the end interrupted a scan. */
void hook_scan_at_end(void);

/* Find a wrapper for a function found by dlsym, if the function is a kernel.  `row` is the first of
 * the name (catalog.h), `found` may be NULL, `caller` is an address in the calling object.
 * Returns: NULL when there is none; the linker's own answer is then right. */
void *hook_wrap(const struct symbol *row, const char *name, void *found, const void *caller);

/* The same for a row of spec/waits.def. */
void *hook_wrap_wait(int call, void *found, const void *caller);

/* The same for a function of a known library: call/library.h. */
void *hook_wrap_library(int entry, void *found);

/* Point an entry of a library's table of functions to a wrapper.  Such a table has no slots with
 * names; an adapter found it, and knows that this entry is the kernel `name`.  Nothing changes if
 * the table is not part of the function's library.  The caller flushes new rows of the coverage
 * record. */
void hook_entry(const char *name, void *const *entry);

/* Find the function that the dynamic linker would bind to the name for `caller`'s object.  For
 * RTLD_DEFAULT it searches the global scope, then the object's own; for RTLD_NEXT the objects after
 * it in its own scope.  `version`: NULL for the default version.
 * Returns: NULL when there is none. */
void *hook_resolve(const char *symbol, const char *version, const void *caller);
void *hook_resolve_next(const char *symbol, const char *version, const void *caller);

/* Ask whether the result of dlopen depends on its caller.  A name without a slash is searched by
 * the caller's RUNPATH and the RPATHs, and $ORIGIN is the caller's folder; such a dlopen must be
 * entered by a jump. */
bool hook_needs_caller(const char *file, const void *caller);

/* A dlopen of this thread starts, and has returned; `stack`: of the calling function. */
void hook_begin_dlopen(uintptr_t stack);
void hook_end_dlopen(uintptr_t stack);

/* Scan the objects that a dlopen has loaded.  Keeps errno. */
REALIGNED void hook_after_dlopen(int mode);

/* Remove the objects that a dlclose has unloaded from the load map.  Keeps errno. */
void hook_before_dlclose(void);
void hook_after_dlclose(void);

/* A dlopen that is entered by a jump does not return here.  A later event does the scan: the
 * thread's next dlopen or dlsym, its next record above `stack`, or a record below it when the
 * linker has new objects. */
void hook_await_dlopen(int mode, uintptr_t stack, bool is_of_space);

/* From a record: scan if the dlopen seems to be over.
 * Returns: the same as room.h's look_up; 0 while every record of this thread must come here. */
uint64_t hook_look_up(struct lane *lane, uint64_t now);

/* The dlopen is over: scan, if one is pending. */
void hook_rescan(void);

#endif
