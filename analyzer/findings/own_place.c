/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program's own part of a call chain.
 */
#include "findings/own_place.h"

#include <string.h>

#include "base/text.h"
#include "cpu/own_lines.h"
#include "findings/context.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_kernels.h"
#include "model/session_ops.h"
#include "model/session_process.h"
#include "model/session_samples.h"
#include "symbols/symbols.h"

static bool is_of_program(const struct place *place, const char *program)
{
    const struct places_function *function = place->function;

    return place_is_telling(place) && !function->is_plumbing && function->module &&
           strcmp(function->module, program) == 0 &&
           !(place->is_inlined && symbols_is_of_library(place->file));
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

bool own_place_is_in_library(const struct findings_context *context, uint32_t call)
{
    struct places *places = places_new(context->session, context->options.find_frames);
    struct place place;

    return call != SESSION_NONE && places_find(places, call, place_is_python, &place) &&
           !place_is_own_python(&place);
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

static bool is_in_slot(const struct cpu_time *time, size_t sample, const void *slot)
{
    uint32_t of = session_sample_at(time->session, sample)->slot;

    return of != SESSION_NONE && session_slot_at(time->session, of) == slot;
}

/* A library calls the kernel, as numpy does, or a function of a header: samples know the program's
 * line above. */
static void append_sampled_line(struct text *text, const struct findings_context *context,
                                const struct session_slot *slot)
{
    struct own_lines lines;

    own_lines_init_of(&lines, &context->time, is_in_slot, slot);
    if (lines.rows.count > 0)
        place_append_short(text, ((const struct own_line *)array_at(&lines.rows, 0))->place);
}

/* Returns: the innermost frame outside of libraries' sources, or the innermost of all; NULL. */
static const struct symbols_frame *find_frame(const struct session *session, uint64_t site)
{
    const struct symbols_frame *frames = NULL;
    size_t count = 0;

    session_find_site_frames(session, site, &frames, &count);
    for (size_t i = 0; i < count; i++)
        if (!symbols_is_of_library(frames[i].file))
            return &frames[i];
    return count > 0 ? frames : NULL;
}

void own_place_append_slot(struct text *text, const struct findings_context *context,
                           const struct session_slot *slot)
{
    const struct session *session = context->session;
    uint64_t site = find_site(session, slot);
    const struct symbols_frame *frame = NULL;
    size_t before = text->size;

    session_find_site_python(session, site, &frame);
    if (frame && is_told(frame) && place_file_is_own(frame->file)) {
        append_frame(text, frame, true);
        return;
    }
    frame = session->python.is_there ? NULL : find_frame(session, site);
    if (!context->time.unknown && !(frame && is_told(frame) && !symbols_is_of_library(frame->file)))
        append_sampled_line(text, context, slot);
    if (text->size == before && frame && is_told(frame))
        append_frame(text, frame, false);
}
