/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads the load map.  Objects are read inside dl_iterate_phdr, where none can be unloaded.
 */
#include "hook/load_map.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "hook/linker.h"
#include "platform/calls.h"
#include "platform/environment.h"
#include "platform/link_list.h"
#include "platform/memory.h"
#include "platform/next.h"
#include "record/thread_context.h"
#include "unwind/objects.h"
#include "unwind/rules.h"

struct load_map_module *load_map_modules;
atomic_uint load_map_module_count;
struct trace_gone *load_map_gone;
atomic_uint load_map_gone_count;
struct loaded *load_map;
unsigned load_map_count;

static char *paths; /* paths of the rows, one after the other */
static size_t paths_used;
static unsigned module_count; /* including those that are not complete yet */
static unsigned epoch;
static unsigned left_out, most_left_out; /* in the last pass, and the most in any pass */
static unsigned in_spaces;
static uintptr_t own_start, own_end;
static unsigned long long seen_adds = UINT64_MAX; /* musl has added none at start */
static unsigned long long seen_removals;
static int pending_mode; /* mode of the dlopen whose objects are being read */

static const char *module_path(const struct elf_object *object, bool is_first)
{
    static char program[LOAD_MAP_PATH_MAX];

    if (object->name[0] != '\0' || !is_first)
        return object->name;
    if (program[0] == '\0')
        environment_program_path(program, sizeof program);
    return program;
}

/* The linker keeps a relative name of dlopen, and the reader of the trace runs elsewhere.  Under
 * the lock, so the buffer may be static. */
static const char *whole_path(const char *name)
{
    static char path[LOAD_MAP_PATH_MAX];
    size_t length = 0;

    if (name[0] != '/' && strchr(name, '/') && calls_getcwd(path, sizeof path - 1)) {
        length = strlen(path);
        path[length++] = '/';
    }
    snprintf(path + length, sizeof path - length, "%s", name);
    return path;
}

/* Returns: a copy that stays, or NULL when there is no room. */
static const char *keep_path(const char *path)
{
    size_t size = strlen(path) + 1;
    char *kept = paths + paths_used;

    if (size > LOAD_MAP_PATHS_SIZE - paths_used)
        return NULL;
    paths_used += size;
    return memcpy(kept, path, size);
}

/* Returns: false when there are too many rows or paths. */
static bool add_module(struct loaded *entry, bool is_first)
{
    const struct elf_object *object = &entry->object;
    struct load_map_module *module;
    const char *path;

    if (module_count == LOAD_MAP_MODULES_MAX)
        return false;
    path = keep_path(whole_path(module_path(object, is_first)));
    if (!path)
        return false;
    module = &load_map_modules[module_count++];
    module->fact.id = module_count;
    module->fact.epoch = epoch;
    module->fact.base = object->base;
    module->fact.start = object->start;
    module->fact.end = object->end;
    if (object->build_id_size <= LOAD_MAP_BUILD_ID_MAX) {
        module->fact.build_id_size = object->build_id_size;
        memcpy(module->build_id, object->build_id, object->build_id_size);
    }
    module->path = path;
    entry->module = module->fact.id;
    return true;
}

/* The path of the row may have the folder before it. */
static bool has_path(const struct load_map_module *module, const char *name)
{
    size_t path_length = strlen(module->path), length = strlen(name);

    if (path_length + 1 == LOAD_MAP_PATH_MAX) /* the path was cut */
        return true;
    return length <= path_length && strcmp(module->path + path_length - length, name) == 0;
}

/* Compare with the row: another object may be at the same address now. */
static bool is_same(const struct loaded *entry, const struct elf_object *object, const void *space)
{
    const struct load_map_module *module = load_map_module(entry);

    return entry->space == space && entry->object.base == object->base &&
           entry->object.dynamic == object->dynamic &&
           entry->object.build_id_size == object->build_id_size &&
           memcmp(module->build_id, object->build_id, module->fact.build_id_size) == 0 &&
           has_path(module, object->name);
}

/* The index of the next known object: both lists have the same order. */
static unsigned expected;

static struct loaded *find_loaded(const struct elf_object *object, const void *space)
{
    for (unsigned i = 0; i < load_map_count; i++) {
        unsigned place = expected + i;

        place -= place < load_map_count ? 0 : load_map_count;
        if (is_same(&load_map[place], object, space)) {
            expected = place + 1 < load_map_count ? place + 1 : 0;
            return &load_map[place];
        }
    }
    return NULL;
}

static void note_gone(const struct loaded *entry)
{
    unsigned count = load_map_gone_count;

    thread_context_gone(entry->object.base);
    load_map_gone[count] = (struct trace_gone){entry->module, epoch};
    atomic_store_explicit(&load_map_gone_count, count + 1, memory_order_release);
}

static void forget_unloaded(void)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < load_map_count; i++) {
        if (load_map[i].is_live) {
            load_map[kept++] = load_map[i];
        } else {
            note_gone(&load_map[i]);
            objects_remove(load_map[i].object.start);
        }
    }
    if (kept < load_map_count)
        rules_forget(epoch);
    load_map_count = kept;
}

/* The first dlmopen of a namespace brings its global scope. */
static bool is_in_first_batch(const struct loaded *entry)
{
    for (unsigned i = 0; i < load_map_count; i++)
        if (load_map[i].space == entry->space && load_map_module(&load_map[i])->fact.epoch != epoch)
            return false;
    return true;
}

static void note_own(const struct elf_object *object)
{
    if (!elf_is_self(object))
        return;
    own_start = object->start;
    own_end = object->end;
}

/* Known by its program headers: under qemu the vdso holds addresses of the process, and its base
 * is 0. */
static bool is_vdso(const struct elf_object *object)
{
    uintptr_t image = getauxval(AT_SYSINFO_EHDR);

    return image != 0 && (uintptr_t)object->headers == image + ((const ElfW(Ehdr) *)image)->e_phoff;
}

_Static_assert(OBJECTS_MAX >= (int)LOAD_MAP_MAX, "each object can be unwound");

/* glibc 2.35 and later are asked for the tables themselves. */
static void add_to_unwinder(const struct elf_object *object)
{
    const void *tables = NULL;

    if (next._dl_find_object)
        return;
    for (unsigned i = 0; i < object->header_count; i++)
        if (object->headers[i].p_type == PT_GNU_EH_FRAME)
            tables = (const void *)(object->base + object->headers[i].p_vaddr);
    objects_add(object->start, object->end, tables);
}

static void add_loaded(const struct elf_object *object, const void *space)
{
    struct loaded *entry = &load_map[load_map_count];

    note_own(object);
    if (load_map_count == LOAD_MAP_MAX) {
        left_out++;
        return;
    }
    memset(entry, 0, sizeof *entry);
    entry->object = *object;
    entry->space = space;
    entry->is_live = true;
    entry->is_global = (pending_mode & RTLD_GLOBAL) != 0 || is_in_first_batch(entry);
    entry->is_vdso = is_vdso(object);
    entry->is_deep = epoch != 1 && (pending_mode & RTLD_DEEPBIND) != 0;
    if (!add_module(entry, load_map_count == 0)) {
        left_out++;
        return;
    }
    load_map_count++;
    in_spaces += space != NULL;
    add_to_unwinder(object);
}

/* First pass: mark the objects that still exist. */
static void mark_live(struct dl_phdr_info *info, const void *space)
{
    struct elf_object object;
    struct loaded *known = elf_read(&object, info) ? find_loaded(&object, space) : NULL;

    if (!known)
        return;
    known->is_live = true;
    known->object = object; /* the linker may have moved its name */
}

/* Ask whether the first pass saw an object.  Both lists have the same order. */
static bool was_seen(const struct dl_phdr_info *info, const void *space)
{
    const struct loaded *entry = &load_map[expected];

    if (expected >= load_map_count || entry->object.base != info->dlpi_addr ||
        entry->object.headers != info->dlpi_phdr || entry->space != space)
        return false;
    expected++;
    return true;
}

/* Second pass: add new objects. */
static void see_object(struct dl_phdr_info *info, const void *space)
{
    struct elf_object object;

    if (was_seen(info, space))
        return;
    if (elf_read(&object, info) && !find_loaded(&object, space))
        add_loaded(&object, space);
}

static int visit(struct dl_phdr_info *info, size_t size, void *visitor)
{
    (void)size;
    seen_adds = info->dlpi_adds;
    seen_removals = info->dlpi_subs;
    (*(const link_list_visitor *)visitor)(info, NULL);
    return 0;
}

static int visit_spaces(struct dl_phdr_info *info, size_t size, void *visitor)
{
    (void)info;
    (void)size;
    link_list_visit_spaces(*(const link_list_visitor *)visitor);
    return 1;
}

static void visit_all(link_list_visitor visitor)
{
    expected = 0;
    linker_visit(visit, &visitor);
    linker_visit(visit_spaces, &visitor);
}

static int check_counters(struct dl_phdr_info *info, size_t size, void *is_changed)
{
    (void)size;
    *(bool *)is_changed = info->dlpi_adds != seen_adds || info->dlpi_subs != seen_removals;
    return 1;
}

static void read_load_map(void)
{
    for (unsigned i = 0; i < load_map_count; i++)
        load_map[i].is_live = false;
    epoch++;
    left_out = 0;
    if (load_map_count > 0) {
        visit_all(mark_live);
        forget_unloaded();
    }
    visit_all(see_object);
    if (left_out > most_left_out)
        most_left_out = left_out;
}

bool load_map_init(void)
{
    load_map_modules = memory_keep(LOAD_MAP_MODULES_MAX * sizeof *load_map_modules);
    load_map_gone = memory_keep(LOAD_MAP_MODULES_MAX * sizeof *load_map_gone);
    paths = memory_keep(LOAD_MAP_PATHS_SIZE);
    if (load_map_modules && load_map_gone && paths)
        load_map = memory_keep(LOAD_MAP_MAX * sizeof *load_map);
    return load_map != NULL;
}

/* A library that was closed and reopened may be at the same place under the same name, with new
 * slots.  Hooked slots are not changed. */
static void distrust_reopened(void)
{
    for (unsigned i = 0; i < load_map_count; i++)
        if (load_map_module(&load_map[i])->fact.epoch > 1)
            load_map[i].is_scanned = false;
}

/* Between RT_ADD and RT_CONSISTENT, an object may be in the list but not filled in. */
bool load_map_has_news(void)
{
    bool is_changed = false;

    if (link_list_get()->r_state == RT_CONSISTENT)
        linker_visit(check_counters, &is_changed);
    return is_changed;
}

bool load_map_update(int mode)
{
    unsigned long long removals = seen_removals;
    bool is_changed = false;

    linker_visit(check_counters, &is_changed);
    if (!is_changed)
        return false;
    pending_mode = mode;
    read_load_map();
    if (seen_removals != removals)
        distrust_reopened();
    return true;
}

void load_map_set_known(const struct loaded *entry, unsigned count)
{
    load_map_modules[entry->module - 1].fact.known_symbols = count;
}

/* The thread that writes the rows to the trace does not hold the lock. */
void load_map_publish(void)
{
    atomic_store_explicit(&load_map_module_count, module_count, memory_order_release);
}

unsigned load_map_left_out(void)
{
    return most_left_out;
}

unsigned load_map_in_spaces(void)
{
    return in_spaces;
}

bool load_map_is_own(uintptr_t address)
{
    return address >= own_start && address < own_end;
}

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
    const struct elf_name asked = link_list_name(name);

    for (unsigned i = 0; i < load_map_count && !elf_is_self(&load_map[i].object); i++)
        if (elf_find_function(&load_map[i].object, &asked))
            return load_map_module(&load_map[i]);
    return NULL;
}
