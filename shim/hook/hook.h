/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pointing the relocation slots of loaded objects at wrappers.
 *
 * Kernel names are not exported.  A slot that leads to a kernel is changed
 * to a wrapper clone bound to the very function the slot led to, so every
 * caller keeps its own library.  What could not be hooked is a row of the
 * coverage record, so that "never called" and "not seen" differ.
 */
#ifndef HOOK_HOOK_H
#define HOOK_HOOK_H

#include <stdatomic.h>
#include <stdbool.h>

#include "call/binding.h"
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

/* What of the coverage record found no room. */
unsigned hook_rows_left_out(void);

/* Read the catalog and scan what is loaded.  Called once, from the
 * constructor; `tells`: mistakes in catalog files are told. */
void hook_init(bool tells);

/* Scan once more when the process ends, unless that interrupted a scan. */
void hook_scan_at_end(void);

/* A wrapper for what dlsym found, if it is a kernel.
 * `row` is the first of the name (catalog.h), `found` may be NULL, `caller` is an
 * address in the object that asked.
 * Returns: NULL when there is none; what is found then is the linker's to tell. */
void *hook_wrap(const struct symbol *row, const char *name, void *found, const void *caller);

/* Point an entry of a library's table of functions at a wrapper.  Such a table has no
 * slots with names: an adapter has found it and knows that this entry is the kernel
 * `name`.  Nothing changes where the table is not part of the library that holds the
 * function.  What it adds to the coverage record is the caller's to flush. */
void hook_entry(const char *name, void *const *entry);

/* The function that `caller`'s object would be bound to by the name, looking
 * where the dynamic linker looks: for RTLD_DEFAULT the global scope, then its
 * own; for RTLD_NEXT what comes after the object in its own.
 * `version`: NULL for the default one.
 * Returns: NULL when there is none. */
void *hook_resolve(const char *symbol, const char *version, const void *caller);
void *hook_resolve_next(const char *symbol, const char *version, const void *caller);

/* Does it matter to dlopen who calls it?  A name without a slash is looked
 * for where the caller's RUNPATH and the RPATHs say, and $ORIGIN is its
 * folder; then dlopen must be jumped to. */
bool hook_needs_caller(const char *file, const void *caller);

/* Scan what a dlopen has brought.  Errno is kept. */
void hook_after_dlopen(int mode);

/* Take what a dlclose has unloaded off the load map.  Errno is kept. */
void hook_after_dlclose(void);

/* A dlopen that is jumped to does not come back here: the scan is done by the
 * next dlopen or dlsym of the thread, by its next record above `stack`, or by one
 * below it when the linker has something new. */
void hook_await_dlopen(int mode, uintptr_t stack, bool is_of_space);

/* From a record: scan if the dlopen is over, as far as can be told.
 * Returns: as room.h's look_up: 0 while every record of this thread is to come here. */
uint64_t hook_look_up(struct lane *lane, uint64_t now);

/* The dlopen is over: scan, if one is awaited. */
void hook_rescan(void);

#endif
