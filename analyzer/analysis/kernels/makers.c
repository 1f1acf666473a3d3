/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makers by name.
 */
#include "analysis/kernels/makers.h"

#include <fnmatch.h>

const struct maker makers[] = {
#define MAKER(names, adapter, least, least_alike, title, why, action, refute, see_names, once)     \
    {names, adapter, least, least_alike, title, why, action, refute, see_names, once},
#include "analysis/kernels/makers.def"
#undef MAKER
};

const size_t maker_count = sizeof makers / sizeof *makers;

bool maker_is(const struct maker *maker, const char *name)
{
    return name && fnmatch(maker->names, name, 0) == 0;
}

const struct maker *makers_find(const char *name)
{
    for (size_t i = 0; i < maker_count; i++)
        if (maker_is(&makers[i], name))
            return &makers[i];
    return NULL;
}

bool maker_repeats(const struct maker *maker, const char *name, uint64_t calls)
{
    return maker_is(maker, name) && calls >= maker->least_alike;
}
