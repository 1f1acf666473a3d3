/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading the load map.  Objects are read inside dl_iterate_phdr, where none
 * of them can be unloaded.
 */
#include "hook/load_map.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cold/environment.h"
#include "cold/memory.h"
#include "hook/catalog.h"
#include "unwind/rules.h"

struct load_map_module *load_map_modules;
unsigned load_map_module_count;
struct trace_gone *load_map_gone;
unsigned load_map_gone_count;
struct loaded *load_map;
unsigned load_map_count;

static unsigned epoch;
static unsigned long long seen_adds, seen_removals;
static int pending_mode; /* of the dlopen whose objects are read */

/* ---- rows --------------------------------------------------------------- */

static const char *module_path(const struct elf_object *object, bool is_first)
{
    static char program[LOAD_MAP_PATH_MAX];

    if (object->name[0] != '\0' || !is_first)
        return object->name;
    if (program[0] == '\0')
        environment_program_path(program, sizeof program);
    return program;
}

/* The linker keeps a relative name as dlopen was given it; whoever reads the
 * trace stands elsewhere. */
static void set_path(struct load_map_module *module, const char *name)
{
    size_t length = 0;

    if (name[0] != '/' && strchr(name, '/') && getcwd(module->path, sizeof module->path - 1)) {
        length = strlen(module->path);
        module->path[length++] = '/';
    }
    snprintf(module->path + length, sizeof module->path - length, "%s", name);
}

static void count_function(void *count, const struct elf_object *object, size_t index,
                           unsigned number)
{
    (void)number;
    *(uint32_t *)count += elf_is_defined_function(&object->symbols[index]);
}

static uint32_t count_known_symbols(const struct elf_object *object)
{
    uint32_t count = 0;

    catalog_visit(object, count_function, &count);
    return count;
}

/* Returns: false when there are too many rows. */
static bool add_module(struct loaded *entry, bool is_first)
{
    const struct elf_object *object = &entry->object;
    struct load_map_module *module;

    if (load_map_module_count == LOAD_MAP_MAX)
        return false;
    module = &load_map_modules[load_map_module_count++];
    module->fact.id = load_map_module_count;
    module->fact.epoch = epoch;
    module->fact.base = object->base;
    module->fact.start = object->start;
    module->fact.end = object->end;
    module->fact.known_symbols = count_known_symbols(object);
    if (object->build_id_size <= LOAD_MAP_BUILD_ID_MAX) {
        module->fact.build_id_size = object->build_id_size;
        memcpy(module->build_id, object->build_id, object->build_id_size);
    }
    set_path(module, module_path(object, is_first));
    entry->module = module->fact.id;
    return true;
}

static struct loaded *find_loaded(const struct elf_object *object)
{
    for (unsigned i = 0; i < load_map_count; i++)
        if (load_map[i].object.base == object->base &&
            load_map[i].object.dynamic == object->dynamic &&
            load_map[i].object.build_id_size == object->build_id_size &&
            strcmp(load_map[i].object.name, object->name) == 0)
            return &load_map[i];
    return NULL;
}

/* Names of unloaded objects are gone, so entries are compared by live ones only. */
static void forget_unloaded(void)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < load_map_count; i++) {
        if (load_map[i].is_live)
            load_map[kept++] = load_map[i];
        else
            load_map_gone[load_map_gone_count++] = (struct trace_gone){load_map[i].module, epoch};
    }
    if (kept < load_map_count)
        rules_forget(epoch);
    load_map_count = kept;
}

static void add_loaded(const struct elf_object *object)
{
    struct loaded *entry = &load_map[load_map_count];

    if (load_map_count == LOAD_MAP_MAX)
        return;
    memset(entry, 0, sizeof *entry);
    entry->object = *object;
    entry->is_live = true;
    entry->is_global = epoch == 1 || (pending_mode & RTLD_GLOBAL) != 0;
    entry->is_deep = epoch != 1 && (pending_mode & RTLD_DEEPBIND) != 0;
    if (add_module(entry, load_map_count == 0))
        load_map_count++;
}

/* ---- passes ------------------------------------------------------------- */

/* Second pass: what is new enters the map. */
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

/* Old entries are checked off against what is there before names are
 * compared: an unloaded object's name may no longer be mapped. */
static int mark_live(struct dl_phdr_info *info, size_t size, void *of)
{
    (void)size;
    (void)of;
    for (unsigned i = 0; i < load_map_count; i++)
        if (load_map[i].object.name == info->dlpi_name &&
            load_map[i].object.base == info->dlpi_addr &&
            load_map[i].object.headers == info->dlpi_phdr)
            load_map[i].is_live = true;
    return 0;
}

static void read_load_map(void)
{
    for (unsigned i = 0; i < load_map_count; i++)
        load_map[i].is_live = false;
    epoch++;
    dl_iterate_phdr(mark_live, NULL);
    forget_unloaded();
    dl_iterate_phdr(see_object, NULL);
}

bool load_map_init(void)
{
    load_map_modules = memory_map(LOAD_MAP_MAX * sizeof *load_map_modules);
    load_map_gone = memory_map(LOAD_MAP_MAX * sizeof *load_map_gone);
    if (load_map_modules && load_map_gone)
        load_map = memory_map(LOAD_MAP_MAX * sizeof *load_map);
    return load_map != NULL;
}

/* What was closed and opened again may stand where it stood, under the same
 * name, with its slots as new.  A slot that is hooked is left alone. */
static void distrust_reopened(void)
{
    for (unsigned i = 0; i < load_map_count; i++)
        if (load_map_module(&load_map[i])->fact.epoch > 1)
            load_map[i].is_scanned = false;
}

bool load_map_update(int mode)
{
    unsigned long long removals = seen_removals;
    bool is_changed = false;

    dl_iterate_phdr(check_counters, &is_changed);
    if (!is_changed)
        return false;
    pending_mode = mode;
    read_load_map();
    if (seen_removals != removals)
        distrust_reopened();
    return true;
}

/* ---- asking ------------------------------------------------------------- */

struct loaded *load_map_find(uintptr_t address)
{
    for (unsigned i = 0; i < load_map_count; i++)
        if (elf_contains(&load_map[i].object, address))
            return &load_map[i];
    return NULL;
}

const struct load_map_module *load_map_module(const struct loaded *entry)
{
    return &load_map_modules[entry->module - 1];
}

const struct load_map_module *load_map_find_definer(const char *name)
{
    for (unsigned i = 0; i < load_map_count && !elf_is_self(&load_map[i].object); i++)
        if (elf_find(&load_map[i].object, name, elf_hash(name)))
            return load_map_module(&load_map[i]);
    return NULL;
}
