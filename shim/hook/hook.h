/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pointing the relocation slots of loaded objects at wrappers.
 *
 * Kernel names are not exported.  A slot that leads to a kernel is changed to lead to a
 * wrapper clone, which is bound to the same function.  So every caller keeps its own
 * library.  A slot that could not be hooked is a row of the coverage record, so that
 * "never called" and "not seen" differ.
 */
#ifndef HOOK_HOOK_H
#define HOOK_HOOK_H

#include <stdatomic.h>
#include <stdbool.h>

#include "call/binding.h"
#include "platform/attributes.h"
#include "spec/trace.h"

struct lane;

/* A row of the coverage record.  Rows are only ever added; they stay valid in
 * a forked child. */
struct hook_row {
    struct trace_hook fact;
    struct trace_hook *written; /* where it stands in this process's trace */
    const struct symbol *symbol;
    const struct binding *binding; /* NULL: it has none */
    unsigned before;               /* the number of its object's last row before, from 1; 0: none */
};

extern struct hook_row *hook_rows;
extern atomic_uint hook_row_count; /* that are complete */

/* How many rows of the coverage record found no room. */
unsigned hook_rows_left_out(void);

/* Read the catalog and scan what is loaded.  Called once, from the
 * constructor; `tells`: mistakes in catalog files are told. */
void hook_init(bool tells);

/* Scan once more when the process ends, unless that interrupted a scan. */
void hook_scan_at_end(void);

/* Find a wrapper for the function that dlsym found, if it is a kernel.
 * `row` is the first of the name (catalog.h), `found` may be NULL, `caller` is an
 * address in the object that asked.
 * Returns: NULL when there is none; the linker's own answer holds then. */
void *hook_wrap(const struct symbol *row, const char *name, void *found, const void *caller);

/* The same for a call in which threads wait: a row of spec/waits.def. */
void *hook_wrap_wait(int call, void *found, const void *caller);

/* Point an entry of a library's table of functions at a wrapper.  Such a table has no slots with
 * names; an adapter found it, and knows that this entry is the kernel `name`.  Nothing changes
 * where the table is not part of the function's library.  The caller flushes new rows of the
 * coverage record. */
void hook_entry(const char *name, void *const *entry);

/* The function to which the dynamic linker would bind the name for `caller`'s object: for
 * RTLD_DEFAULT it searches the global scope, then the object's own; for RTLD_NEXT the objects
 * after it in its own scope.
 * `version`: NULL for the default one.
 * Returns: NULL when there is none. */
void *hook_resolve(const char *symbol, const char *version, const void *caller);
void *hook_resolve_next(const char *symbol, const char *version, const void *caller);

/* Does the result of dlopen depend on its caller?  A name without a slash is searched by the
 * caller's RUNPATH and the RPATHs, and $ORIGIN is its folder; then dlopen must be jumped to. */
bool hook_needs_caller(const char *file, const void *caller);

/* A dlopen of this thread begins, and has returned; `stack`: of the function that calls it. */
void hook_begin_dlopen(uintptr_t stack);
void hook_end_dlopen(uintptr_t stack);

/* Scan the objects that a dlopen has loaded.  Keeps errno. */
REALIGNED void hook_after_dlopen(int mode);

/* Remove the objects that a dlclose has unloaded from the load map.  Keeps errno. */
void hook_before_dlclose(void);
void hook_after_dlclose(void);

/* A dlopen that is jumped to does not return here.  The thread's next dlopen or dlsym does the
 * scan, or its next record above `stack`, or a record below it when the linker has new objects. */
void hook_await_dlopen(int mode, uintptr_t stack, bool is_of_space);

/* From a record: scan if the dlopen seems to be over.
 * Returns: as room.h's look_up: 0 while every record of this thread is to come here. */
uint64_t hook_look_up(struct lane *lane, uint64_t now);

/* The dlopen is over: scan, if one is awaited. */
void hook_rescan(void);

#endif
