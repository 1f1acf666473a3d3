/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the interfaces find the shim: each asks the environment for the path of a tool.  The shim
 * answers getenv for these two names, and sets no variable, so the environment of the program and
 * of its children is as without the shim.
 *
 * Budget of getenv: a comparison where the variable is set, two where it is not.
 *
 * Decision: doc/decisions/tools-of-ranges.
 */
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "platform/attributes.h"
#include "platform/elf.h"
#include "platform/link_list.h"
#include "platform/next.h"
#include "ranges/ranges.h"
#include "record/settings.h"

/* A search for a linked tool. */
struct search {
    uintptr_t caller;
    bool is_later; /* the program itself was seen */
    bool has_tool;
};

static bool defines_tool(const struct elf_object *object)
{
    const ElfW(Sym) *symbol = elf_find_data(object, "InitializeInjectionNvtx2_fnptr");
    void *const *tool = symbol ? (void *const *)(object->base + symbol->st_value) : NULL;

    return tool && *tool;
}

static int look(struct dl_phdr_info *info, size_t size, void *of)
{
    struct search *search = of;
    struct elf_object object;
    bool is_program = !search->is_later;

    (void)size;
    search->is_later = true;
    if (!elf_read(&object, info))
        return 0;
    if (is_program || (search->caller >= object.start && search->caller < object.end))
        search->has_tool |= defines_tool(&object);
    return 0;
}

/* A tool that is linked into the program, or into the caller's library, starts only where no
 * variable names another. */
static bool has_linked_tool(const void *caller)
{
    struct search search = {.caller = (uintptr_t)caller};

    dl_iterate_phdr(look, &search);
    return search.has_tool;
}

/* The groups alone make ITT load a collector by its own name. */
static bool has_collector(void)
{
    const char *groups = next.getenv("INTEL_ITTNOTIFY_GROUPS");

    return groups && groups[0] != '\0';
}

static bool is_wanted(const char *name, const void *caller)
{
    if (strcmp(name, "NVTX_INJECTION64_PATH") == 0)
        return !has_linked_tool(caller);
    if (strcmp(name, "INTEL_LIBITTNOTIFY64") == 0)
        return !has_collector();
    return false;
}

/* Returns: the path of this library, or NULL. */
static REALIGNED char *answer(const char *name, const void *caller)
{
    int saved_errno = errno;
    const char *path = NULL;

    if (is_wanted(name, caller) && ranges_open() && settings.ranges)
        path = link_list_own_name();
    errno = saved_errno;
    return path && path[0] != '\0' ? (char *)path : NULL;
}

EXPORT char *getenv(const char *name)
{
    char *value = next.getenv(name);

    if (LIKELY(value != NULL) || (name[0] != 'N' && name[0] != 'I'))
        return value;
    return answer(name, CALLER());
}
