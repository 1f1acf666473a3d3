/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The scan for slots, and its services for dlopen and dlsym.
 *
 * Runs in the constructor, after a dlopen, in dlsym and at exit, on any thread, under a lock of its
 * own; never in a kernel's call.
 *
 * Decision: doc/decisions/scanning-under-the-linkers-lock.
 */
#include "hook/hook.h"

#include <errno.h>
#include <string.h>

#include "call/adapter_call.h"
#include "call/library.h"
#include "call/wait_pools.h"
#include "hook/bindings.h"
#include "hook/catalog.h"
#include "hook/contexts.h"
#include "hook/deep.h"
#include "hook/libraries.h"
#include "hook/linker.h"
#include "hook/load_map.h"
#include "hook/names.h"
#include "hook/python.h"
#include "hook/scope.h"
#include "hook/torch.h"
#include "hook/user_files.h"
#include "hook/waits.h"
#include "platform/clock.h"
#include "platform/hash.h"
#include "platform/lock.h"
#include "platform/memory.h"
#include "platform/relocation.h"
#include "platform/slot.h"
#include "python/runtime.h"
#include "record/facts.h"
#include "record/lane.h"
#include "record/process.h"
#include "record/slow.h"
#include "torch/torch.h"
#include "unwind/objects.h"

enum { ROWS_MAX = 16384, ROW_PLACES = 2 * ROWS_MAX };

struct hook_row *hook_rows;
atomic_uint hook_row_count;
unsigned hook_rows_changed;
static uint16_t *row_places; /* of numbers of rows, from 1; 0: free */
static unsigned rows_left_out;
static bool is_pending; /* an object was not relocated yet */

/* In memory that a fork wipes: another thread may have held it. */
static struct lock *lock;

/* A dlopen of this thread that a scan must follow. */
struct awaited {
    uintptr_t stack; /* its stack pointer; 0: there is none */
    int mode;
    bool is_of_space; /* a dlmopen, whose list is complete only when it returns */
    uint64_t since_ns;
    uint64_t next_try_ns;
};

static _Thread_local struct awaited awaited INITIAL_EXEC;

/* The stack pointer of this thread's outermost dlopen; 0: none is in progress. */
static _Thread_local uintptr_t outermost INITIAL_EXEC;

static bool is_row(const struct hook_row *row, const struct hook_row *other)
{
    return row->fact.module == other->fact.module && row->symbol == other->symbol &&
           row->binding == other->binding && row->fact.outcome == other->fact.outcome;
}

/* Returns: the place of the number of such a row; the number is 0 where there is none. */
static uint16_t *find_place(const struct hook_row *row)
{
    uint64_t key = (uintptr_t)row->symbol ^ (uintptr_t)row->binding << 1 ^
                   (uint64_t)row->fact.module << 48 ^ (uint64_t)row->fact.outcome << 40;
    size_t at = (key * HASH_FACTOR >> 40) % ROW_PLACES;

    while (row_places[at] != 0 && !is_row(&hook_rows[row_places[at] - 1], row))
        at = (at + 1) % ROW_PLACES;
    return &row_places[at];
}

/* A library of linear algebra has a thousand rows. */
static void note_row(const struct loaded *entry, const struct symbol *symbol,
                     const struct binding *binding, enum trace_hook_outcome outcome)
{
    const struct hook_row row = {.fact = {entry->module, binding ? binding->id : 0, 1, outcome},
                                 .symbol = symbol,
                                 .binding = binding};
    uint16_t *place = find_place(&row);
    unsigned count = hook_row_count;

    if (*place != 0) {
        hook_rows[*place - 1].fact.slots++;
        hook_rows_changed++;
    } else if (count == ROWS_MAX) {
        rows_left_out++;
    } else {
        hook_rows[count] = row;
        *place = (uint16_t)(count + 1);
        atomic_store_explicit(&hook_row_count, count + 1, memory_order_release);
    }
}

/* In a program that is not position-independent, one PLT entry represents the function everywhere;
 * the slot of that entry is hooked. */
static bool is_stand_in(const struct elf_name *name, uintptr_t value)
{
    return scope_is_unresolved(&load_map[0], name, value);
}

static bool is_wrapper(const void *address)
{
    return load_map_is_own((uintptr_t)address) && (wrapper_owns(address) || wait_owns(address));
}

static void note_unbound(struct loaded *entry, const struct symbol *symbol)
{
    note_row(entry, symbol, NULL,
             bindings_count == BINDINGS_MAX ? TRACE_HOOK_FULL : TRACE_HOOK_NO_CLONE);
}

/* The target of a slot, now or after it is bound.
 * Returns: NULL when that is no function of another object. */
static void *target_of(const struct loaded *entry, const struct elf_name *name, bool is_plt,
                       uintptr_t value, bool *is_unresolved)
{
    *is_unresolved = is_plt && scope_is_unresolved(entry, name, value);
    if (*is_unresolved)
        return scope_resolve(entry, name);
    return is_stand_in(name, value) ? NULL : (void *)value;
}

static void bind_slot(struct loaded *entry, uintptr_t address, const struct symbol *symbol,
                      void *target)
{
    struct binding *binding = bindings_get(symbol, target);

    if (!binding)
        note_unbound(entry, symbol);
    else if (slot_write(&entry->object, address, (uintptr_t)bindings_entry(binding)))
        note_row(entry, symbol, binding, TRACE_HOOK_HOOKED);
    else
        note_row(entry, symbol, NULL, TRACE_HOOK_READ_ONLY);
}

/* `row`: the first of its name.  A glob asks for no function in particular, so a missing one is
 * not noted. */
static void try_slot(struct loaded *entry, const ElfW(Rela) * slot, const struct symbol *row)
{
    const ElfW(Sym) *called = &entry->object.symbols[ELF64_R_SYM(slot->r_info)];
    struct elf_name name = elf_name_by_slot(&entry->object, ELF64_R_SYM(slot->r_info));
    uintptr_t address = entry->object.base + slot->r_offset;
    uintptr_t value = *(const uintptr_t *)address;
    const struct symbol *symbol;
    bool is_unresolved;
    void *target;

    if (value == 0 || is_wrapper((void *)value))
        return;
    target = target_of(entry, &name, slot_is_plt(slot), value, &is_unresolved);
    if (!target && is_unresolved && !catalog_is_glob(row))
        note_row(entry, row, NULL, TRACE_HOOK_UNRESOLVED);
    symbol = target ? bindings_choose(row, name.text, target) : NULL;
    if (!symbol)
        return;
    if (slot_has_own_convention(called))
        note_row(entry, symbol, NULL, TRACE_HOOK_CONVENTION);
    else
        bind_slot(entry, address, symbol, target);
}

/* Some of the functions that the shim exports are waits in front of libc's. */
static bool is_no_wait(uintptr_t address)
{
    return load_map_is_own(address) && !waits_stands((const void *)address);
}

static void try_wait(struct loaded *entry, const ElfW(Rela) * slot, int call)
{
    size_t index = ELF64_R_SYM(slot->r_info);
    const ElfW(Sym) *called = &entry->object.symbols[index];
    struct elf_name name = elf_name_by_slot(&entry->object, index);
    uintptr_t address = entry->object.base + slot->r_offset;
    uintptr_t value = *(const uintptr_t *)address;
    bool is_unresolved;
    void *target, *wrapper;

    if (value == 0 || is_no_wait(value) || slot_has_own_convention(called))
        return;
    target = target_of(entry, &name, slot_is_plt(slot), value, &is_unresolved);
    if (!target || is_no_wait((uintptr_t)target))
        return;
    wrapper = waits_bind(waits_choose(call, entry), target);
    if (wrapper)
        slot_write(&entry->object, address, (uintptr_t)wrapper);
}

static void try_library(struct loaded *entry, const ElfW(Rela) * slot, int number)
{
    size_t index = ELF64_R_SYM(slot->r_info);
    struct elf_name name = elf_name_by_slot(&entry->object, index);
    uintptr_t address = entry->object.base + slot->r_offset;
    uintptr_t value = *(const uintptr_t *)address;
    bool is_unresolved;
    void *target, *wrapper;

    if (value == 0 || load_map_is_own(value))
        return;
    target = target_of(entry, &name, slot_is_plt(slot), value, &is_unresolved);
    wrapper = target ? libraries_bind(number, target, entry) : NULL;
    if (wrapper)
        slot_write(&entry->object, address, (uintptr_t)wrapper);
}

/* A glob may match any name, so globs are tried only here. */
static void scan_slot(struct loaded *entry, const ElfW(Rela) * slot)
{
    const struct elf_object *object = &entry->object;
    size_t index = ELF64_R_SYM(slot->r_info);
    const struct name *name = names_find(index);
    const struct symbol *row = name ? name->symbol : NULL;

    if (!row && catalog_has_globs())
        row = catalog_find_glob(object->strings + object->symbols[index].st_name);
    if (row)
        try_slot(entry, slot, row);
    else if (name && name->entry != LIBRARY_NONE)
        try_library(entry, slot, name->entry);
    else if (name)
        try_wait(entry, slot, name->wait);
}

static void scan_slots(struct loaded *entry, const ElfW(Rela) * slots, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const ElfW(Rela) *slot = &slots[i];

        if ((slot_is_plt(slot) || slot_is_data(slot)) && slot->r_addend == 0)
            scan_slot(entry, slot);
    }
}

static void scan_object(struct loaded *entry)
{
    unsigned count;

    entry->is_scanned = elf_is_self(&entry->object);
    if (entry->is_scanned)
        return;
    count = names_gather(&entry->object);
    load_map_set_known(entry, names_offered());
    entry->is_scanned = elf_is_relocated(&entry->object);
    is_pending |= !entry->is_scanned;
    if (!entry->is_scanned)
        return;
    if (entry->is_deep && !entry->space)
        deep_redirect(entry);
    if (count > 0 || catalog_has_globs()) {
        scan_slots(entry, entry->object.plt_slots, entry->object.plt_slot_count);
        scan_slots(entry, entry->object.data_slots, entry->object.data_slot_count);
    }
    slot_protect(&entry->object);
    libraries_look(entry);
    contexts_look(entry);
}

static void scan_new(void)
{
    is_pending = false;
    for (unsigned i = 0; i < load_map_count; i++)
        if (!load_map[i].is_scanned)
            scan_object(&load_map[i]);
}

static void scan_locked(int mode)
{
    if (load_map_update(mode) || is_pending)
        scan_new();
    load_map_publish();
    hook_python_look();
    hook_torch_look();
    lock_release(lock);
}

/* Catch up with calls that constructors of libraries may have made before the slots of the rows
 * from `first_row` on were hooked.  The program's own constructors run after ours. */
static void catch_up(unsigned first_row)
{
    unsigned count = hook_row_count;

    for (unsigned i = first_row; i < count; i++) {
        const struct hook_row *row = &hook_rows[i];
        const struct adapter_call *call = row->symbol->adapter;

        if (call && call->catch_up && row->fact.outcome == TRACE_HOOK_HOOKED &&
            row->fact.module != load_map[0].module)
            call->catch_up(row->binding);
    }
}

/* No object may be unloaded between the first look at the map and the last slot.  The linker's lock
 * is always taken before the shim's, because a record inside of a dl_iterate_phdr may come here. */
static int scan_inside(struct dl_phdr_info *info, size_t size, void *mode)
{
    unsigned first_row;

    (void)info;
    (void)size;
    lock_take(lock);
    first_row = hook_row_count;
    scan_locked(*(const int *)mode);
    catch_up(first_row);
    return 1;
}

static int scan_patiently(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)info;
    (void)size;
    (void)unused;
    if (lock_take_patiently(lock))
        scan_locked(0);
    return 1;
}

static void scan(int mode)
{
    if (load_map && !process_is_sandboxed())
        linker_visit(scan_inside, &mode);
}

void hook_scan_at_end(void)
{
    if (load_map)
        linker_visit(scan_patiently, NULL);
}

/* A dlopen that was left by a jump or a throw is over once the stack is above it. */
static bool is_in_dlopen(void)
{
    if (outermost != 0 && STACK_POINTER() > outermost)
        outermost = 0;
    return outermost != 0;
}

/* In a dlopen, constructors of other libraries may still have to run, and the linker would run them
 * out of order. */
static void register_frameworks(void)
{
    if (!is_in_dlopen())
        torch_register();
}

void hook_init(bool tells)
{
    lock = memory_keep_wiped(sizeof *lock);
    hook_rows = memory_keep(ROWS_MAX * sizeof *hook_rows);
    row_places = memory_keep(ROW_PLACES * sizeof *row_places);
    object_init();
    if (catalog_init())
        user_files_read(tells);
    waits_init();
    if (lock && hook_rows && row_places && linker_init() && load_map_init())
        scan(0);
    /* A C++ program that links PyTorch may load nothing later.  The linker runs the constructors of
     * libraries that a preloaded library does not need before ours. */
    register_frameworks();
    /* A thread of a library's constructor may have made the trace a file by now, and a killed
     * program writes nothing at its end. */
    facts_flush_now();
}

static bool has_own_convention(const char *name, const void *found)
{
    const struct loaded *entry = load_map_find((uintptr_t)found);
    const ElfW(Sym) *symbol = entry ? elf_find(&entry->object, name) : NULL;

    return symbol && slot_has_own_convention(symbol);
}

/* `entry`: the object that asked, or NULL.  Returns: NULL when the function gets no wrapper. */
static struct binding *bind_found(struct loaded *entry, const struct symbol *symbol,
                                  const char *name, void *found)
{
    bool is_own = has_own_convention(name, found);
    struct binding *binding = is_own ? NULL : bindings_get(symbol, found);

    if (entry && is_own)
        note_row(entry, symbol, NULL, TRACE_HOOK_CONVENTION);
    else if (entry && binding)
        note_row(entry, symbol, binding, TRACE_HOOK_LOOKED_UP);
    else if (entry)
        note_unbound(entry, symbol);
    return binding;
}

void *hook_wrap_wait(int call, void *found, const void *caller)
{
    void *wrapper;

    if (!found || !load_map || load_map_is_own((uintptr_t)found))
        return NULL;
    lock_take(lock);
    wrapper = load_map_find((uintptr_t)found)
                  ? waits_bind(waits_choose(call, load_map_find((uintptr_t)caller)), found)
                  : NULL;
    lock_release(lock);
    return wrapper;
}

void *hook_wrap_library(int entry, void *found)
{
    void *wrapper;

    if (!found || !load_map || load_map_is_own((uintptr_t)found))
        return NULL;
    lock_take(lock);
    wrapper = libraries_bind(entry, found, NULL);
    lock_release(lock);
    return wrapper;
}

void *hook_wrap(const struct symbol *row, const char *name, void *found, const void *caller)
{
    const struct symbol *symbol;
    struct loaded *entry;
    struct binding *binding;
    int saved_errno = errno;

    if (!found || !load_map || is_wrapper(found))
        return NULL;
    lock_take(lock);
    entry = load_map_find((uintptr_t)caller);
    symbol = bindings_choose(row, name, found);
    binding = symbol ? bind_found(entry, symbol, name, found) : NULL;
    lock_release(lock);
    facts_flush_now();
    errno = saved_errno;
    return binding ? bindings_entry(binding) : NULL;
}

static void bind_entry(const struct symbol *row, const char *name, void *const *entry)
{
    void *target = *entry; /* a wrapper, if another thread was first */
    struct loaded *holder = is_wrapper(target) ? NULL : load_map_find((uintptr_t)target);
    const struct symbol *symbol = holder ? bindings_choose(row, name, target) : NULL;

    if (symbol)
        bind_slot(holder, (uintptr_t)entry, symbol, target);
}

/* Programs may request a table again and again; usually its entries are hooked already. */
void hook_entry(const char *name, void *const *entry)
{
    const struct symbol *row;

    if (is_wrapper(*entry) || process_is_sandboxed() || !load_map)
        return;
    row = catalog_find(name);
    if (!row)
        return;
    lock_take(lock);
    bind_entry(row, name, entry);
    lock_release(lock);
}

typedef void *(*resolver)(const struct loaded *entry, const struct elf_name *name);

static void *resolve_for(resolver look, const struct elf_name *name, const void *caller)
{
    const struct loaded *entry;
    void *found = NULL;

    if (!load_map)
        return NULL;
    lock_take(lock);
    entry = load_map_find((uintptr_t)caller);
    if (entry)
        found = look(entry, name);
    lock_release(lock);
    return found;
}

void *hook_resolve(const char *symbol, const char *version, const void *caller)
{
    struct elf_name name = elf_name_by_dlsym(symbol, version);

    return resolve_for(scope_resolve, &name, caller);
}

void *hook_resolve_next(const char *symbol, const char *version, const void *caller)
{
    struct elf_name name = elf_name_by_dlsym(symbol, version);

    return resolve_for(scope_resolve_next, &name, caller);
}

unsigned hook_rows_left_out(void)
{
    return rows_left_out + names_left_out() + catalog_left_out();
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

void hook_begin_dlopen(uintptr_t stack)
{
    if (!is_in_dlopen() || stack > outermost)
        outermost = stack;
}

void hook_end_dlopen(uintptr_t stack)
{
    if (outermost == stack)
        outermost = 0;
}

void hook_await_dlopen(int mode, uintptr_t stack, bool is_of_space)
{
    if (awaited.stack == 0) {
        awaited.stack = stack;
        awaited.mode = mode;
        awaited.is_of_space = is_of_space;
        awaited.since_ns = awaited.next_try_ns = clock_monotonic();
    }
    if (lane_self->state == LANE_READY)
        lane_self->deadline = 0;
}

/* A longer dlopen finds nothing new, or waits for a disk; then an occasional look is enough. */
static bool is_waiting(void)
{
    enum { PATIENCE_NS = 100000000 };

    return awaited.stack != 0 && awaited.next_try_ns - awaited.since_ns < PATIENCE_NS;
}

static REALIGNED void scan_anew(int mode)
{
    int saved_errno = errno;

    scan(mode);
    register_frameworks();
    facts_flush_now();
    errno = saved_errno;
}

/* The dlopen that a scan must follow is over. */
static void scan_awaited(void)
{
    awaited.stack = 0;
    scan_anew(awaited.mode);
}

/* The program may go on below the frame that called dlopen, and never return above it.  Then the
 * linker's list shows new objects, and those not relocated yet stay pending. */
static void try_inside(void)
{
    enum { GAP_NS = 1000000 };
    uint64_t now_ns = clock_monotonic();
    bool is_early = now_ns < awaited.next_try_ns;

    if (!is_early)
        awaited.next_try_ns = now_ns + GAP_NS;
    if (!load_map_has_news() && (is_early || !is_pending))
        return;
    scan_anew(awaited.mode);
    if (!is_pending)
        awaited.stack = 0;
}

/* The stack grows down: a stack pointer above the frame of dlopen means that it has returned. */
static void try_rescan(void)
{
    if (awaited.stack == 0)
        return;
    if (STACK_POINTER() > awaited.stack)
        scan_awaited();
    else if (load_map && !awaited.is_of_space)
        try_inside();
}

void hook_after_dlopen(int mode)
{
    struct slow slow;

    if (process_is_sandboxed())
        return;
    slow_begin(&slow);
    scan_anew(mode);
    slow_end(&slow);
}

/* The unloaded library may be Python. */
void hook_before_dlclose(void)
{
    python_pause();
    objects_begin_removal();
}

void hook_after_dlclose(void)
{
    if (awaited.stack == 0)
        hook_after_dlopen(0);
    objects_end_removal();
}

void hook_rescan(void)
{
    if (awaited.stack == 0)
        return;
    awaited.stack = 0;
    hook_after_dlopen(awaited.mode);
}

uint64_t hook_look_up(struct lane *lane, uint64_t now)
{
    (void)lane;
    (void)now;
    try_rescan();
    return is_waiting() ? 0 : UINT64_MAX;
}
