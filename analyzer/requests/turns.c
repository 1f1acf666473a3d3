/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loops, their turns, and what ran in these.
 */
#include "requests/turns.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "base/text.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_samples.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"

enum { WAITS_LEAST = 10 };

/* What a thread did for a while in a turn. */
struct stretch {
    uint64_t from_ns, to_ns;
    uint32_t call;
};

/* The handler and the line of a call, once they are known. */
struct call_words {
    uint32_t known_of; /* index of the loop, plus one; another loop's chain parts elsewhere */
    const struct places_function *handler; /* NULL: the loop itself */
    bool is_own;
    struct place line;
};

struct finding {
    const struct session *session;
    struct places *places;
    struct turns *turns;
    struct call_words *words; /* by call; NULL: not looked up */
};

/* ---- loops ------------------------------------------------------------------ */

static bool is_selector(const struct place *place)
{
    return place_is_asyncio(place) ||
           (place_is_python(place) && place->file && strstr(place->file, "selectors.py"));
}

/* time.sleep was a call of select, and clients poll for one answer. */
static const struct {
    bool is_for_events;
    bool needs_selector;
} wait_calls[TRACE_WAIT_CALLS] = {
    [TRACE_WAIT_EPOLL_WAIT] = {true, false},   [TRACE_WAIT_EPOLL_PWAIT] = {true, false},
    [TRACE_WAIT_EPOLL_PWAIT2] = {true, false}, [TRACE_WAIT_SELECT] = {true, true},
    [TRACE_WAIT_PSELECT] = {true, true},       [TRACE_WAIT_POLL] = {true, true},
    [TRACE_WAIT_PPOLL] = {true, true},
};

static bool waits_for_events(const struct finding *finding, const struct session_wait *wait)
{
    struct place place;

    if (!wait_calls[wait->call].is_for_events || !wait_calls[wait->call].needs_selector)
        return wait_calls[wait->call].is_for_events;
    return wait->chain != SESSION_NONE &&
           places_find(finding->places, wait->chain, is_selector, &place);
}

static uint32_t depth_of(const struct session *session, uint32_t call)
{
    return session_call_at(session, call)->depth;
}

/* A handler that waits for events itself does so below the loop. */
static bool is_outer(const struct session *session, const struct session_wait *wait,
                     const struct turns_loop *loop)
{
    return loop->chain == SESSION_NONE ||
           depth_of(session, wait->chain) < depth_of(session, loop->chain);
}

static struct turns_loop *find_loop(struct finding *finding, uint32_t thread)
{
    struct array *loops = &finding->turns->loops;
    struct turns_loop *loop = loops->items;

    for (size_t i = 0; i < loops->count; i++)
        if (loop[i].thread == thread)
            return &loop[i];
    loop = array_add(loops);
    *loop = (struct turns_loop){.thread = thread, .chain = SESSION_NONE};
    array_init(&loop->lengths_ns, sizeof(uint64_t));
    return loop;
}

static void find_loops(struct finding *finding)
{
    const struct session *session = finding->session;

    for (size_t i = 0; i < session->waits.count; i++) {
        const struct session_wait *wait = session_wait_at(session, i);
        struct turns_loop *loop;

        if (wait->calls < WAITS_LEAST || wait->chain == SESSION_NONE ||
            wait->thread == SESSION_NONE || !waits_for_events(finding, wait))
            continue;
        loop = find_loop(finding, wait->thread);
        if (!is_outer(session, wait, loop))
            continue;
        loop->chain = wait->chain;
        loop->site = wait->site;
    }
}

static bool is_of_loop(const struct turns_loop *loop, const struct session_wait *wait)
{
    return wait->thread == loop->thread && wait->site == loop->site;
}

static void count_waits(const struct session *session, struct turns_loop *loop)
{
    for (size_t i = 0; i < session->waits.count; i++)
        if (is_of_loop(loop, session_wait_at(session, i)))
            loop->waits += session_wait_at(session, i)->calls;
}

/* Is it a wait of the loop, and not one of a handler through the same function? */
static bool ends_turn(const struct session *session, const struct turns_loop *loop,
                      const struct session_wait_call *call)
{
    return is_of_loop(loop, session_wait_at(session, call->wait)) &&
           (call->chain == SESSION_NONE || call->chain == loop->chain);
}

/* ---- who ran ------------------------------------------------------------------ */

static uint32_t parent_of(const struct session *session, uint32_t call)
{
    return session_call_at(session, call)->parent;
}

/* Returns: the innermost call that both chains have. */
static uint32_t find_common(const struct session *session, uint32_t left, uint32_t right)
{
    while (left != right) {
        if (depth_of(session, left) >= depth_of(session, right))
            left = parent_of(session, left);
        else
            right = parent_of(session, right);
    }
    return left;
}

/* Asyncio's own code runs a handler, and so does the function of the loop that also waits. */
static bool may_handle(const struct place *place)
{
    return place->function->has_name && !place_is_asyncio(place) && !place->function->is_plumbing &&
           !place->function->is_starter;
}

static bool is_step(const struct place *place)
{
    static const char step[] = "Handle._run";

    return place_is_asyncio(place) &&
           text_ends_with(place->function->name, strlen(place->function->name), step);
}

/* How well a place tells what held the loop: an own line does, and in Python a line of Python. */
static unsigned rank(const struct place *place)
{
    if (place_is_own_python(place))
        return 3;
    if (place_owning(place) != PLACES_OWN)
        return 0;
    return place->file ? 2 : 1;
}

/* Looks at the places of a chain to its end from `outer`, without it, or from where asyncio runs
 * the step of a task.  The outermost own place handles, else the outermost that may; the innermost
 * own one is the line. */
static void look_at(struct finding *finding, struct call_words *words, uint32_t call,
                    uint32_t outer, const struct places_function *loop)
{
    struct place handler = {0}, line = {0};

    for (; call != outer && call != 0; call = parent_of(finding->session, call)) {
        const struct call_places *of;

        places_look_up(finding->places, call);
        of = places_known(finding->places, call);
        for (size_t i = 0; of && i < of->count; i++) {
            const struct place *place = &of->places[i];
            bool is_own = place_owning(place) == PLACES_OWN;

            if (is_step(place))
                outer = parent_of(finding->session, call);
            if (!may_handle(place) || place->function == loop)
                continue;
            if (is_own || !handler.function || place_owning(&handler) != PLACES_OWN)
                handler = *place;
            if (!line.function || rank(place) > rank(&line))
                line = *place;
        }
    }
    words->handler = handler.function;
    words->is_own = handler.function && place_owning(&handler) == PLACES_OWN;
    words->line = line;
}

/* Returns: the function that both waits and calls handlers; NULL: another function does each. */
static const struct places_function *find_waiting(struct finding *finding, uint32_t chain,
                                                  uint32_t common)
{
    const struct call_places *of;

    while (chain != 0 && parent_of(finding->session, chain) != common)
        chain = parent_of(finding->session, chain);
    if (chain == 0)
        return NULL;
    places_look_up(finding->places, chain);
    of = places_known(finding->places, chain);
    return of && of->count > 0 ? of->places[of->count - 1].function : NULL;
}

static const struct call_words *find_words(struct finding *finding, size_t index, uint32_t call)
{
    const struct turns_loop *loop = array_at(&finding->turns->loops, index);
    struct call_words *words = &finding->words[call];
    uint32_t common;

    if (words->known_of == index + 1)
        return words;
    *words = (struct call_words){.known_of = (uint32_t)index + 1};
    common = find_common(finding->session, call, loop->chain);
    look_at(finding, words, call, common, find_waiting(finding, loop->chain, common));
    return words;
}

/* ---- what ran, by time -------------------------------------------------------------- */

/* By their ends, where a sample was taken. */
static int compare_stretches(const void *left, const void *right)
{
    const struct stretch *a = left, *b = right;

    return a->to_ns < b->to_ns ? -1 : a->to_ns > b->to_ns;
}

static void add_stretch(struct array *stretches, uint64_t from_ns, uint64_t to_ns, uint32_t call)
{
    if (call != SESSION_NONE && call != 0)
        *(struct stretch *)array_add(stretches) = (struct stretch){from_ns, to_ns, call};
}

static void add_samples(const struct session *session, const struct turns_loop *loop,
                        struct array *stretches)
{
    const struct session_tick *tick = session->ticks.items;

    for (size_t i = 0; i < session->ticks.count; i++) {
        const struct session_sample *sample = session_sample_at(session, tick[i].sample);
        uint64_t ns = tick[i].periods * session->sampling.period_ns;

        if (sample->thread == loop->thread)
            add_stretch(stretches, tick[i].time_ns - (ns < tick[i].time_ns ? ns : tick[i].time_ns),
                        tick[i].time_ns, sample->call);
    }
}

/* Fills in the turns between the loop's waits, too: a stretch of call 0 each. */
static void add_waits(const struct session *session, struct turns_loop *loop,
                      struct array *stretches, struct array *turns)
{
    uint64_t end_ns = UINT64_MAX;

    for (size_t i = 0; i < session->wait_calls.count; i++) {
        const struct session_wait_call *call = session_wait_call_at(session, i);

        if (session_wait_at(session, call->wait)->thread != loop->thread)
            continue;
        if (!ends_turn(session, loop, call)) {
            add_stretch(stretches, call->start_ns, call->end_ns, call->chain);
            continue;
        }
        if (end_ns <= call->start_ns)
            *(struct stretch *)array_add(turns) = (struct stretch){end_ns, call->start_ns, 0};
        end_ns = call->end_ns;
    }
}

/* ---- turns ------------------------------------------------------------------ */

static const char *name_of(const struct places_function *function)
{
    struct text text;
    const char *name;

    text_init(&text);
    places_append_function(&text, function, false);
    name = pool_copy(text.bytes);
    text_fini(&text);
    return name;
}

static struct turns_handler *find_handler(struct finding *finding, const char *name, size_t loop)
{
    struct array *handlers = &finding->turns->handlers;
    struct turns_handler *handler = handlers->items;

    for (size_t i = 0; i < handlers->count; i++)
        if (handler[i].loop == loop && strcmp(handler[i].name, name) == 0)
            return &handler[i];
    handler = array_add(handlers);
    *handler = (struct turns_handler){.name = name, .loop = (uint32_t)loop};
    return handler;
}

/* Lines of one stay in the loop. */
struct line_time {
    struct place line;
    uint64_t ns;
};

static struct place find_line(struct finding *finding, size_t index,
                              const struct stretch *stretches, size_t count)
{
    struct place most = {0};
    uint64_t most_ns = 0;
    struct array lines;

    array_init(&lines, sizeof(struct line_time));
    for (size_t i = 0; i < count; i++) {
        const struct call_words *words = find_words(finding, index, stretches[i].call);
        struct line_time *line;

        if (!words->line.function)
            continue;
        line = places_find_row(&lines, &words->line);
        line->ns += stretches[i].to_ns - stretches[i].from_ns;
        if (line->ns <= most_ns)
            continue;
        most_ns = line->ns;
        most = line->line;
    }
    return most;
}

/* Stretches of one handler in a row. */
struct stay {
    const struct stretch *stretches;
    size_t count;
    uint64_t from_ns, to_ns;
};

static void take_stay(struct finding *finding, size_t index, const struct stay *stay)
{
    const struct call_words *words = find_words(finding, index, stay->stretches[0].call);
    uint64_t ns = stay->to_ns - stay->from_ns;
    struct turns_handler *handler;

    if (!words->handler)
        return;
    handler = find_handler(finding, name_of(words->handler), index);
    handler->is_own = words->is_own;
    handler->turns++;
    handler->ns += ns;
    if (ns <= handler->longest_ns)
        return;
    handler->longest_ns = ns;
    handler->longest_start_ns = stay->from_ns;
    handler->line = find_line(finding, index, stay->stretches, stay->count);
}

/* A sample stands for the time before it.  So a stay starts where the one before ended, and the
 * last stay ends with the turn. */
static void take_turn(struct finding *finding, size_t index, const struct stretch *turn,
                      const struct stretch *stretches, size_t count)
{
    uint64_t end_ns = turn->from_ns;

    for (size_t from = 0, to; from < count; from = to) {
        const struct places_function *handler =
            find_words(finding, index, stretches[from].call)->handler;
        struct stay stay = {.stretches = &stretches[from]};

        for (to = from + 1;
             to < count && find_words(finding, index, stretches[to].call)->handler == handler; to++)
            ;
        stay.count = to - from;
        stay.from_ns = end_ns;
        stay.to_ns = to == count ? turn->to_ns : stretches[to - 1].to_ns;
        if (stay.to_ns > stay.from_ns)
            take_stay(finding, index, &stay);
        end_ns = stay.to_ns;
    }
}

static void take_turns(struct finding *finding, size_t index, const struct array *turns,
                       const struct array *stretches)
{
    struct turns_loop *loop = array_at(&finding->turns->loops, index);
    const struct stretch *turn = turns->items, *stretch = stretches->items;
    size_t from = 0, to;

    for (size_t i = 0; i < turns->count; i++) {
        *(uint64_t *)array_add(&loop->lengths_ns) = turn[i].to_ns - turn[i].from_ns;
        while (from < stretches->count && stretch[from].to_ns <= turn[i].from_ns)
            from++;
        for (to = from; to < stretches->count && stretch[to].to_ns <= turn[i].to_ns; to++)
            ;
        take_turn(finding, index, &turn[i], stretch + from, to - from);
        from = to;
    }
    if (turns->count == 0)
        return;
    loop->from_ns = turn[0].from_ns;
    loop->to_ns = turn[turns->count - 1].to_ns;
}

static void take_loop(struct finding *finding, size_t index)
{
    struct turns_loop *loop = array_at(&finding->turns->loops, index);
    struct array stretches, turns;

    array_init(&stretches, sizeof(struct stretch));
    array_init(&turns, sizeof(struct stretch));
    count_waits(finding->session, loop);
    add_samples(finding->session, loop, &stretches);
    add_waits(finding->session, loop, &stretches, &turns);
    if (stretches.count > 0)
        qsort(stretches.items, stretches.count, sizeof(struct stretch), compare_stretches);
    take_turns(finding, index, &turns, &stretches);
}

static int compare_handlers(const void *left, const void *right)
{
    const struct turns_handler *a = left, *b = right;

    return a->longest_ns < b->longest_ns ? 1 : -(a->longest_ns > b->longest_ns);
}

static bool has_own(const struct turns *turns, uint32_t loop)
{
    const struct turns_handler *handler = turns->handlers.items;

    for (size_t i = 0; i < turns->handlers.count; i++)
        if (handler[i].loop == loop && handler[i].is_own)
            return true;
    return false;
}

/* Code of libraries handles where the program has none of its own. */
static void drop_libraries(struct turns *turns)
{
    struct turns_handler *handler = turns->handlers.items;
    bool *owns = pool_get_zeros(turns->loops.count + 1, sizeof *owns);
    size_t kept = 0;

    for (size_t i = 0; i < turns->loops.count; i++)
        owns[i] = has_own(turns, (uint32_t)i);
    for (size_t i = 0; i < turns->handlers.count; i++)
        if (handler[i].is_own || !owns[handler[i].loop])
            handler[kept++] = handler[i];
    array_truncate(&turns->handlers, kept);
}

void turns_find(struct turns *turns, const struct session *session, places_finder find)
{
    struct finding finding = {
        .session = session,
        .places = places_new(session, find),
        .turns = turns,
        .words = pool_get_zeros(session->calls.count + 1, sizeof *finding.words),
    };

    array_init(&turns->loops, sizeof(struct turns_loop));
    array_init(&turns->handlers, sizeof(struct turns_handler));
    find_loops(&finding);
    for (size_t i = 0; i < turns->loops.count; i++)
        take_loop(&finding, i);
    drop_libraries(turns);
    if (turns->handlers.count > 0)
        qsort(turns->handlers.items, turns->handlers.count, sizeof(struct turns_handler),
              compare_handlers);
}
