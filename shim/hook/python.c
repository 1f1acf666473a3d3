/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CPython by the symbols that it exports.  The first one counts: no process with two is known.
 */
#include "hook/python.h"

#include <stddef.h>
#include <string.h>

#include "hook/load_map.h"
#include "hook/python_objects.h"
#include "python/runtime.h"
#include "spec/python_loop.h"
#include "unwind/description.h"
#include "unwind/objects.h"

/* The row of the one that was found; 0: none. */
static uint32_t found;

static void *find_function(const struct loaded *entry, const char *name)
{
    const ElfW(Sym) *symbol = elf_find(&entry->object, name);

    return symbol ? (void *)(entry->object.base + symbol->st_value) : NULL;
}

static const void *find_data(const struct loaded *entry, const char *name)
{
    const ElfW(Sym) *symbol = elf_find_data(&entry->object, name);

    return symbol ? (const void *)(entry->object.base + symbol->st_value) : NULL;
}

static bool find_range(void *of, uint64_t address, struct python_range *range)
{
    struct description description;

    (void)of;
    if (description_find((uintptr_t)address, &description) != CFI_FOUND)
        return false;
    *range = (struct python_range){description.start, description.start + description.size};
    return true;
}

static void find_loop(const struct loaded *entry, struct python_symbols *symbols)
{
    static const char name[] = "_PyEval_EvalFrameDefault";
    const ElfW(Sym) *symbol = elf_find(&entry->object, name);

    if (!symbol)
        return;
    symbols->loop.start = entry->object.base + symbol->st_value;
    symbols->loop.end = symbols->loop.start + symbol->st_size;
    objects_alone = true; /* the lock of the linker is taken before ours */
    symbols->rest = python_loop_find_rest((const unsigned char *)(uintptr_t)symbols->loop.start,
                                          symbols->loop, find_range, NULL);
    objects_alone = false;
}

/* Py_Version came with 3.11. */
static uint32_t read_version(const struct loaded *entry)
{
    const unsigned long *version = find_data(entry, "Py_Version");

    return version ? (uint32_t)*version : 0;
}

static void begin(const struct loaded *entry)
{
    struct python_symbols symbols = {
        .version = read_version(entry),
        .module = entry->module,
        .runtime = find_data(entry, "_PyRuntime"),
        .own_thread = (void *(*)(void))find_function(entry, "PyGILState_GetThisThreadState"),
        .current_thread = (void *(*)(void))find_function(entry, "PyThreadState_GetUnchecked"),
        .code_type = (uintptr_t)find_data(entry, "PyCode_Type"),
    };

    if (!symbols.current_thread)
        symbols.current_thread =
            (void *(*)(void))find_function(entry, "_PyThreadState_UncheckedGet");
    symbols.may_watch =
        symbols.code_type != 0 && elf_is_writable_segment(&entry->object, symbols.code_type);
    find_loop(entry, &symbols);
    python_begin(&symbols);
}

static bool is_python(const struct loaded *entry)
{
    return entry->is_scanned && !entry->space && find_function(entry, "PyEval_EvalCode") &&
           find_function(entry, "Py_GetVersion");
}

static bool is_pypy(const struct loaded *entry)
{
    return entry->is_scanned && !entry->space && find_function(entry, "pypy_main_startup");
}

static bool is_there(uint32_t module)
{
    for (unsigned i = 0; i < load_map_count; i++)
        if (load_map[i].module == module)
            return true;
    return false;
}

void hook_python_look(void)
{
    if (found != 0 && is_there(found)) {
        python_go_on();
        return;
    }
    if (found != 0)
        python_end(TRACE_PYTHON_OFF_GONE);
    found = 0;
    for (unsigned i = 0; i < load_map_count && found == 0; i++) {
        if (!is_python(&load_map[i]) && !is_pypy(&load_map[i]))
            continue;
        found = load_map[i].module;
        if (is_python(&load_map[i]))
            begin(&load_map[i]);
        else
            python_begin(&(struct python_symbols){.module = found, .is_pypy = true});
        python_objects_begin(&load_map[i]);
    }
}
