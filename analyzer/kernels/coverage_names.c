/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The names of a catalog, to be found by those of a file's functions.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/coverage.h"

static bool is_glob(const char *name)
{
    return strpbrk(name, "*?[") != NULL;
}

static int compare(const void *left, const void *right)
{
    const struct coverage_name *a = left;
    const struct coverage_name *b = right;

    return strcmp(a->symbol->name, b->symbol->name);
}

static void add_kernel(struct coverage_names *names, const struct catalog_kernel *kernel)
{
    for (unsigned i = 0; i < kernel->symbol_count; i++) {
        const struct catalog_symbol *symbol = &kernel->symbols[i];
        struct coverage_name *name =
            array_add(is_glob(symbol->name) ? &names->globs : &names->plain);

        *name = (struct coverage_name){symbol, kernel};
    }
}

void coverage_names_init(struct coverage_names *names, const struct catalog *catalog)
{
    array_init(&names->plain, sizeof(struct coverage_name));
    array_init(&names->globs, sizeof(struct coverage_name));
    for (unsigned i = 0; i < catalog->kernel_count; i++)
        add_kernel(names, &catalog->kernels[i]);
    if (names->plain.count > 0)
        qsort(names->plain.items, names->plain.count, sizeof(struct coverage_name), compare);
}

static bool is_library_meant(const struct catalog_symbol *symbol, const char *library)
{
    return !symbol->library || fnmatch(symbol->library, library, 0) == 0;
}

/* Returns: the first symbol of the name; there may be more. */
static size_t find_plain(const struct coverage_names *names, const char *function)
{
    const struct coverage_name *plain = names->plain.items;
    size_t low = 0, high = names->plain.count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (strcmp(plain[middle].symbol->name, function) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct coverage_name *coverage_names_find(const struct coverage_names *names,
                                                const char *function, const char *library,
                                                bool *is_meant)
{
    const struct coverage_name *plain = names->plain.items;
    const struct coverage_name *globs = names->globs.items;
    const struct coverage_name *found = NULL;
    size_t i = find_plain(names, function);

    *is_meant = false;
    for (; !*is_meant && i < names->plain.count && strcmp(plain[i].symbol->name, function) == 0;
         i++) {
        found = &plain[i];
        *is_meant = is_library_meant(found->symbol, library);
    }
    for (i = 0; !*is_meant && i < names->globs.count; i++)
        if (fnmatch(globs[i].symbol->name, function, 0) == 0) {
            found = &globs[i];
            *is_meant = is_library_meant(found->symbol, library);
        }
    return found;
}
