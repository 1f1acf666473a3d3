/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of runtimes.def, looked for in the load map.
 */
#include "analysis/runtimes.h"

#include <fnmatch.h>
#include <string.h>

#include "base/text.h"
#include "model/session.h"
#include "model/session_kernels.h"

static const struct runtime {
    const char *name;
    bool is_language;
    const char *const *files; /* globs; NULL after the last */
} runtimes[] = {
#define RUNTIME(name, ...) {name, false, (const char *const[]){__VA_ARGS__, NULL}},
#define LANGUAGE(name, ...) {name, true, (const char *const[]){__VA_ARGS__, NULL}},
#include "analysis/runtimes.def"
#undef LANGUAGE
#undef RUNTIME
};

static bool is_file_of(const struct runtime *runtime, const char *file)
{
    for (const char *const *glob = runtime->files; *glob; glob++)
        if (fnmatch(*glob, file, 0) == 0)
            return true;
    return false;
}

static bool is_loaded(const struct session *session, const struct runtime *runtime)
{
    for (size_t i = 0; i < session->modules.count; i++) {
        const struct session_module *module = session_module_at(session, i);

        if (module->path && is_file_of(runtime, text_base_name(module->path)))
            return true;
    }
    return false;
}

static const char *find(const struct session *session, bool languages_alone)
{
    for (size_t i = 0; i < sizeof runtimes / sizeof *runtimes; i++)
        if ((runtimes[i].is_language || !languages_alone) && is_loaded(session, &runtimes[i]))
            return runtimes[i].name;
    return NULL;
}

const char *runtimes_find(const struct session *session)
{
    return find(session, false);
}

const char *runtimes_find_language(const struct session *session)
{
    return find(session, true);
}

bool runtimes_has(const struct session *session, const char *name)
{
    for (size_t i = 0; i < sizeof runtimes / sizeof *runtimes; i++)
        if (strcmp(runtimes[i].name, name) == 0 && is_loaded(session, &runtimes[i]))
            return true;
    return false;
}
