/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of runtimes.def, looked for in the load map.
 */
#include "analysis/runtimes.h"

#include <fnmatch.h>
#include <string.h>

#include "base/text.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_kernels.h"
#include "model/session_samples.h"
#include "model/session_unknown.h"

static const struct runtime {
    const char *name;
    bool is_language;
    const char *const *files; /* globs; NULL after the last */
} runtimes[] = {
#define RUNTIME(name, ...) {name, false, (const char *const[]){__VA_ARGS__, NULL}},
#define LANGUAGE(name, ...) {name, true, (const char *const[]){__VA_ARGS__, NULL}},
#define ENDING(glob)
#include "analysis/runtimes.def"
#undef ENDING
#undef LANGUAGE
#undef RUNTIME
};

static const char *const endings[] = {
#define RUNTIME(...)
#define LANGUAGE(...)
#define ENDING(glob) glob,
#include "analysis/runtimes.def"
#undef ENDING
#undef LANGUAGE
#undef RUNTIME
};

enum { OTHER_TICKS = 8 }; /* samples in a row that are not in the end, as where chains are cut */

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

/* ---- the program's end ---------------------------------------------------------- */

static bool is_ending(const char *name)
{
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (fnmatch(endings[i], name, 0) == 0)
            return true;
    return false;
}

static bool ends_in(const struct session *session, uint32_t call, places_finder find_frames)
{
    for (; call != 0; call = session_call_at(session, call)->parent) {
        const struct symbols_frame *frames;
        size_t count;

        if (session_call_at(session, call)->is_shim)
            continue;
        find_frames(session, call, &frames, &count);
        for (size_t i = 0; i < count; i++)
            if (frames[i].function && is_ending(frames[i].function))
                return true;
    }
    return false;
}

uint64_t runtimes_find_end(const struct session *session, places_finder find_frames)
{
    uint64_t end_ns = SESSION_UNKNOWN;
    uint32_t last = SESSION_NONE;
    unsigned others = 0;

    for (size_t i = session->ticks.count; i > 0 && others < OTHER_TICKS; i--) {
        const struct session_tick *tick = array_at(&session->ticks, i - 1);
        const struct session_sample *sample = session_sample_at(session, tick->sample);

        last = last == SESSION_NONE ? sample->thread : last;
        if (sample->thread != last)
            continue;
        others++;
        if (!ends_in(session, sample->call, find_frames))
            continue;
        others = 0;
        end_ns = tick->time_ns;
    }
    return end_ns;
}
