/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * FULL-POOL: all threads of a library's pool wait inside of their tasks, so further tasks wait for
 * a thread, while no processor has work.
 */
#include <math.h>
#include <string.h>

#include "findings/context.h"
#include "findings/own_place.h"
#include "findings/texts.h"
#include "model/session.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "places/places.h"
#include "waits/answers.h"
#include "waits/wait_split.h"

static const double least_share = 0.2;    /* of the wall time, as in HOT-WAIT */
static const double full_share = 0.5;     /* of the lives of the pool's threads */
static const double most_computing = 0.3; /* the same, on a processor */
static const uint64_t least_tasks = 3;    /* waits for each thread */
enum { MOST_THREADS = 17 };               /* as many were meant */

static bool is_task_of_python(const struct place *place)
{
    return strcmp(place->function->name, "_WorkItem.run") == 0;
}

static bool is_of_libuv(const struct place *place)
{
    static const char library[] = "libuv.so";

    return place->function->module &&
           strncmp(place->function->module, library, sizeof library - 1) == 0;
}

static const struct pool_kind {
    const char *advice;
    bool (*is_task)(const struct place *place); /* a place on the chains of its tasks */
    const char *without; /* part of a name that belongs to no task; NULL: none */
} kinds[] = {
    {"full_pool_python", is_task_of_python, NULL},
    {"full_pool_libuv", is_of_libuv, "uv_run"},
};

enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

/* The waiting in tasks of a pool. */
struct pool {
    double task_ns;
    double most_ns;
    uint32_t most; /* chain of the line with most of it */
    uint64_t calls;
    uint32_t threads[MOST_THREADS]; /* indices in the session's threads */
    unsigned thread_count;
};

static bool is_of_kind(const struct pool_kind *kind, struct places *places, uint32_t call)
{
    struct place task;

    return places_find(places, call, kind->is_task, &task) &&
           (!kind->without || !places_have_name(places, call, kind->without));
}

/* A wait for something outside of the program, which no other thread of it ends.  A server's
 * connection waits for its client. */
static bool is_for_others(const struct session_wait *wait)
{
    bool is_polled = wait->class == TRACE_WAIT_CLASS_IDLE && wait->kind == TRACE_WAITED_SOCKET;

    return (is_polled || wait->class == TRACE_WAIT_CLASS_IO ||
            wait->class == TRACE_WAIT_CLASS_NETWORK || wait->class == TRACE_WAIT_CLASS_SLEEP) &&
           !(wait->name && strstr(wait->name, WAIT_SERVER_END));
}

static bool is_in_task(struct places *places, const struct session_wait *wait)
{
    struct place owner;

    return places_find_owner_of(places, wait->chain, &owner) && place_owning(&owner) == PLACES_OWN;
}

static void add_thread(struct pool *pool, uint32_t thread)
{
    for (unsigned i = 0; i < pool->thread_count; i++)
        if (pool->threads[i] == thread)
            return;
    if (pool->thread_count < MOST_THREADS)
        pool->threads[pool->thread_count++] = thread;
}

static void add_wait(struct pool *pool, const struct session_wait *wait)
{
    add_thread(pool, wait->thread);
    pool->task_ns += (double)wait->waiting_ns;
    pool->calls += wait->calls;
    if ((double)wait->waiting_ns > pool->most_ns) {
        pool->most_ns = (double)wait->waiting_ns;
        pool->most = wait->chain;
    }
}

static void gather(struct pool *pool, const struct pool_kind *kind, struct places *places,
                   const struct session *session)
{
    const uint32_t main_thread = wait_main_thread(session);

    *pool = (struct pool){.most = SESSION_NONE};
    for (size_t i = 0; i < session->waits.count; i++) {
        const struct session_wait *wait = session_wait_at(session, i);

        if (wait->chain != SESSION_NONE && wait->thread != main_thread && is_for_others(wait) &&
            is_of_kind(kind, places, wait->chain) && is_in_task(places, wait))
            add_wait(pool, wait);
    }
}

/* The lives of a pool's threads, and their processor time. */
static void sum_lives(const struct pool *pool, const struct session *session, double *lived_ns,
                      double *cpu_ns)
{
    *lived_ns = *cpu_ns = 0;
    for (unsigned i = 0; i < pool->thread_count; i++) {
        const struct session_thread *thread = session_thread_at(session, pool->threads[i]);

        *lived_ns += (double)(thread->last_ns - thread->first_ns);
        *cpu_ns += thread->cpu_ns == SESSION_UNKNOWN ? 0 : (double)thread->cpu_ns;
    }
}

static bool is_full(const struct pool *pool, const struct findings_context *context)
{
    double lived_ns, cpu_ns;

    if (pool->thread_count < 2 || pool->thread_count == MOST_THREADS ||
        pool->calls < least_tasks * pool->thread_count ||
        pool->task_ns / pool->thread_count < least_share * context->wall.ns)
        return false;
    sum_lives(pool, context->session, &lived_ns, &cpu_ns);
    return pool->task_ns >= full_share * lived_ns && cpu_ns <= most_computing * lived_ns;
}

static void add(const struct findings_context *context, struct findings *findings,
                struct places *places, const struct pool_kind *kind, const struct pool *pool)
{
    double each_ns = fmin(pool->task_ns / pool->thread_count, context->wall.ns);
    struct finding *finding = findings_add_waiting(
        findings, &(struct finding_claim){each_ns, each_ns, FINDING_CONFIDENCE_MEDIUM}, 0);

    own_place_append(&finding->place, places, context->session, pool->most);
    say(&finding->title, full_pool_title_text, said_count(pool->thread_count),
        said_share(each_ns / context->wall.ns));
    say(&finding->evidence, full_pool_tasks_text, said_count(pool->thread_count),
        said_count(pool->calls), said_time(pool->task_ns),
        said_time(pool->task_ns / (double)pool->calls));
    finding_advise(finding, kind->advice);
    finding_add_number(finding, "threads", (double)pool->thread_count);
    finding_add_number(finding, "calls", (double)pool->calls);
}

void rule_full_pool(const struct findings_context *context, struct findings *findings)
{
    struct places *places = places_new(context->session, context->options.find_frames);
    bool is_found = false;

    if (context->session->waits.count == 0) {
        findings_skip(findings, waits_none_text);
        return;
    }
    for (size_t i = 0; i < KIND_COUNT; i++) {
        struct pool pool;

        gather(&pool, &kinds[i], places, context->session);
        if (!is_full(&pool, context))
            continue;
        add(context, findings, places, &kinds[i], &pool);
        is_found = true;
    }
    if (!is_found)
        findings_pass(findings, full_pool_passed_text);
}
