/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Routines of LAPACK from a table.
 */
#include "analysis/findings/routines.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *part;
    enum routine does;
} routines[] = {
#define ROUTINE(part, does) {part, ROUTINE_##does},
#include "analysis/findings/routines.def"
#undef ROUTINE
};

enum routine routine_of(const char *name)
{
    for (size_t i = 0; name && i < sizeof routines / sizeof *routines; i++)
        if (strstr(name, routines[i].part))
            return routines[i].does;
    return ROUTINE_OTHER;
}
