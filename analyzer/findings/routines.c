/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Routines of LAPACK from a table.
 */
#include "findings/routines.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const struct {
    const char *part;
    enum routine does;
} routines[] = {
#define ROUTINE(part, does) {part, ROUTINE_##does},
#include "findings/routines.def"
#undef ROUTINE
};

enum routine routine_of(const char *name)
{
    for (size_t i = 0; name && i < sizeof routines / sizeof *routines; i++)
        if (strstr(name, routines[i].part))
            return routines[i].does;
    return ROUTINE_OTHER;
}

static const struct {
    const char *part;
    struct routine_values values;
} with_vectors[] = {
#define VECTORS(part, kind, share) {part, {VECTORS_##kind, share}},
#include "findings/vectors.def"
#undef VECTORS
};

/* "jobz=V", "jobu=S jobvt=N": a letter but N asks for vectors. */
static bool asks_for_vectors(const char *shape)
{
    for (const char *job = strstr(shape, "job"); job; job = strstr(job + 1, "job")) {
        const char *letter = job + strcspn(job, "= ");

        if (letter[0] == '=' && !strchr("Nn", letter[1]))
            return true;
    }
    return false;
}

struct routine_values routine_find_values(const char *name, const char *shape)
{
    const struct routine_values none = {VECTORS_NONE, 1};

    if (!name || !asks_for_vectors(shape))
        return none;
    for (size_t i = 0; i < sizeof with_vectors / sizeof *with_vectors; i++)
        if (strstr(name, with_vectors[i].part))
            return with_vectors[i].values;
    return none;
}
