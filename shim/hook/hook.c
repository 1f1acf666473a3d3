/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The scan for slots, and what dlopen and dlsym need of it.
 *
 * Runs in the constructor, after a dlopen, in dlsym and at exit, on whatever
 * thread that is, under a lock of its own.
 */
#include "hook/hook.h"

#include <errno.h>
#include <string.h>

#include "adapter/object.h"
#include "cold/facts.h"
#include "cold/lock.h"
#include "cold/memory.h"
#include "hook/bindings.h"
#include "hook/catalog.h"
#include "hook/load_map.h"
#include "hook/scope.h"
#include "hook/slot.h"
#include "hot/lane.h"

enum { ROWS_MAX = 16384, WANTED_MAX = 1024 };

struct hook_row *hook_rows;
unsigned hook_row_count;

/* In memory that a fork wipes: another thread may have held it. */
static struct lock *lock;

/* The stack pointer of the dlopen of this thread that a scan must follow, and
 * its mode; 0 when there is none. */
static _Thread_local uintptr_t awaited_stack INITIAL_EXEC;
static _Thread_local int awaited_mode INITIAL_EXEC;

/* ---- slots ------------------------------------------------------------- */

/* A symbol of an object that the catalog knows. */
struct wanted {
    size_t index; /* in the object's symbol table */
    const struct symbol *symbol;
};

static struct wanted wanted[WANTED_MAX];
static unsigned wanted_count;

static void want(size_t index, const struct symbol *symbol)
{
    if (wanted_count < WANTED_MAX)
        wanted[wanted_count++] = (struct wanted){index, symbol};
}

/* Undefined symbols mostly stand first in the table; the others are found
 * through the hash, which rejects most names by a bit. */
static void gather_wanted(const struct elf_object *object)
{
    size_t undefined = elf_undefined_limit(object);

    wanted_count = 0;
    for (size_t i = 1; i < undefined; i++) {
        const struct symbol *symbol = catalog_find(object->strings + object->symbols[i].st_name);

        if (symbol && object->symbols[i].st_shndx == SHN_UNDEF)
            want(i, symbol);
    }
    for (unsigned i = 0; i < catalog_symbol_count; i++) {
        const ElfW(Sym) *found =
            elf_find_listed(object, catalog_symbols[i].name, catalog_hashes[i]);

        if (found)
            want((size_t)(found - object->symbols), &catalog_symbols[i]);
    }
}

static const struct symbol *find_wanted(size_t index)
{
    for (unsigned i = 0; i < wanted_count; i++)
        if (wanted[i].index == index)
            return wanted[i].symbol;
    return NULL;
}

static void note_row(uint32_t module, const struct symbol *symbol, const struct binding *binding,
                     enum trace_hook_outcome outcome)
{
    uint32_t id = binding ? binding->id : 0;
    struct hook_row *row;

    for (unsigned i = hook_row_count; i > 0 && hook_rows[i - 1].fact.module == module; i--) {
        row = &hook_rows[i - 1];
        if (row->symbol == symbol && row->fact.binding == id && row->fact.outcome == outcome) {
            row->fact.slots++;
            return;
        }
    }
    if (hook_row_count == ROWS_MAX)
        return;
    row = &hook_rows[hook_row_count++];
    row->fact = (struct trace_hook){module, id, 1, outcome};
    row->symbol = symbol;
}

/* A lazy slot leads into its own object's PLT until its first call, and then
 * to the function: only a symbol that the object defines may also be there. */
static bool is_unresolved(const struct loaded *entry, const struct symbol *symbol, uintptr_t value)
{
    return elf_contains(&entry->object, value) && (void *)value != scope_find_in(entry, symbol);
}

/* A program that is not position-independent has one PLT entry stand for the
 * function everywhere; the slot behind that entry is hooked. */
static bool is_stand_in(const struct symbol *symbol, uintptr_t value)
{
    const struct loaded *entry = load_map_find(value);

    return entry && (void *)value != scope_find_in(entry, symbol) && entry->module == 1;
}

static void hook_slot(struct loaded *entry, const struct symbol *symbol, uintptr_t address,
                      bool is_plt)
{
    uintptr_t value = *(const uintptr_t *)address;
    struct binding *binding;
    void *target = (void *)value;

    if (value == 0 || wrapper_owns(target))
        return;
    if (is_plt && is_unresolved(entry, symbol, value))
        target = scope_resolve(entry, symbol);
    else if (is_stand_in(symbol, value))
        return;
    if (!target) {
        note_row(entry->module, symbol, NULL, TRACE_HOOK_UNRESOLVED);
        return;
    }
    if (!bindings_accept(symbol, target))
        return;
    binding = bindings_get(symbol, target);
    if (!binding)
        note_row(entry->module, symbol, NULL, TRACE_HOOK_NO_CLONE);
    else if (slot_write(&entry->object, address, (uintptr_t)bindings_entry(binding)))
        note_row(entry->module, symbol, binding, TRACE_HOOK_HOOKED);
    else
        note_row(entry->module, symbol, NULL, TRACE_HOOK_READ_ONLY);
}

static void scan_slots(struct loaded *entry, const ElfW(Rela) * slots, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const ElfW(Rela) *slot = &slots[i];
        bool is_plt = slot_is_plt(slot);
        const struct symbol *symbol;

        if (!is_plt && !slot_is_data(slot))
            continue;
        symbol = find_wanted(ELF64_R_SYM(slot->r_info));
        if (symbol && slot->r_addend == 0)
            hook_slot(entry, symbol, entry->object.base + slot->r_offset, is_plt);
    }
}

static void scan_object(struct loaded *entry)
{
    entry->is_scanned = true;
    if (elf_is_self(&entry->object))
        return;
    gather_wanted(&entry->object);
    if (wanted_count == 0)
        return;
    scan_slots(entry, entry->object.plt_slots, entry->object.plt_slot_count);
    scan_slots(entry, entry->object.data_slots, entry->object.data_slot_count);
}

static int scan_new(struct dl_phdr_info *info, size_t size, void *is_done)
{
    (void)info;
    (void)size;
    (void)is_done;
    for (unsigned i = 0; i < load_map_count; i++)
        if (!load_map[i].is_scanned)
            scan_object(&load_map[i]);
    return 1;
}

/* ---- the scan ---------------------------------------------------------- */

static void scan_locked(int mode)
{
    if (load_map_update(mode))
        dl_iterate_phdr(scan_new, NULL);
    lock_release(lock);
}

static void scan(int mode)
{
    if (!load_map)
        return;
    lock_take(lock);
    scan_locked(mode);
}

void hook_scan_at_end(void)
{
    if (load_map && lock_take_patiently(lock))
        scan_locked(0);
}

void hook_init(bool tells)
{
    lock = memory_map_wiped(sizeof *lock);
    hook_rows = memory_map(ROWS_MAX * sizeof *hook_rows);
    object_init();
    catalog_init(tells);
    if (lock && hook_rows && load_map_init())
        scan(0);
}

/* ---- dlsym and dlopen -------------------------------------------------- */

void *hook_wrap(const struct symbol *symbol, void *found, const void *caller)
{
    const struct loaded *entry;
    struct binding *binding;
    int saved_errno = errno;

    if (!found || !load_map || wrapper_owns(found))
        return found;
    lock_take(lock);
    entry = load_map_find((uintptr_t)caller);
    binding = bindings_accept(symbol, found) ? bindings_get(symbol, found) : NULL;
    if (entry && binding)
        note_row(entry->module, symbol, binding, TRACE_HOOK_LOOKED_UP);
    lock_release(lock);
    facts_flush_now();
    errno = saved_errno;
    return binding ? bindings_entry(binding) : found;
}

void *hook_resolve(const struct symbol *symbol, const void *caller)
{
    const struct loaded *entry;
    void *found = NULL;

    if (!load_map)
        return NULL;
    lock_take(lock);
    entry = load_map_find((uintptr_t)caller);
    if (entry)
        found = scope_resolve(entry, symbol);
    lock_release(lock);
    return found;
}

bool hook_needs_caller(const char *file, const void *caller)
{
    const struct loaded *entry;

    if (!file)
        return false;
    if (strchr(file, '$'))
        return true;
    if (strchr(file, '/') || !load_map)
        return false;
    entry = load_map_find((uintptr_t)caller);
    for (unsigned i = 0; i < load_map_count; i++)
        if (load_map[i].object.has_rpath)
            return true;
    return entry && entry->object.has_runpath;
}

void hook_await_dlopen(int mode, uintptr_t stack)
{
    if (awaited_stack == 0) {
        awaited_stack = stack;
        awaited_mode = mode;
    }
    if (lane_self->state == LANE_READY)
        lane_self->deadline = 0;
}

bool hook_is_waiting(void)
{
    return awaited_stack != 0;
}

/* The stack grows down: above the frame of dlopen it has returned.  Deeper
 * calls do not tell, and wait. */
bool hook_rescan_is_due(void)
{
    return awaited_stack != 0 && STACK_POINTER() > awaited_stack;
}

void hook_after_dlopen(int mode)
{
    int saved_errno = errno;

    scan(mode);
    facts_flush_now();
    errno = saved_errno;
}

void hook_after_dlclose(void)
{
    if (awaited_stack == 0)
        hook_after_dlopen(0);
}

void hook_rescan(void)
{
    if (awaited_stack == 0)
        return;
    awaited_stack = 0;
    hook_after_dlopen(awaited_mode);
}
