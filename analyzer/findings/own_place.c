/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program's own part of a call chain.
 */
#include "findings/own_place.h"

#include <string.h>

#include "base/text.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_kernels.h"
#include "model/session_ops.h"
#include "model/session_process.h"
#include "symbols/symbols.h"

static bool is_of_program(const struct place *place, const char *program)
{
    const struct places_function *function = place->function;

    return place_is_telling(place) && !function->is_plumbing && function->module &&
           strcmp(function->module, program) == 0 &&
           !(place->is_inlined && symbols_is_system_header(place->file));
}

static bool find_in_program(struct places *places, const char *program, uint32_t call,
                            struct place *own)
{
    for (; call != 0; call = places_parent(places, call)) {
        places_look_up(places, call);
        const struct call_places *of = places_known(places, call);
        for (size_t i = 0; i < of->count; i++)
            if (is_of_program(&of->places[i], program)) {
                *own = of->places[i];
                return true;
            }
    }
    return false;
}

bool own_place_find_function(struct places *places, const struct session *session, uint32_t call,
                             struct place *own)
{
    const char *program = places_own_module(session);

    return program && find_in_program(places, program, call, own);
}

void own_place_append(struct text *text, struct places *places, const struct session *session,
                      uint32_t call)
{
    struct place own;

    if (places_find(places, call, place_is_own_python, &own) ||
        places_find(places, call, place_is_python, &own) ||
        own_place_find_function(places, session, call, &own))
        place_append_short(text, &own);
}

/* The calls of an op belong to the line that called the op. */
static uint64_t find_site(const struct session *session, const struct session_slot *slot)
{
    uint64_t line = slot->op != 0 ? session_op_at(session, slot->op)->line : 0;

    return line != 0 ? line : slot->site;
}

static void append_frame(struct text *text, const struct symbols_frame *frame, bool is_python)
{
    const struct places_function function = {.name = frame->function,
                                             .module = text_base_name(frame->file),
                                             .has_name = true,
                                             .is_python = is_python};

    place_append_short(text, &(struct place){.function = &function, .file = frame->file,
                                             .line = frame->line});
}

static bool is_told(const struct symbols_frame *frame)
{
    return frame->function && frame->file && frame->line > 0;
}

void own_place_append_slot(struct text *text, const struct session *session,
                           const struct session_slot *slot)
{
    uint64_t site = find_site(session, slot);
    const struct symbols_frame *frame = NULL;
    size_t count = 0;

    session_find_site_python(session, site, &frame);
    if (frame && is_told(frame) && place_file_is_own(frame->file)) {
        append_frame(text, frame, true);
        return;
    }
    if (session->python.is_there)
        return;
    session_find_site_frames(session, site, &frame, &count);
    if (count > 0 && is_told(frame))
        append_frame(text, frame, false);
}
