/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which samples are of a program that starts up.
 *
 * A call chain tells by the loader, an import or the interpreter's own start somewhere on it.
 * Each call of the session is judged once: by itself, or else by the call around it.
 */
#include "figures/starting.h"

#include <stdlib.h>

#include "base/wildcard.h"
#include "model/session.h"
#include "model/session_chains.h"

enum { SAMPLES_LEAST = 5 }; /* fewer are chance */

enum pattern_kind { PATTERN_MODULE, PATTERN_PYTHON_FILE, PATTERN_FUNCTION };

static const struct {
    enum pattern_kind kind;
    const char *pattern;
} rows[] = {
#define STARTING(kind, pattern) {PATTERN_##kind, pattern},
#include "figures/starting.def"
#undef STARTING
};

static const char *text_of(const struct place *place, enum pattern_kind kind)
{
    const struct places_function *function = place->function;

    switch (kind) {
    case PATTERN_MODULE: return function->is_python ? NULL : function->module;
    case PATTERN_PYTHON_FILE: return function->is_python ? place->file : NULL;
    case PATTERN_FUNCTION: return function->is_python ? NULL : function->name;
    }
    return NULL;
}

static bool is_starting(const struct place *place)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *text = text_of(place, rows[i].kind);

        if (text && wildcard_matches(rows[i].pattern, text))
            return true;
    }
    return false;
}

enum verdict { NOT_JUDGED, STARTS, WORKS };

struct judge {
    const struct session *session;
    struct places *places;
    unsigned char *verdicts; /* enum verdict, by call */
};

static enum status judge_itself(const struct judge *judge, uint32_t call, bool *starts)
{
    const struct call_places *places;

    *starts = false;
    if (places_look_up(judge->places, call))
        return STATUS_OUT_OF_MEMORY;
    places = places_known(judge->places, call);
    for (size_t i = 0; places && i < places->count && !*starts; i++)
        *starts = is_starting(&places->places[i]);
    return STATUS_OK;
}

/* From the outermost call that is not judged yet to the innermost: a loop, as chains are deep. */
static enum status judge_call(const struct judge *judge, uint32_t call)
{
    uint32_t at = call, known;
    enum verdict verdict = WORKS;

    while (at != 0 && judge->verdicts[at] == NOT_JUDGED) {
        bool starts;

        if (judge_itself(judge, at, &starts))
            return STATUS_OUT_OF_MEMORY;
        if (starts)
            break;
        at = session_call_at(judge->session, at)->parent;
    }
    known = at;
    if (at != 0)
        verdict = judge->verdicts[at] == NOT_JUDGED ? STARTS : judge->verdicts[at];
    for (at = call; at != known; at = session_call_at(judge->session, at)->parent)
        judge->verdicts[at] = (unsigned char)verdict;
    judge->verdicts[known] = (unsigned char)verdict;
    return STATUS_OK;
}

static enum status judge_samples(const struct judge *judge, bool *are)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < judge->session->samples.count && !status; i++) {
        uint32_t call = session_sample_at(judge->session, i)->call;

        status = judge_call(judge, call);
        are[i] = judge->verdicts[call] == STARTS;
    }
    return status;
}

enum status starting_find(bool **are, const struct session *session, places_finder find)
{
    struct judge judge = {session, places_new(session, find),
                          calloc(session->calls.count + 1, 1)};
    enum status status = STATUS_OUT_OF_MEMORY;

    *are = calloc(session->samples.count + 1, sizeof **are);
    if (judge.places && judge.verdicts && *are)
        status = judge_samples(&judge, *are);
    free(judge.verdicts);
    places_free(judge.places);
    if (status) {
        free(*are);
        *are = NULL;
    }
    return status;
}

enum status starting_find_end(uint64_t *end_ns, const struct session *session, uint32_t thread,
                              places_finder find)
{
    const struct session_tick *tick = session->ticks.items;
    int64_t weight = 0, most = SAMPLES_LEAST - 1;
    bool *are;
    enum status status = starting_find(&are, session, find);

    *end_ns = 0;
    if (status)
        return status;
    for (size_t i = 0; i < session->ticks.count; i++) {
        if (session_sample_at(session, tick[i].sample)->thread != thread)
            continue;
        weight += are[tick[i].sample] ? (int64_t)tick[i].periods : -(int64_t)tick[i].periods;
        if (weight <= most)
            continue;
        most = weight;
        *end_ns = tick[i].time_ns;
    }
    free(are);
    return STATUS_OK;
}
