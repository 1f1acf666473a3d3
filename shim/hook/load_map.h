/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The load map: the objects of the process, and their rows in the trace.
 *
 * Safety: changed only under the lock of hook.c.  Module rows are only ever added and stay valid in
 * a forked child.
 */
#ifndef HOOK_LOAD_MAP_H
#define HOOK_LOAD_MAP_H

#include <stdatomic.h>
#include <stdbool.h>

#include "platform/elf.h"
#include "spec/trace.h"

enum {
    LOAD_MAP_PATH_MAX = 512, /* a longer one is cut */
    LOAD_MAP_PATHS_SIZE = 2 << 20,
    LOAD_MAP_BUILD_ID_MAX = 32,
    LOAD_MAP_MAX = 4096,         /* objects at one time */
    LOAD_MAP_MODULES_MAX = 16384 /* all objects; the analyzer has the same limit */
};

/* An object that was ever loaded. */
struct load_map_module {
    struct trace_module fact;
    unsigned char build_id[LOAD_MAP_BUILD_ID_MAX];
    const char *path;
};

/* An object in the linker's present list. */
struct loaded {
    struct elf_object object;
    const void *space; /* its namespace; NULL: the program's own */
    uint32_t module;   /* id of its row */
    bool is_live;      /* seen in the present pass */
    bool is_scanned;
    bool is_searched; /* searched for a framework: hook/torch.c */
    bool is_global; /* in the global scope */
    bool is_vdso;   /* the kernel's: listed, but in no scope */
    bool is_deep;   /* dlopened with RTLD_DEEPBIND */
    bool is_unseen; /* deep, and it calls a malloc that is not ours */
};

extern struct load_map_module *load_map_modules;
extern atomic_uint load_map_module_count; /* the complete ones */

/* The unloaded modules so far, in order; a module is unloaded once at most. */
extern struct trace_gone *load_map_gone;
extern atomic_uint load_map_gone_count; /* the complete ones */

/* The loaded objects, in the linker's order; NULL before load_map_init. */
extern struct loaded *load_map;
extern unsigned load_map_count;

/* Take memory for the map.  Returns: false when it is refused. */
bool load_map_init(void);

/* Ask whether the linker's list is complete, and has changed since the last update.  New objects
 * may not be relocated yet. */
bool load_map_has_news(void);

/* Bring the map up to date.  `mode`: of the dlopen that loaded new objects, or 0.
 * Returns: whether any object has come or gone since the last time. */
bool load_map_update(int mode);

/* Set the number of the catalog's symbols that an object defines, and publish the rows once all new
 * objects have it. */
void load_map_set_known(const struct loaded *entry, unsigned count);
void load_map_publish(void);

/* Objects without room, and objects in namespaces of dlmopen. */
unsigned load_map_left_out(void);
unsigned load_map_in_spaces(void);

/* Is this address inside this library? */
bool load_map_is_own(uintptr_t address);

/* The object that holds an executable address, or NULL. */
struct loaded *load_map_find(uintptr_t address);

/* The row of a loaded object. */
const struct load_map_module *load_map_module(const struct loaded *entry);

/* The first object before this library that defines a function, or NULL. */
const struct load_map_module *load_map_find_definer(const char *name);

#endif
