/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program's own part of a call chain.
 */
#include "findings/own_place.h"

#include <string.h>

#include "base/text.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/symbols.h"

static bool is_of_program(const struct place *place, const char *program)
{
    const struct places_function *function = place->function;

    return place_is_telling(place) && !function->is_plumbing && function->module &&
           strcmp(function->module, program) == 0 &&
           !(place->is_inlined && symbols_is_system_header(place->file));
}

/* What an interpreter does is none of the program's. */
static const char *find_program(const struct session *session)
{
    const char *program = session->process.program;

    return program && !session->python.is_there ? text_base_name(program) : "";
}

static enum status find_in_program(struct places *places, const char *program, uint32_t call,
                                   struct place *own)
{
    for (; call != 0; call = places_parent(places, call)) {
        if (places_look_up(places, call))
            return STATUS_OUT_OF_MEMORY;
        const struct call_places *of = places_known(places, call);
        for (size_t i = 0; i < of->count; i++)
            if (is_of_program(&of->places[i], program)) {
                *own = of->places[i];
                return STATUS_OK;
            }
    }
    return STATUS_NOT_FOUND;
}

enum status own_place_append(struct text *text, struct places *places,
                             const struct session *session, uint32_t call)
{
    struct place own;
    enum status status = places_find(places, call, place_is_own_python, &own);

    if (status == STATUS_NOT_FOUND)
        status = places_find(places, call, place_is_python, &own);
    if (status == STATUS_NOT_FOUND)
        status = find_in_program(places, find_program(session), call, &own);
    if (!status)
        place_append_words(text, &own);
    return status == STATUS_NOT_FOUND ? STATUS_OK : status;
}
