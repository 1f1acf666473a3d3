/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the calls of a session stand in the source.
 */
#include "model/session_chains.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "model/python.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_unknown.h"
#include "model/symbols.h"

/* Node writes its dump into the folder where it runs, and so is the trace, unless one asks. */
static void append_dump(struct text *path, const struct session *session)
{
    size_t folder = (size_t)(text_base_name(session->path) - session->path);

    text_append_bytes(path, session->path, folder);
    text_appendf(path, "jit-%" PRIu32 ".dump", session->process.pid);
}

/* Of code that is in no module the program may have written a map. */
static enum status find_symbols(const struct session *session, const struct session_module *module,
                                uint64_t address, const struct symbols_frame **frames,
                                size_t *count)
{
    enum { PATH = 40 };
    char path[PATH], dump[PATH];
    struct text beside;
    enum status status;

    if (module)
        return symbols_find(
            session->symbols,
            &(struct symbols_module){module->path, module->build_id, module->fact.base}, address,
            frames, count);
    (void)snprintf(path, sizeof path, "/tmp/perf-%" PRIu32 ".map", session->process.pid);
    (void)snprintf(dump, sizeof dump, "/tmp/jit-%" PRIu32 ".dump", session->process.pid);
    text_init(&beside);
    append_dump(&beside, session);
    status = text_status(&beside);
    if (!status)
        status = symbols_find_compiled(session->symbols,
                                       &(struct symbols_map){path, {dump, beside.bytes},
                                                             session->process.realtime_start_ns},
                                       address, frames, count);
    text_fini(&beside);
    return status;
}

enum status session_find_frames(const struct session *session, uint32_t call,
                                const struct symbols_frame **frames, size_t *count)
{
    static const struct symbols_frame unknown;
    const struct session_call *of = session_call_at(session, call);
    const struct session_module *module = NULL;

    *frames = &unknown;
    *count = 1;
    if (of->kind != SESSION_CALL_PLAIN)
        return STATUS_OK;
    if (python_is_call(of->address))
        return session->python.codes
                   ? python_codes_find(session->python.codes, of->address, frames)
                   : STATUS_OK;
    if (of->module != SESSION_NONE)
        module = session_module_at(session, of->module);
    return find_symbols(session, module, of->address, frames, count);
}

static enum status find_python(const struct session *session, uint64_t call,
                               const struct symbols_frame **frames, size_t *count)
{
    *count = 1;
    return python_codes_find(session->python.codes, call, frames);
}

/* A return address may be that of the next line. */
enum status session_find_site_frames(const struct session *session, uint64_t site,
                                     const struct symbols_frame **frames, size_t *count)
{
    const struct trace_site *python;

    *frames = NULL;
    *count = 0;
    if (python_is_site(site)) {
        python = python_codes_find_site(session->python.codes, site);
        return python ? find_python(session, python_call(python->code, python->offset), frames,
                                    count)
                      : STATUS_OK;
    }
    if (!session->symbols)
        return STATUS_OK;
    return find_symbols(session, session_find_module(session, site), site - 1, frames, count);
}

enum status session_find_site_python(const struct session *session, uint64_t site,
                                     const struct symbols_frame **frame)
{
    const struct symbols_frame *frames = NULL;
    size_t count = 0;

    if (python_is_site(site) && session_find_site_frames(session, site, &frames, &count))
        return STATUS_OUT_OF_MEMORY;
    *frame = count > 0 && frames[0].function ? &frames[0] : NULL;
    return STATUS_OK;
}
