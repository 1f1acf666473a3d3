/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Answering Python's question for its allocator.
 *
 * answer_getenv runs in Python's own calls of getenv, a few dozen at its start.
 */
#include "hook/python_objects.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "platform/relocation.h"
#include "platform/slot.h"
#include "platform/small_file.h"
#include "python/frames.h"
#include "record/facts.h"
#include "record/settings.h"
#include "spec/trace.h"

static atomic_uint state; /* enum trace_python_objects */
static bool is_debug;     /* the build checks its blocks, and would by its own choice */

/* Returns: whether the command has "-X dev", in one word or two. */
static bool has_developers_mode(void)
{
    static const char one[] = "-Xdev", two[] = "-X\0dev";
    char command[4096];
    ssize_t size = small_file_read("/proc/self/cmdline", command, sizeof command);

    return size > 0 && (memmem(command, (size_t)size, one, sizeof one) ||
                        memmem(command, (size_t)size, two, sizeof two));
}

/* Ask whether Python would check its blocks by its own choice.  If so, it continues to check
 * them. */
static bool is_checked(void)
{
    const char *mode = getenv("PYTHONDEVMODE");

    return is_debug || (mode && *mode) || has_developers_mode();
}

static char *answer_getenv(const char *name)
{
    static char plain[] = "malloc", checked[] = "malloc_debug";
    char *value = getenv(name);

    if (strcmp(name, "PYTHONMALLOC") != 0)
        return value;
    if (value && *value) {
        atomic_store(&state, TRACE_PYTHON_OBJECTS_CHOSEN);
        return value;
    }
    atomic_store(&state, TRACE_PYTHON_OBJECTS_ON);
    return is_checked() ? checked : plain;
}

/* Returns: whether a slot led to getenv and leads here now. */
static bool redirect(struct loaded *entry, const ElfW(Rela) * slots, size_t count)
{
    struct elf_object *object = &entry->object;
    bool is_done = false;

    for (size_t i = 0; i < count; i++) {
        const ElfW(Sym) *called = &object->symbols[ELF64_R_SYM(slots[i].r_info)];

        if ((slot_is_plt(&slots[i]) || slot_is_data(&slots[i])) && slots[i].r_addend == 0 &&
            strcmp(object->strings + called->st_name, "getenv") == 0)
            is_done |= slot_write(object, object->base + slots[i].r_offset,
                                  (uintptr_t)answer_getenv);
    }
    return is_done;
}

static enum trace_python_objects begin(struct loaded *entry)
{
    struct elf_object *object = &entry->object;
    bool is_done;

    if (!python_is_read())
        return TRACE_PYTHON_OBJECTS_FRAMES;
    is_debug = elf_find(object, "_Py_NegativeRefcount") != NULL;
    is_done = redirect(entry, object->plt_slots, object->plt_slot_count);
    is_done |= redirect(entry, object->data_slots, object->data_slot_count);
    slot_protect(object);
    return is_done ? TRACE_PYTHON_OBJECTS_UNASKED : TRACE_PYTHON_OBJECTS_SLOT;
}

void python_objects_begin(struct loaded *entry)
{
    if (settings.python_objects)
        atomic_store(&state, begin(entry));
}

bool python_objects_write_facts(unsigned *written)
{
    return facts_update_number(written, "python_objects", atomic_load(&state));
}
