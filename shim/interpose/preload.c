/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Taking this library out of an environment.  Called before exec and posix_spawn, on any thread,
 * in children of vfork and clone, too.
 *
 * Budget: a system call for each variable, and ten more where the library is in LD_PRELOAD.
 *
 * Decision: doc/decisions/children-without-us.
 */
#include "interpose/preload.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "platform/aside.h"
#include "platform/attributes.h"
#include "platform/calls.h"
#include "platform/link_list.h"
#include "platform/readable.h"
#include "record/path.h"
#include "record/process.h"

/* The copy is on the caller's stack, which may be small.  A larger environment stays unchanged. */
enum { ENTRIES_MAX = 2048, PATH_SIZE = 512 };

static const char variable[] = "LD_PRELOAD=";
static const char separators[] = " :";

/* exec answers EFAULT where the program hands it bad memory. */
static bool is_preload(const char *entry)
{
    const size_t length = sizeof variable - 1;

    return readable((uintptr_t)entry, length) && memcmp(entry, variable, length) == 0;
}

/* Returns: how many entries; more than ENTRIES_MAX when there are too many, or when they cannot be
 * read. */
static size_t count_entries(char *const *environment)
{
    enum { PAGE = 4096 };
    size_t count = 0;

    for (; count <= ENTRIES_MAX; count++) {
        bool is_first = count == 0 || (uintptr_t)&environment[count] % PAGE == 0;

        if (is_first && !readable((uintptr_t)&environment[count], 1))
            return SIZE_MAX;
        if (!environment[count])
            break;
    }
    return count;
}

/* A name of the list, up to its separator. */
struct name {
    const char *text;
    size_t length;
};

/* Returns: the first name at or after `text`; its length is 0 at the end. */
static struct name next_name(const char *text)
{
    text += strspn(text, separators);
    return (struct name){text, strcspn(text, separators)};
}

/* $LIB may lead to a library for each machine. */
static bool is_own(const struct name *name)
{
    const char *own = path_base_name(link_list_own_name());
    size_t length = strlen(own);

    return length > 0 && name->length >= length && !memchr(name->text, '$', name->length) &&
           memcmp(name->text + name->length - length, own, length) == 0 &&
           (name->length == length || name->text[name->length - length - 1] == '/');
}

/* A relative path counts from the present folder.  A name without a folder is searched. */
static bool can_be_opened(const struct name *name)
{
    char path[PATH_SIZE];

    if (name->length >= sizeof path)
        return true;
    memcpy(path, name->text, name->length);
    path[name->length] = '\0';
    return program_file_is_readable(strchr(path, '/') ? path : link_list_own_name());
}

/* How the library is in a list. */
struct finding {
    bool is_there;
    bool is_unreadable;
};

static void look(const char *list, struct finding *finding)
{
    for (struct name name = next_name(list); name.length > 0;
         name = next_name(name.text + name.length))
        if (is_own(&name)) {
            finding->is_there = true;
            finding->is_unreadable |= !can_be_opened(&name);
        }
}

struct plan {
    const struct program_file *file;
    char *const *environment;
    struct preload_copy copy;
};

static void plan(void *of)
{
    struct plan *plan = of;
    struct finding finding = {0};
    size_t count = count_entries(plan->environment);
    size_t size = (count + 1) * sizeof *plan->environment;

    if (count > ENTRIES_MAX)
        return;
    for (size_t i = 0; i < count; i++)
        if (is_preload(plan->environment[i])) {
            look(plan->environment[i] + sizeof variable - 1, &finding);
            size += strlen(plan->environment[i]) + 1;
        }
    if (finding.is_there && (finding.is_unreadable || !program_file_can_load(plan->file)))
        plan->copy = (struct preload_copy){.count = count, .size = size};
}

/* A child of vfork has descriptors of its own.  Aside no descriptor has a meaning. */
REALIGNED struct preload_copy preload_plan_copy(const struct program_file *file,
                                                char *const *environment)
{
    struct plan all = {file, environment, {0}};

    if (!environment || process_is_sandboxed())
        return all.copy;
    if (file->folder == AT_FDCWD && process_is_own())
        aside_run(plan, &all);
    else
        plan(&all);
    return all.copy;
}

/* Copy an entry without the shim's names.  A name is removed together with the separators before
 * it.
 * Returns: where the copy ends; `text` when no name is left. */
static char *copy_entry(const char *entry, char *text)
{
    char *const start = text + sizeof variable - 1;
    const char *list = entry + sizeof variable - 1;
    char *end = start;

    memcpy(text, variable, sizeof variable - 1);
    for (struct name name = next_name(list); name.length > 0; name = next_name(list)) {
        const char *from = end == start ? name.text : list;

        list = name.text + name.length;
        if (is_own(&name))
            continue;
        memcpy(end, from, (size_t)(list - from));
        end += list - from;
    }
    if (end == start)
        return text;
    *end = '\0';
    return end + 1;
}

/* Another thread may change the environment meanwhile. */
REALIGNED char *const *preload_leave_out(struct preload_copy copy, char *const *environment,
                                         void *room)
{
    char **kept = room;
    char *text = (char *)(kept + copy.count + 1);
    const char *end = (char *)room + copy.size;
    size_t used = 0;

    for (size_t i = 0; i < copy.count && environment[i]; i++) {
        char *entry = environment[i];
        char *behind = entry;

        if (is_preload(entry) && strlen(entry) < (size_t)(end - text))
            behind = copy_entry(entry, text);
        if (behind != text)
            kept[used++] = behind == entry ? entry : text;
        text = behind == entry ? text : behind;
    }
    kept[used] = NULL;
    return kept;
}
