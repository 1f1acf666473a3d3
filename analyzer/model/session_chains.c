/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The places of a session's calls in the source.
 */
#include "model/session_chains.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "model/python.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_unknown.h"
#include "symbols/symbols.h"

/* Node writes its dump into its working folder, where the trace is, too, unless the user chose
 * another. */
static void append_dump(struct text *path, const struct session *session)
{
    size_t folder = (size_t)(text_base_name(session->path) - session->path);

    text_append_bytes(path, session->path, folder);
    text_appendf(path, "jit-%" PRIu32 ".dump", session->process.pid);
}

/* For code outside of all modules, the program may have written a map. */
static void find_symbols(const struct session *session, const struct session_module *module,
                         uint64_t address, const struct symbols_frame **frames, size_t *count)
{
    enum { PATH = 40 };
    char path[PATH], dump[PATH];
    struct text beside;

    if (module) {
        symbols_find(session->symbols,
                     &(struct symbols_module){module->path, module->build_id, module->fact.base},
                     address, frames, count);
        return;
    }
    (void)snprintf(path, sizeof path, "/tmp/perf-%" PRIu32 ".map", session->process.pid);
    (void)snprintf(dump, sizeof dump, "/tmp/jit-%" PRIu32 ".dump", session->process.pid);
    text_init(&beside);
    append_dump(&beside, session);
    symbols_find_compiled(
        session->symbols,
        &(struct symbols_map){path, {dump, beside.bytes}, session->process.realtime_start_ns},
        address, frames, count);
    text_fini(&beside);
}

void session_find_frames(const struct session *session, uint32_t call,
                         const struct symbols_frame **frames, size_t *count)
{
    static const struct symbols_frame unknown;
    const struct session_call *of = session_call_at(session, call);
    const struct session_module *module = NULL;

    *frames = &unknown;
    *count = 1;
    if (of->kind != SESSION_CALL_PLAIN)
        return;
    if (python_is_call(of->address)) {
        if (session->python.codes)
            python_codes_find(session->python.codes, of->address, frames);
        return;
    }
    if (of->module != SESSION_NONE)
        module = session_module_at(session, of->module);
    find_symbols(session, module, of->address, frames, count);
}

static void find_python(const struct session *session, uint64_t call,
                        const struct symbols_frame **frames, size_t *count)
{
    *count = 1;
    python_codes_find(session->python.codes, call, frames);
}

/* A return address may be that of the next line. */
void session_find_site_frames(const struct session *session, uint64_t site,
                              const struct symbols_frame **frames, size_t *count)
{
    const struct trace_site *python;

    *frames = NULL;
    *count = 0;
    if (python_is_site(site)) {
        python = python_codes_find_site(session->python.codes, site);
        if (python)
            find_python(session, python_call(python->code, python->offset), frames, count);
        return;
    }
    if (!session->symbols)
        return;
    find_symbols(session, session_find_module(session, site), site - 1, frames, count);
}

void session_find_site_python(const struct session *session, uint64_t site,
                              const struct symbols_frame **frame)
{
    const struct symbols_frame *frames = NULL;
    size_t count = 0;

    if (python_is_site(site))
        session_find_site_frames(session, site, &frames, &count);
    *frame = count > 0 && frames[0].function ? &frames[0] : NULL;
}
