/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The owners of a Python program's samples, by their chains.
 *
 * The interpreter's own frames are not on a chain (model/python_join.h): if the innermost frame is
 * Python's, the interpreter or one of its built-ins was running.
 */
#include "cpu/python_split.h"

#include <stdint.h>
#include <string.h>

#include "cpu/cpu_row.h"
#include "cpu/texts.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_samples.h"
#include "places/places.h"
#include "spec/trace.h"

enum holder { OTHER, INTERPRETER, NATIVE, IMPORT, GARBAGE };

bool python_split_is_import(const struct cpu_time *time, uint32_t call)
{
    return places_find_known(time->places, call, place_is_importlib) != NULL;
}

/* Returns: the owner of a chain's frames, apart from its flags. */
static enum holder find_holder(const struct cpu_time *time, uint32_t call)
{
    enum holder holder = OTHER;
    bool is_first = true;

    for (; call != 0; call = session_call_at(time->session, call)->parent) {
        const struct call_places *places = places_known(time->places, call);

        if (!places || places->count == 0)
            continue;
        if (places->places[0].function->is_python && holder == OTHER)
            holder = is_first ? INTERPRETER : NATIVE;
        if (place_is_importlib(&places->places[0]))
            return IMPORT;
        is_first = false;
    }
    return holder;
}

bool python_split_is_interpreter(const struct cpu_time *time, uint32_t call)
{
    return find_holder(time, call) == INTERPRETER;
}

bool python_split_init(struct python_split *split, const struct cpu_time *time)
{
    const struct session *session = time->session;
    double sums[GARBAGE + 1] = {0};
    double rest_ns = time->cpu_ns;

    *split = (struct python_split){0};
    if (time->unknown || !session->python.is_there ||
        session->python.fact.off != TRACE_PYTHON_OFF_NONE)
        return false;
    for (size_t i = 0; i < session->samples.count; i++) {
        const struct session_sample *sample = session_sample_at(session, i);
        enum holder holder = find_holder(time, sample->call);

        /* A collection during an import is a part of its cost. */
        if (sample->flags & TRACE_SAMPLE_GARBAGE && holder != IMPORT)
            holder = GARBAGE;

        sums[holder] += time->sample_self_ns[i];
    }
    for (int i = INTERPRETER; i <= GARBAGE; i++)
        rest_ns -= sums[i];
    *split = (struct python_split){sums[GARBAGE], sums[IMPORT], sums[INTERPRETER], sums[NATIVE],
                                   rest_ns > 0 ? rest_ns : 0};
    return true;
}

void python_split_say(struct text_list *notes, const struct cpu_time *time)
{
    struct python_split split;

    if (!python_split_init(&split, time))
        return;
    text_list_say(notes, python_split_text, said_share(cpu_time_share(time, split.interpreter_ns)),
                  said_share(cpu_time_share(time, split.native_ns)));
    if (split.garbage_ns + split.import_ns <= 0)
        return;
    text_list_say(notes, python_split_rest_text, said_share(cpu_time_share(time, split.garbage_ns)),
                  said_share(cpu_time_share(time, split.import_ns)));
}
