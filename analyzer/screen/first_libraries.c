/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which libraries have the processor time of many small rows.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cpu/cpu_row.h"
#include "places/places.h"
#include "screen/first_parts.h"
#include "screen/texts.h"

struct library {
    const char *name;
    double ns;
};

/* Returns: the entry of a library; a missing entry is added. */
static struct library *find_library(struct array *libraries, const char *name)
{
    struct library *library = libraries->items;

    for (size_t i = 0; i < libraries->count; i++)
        if (strcmp(library[i].name, name) == 0)
            return &library[i];
    library = array_add(libraries);
    if (library)
        *library = (struct library){name, 0};
    return library;
}

static void add_up(struct array *libraries, const struct cpu_time *time, size_t from,
                   bool is_nameless)
{
    for (size_t i = from; i < time->rows.count; i++) {
        const struct cpu_row *row = array_at(&time->rows, i);

        if (!row->library || (is_nameless && row->is_named))
            continue;
        struct library *library = find_library(libraries, row->library);
        library->ns += row->self_ns;
    }
}

static int compare_libraries(const void *left, const void *right)
{
    const struct library *a = left, *b = right;

    if (a->ns != b->ns)
        return a->ns < b->ns ? 1 : -1;
    return strcmp(a->name, b->name);
}

void first_append_libraries(struct text *text, const struct cpu_time *time, size_t from,
                            bool is_nameless)
{
    enum { SHOWN = 3 };
    const double least = 0.01;
    struct array libraries;

    array_init(&libraries, sizeof(struct library));
    add_up(&libraries, time, from, is_nameless);
    if (libraries.count > 0)
        qsort(libraries.items, libraries.count, sizeof(struct library), compare_libraries);
    for (size_t i = 0; i < libraries.count && i < SHOWN; i++) {
        const struct library *library = array_at(&libraries, i);
        double share = cpu_time_share(time, library->ns);

        if (!(share >= least))
            break;
        text_append(text, text->size > 0 ? ", " : "");
        places_append_module(text, library->name);
        say(text, first_library_text, said_share(share));
    }
}
