/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makers by name.
 */
#include "analysis/kernels/makers.h"

#include <fnmatch.h>

const struct maker makers[] = {
#define MAKER(names, least, least_alike, title, why, action, refute, see_names)                    \
    {names, least, least_alike, title, why, action, refute, see_names},
#include "analysis/kernels/makers.def"
#undef MAKER
};

const size_t maker_count = sizeof makers / sizeof *makers;

bool maker_is(const struct maker *maker, const char *name)
{
    return name && fnmatch(maker->names, name, 0) == 0;
}

bool makers_have(const char *name)
{
    for (size_t i = 0; i < maker_count; i++)
        if (maker_is(&makers[i], name))
            return true;
    return false;
}
