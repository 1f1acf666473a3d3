/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makers by name.
 */
#include "kernels/creators.h"

#include <fnmatch.h>
#include <string.h>

const struct creator creators[] = {
#define CREATOR(names, frees, adapter, least, least_alike, title, why, action, refute, see_names,  \
                once)                                                                              \
    {names, frees, adapter, least, least_alike, title, why, action, refute, see_names, once},
#include "kernels/creators.def"
#undef CREATOR
};

const size_t creator_count = sizeof creators / sizeof *creators;

bool creator_is(const struct creator *creator, const char *name)
{
    return name && fnmatch(creator->names, name, 0) == 0;
}

bool creator_frees(const struct creator *creator, const char *name)
{
    return name && fnmatch(creator->frees, name, 0) == 0;
}

const struct creator *creators_find(const char *name)
{
    for (size_t i = 0; i < creator_count; i++)
        if (creator_is(&creators[i], name))
            return &creators[i];
    return NULL;
}

bool creator_repeats(const struct creator *creator, const char *name, uint64_t calls)
{
    return creator_is(creator, name) && calls >= creator->least_alike;
}

struct making creators_count(const struct groups *groups, const struct creator *creator)
{
    struct making making = {0};

    for (size_t i = 0; i < groups->rows.count; i++) {
        const struct group *group = array_at(&groups->rows, i);
        const char *adapter = group->kernel ? group->kernel->adapter : NULL;

        if (creator_is(creator, group->name))
            making.calls += group->owning_calls;
        else if (adapter && strcmp(adapter, creator->adapter) == 0)
            making.executions += group->owning_calls;
        if (creator_repeats(creator, group->name, group->owning_calls))
            making.again += group->owning_calls;
    }
    return making;
}
