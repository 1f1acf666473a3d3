/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading the user's kernels: the catalog files of TPROF_KERNELS and the names of TPROF_WRAP.
 *
 * Runs once, in the constructor, and allocates nothing of the program's.
 *
 * Decision: doc/decisions/users-catalog.
 */
#include "hook/user_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "call/requested.h"
#include "hook/catalog.h"
#include "platform/calls.h"
#include "platform/elf.h"
#include "platform/memory.h"
#include "platform/notice.h"
#include "record/settings.h"
#include "spec/catalog.h"
#include "spec/catalog_read.h"
#include "spec/plan.h"

enum {
#define KERNELS(count) BUILT_IN_KERNELS = (count),
#include "kernels.def"
#undef KERNELS
    FILE_MAX = 1 << 20,
    ARENA_SIZE = 32 << 20 /* address space; only used pages are touched, and all are freed */
};

static bool is_telling;

static struct catalog_part read_catalog_file(const char *path)
{
    struct catalog_part part = {NULL, 0, true, false};
    struct stat status;
    char *text;
    ssize_t size;
    int descriptor = calls_open(path, O_RDONLY | O_CLOEXEC, 0);

    if (descriptor < 0)
        return part;
    if (calls_fstat(descriptor, &status) == 0 && status.st_size > 0 && status.st_size < FILE_MAX) {
        text = memory_map((size_t)status.st_size + 2);
        size = text ? calls_read(descriptor, text, (size_t)status.st_size) : -1;
        if (size > 0) {
            text[size] = '\n'; /* the next text starts on a line of its own */
            part = (struct catalog_part){text, (size_t)size + 1, true, false};
        }
    }
    calls_close(descriptor);
    return part;
}

static void tell_unrecorded(const char *name, const char *why)
{
    if (is_telling)
        notice("kernel %s is not recorded: %s", name, why);
}

/* Make a plan for a symbol.  Returns: NULL when there is none, which is reported. */
static const struct plan *make_plan(const struct catalog_kernel *kernel,
                                    const struct catalog_symbol *symbol)
{
    struct plan_step program[PLAN_STEPS_MAX];
    struct plan plan, *kept = NULL;
    const char *obstacle = plan_make(&plan, program, kernel, symbol->is_wide);

    if (!obstacle) {
        plan.steps = catalog_keep(program, plan.step_count * sizeof *program);
        plan.is_users = true;
        kept = plan.steps ? catalog_keep(&plan, sizeof plan) : NULL;
    }
    if (!kept)
        tell_unrecorded(symbol->name, obstacle ? obstacle : "no memory is left");
    return kept;
}

/* Returns: NULL when the kernel answers no requests. */
static const struct adapter_call *make_request(const struct catalog_kernel *kernel, bool is_wide)
{
    struct requested made;

    if (!kernel->is_request)
        return NULL;
    made = requested_make(kernel, is_wide);
    if (!strpbrk(kernel->name, "*?["))
        made.name = catalog_keep(kernel->name, strlen(kernel->name) + 1);
    return catalog_keep(&made, sizeof made);
}

static void add_user_symbol(const struct catalog *catalog, unsigned kernel, unsigned index)
{
    const struct catalog_kernel *of = &catalog->kernels[kernel];
    const struct catalog_symbol *symbol = &of->symbols[index];
    const struct plan *plan = catalog_refuses(symbol->name) ? NULL : make_plan(of, symbol);
    struct symbol row = {.name = symbol->name,
                         .library = symbol->library,
                         .hash = elf_hash(symbol->name),
                         .kernel = BUILT_IN_KERNELS + kernel,
                         .form = wrapper_stubs,
                         .owns = of->accuracy != CATALOG_UNKNOWN,
                         .is_sampled = of->is_sampled,
                         .plan = plan,
                         .adapter = make_request(of, symbol->is_wide)};

    if (catalog_refuses(symbol->name))
        tell_unrecorded(symbol->name, "no wrapper can stand before it");
    if (of->is_request && settings.requests == SETTINGS_REQUESTS_OFF)
        return;
    if (plan && !catalog_add(row, symbol->is_glob))
        tell_unrecorded(symbol->name, "there are too many");
}

/* The list of TPROF_WRAP has no lines that a user knows, so the message quotes the entry after the
 * keyword. */
static void tell_entry(const char *line, const char *what)
{
    line += strspn(line, " ");
    line += strcspn(line, " ");
    line += *line == ' ';
    notice("TPROF_WRAP: \"%.*s\": %s; the list is left out", (int)strcspn(line, "\n"), line, what);
}

static void tell_mistake(struct catalog_part part, const char *path,
                         const struct catalog_error *error)
{
    const char *line = part.text;

    if (part.is_file) {
        notice("%s:%u:%u: %s; the file is left out", path, error->line, error->column, error->text);
        return;
    }
    for (unsigned number = 1; number < error->line; number++)
        line += strcspn(line, "\n") + 1;
    tell_entry(line, error->text);
}

/* `path` names the file in the report of a mistake. */
static void add_part(struct catalog *catalog, struct catalog_arena *arena, struct catalog_part part,
                     const char *path)
{
    unsigned before = catalog->kernel_count;
    struct catalog_error error;

    if (catalog_part_count == CATALOG_TEXTS_MAX)
        return;
    if (!catalog_read(catalog, arena, part.text, part.size, &error)) {
        if (is_telling)
            tell_mistake(part, path, &error);
        catalog->kernel_count = before;
        return;
    }
    catalog_parts[catalog_part_count] = part;
    atomic_fetch_add(&catalog_part_count, 1); /* another thread may write it to the trace now */
    for (unsigned i = before; i < catalog->kernel_count; i++)
        for (unsigned j = 0; j < catalog->kernels[i].symbol_count; j++)
            add_user_symbol(catalog, i, j);
}

static void add_file(struct catalog *catalog, struct catalog_arena *arena, const char *path)
{
    struct catalog_part part = read_catalog_file(path);

    if (part.text)
        add_part(catalog, arena, part, path);
    else if (is_telling)
        notice("TPROF_KERNELS: cannot read %s: %s", path,
               errno ? strerror(errno) : "it is empty or too large");
}

static void add_files(struct catalog *catalog, struct catalog_arena *arena, const char *paths)
{
    while (*paths) {
        size_t length = strcspn(paths, ":");
        char path[4096];

        snprintf(path, sizeof path, "%.*s", (int)length, paths);
        errno = 0;
        if (length > 0)
            add_file(catalog, arena, path);
        paths += length + (paths[length] == ':');
    }
}

/* TPROF_WRAP is [LIBRARY:]SYMBOL,...;...: kernels known only by name.  The list becomes text of the
 * catalog. */
static struct catalog_part translate_wrap(const char *list)
{
    size_t room = 64 * (strlen(list) + 1); /* a symbol takes two characters and becomes a line */
    struct catalog_part part = {memory_map(room), 0, false, false};
    char *text = (char *)part.text;

    while (text && *list) {
        size_t length = strcspn(list, ";");
        const char *colon = memchr(list, ':', length);
        const char *name = colon ? colon + 1 : list;

        while (name < list + length) {
            size_t end = strcspn(name, ",;");

            if (end > 0)
                part.size += (size_t)snprintf(text + part.size, room - part.size, "kernel %.*s\n",
                                              (int)end, name);
            if (end > 0 && colon > list)
                part.size += (size_t)snprintf(text + part.size, room - part.size,
                                              "  library %.*s\n", (int)(colon - list), list);
            if (part.size >= room)
                return (struct catalog_part){NULL, 0, false, false};
            name += end + 1;
        }
        list += length + (list[length] == ';');
    }
    return part;
}

static void read_users(struct catalog_arena *arena, const char *files, const char *wrap)
{
    struct catalog catalog = {0};
    struct catalog_part part;
    struct catalog_error error;

    if (!catalog_read(&catalog, arena, catalog_families, catalog_families_size, &error))
        return;
    catalog.refuses_adapters = catalog.refuses_twice = true;
    add_files(&catalog, arena, files);
    catalog.refuses_twice = false; /* a list may name a symbol of a file, too */
    part = translate_wrap(wrap);
    if (part.size > 0)
        add_part(&catalog, arena, part, NULL);
}

/* Of the built-in text, only the families are read, because a user's kernel may name one.  Reading
 * all of the text took 178 million instructions and 18 MiB in each process.  With huge pages it
 * would take as much. */
void user_files_read(bool tells)
{
    struct catalog_arena arena = {NULL, ARENA_SIZE, 0};

    if (settings.text[SETTING_KERNELS][0] == '\0' && settings.text[SETTING_WRAP][0] == '\0')
        return;
    arena.base = memory_map(ARENA_SIZE);
    if (!arena.base)
        return;
    is_telling = tells;
    madvise(arena.base, arena.size, MADV_NOHUGEPAGE);
    read_users(&arena, settings.text[SETTING_KERNELS], settings.text[SETTING_WRAP]);
    memory_unmap(arena.base, arena.size);
}
