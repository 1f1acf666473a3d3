/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tasks of a worker process, as in multiprocessing.Pool.  The worker takes tasks from a pipe
 * that is mostly full, so waits show few of them.  But the callee of a known loop is a task.
 */
#include "base/pool.h"
#include "steps/service.h"

#include <stdbool.h>
#include <string.h>

#include "base/wildcard.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_process.h"
#include "model/session_waits.h"
#include "waits/wait_split.h"

enum { SAMPLES_LEAST = 5 }; /* fewer are chance */

static const struct {
    const char *file, *function;
} loops[] = {
#define WORKER_LOOP(file, function) {file, function},
#define WORKER_PART(file)
#include "steps/worker_loops.def"
#undef WORKER_LOOP
#undef WORKER_PART
};

static const char *const parts[] = {
#define WORKER_LOOP(file, function)
#define WORKER_PART(file) file,
#include "steps/worker_loops.def"
#undef WORKER_LOOP
#undef WORKER_PART
};

static bool is_loop(const struct place *place)
{
    for (size_t i = 0; i < sizeof loops / sizeof *loops && place->file; i++)
        if (place->function->is_python && wildcard_matches(loops[i].file, place->file) &&
            strcmp(loops[i].function, place->function->name) == 0)
            return true;
    return false;
}

/* Python code outside of the pool is the task's. */
static bool is_of_task(const struct place *place)
{
    if (!place->function->is_python || !place->file || *place->file == '<')
        return false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (wildcard_matches(parts[i], place->file))
            return false;
    return true;
}

enum verdict { NOT_JUDGED, TASK, NO_TASK };

struct judge {
    const struct session *session;
    struct places *places;
    unsigned char *verdicts; /* enum verdict, by call */
};

/* From the innermost call outwards: first a task's code, then the loop. */
static void judge_chain(const struct judge *judge, uint32_t call, enum verdict *verdict)
{
    bool has_task = false;

    *verdict = NO_TASK;
    for (; call != 0; call = places_parent(judge->places, call)) {
        const struct call_places *of;

        places_look_up(judge->places, call);
        of = places_known(judge->places, call);
        for (size_t i = 0; i < of->count; i++) {
            if (is_loop(&of->places[i])) {
                *verdict = has_task ? TASK : NO_TASK;
                return;
            }
            has_task = has_task || is_of_task(&of->places[i]);
        }
    }
}

static void is_task(const struct judge *judge, uint32_t call, bool *is)
{
    enum verdict verdict = judge->verdicts[call];

    if (verdict == NOT_JUDGED)
        judge_chain(judge, call, &verdict);
    judge->verdicts[call] = (unsigned char)verdict;
    *is = verdict == TASK;
}

static void find_ticks(struct service *service, const struct judge *judge)
{
    const struct session *session = judge->session;
    const struct session_tick *tick = session->ticks.items;
    size_t count = 0;

    for (size_t i = 0; i < session->ticks.count; i++) {
        const struct session_sample *sample = session_sample_at(session, tick[i].sample);
        bool is;

        if (sample->thread != service->thread)
            continue;
        is_task(judge, sample->call, &is);
        if (!is)
            continue;
        if (count++ == 0)
            service->from_ns = tick[i].time_ns;
        service->to_ns = tick[i].time_ns;
    }
    if (count >= SAMPLES_LEAST)
        service->kind = SERVICE_TASKS;
}

/* A sample comes at the end of its period.  The borders are therefore moved to waits: the worker's
 * last wait before the first sample, and its first wait after the last. */
static void refine(struct service *service, const struct session *session)
{
    uint64_t period_ns = session->sampling.period_ns;
    uint64_t from_ns = service->from_ns > period_ns ? service->from_ns - period_ns : 0;
    uint64_t to_ns = session->process.wall_ns;

    for (size_t i = 0; i < session->wait_calls.count; i++) {
        const struct session_wait_call *call = session_wait_call_at(session, i);

        if (session_wait_at(session, call->wait)->thread != service->thread)
            continue;
        if (call->end_ns <= service->from_ns && call->end_ns > from_ns)
            from_ns = call->end_ns;
        if (call->start_ns >= service->to_ns && call->start_ns < to_ns)
            to_ns = call->start_ns;
    }
    service->from_ns = from_ns;
    service->to_ns = to_ns < service->to_ns + period_ns ? to_ns : service->to_ns;
}

void service_find_pool(struct service *service, const struct session *session, places_finder find)
{
    struct judge judge = {session, places_new(session, find),
                          pool_get_zeros(session->calls.count + 1, 1)};

    *service = (struct service){.thread = wait_main_thread(session)};
    if (judge.places && judge.verdicts)
        if (session->python.is_there)
            find_ticks(service, &judge);
    if (service->kind != SERVICE_NONE)
        refine(service, session);
}
