/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The load map, the scan for slots, and the bindings.
 *
 * Runs in the constructor, after an outermost dlopen, in dlsym and at exit,
 * on whatever thread that is, under a lock of its own.  The objects are read
 * inside dl_iterate_phdr, where none of them can be unloaded.
 */
#include "hook/hook.h"

#include <dlfcn.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "cold/facts.h"
#include "cold/lock.h"
#include "cold/memory.h"
#include "hook/catalog.h"
#include "hook/elf.h"
#include "hook/slot.h"
#include "hot/lane.h"

enum {
    MODULES_MAX = 4096,
    ROWS_MAX = 16384,
    BINDINGS_MAX = 4096,
    WANTED_MAX = 1024,
    NEEDED_MAX = 512
};

/* An object as the linker has it now; rebuilt from its headers at each scan. */
struct loaded {
    struct elf_object object;
    uint32_t module; /* id of its row */
    bool is_live;    /* seen in the scan that runs */
    bool is_scanned;
    bool is_global; /* in the global scope */
    bool is_deep;   /* dlopened with RTLD_DEEPBIND */
};

struct hook_module *hook_modules;
unsigned hook_module_count;
struct hook_row *hook_rows;
unsigned hook_row_count;
struct binding *hook_bound[BINDINGS_MAX];
unsigned hook_bound_count;

static struct loaded *loaded; /* in the order of the load map */
static unsigned loaded_count;
static unsigned epoch;
static unsigned long long seen_adds, seen_removals;
static int pending_mode;
static struct lock lock;

/* The stack pointer of the outermost dlopen of this thread, while a scan
 * must follow it; 0 otherwise. */
static _Thread_local uintptr_t dlopen_stack INITIAL_EXEC;

/* ---- modules ----------------------------------------------------------- */

static const char *module_path(const struct elf_object *object, bool is_first)
{
    static char program[HOOK_PATH_MAX];

    if (object->name[0] != '\0' || !is_first)
        return object->name;
    if (program[0] == '\0')
        facts_program_path(program, sizeof program);
    return program;
}

static uint32_t count_known_symbols(const struct elf_object *object)
{
    uint32_t count = 0;

    for (unsigned i = 0; i < catalog_symbol_count; i++)
        count += elf_find(object, catalog_symbols[i].name, catalog_hashes[i]) != NULL;
    return count;
}

static void add_module(struct loaded *entry, bool is_first)
{
    const struct elf_object *object = &entry->object;
    struct hook_module *module;

    if (hook_module_count == MODULES_MAX)
        return;
    module = &hook_modules[hook_module_count++];
    module->fact.id = hook_module_count;
    module->fact.epoch = epoch;
    module->fact.base = object->base;
    module->fact.start = object->start;
    module->fact.end = object->end;
    module->fact.known_symbols = count_known_symbols(object);
    if (object->build_id_size <= HOOK_BUILD_ID_MAX) {
        module->fact.build_id_size = object->build_id_size;
        memcpy(module->build_id, object->build_id, object->build_id_size);
    }
    snprintf(module->path, sizeof module->path, "%s", module_path(object, is_first));
    entry->module = module->fact.id;
}

static struct loaded *find_loaded(const struct elf_object *object)
{
    for (unsigned i = 0; i < loaded_count; i++)
        if (loaded[i].object.base == object->base && loaded[i].object.dynamic == object->dynamic &&
            loaded[i].object.build_id_size == object->build_id_size &&
            strcmp(loaded[i].object.name, object->name) == 0)
            return &loaded[i];
    return NULL;
}

/* Names of unloaded objects are gone, so entries are compared by live ones only. */
static void forget_unloaded(void)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < loaded_count; i++)
        if (loaded[i].is_live)
            loaded[kept++] = loaded[i];
    loaded_count = kept;
}

static void add_loaded(const struct elf_object *object)
{
    struct loaded *entry = &loaded[loaded_count];

    if (loaded_count == MODULES_MAX)
        return;
    memset(entry, 0, sizeof *entry);
    entry->object = *object;
    entry->is_live = true;
    entry->is_global = epoch == 1 || (pending_mode & RTLD_GLOBAL) != 0;
    entry->is_deep = epoch != 1 && (pending_mode & RTLD_DEEPBIND) != 0;
    add_module(entry, loaded_count == 0);
    loaded_count++;
}

/* ---- scopes ------------------------------------------------------------ */

static const struct loaded *find_needed(const char *name)
{
    for (unsigned i = 0; i < loaded_count; i++) {
        const struct elf_object *object = &loaded[i].object;

        if (object->soname && strcmp(object->soname, name) == 0)
            return &loaded[i];
    }
    return NULL;
}

static bool is_listed(const struct loaded *const *list, unsigned count, const struct loaded *entry)
{
    for (unsigned i = 0; i < count; i++)
        if (list[i] == entry)
            return true;
    return false;
}

/* The objects that `root` needs, breadth first, as dlopen lists them. */
static unsigned list_needed(const struct loaded *root, const struct loaded **list)
{
    unsigned count = 1;

    list[0] = root;
    for (unsigned i = 0; i < count; i++) {
        const struct elf_object *object = &list[i]->object;

        for (const ElfW(Dyn) *entry = object->dynamic; entry->d_tag != DT_NULL; entry++) {
            const struct loaded *needed;

            if (entry->d_tag != DT_NEEDED || count == NEEDED_MAX)
                continue;
            needed = find_needed(object->strings + entry->d_un.d_val);
            if (needed && !is_listed(list, count, needed))
                list[count++] = needed;
        }
    }
    return count;
}

static void *find_in(const struct loaded *entry, const struct symbol *symbol)
{
    const ElfW(Sym) *found =
        elf_find(&entry->object, symbol->name, catalog_hashes[symbol - catalog_symbols]);

    return found ? (void *)(entry->object.base + found->st_value) : NULL;
}

static void *find_in_global(const struct symbol *symbol)
{
    void *found = NULL;

    for (unsigned i = 0; i < loaded_count && !found; i++)
        if (loaded[i].is_global)
            found = find_in(&loaded[i], symbol);
    return found;
}

/* The local scope of an object is the list of the one whose dlopen brought
 * it: the first of its epoch that needs it. */
static void *find_in_local(const struct loaded *entry, const struct symbol *symbol)
{
    static const struct loaded *list[NEEDED_MAX];
    uint32_t batch = hook_modules[entry->module - 1].fact.epoch;

    for (unsigned i = 0; i < loaded_count; i++) {
        unsigned count;
        void *found = NULL;

        if (hook_modules[loaded[i].module - 1].fact.epoch != batch)
            continue;
        count = list_needed(&loaded[i], list);
        if (!is_listed(list, count, entry))
            continue;
        for (unsigned j = 0; j < count && !found; j++)
            found = find_in(list[j], symbol);
        return found;
    }
    return NULL;
}

static void *resolve(const struct loaded *entry, const struct symbol *symbol)
{
    void *found = entry->object.is_symbolic ? find_in(entry, symbol) : NULL;

    if (!found && entry->is_deep)
        found = find_in_local(entry, symbol);
    if (!found)
        found = find_in_global(symbol);
    if (!found)
        found = find_in_local(entry, symbol);
    return found;
}

static struct loaded *find_by_address(uintptr_t address)
{
    for (unsigned i = 0; i < loaded_count; i++)
        if (elf_contains(&loaded[i].object, address))
            return &loaded[i];
    return NULL;
}

/* ---- bindings ---------------------------------------------------------- */

static struct binding *find_binding(const struct symbol *symbol, const void *target)
{
    struct wrapper_pool *pool = &wrapper_pools[symbol->form];

    for (unsigned i = 0; i < pool->used; i++)
        if (pool->bindings[i].target == target && pool->bindings[i].symbol == symbol)
            return &pool->bindings[i];
    return NULL;
}

static struct binding *new_binding(const struct symbol *symbol, void *target)
{
    struct wrapper_pool *pool = &wrapper_pools[symbol->form];
    struct binding *binding;

    if (pool->used == pool->count || hook_bound_count == BINDINGS_MAX)
        return NULL;
    binding = &pool->bindings[pool->used++];
    binding->target = target;
    binding->symbol = symbol;
    binding->owns = symbol->owns;
    binding->id = (uint32_t)(binding - wrapper_bindings) + 1;
    hook_bound[hook_bound_count++] = binding;
    return binding;
}

static struct binding *bind(const struct symbol *symbol, void *target)
{
    struct binding *binding = find_binding(symbol, target);

    return binding ? binding : new_binding(symbol, target);
}

static void *entry_of(const struct binding *binding)
{
    const struct wrapper_pool *pool = &wrapper_pools[binding->symbol->form];

    return pool->entries[binding - pool->bindings];
}

/* A family may ask for a library: bare names such as sgemm are kernels only there. */
static bool library_matches(const struct symbol *symbol, const void *target)
{
    const struct loaded *entry;
    const char *path, *slash;

    if (!symbol->library)
        return true;
    entry = find_by_address((uintptr_t)target);
    if (!entry)
        return false;
    path = hook_modules[entry->module - 1].path;
    slash = strrchr(path, '/');
    return fnmatch(symbol->library, slash ? slash + 1 : path, 0) == 0;
}

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
    return elf_contains(&entry->object, value) && (void *)value != find_in(entry, symbol);
}

/* A program that is not position-independent has one PLT entry stand for the
 * function everywhere; the slot behind that entry is hooked. */
static bool is_stand_in(const struct symbol *symbol, uintptr_t value)
{
    const struct loaded *entry = find_by_address(value);

    return entry && (void *)value != find_in(entry, symbol) && entry->module == 1;
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
        target = resolve(entry, symbol);
    else if (is_stand_in(symbol, value))
        return;
    if (!target) {
        note_row(entry->module, symbol, NULL, TRACE_HOOK_UNRESOLVED);
        return;
    }
    if (!library_matches(symbol, target))
        return;
    binding = bind(symbol, target);
    if (!binding)
        note_row(entry->module, symbol, NULL, TRACE_HOOK_NO_CLONE);
    else if (slot_write(&entry->object, address, (uintptr_t)entry_of(binding)))
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

/* ---- the scan ---------------------------------------------------------- */

/* First pass: is anything new?  Then the list is brought up to date. */
static int see_object(struct dl_phdr_info *info, size_t size, void *is_last)
{
    struct elf_object object;
    struct loaded *known;

    (void)size;
    (void)is_last;
    seen_adds = info->dlpi_adds;
    seen_removals = info->dlpi_subs;
    if (!elf_read(&object, info))
        return 0;
    known = find_loaded(&object);
    if (known)
        known->is_live = true;
    else
        add_loaded(&object);
    return 0;
}

static int check_counters(struct dl_phdr_info *info, size_t size, void *is_changed)
{
    (void)size;
    *(bool *)is_changed = info->dlpi_adds != seen_adds || info->dlpi_subs != seen_removals;
    return 1;
}

static int scan_new(struct dl_phdr_info *info, size_t size, void *is_done)
{
    (void)info;
    (void)size;
    (void)is_done;
    for (unsigned i = 0; i < loaded_count; i++)
        if (!loaded[i].is_scanned)
            scan_object(&loaded[i]);
    return 1;
}

/* Old entries are checked off against what is there before names are
 * compared: an unloaded object's name may no longer be mapped. */
static int mark_live(struct dl_phdr_info *info, size_t size, void *of)
{
    (void)size;
    (void)of;
    for (unsigned i = 0; i < loaded_count; i++)
        if (loaded[i].object.name == info->dlpi_name && loaded[i].object.base == info->dlpi_addr &&
            loaded[i].object.headers == info->dlpi_phdr)
            loaded[i].is_live = true;
    return 0;
}

static void read_load_map(void)
{
    for (unsigned i = 0; i < loaded_count; i++)
        loaded[i].is_live = false;
    dl_iterate_phdr(mark_live, NULL);
    forget_unloaded();
    epoch++;
    dl_iterate_phdr(see_object, NULL);
}

void hook_scan(void)
{
    bool is_changed = false;

    if (!loaded)
        return;
    lock_take(&lock);
    dl_iterate_phdr(check_counters, &is_changed);
    if (is_changed) {
        read_load_map();
        dl_iterate_phdr(scan_new, NULL);
    }
    lock_release(&lock);
}

void hook_init(bool tells)
{
    hook_modules = memory_map(MODULES_MAX * sizeof *hook_modules);
    hook_rows = memory_map(ROWS_MAX * sizeof *hook_rows);
    loaded = memory_map(MODULES_MAX * sizeof *loaded);
    if (!hook_modules || !hook_rows)
        loaded = NULL;
    catalog_init(tells);
    hook_scan();
}

const struct hook_module *hook_find_module(uintptr_t address)
{
    const struct loaded *entry = loaded ? find_by_address(address) : NULL;

    return entry ? &hook_modules[entry->module - 1] : NULL;
}

const struct hook_module *hook_find_first_definer(const char *name)
{
    for (unsigned i = 0; i < loaded_count && !elf_is_self(&loaded[i].object); i++)
        if (elf_find(&loaded[i].object, name, elf_hash(name)))
            return &hook_modules[loaded[i].module - 1];
    return NULL;
}

/* ---- dlsym and dlopen -------------------------------------------------- */

void *hook_wrap(const struct symbol *symbol, void *found, const void *caller)
{
    const struct loaded *entry;
    struct binding *binding;

    if (!found || !loaded || wrapper_owns(found))
        return found;
    lock_take(&lock);
    entry = find_by_address((uintptr_t)caller);
    binding = library_matches(symbol, found) ? bind(symbol, found) : NULL;
    if (entry && binding)
        note_row(entry->module, symbol, binding, TRACE_HOOK_LOOKED_UP);
    lock_release(&lock);
    facts_flush_now();
    return binding ? entry_of(binding) : found;
}

void *hook_resolve(const struct symbol *symbol, const void *caller)
{
    const struct loaded *entry;
    void *found = NULL;

    if (!loaded)
        return NULL;
    lock_take(&lock);
    entry = find_by_address((uintptr_t)caller);
    if (entry)
        found = resolve(entry, symbol);
    lock_release(&lock);
    return found;
}

bool hook_needs_caller(const char *file, const void *caller)
{
    const struct loaded *entry;

    if (!file)
        return false;
    if (strchr(file, '$'))
        return true;
    if (strchr(file, '/') || !loaded)
        return false;
    entry = find_by_address((uintptr_t)caller);
    for (unsigned i = 0; i < loaded_count; i++)
        if (loaded[i].object.has_rpath)
            return true;
    return entry && entry->object.has_runpath;
}

void hook_await_dlopen(int mode, uintptr_t stack)
{
    if (dlopen_stack == 0) {
        dlopen_stack = stack;
        pending_mode = mode;
    }
    if (lane_self->state == LANE_READY)
        lane_self->deadline = 0;
}

bool hook_is_waiting(void)
{
    return dlopen_stack != 0;
}

/* The stack grows down: above the frame of dlopen it has returned.  Deeper
 * calls do not tell, and wait. */
bool hook_rescan_is_due(void)
{
    return dlopen_stack != 0 && STACK_POINTER() > dlopen_stack;
}

static void rescan(int mode)
{
    pending_mode = mode;
    hook_scan();
    pending_mode = 0;
    facts_flush_now();
}

void hook_rescan(void)
{
    if (dlopen_stack == 0)
        return;
    dlopen_stack = 0;
    rescan(pending_mode);
}

void hook_after_dlopen(int mode)
{
    int saved_errno = errno;

    rescan(mode);
    errno = saved_errno;
}
