/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The place of a call, from its return address.
 */
#include "rows/site.h"

#include <inttypes.h>

#include "model/process.h"
#include "model/python.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_kernels.h"
#include "places/places.h"
#include "symbols/symbols.h"

static bool is_in_the_way(const struct symbols_frame *frame)
{
    return frame->is_inlined && symbols_is_of_library(frame->file);
}

static struct site find(const struct session *session, uint64_t address, bool is_own)
{
    const struct session_module *module = session_find_module(session, address);
    struct site site = {.module = module ? text_base_name(module->path) : NULL,
                        .address = module ? address - module->fact.base : address,
                        .is_python = python_is_site(address)};
    const struct symbols_frame *frame = NULL;
    size_t count = 0;

    session_find_site_frames(session, address, &frame, &count);
    if (!frame || count == 0)
        return site;
    for (; is_own && count > 1 && is_in_the_way(frame); count--)
        frame++;
    site.function = frame->function;
    site.file = frame->file;
    site.line = frame->line;
    site.offset = frame->offset;
    return site;
}

struct site site_find(const struct session *session, uint64_t address)
{
    return find(session, address, false);
}

struct site site_find_own(const struct session *session, uint64_t address)
{
    return find(session, address, true);
}

const char *site_file(const struct site *site)
{
    return site->file ? text_base_name(site->file) : site->module;
}

void site_append(struct text *text, const struct site *site)
{
    const char *file = site_file(site);

    if (!site->function) {
        text_appendf(text, "%s%s0x%" PRIx64, site->module ? site->module : "",
                     site->module ? "+" : "", site->address);
        return;
    }
    if (site->file && site->offset == 0) {
        places_append_spelled(text, site->file, (unsigned)site->line, site->function);
        return;
    }
    text_append(text, site->function);
    if (site->offset > 0)
        text_appendf(text, "+0x%" PRIx64, site->offset);
    text_append(text, file ? " " : "");
    text_append(text, file ? file : "");
}

bool site_append_python(struct text *text, const struct session *session, uint64_t address)
{
    const struct symbols_frame *frame;

    session_find_site_python(session, address, &frame);
    if (frame && frame->file)
        places_append_spelled(text, frame->file, 0, frame->function);
    else if (frame)
        text_append(text, frame->function);
    return frame != NULL;
}
