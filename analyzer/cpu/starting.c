/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which samples are of a program that starts up.
 *
 * A call chain belongs to the start-up if it contains the loader, an import or the interpreter's
 * own start.  The loader's services for a running program do not count: memory of threads, names.
 * Each call of the session is judged once: by the call around it and by itself.
 */
#include "cpu/starting.h"

#include "base/array.h"
#include "base/pool.h"
#include "base/wildcard.h"
#include "model/session.h"
#include "model/session_chains.h"

enum { SAMPLES_LEAST = 5 }; /* fewer are chance */

/* The later ones decide where a call has several. */
enum pattern_kind {
    PATTERN_NONE,
    PATTERN_MODULE,
    PATTERN_SERVICE,
    PATTERN_PYTHON_FILE,
    PATTERN_FUNCTION
};

static const struct {
    enum pattern_kind kind;
    const char *pattern;
} rows[] = {
#define STARTING(kind, pattern) {PATTERN_##kind, pattern},
#include "cpu/starting.def"
#undef STARTING
};

static const char *text_of(const struct place *place, enum pattern_kind kind)
{
    const struct places_function *function = place->function;

    switch (kind) {
    case PATTERN_NONE: break;
    case PATTERN_MODULE: return function->is_python ? NULL : function->module;
    case PATTERN_PYTHON_FILE: return function->is_python ? place->file : NULL;
    case PATTERN_SERVICE:
    case PATTERN_FUNCTION: return function->is_python ? NULL : function->name;
    }
    return NULL;
}

static enum pattern_kind kind_of_place(const struct place *place)
{
    enum pattern_kind most = PATTERN_NONE;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *text = text_of(place, rows[i].kind);

        if (rows[i].kind > most && text && wildcard_matches(rows[i].pattern, text))
            most = rows[i].kind;
    }
    return most;
}

enum verdict { NOT_JUDGED, STARTS, WORKS, SERVES };

struct judge {
    const struct session *session;
    struct places *places;
    unsigned char *verdicts; /* enum verdict, by call */
    struct array chain;      /* uint32_t: calls that are not judged yet, the innermost first */
};

static void kind_of_call(struct judge *judge, uint32_t call, enum pattern_kind *most)
{
    const struct call_places *places;

    *most = PATTERN_NONE;
    places_look_up(judge->places, call);
    places = places_known(judge->places, call);
    for (size_t i = 0; places && i < places->count; i++) {
        enum pattern_kind kind = kind_of_place(&places->places[i]);

        *most = kind > *most ? kind : *most;
    }
}

/* Callees of the loader's services are services, too. */
static enum verdict judge_inside(enum verdict around, enum pattern_kind kind)
{
    if (around == STARTS)
        return STARTS;
    switch (kind) {
    case PATTERN_NONE: break;
    case PATTERN_MODULE: return around == SERVES ? SERVES : STARTS;
    case PATTERN_SERVICE: return SERVES;
    case PATTERN_PYTHON_FILE:
    case PATTERN_FUNCTION: return STARTS;
    }
    return WORKS;
}

/* Takes the calls from one to the outermost that is not judged yet.  Returns: the call around. */
static void take_chain(struct judge *judge, uint32_t call, uint32_t *around)
{
    array_truncate(&judge->chain, 0);
    for (*around = call; *around != 0 && judge->verdicts[*around] == NOT_JUDGED;
         *around = session_call_at(judge->session, *around)->parent) {
        uint32_t *taken = array_add(&judge->chain);

        *taken = *around;
    }
}

/* Loops, as chains are deep. */
static void judge_call(struct judge *judge, uint32_t call)
{
    uint32_t around;
    take_chain(judge, call, &around);
    enum verdict verdict = around != 0 ? judge->verdicts[around] : WORKS;

    for (size_t i = judge->chain.count; i-- > 0;) {
        uint32_t at = *(const uint32_t *)array_at(&judge->chain, i);
        enum pattern_kind kind;

        kind_of_call(judge, at, &kind);
        verdict = judge_inside(verdict, kind);
        judge->verdicts[at] = (unsigned char)verdict;
    }
}

static void judge_samples(struct judge *judge, bool *are)
{
    for (size_t i = 0; i < judge->session->samples.count; i++) {
        uint32_t call = session_sample_at(judge->session, i)->call;

        judge_call(judge, call);
        are[i] = judge->verdicts[call] == STARTS;
    }
}

void starting_find(bool **are, const struct session *session, places_finder find)
{
    struct judge judge = {.session = session,
                          .places = places_new(session, find),
                          .verdicts = pool_get_zeros(session->calls.count + 1, 1)};

    array_init(&judge.chain, sizeof(uint32_t));
    *are = pool_get_zeros(session->samples.count + 1, sizeof **are);
    if (judge.places && judge.verdicts && *are)
        judge_samples(&judge, *are);
}

void starting_find_end(uint64_t *end_ns, const struct session *session, uint32_t thread,
                       places_finder find)
{
    const struct session_tick *tick = session->ticks.items;
    int64_t weight = 0, most = SAMPLES_LEAST - 1;
    bool *are;

    starting_find(&are, session, find);
    *end_ns = 0;
    for (size_t i = 0; i < session->ticks.count; i++) {
        if (session_sample_at(session, tick[i].sample)->thread != thread)
            continue;
        weight += are[tick[i].sample] ? (int64_t)tick[i].periods : -(int64_t)tick[i].periods;
        if (weight <= most)
            continue;
        most = weight;
        *end_ns = tick[i].time_ns;
    }
}
