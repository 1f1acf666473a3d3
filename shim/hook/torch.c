/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * PyTorch by the functions that it exports for observers.  The first one counts.
 */
#include "hook/torch.h"

#include <stddef.h>

#include "hook/load_map.h"
#include "torch/torch.h"

/* The row of the one that was found; 0: none. */
static uint32_t found;

static void *find_function(const struct loaded *entry, const char *name)
{
    const ElfW(Sym) *symbol = elf_find(&entry->object, name);

    return symbol ? (void *)(entry->object.base + symbol->st_value) : NULL;
}

typedef uint64_t (*adder)(struct torch_callback callback);
typedef void (*remover)(uint64_t handle);
typedef const char *(*namer)(const void *function);
typedef uint64_t (*counter)(const void *function);
typedef uint64_t (*peeker)(void);

static void begin(const struct loaded *entry)
{
    const struct torch_symbols symbols = {
        .module = entry->module,
        .add = (adder)find_function(entry,
                                    "_ZN2at17addGlobalCallbackENS_22RecordFunctionCallbackE"),
        .remove = (remover)find_function(entry, "_ZN2at14removeCallbackEm"),
        .name = (namer)find_function(entry, "_ZNK2at14RecordFunction4nameEv"),
        .inputs = {(counter)find_function(entry, "_ZNK2at14RecordFunction10num_inputsEv"),
                   (peeker)find_function(entry, "_ZN2at15sequence_number4peekEv")},
    };

    found = entry->module;
    torch_found(&symbols);
}

/* Its destructor is in every version; before 1.8 or so the name was an inline function. */
static bool is_torch(struct loaded *entry)
{
    if (entry->is_searched || !entry->is_scanned || entry->space)
        return false;
    entry->is_searched = true;
    return find_function(entry, "_ZN2at14RecordFunctionD1Ev") != NULL;
}

static bool is_there(uint32_t module)
{
    for (unsigned i = 0; i < load_map_count; i++)
        if (load_map[i].module == module)
            return true;
    return false;
}

void hook_torch_look(void)
{
    if (found != 0 && is_there(found))
        return;
    if (found != 0)
        torch_gone();
    found = 0;
    for (unsigned i = 0; i < load_map_count && found == 0; i++)
        if (is_torch(&load_map[i]))
            begin(&load_map[i]);
}
