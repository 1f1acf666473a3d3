/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the calls of a session stand in the source.
 */
#include "model/session_chains.h"

#include <inttypes.h>
#include <stdio.h>

#include "model/python.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_unknown.h"
#include "model/symbols.h"

/* Of code that is in no module the program may have written a map. */
static enum status find_symbols(const struct session *session, const struct session_module *module,
                                uint64_t address, const struct symbols_frame **frames,
                                size_t *count)
{
    enum { PATH = 40 };
    char path[PATH];

    if (module)
        return symbols_find(
            session->symbols,
            &(struct symbols_module){module->path, module->build_id, module->fact.base}, address,
            frames, count);
    (void)snprintf(path, sizeof path, "/tmp/perf-%" PRIu32 ".map", session->process.pid);
    return symbols_find_compiled(session->symbols,
                                 &(struct symbols_map){path, session->process.realtime_start_ns},
                                 address, frames, count);
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

/* A return address may be that of the next line. */
enum status session_find_site_frames(const struct session *session, uint64_t site,
                                     const struct symbols_frame **frames, size_t *count)
{
    *frames = NULL;
    *count = 0;
    if (!session->symbols)
        return STATUS_OK;
    return find_symbols(session, session_find_module(session, site), site - 1, frames, count);
}
