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

static const double least_share = 0.2;    /* of the wall time, as in HOT-WAIT */
static const double full_share = 0.5;     /* of the lives of the pool's threads */
static const double most_computing = 0.3; /* the same, on a processor */
static const uint64_t least_tasks = 3;    /* waits for each thread */
enum { MOST_THREADS = 17 };               /* as many were meant */

/* The chains of a pool's tasks. */
static const struct pool_kind {
    const char *advice;
    const char *part;    /* of the name of a function; NULL: any */
    const char *library; /* its file begins so; NULL: any */
    const char *without; /* part of a name that belongs to no task */
} kinds[] = {
    {"full_pool_python", "_WorkItem.run", NULL, NULL},
    {"full_pool_libuv", NULL, "libuv.so", "uv_run"},
};

enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

/* The waiting in tasks of a pool. */
struct pool {
    double task_ns;
    double most_ns;
    uint32_t most; /* chain of the line with most of it */
    uint64_t calls;
    uint32_t threads[MOST_THREADS]; /* their kernel ids */
    unsigned thread_count;
};

static bool has_library(struct places *places, uint32_t call, const char *library)
{
    struct array chain;
    bool is_there = false;

    array_init(&chain, sizeof(struct place));
    places_fill_chain(places, call, &chain);
    for (size_t i = 0; i < chain.count && !is_there; i++) {
        const struct place *place = array_at(&chain, i);

        is_there = place->function->module &&
                   strncmp(place->function->module, library, strlen(library)) == 0;
    }
    return is_there;
}

static bool is_of_kind(const struct pool_kind *kind, struct places *places, uint32_t call)
{
    return (!kind->part || places_have_name(places, call, kind->part)) &&
           (!kind->library || has_library(places, call, kind->library)) &&
           (!kind->without || !places_have_name(places, call, kind->without));
}

/* A wait for something outside of the program, which no other thread of it ends.  A server's
 * connection waits for its client. */
static bool is_for_others(const struct session_wait *wait)
{
    bool is_polled = wait->class == TRACE_WAIT_CLASS_IDLE && wait->kind == TRACE_WAITED_SOCKET;

    return (is_polled || wait->class == TRACE_WAIT_CLASS_IO ||
            wait->class == TRACE_WAIT_CLASS_NETWORK || wait->class == TRACE_WAIT_CLASS_SLEEP) &&
           !(wait->name && strstr(wait->name, "of port "));
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
    *pool = (struct pool){.most = SESSION_NONE};
    for (size_t i = 0; i < session->waits.count; i++) {
        const struct session_wait *wait = array_at(&session->waits, i);

        if (wait->chain != SESSION_NONE && wait->thread != (uint32_t)session->process.pid &&
            is_for_others(wait) && is_of_kind(kind, places, wait->chain) &&
            is_in_task(places, wait))
            add_wait(pool, wait);
    }
}

/* The lives of a pool's threads, and their processor time. */
static void sum_lives(const struct pool *pool, const struct session *session, double *lived_ns,
                      double *cpu_ns)
{
    *lived_ns = *cpu_ns = 0;
    for (size_t i = 0; i < session->threads.count; i++) {
        const struct session_thread *thread = array_at(&session->threads, i);

        for (unsigned j = 0; j < pool->thread_count; j++)
            if (pool->threads[j] == thread->id) {
                *lived_ns += (double)(thread->last_ns - thread->first_ns);
                *cpu_ns += thread->cpu_ns == SESSION_UNKNOWN ? 0 : (double)thread->cpu_ns;
            }
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
