/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list of analyses.
 */
#include "analysis/analysis.h"

#include <string.h>

static const struct analysis *const analyses[] = {
#define ANALYSIS(name) &analysis_##name,
#include "analysis/analyses.def"
#undef ANALYSIS
};

struct analysis_options analysis_defaults(void)
{
    return (struct analysis_options){.by = ANALYSIS_BY_SHAPE, .confidence = 0.95, .warmup = 3};
}

const struct analysis *analysis_at(size_t index)
{
    return index < sizeof analyses / sizeof *analyses ? analyses[index] : NULL;
}

const struct analysis *analysis_find(const char *name)
{
    for (size_t i = 0; analysis_at(i); i++)
        if (strcmp(analysis_at(i)->name, name) == 0)
            return analysis_at(i);
    return NULL;
}
