/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Routines of LAPACK by name.
 */
#include "findings/routines.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { PARTS = 8 };

static bool has_part(const char *name, const char *const parts[PARTS])
{
    for (int i = 0; i < PARTS && parts[i]; i++)
        if (strstr(name, parts[i]))
            return true;
    return false;
}

/* By a part of their names.  The first row that fits counts: gesv is also in names of singular
 * values. */
static const struct {
    enum routine does;
    const char *parts[PARTS];
} routines[] = {
    {ROUTINE_SINGULAR, {"gesvd", "gesvj", "gesdd"}},
    {ROUTINE_SOLVES, {"gesv", "posv", "sysv", "hesv", "gbsv", "pbsv"}},
    {ROUTINE_FACTORS, {"getrf", "potrf", "sytrf", "hetrf", "gbtrf", "pbtrf"}},
    {ROUTINE_SOLVES_BY_FACTORS, {"getrs", "potrs", "sytrs", "hetrs", "gbtrs", "pbtrs"}},
    {ROUTINE_INVERTS, {"getri", "potri", "sytri", "hetri", "trtri"}},
    {ROUTINE_EIGENVALUES, {"syev", "heev", "geev", "sygv", "hegv", "stev"}},
};

enum routine routine_of(const char *name)
{
    for (size_t i = 0; name && i < sizeof routines / sizeof *routines; i++)
        if (has_part(name, routines[i].parts))
            return routines[i].does;
    return ROUTINE_OTHER;
}

/* Routines that compute vectors on request, with the least share of time for only the values.  The
 * first match counts: the name syevd also contains syev.
 *
 * Measured with OpenBLAS 0.3.21 on one thread of a Zen 4, orders of 100 to 800: gesdd 0.34 to 0.43,
 * gesvd 0.09 to 0.31, syevd 0.35 to 0.46, syevr 0.34 to 0.39, syev 0.07 to 0.24, geev 0.60 to 0.72.
 * A tenth is subtracted, as other libraries and other noise may differ. */
static const struct {
    struct routine_values values;
    const char *parts[PARTS];
} with_vectors[] = {
    {{VECTORS_SINGULAR, 0.30}, {"gesdd"}},
    {{VECTORS_SINGULAR, 0.07}, {"gesvd"}},
    {{VECTORS_SYMMETRIC, 0.32}, {"syevd", "heevd", "sygvd", "hegvd"}},
    {{VECTORS_SYMMETRIC, 0.30}, {"syevr", "heevr", "syevx", "heevx"}},
    {{VECTORS_SYMMETRIC, 0.06}, {"syev", "heev", "sygv", "hegv"}},
    {{VECTORS_GENERAL, 0.54}, {"geev"}},
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
        if (has_part(name, with_vectors[i].parts))
            return with_vectors[i].values;
    return none;
}
