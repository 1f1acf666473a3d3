/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makers by name.
 */
#include "kernels/makers.h"

#include <fnmatch.h>
#include <string.h>

const struct maker makers[] = {
#define MAKER(names, frees, adapter, least, least_alike, title, why, action, refute, see_names,    \
              once)                                                                                \
    {names, frees, adapter, least, least_alike, title, why, action, refute, see_names, once},
#include "kernels/makers.def"
#undef MAKER
};

const size_t maker_count = sizeof makers / sizeof *makers;

bool maker_is(const struct maker *maker, const char *name)
{
    return name && fnmatch(maker->names, name, 0) == 0;
}

bool maker_frees(const struct maker *maker, const char *name)
{
    return name && fnmatch(maker->frees, name, 0) == 0;
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

struct making makers_count(const struct groups *groups, const struct maker *maker)
{
    struct making making = {0};

    for (size_t i = 0; i < groups->rows.count; i++) {
        const struct group *group = array_at(&groups->rows, i);
        const char *adapter = group->kernel ? group->kernel->adapter : NULL;

        if (maker_is(maker, group->name))
            making.calls += group->owning_calls;
        else if (adapter && strcmp(adapter, maker->adapter) == 0)
            making.executions += group->owning_calls;
        if (maker_repeats(maker, group->name, group->owning_calls))
            making.again += group->owning_calls;
    }
    return making;
}
