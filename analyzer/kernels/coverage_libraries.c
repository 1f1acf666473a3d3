/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The facts of libraries.def about a file.
 */
#include <fnmatch.h>

#include "kernels/coverage.h"

static const struct coverage_known rows[] = {
#define NAMES(...)                                                                                 \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
#define LIBRARY(kind, hint, ...) {kind, hint, NULL, sizeof(hint) == 1, false, NAMES(__VA_ARGS__)},
#define ENTERED(kind, hint, ...) {kind, hint, NULL, true, false, NAMES(__VA_ARGS__)},
#define CALLER(kind, hint, other, ...) {kind, hint, other, false, false, NAMES(__VA_ARGS__)},
#define ENGINE(kind, hint, other, function) {kind, hint, other, false, true, NAMES(function)},
#include "kernels/libraries.def"
#undef ENGINE
#undef CALLER
#undef ENTERED
#undef LIBRARY
#undef NAMES
};

static bool is_of(const char *name, const struct coverage_known *row)
{
    for (const char *const *glob = row->names; *glob; glob++)
        if (fnmatch(*glob, name, 0) == 0)
            return true;
    return false;
}

static const struct coverage_known *find(const char *name, bool is_function)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].is_engine == is_function && is_of(name, &rows[i]))
            return &rows[i];
    return NULL;
}

const struct coverage_known *coverage_find_library(const char *file)
{
    return find(file, false);
}

const struct coverage_known *coverage_find_engine(const char *function)
{
    return find(function, true);
}

const char *coverage_find_kind(const char *file)
{
    const struct coverage_known *known = coverage_find_library(file);

    return known ? known->kind : NULL;
}

const char *coverage_find_hint(const char *file)
{
    const struct coverage_known *known = coverage_find_library(file);

    return known && known->hint[0] != '\0' ? known->hint : NULL;
}

const char *coverage_find_caller_hint(const char *file)
{
    const struct coverage_known *known = coverage_find_library(file);

    return known ? known->other_hint : NULL;
}
