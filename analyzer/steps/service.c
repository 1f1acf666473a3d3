/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Requests and tasks by their waits: the first request starts when such a wait ended with one, and
 * the last has ended when its thread waits again in vain.
 */
#include "steps/service.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/text_list.h"
#include "model/python.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_kernels.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "waits/wait_split.h"

enum { TASKS_LEAST = 3, KNOWN_PART = 10 /* one wait in this many may be too short to record */ };

/* A long wait for work, at one place of a thread. */
struct turn {
    uint32_t thread;
    enum trace_wait_call call;
    uint64_t place;
    uint64_t start_ns;
    uint64_t end_ns;
    bool is_in_vain;
};

static int compare_places(const struct turn *a, const struct turn *b)
{
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    if (a->call != b->call)
        return a->call < b->call ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static int compare_turns(const void *left, const void *right)
{
    const struct turn *a = left, *b = right;
    int place = compare_places(a, b);

    return place != 0 ? place : (a->end_ns > b->end_ns) - (a->end_ns < b->end_ns);
}

/* ---- which waits -------------------------------------------------------- */

/* Returns: one number for all sites in a Python function: the interpreter specialises its
 * instructions, so one call comes from several instructions and addresses. */
static uint64_t find_place(const struct session *session, uint64_t site)
{
    const struct trace_site *python =
        python_is_site(site) ? python_codes_find_site(session->python.codes, site) : NULL;

    return python ? TRACE_SITE_PYTHON | python->code : site;
}

/* A server accepts connections. */
static bool is_server(const struct session *session)
{
    for (size_t i = 0; i < session->waits.count; i++) {
        enum trace_wait_call call = session_wait_at(session, i)->call;

        if (call == TRACE_WAIT_ACCEPT || call == TRACE_WAIT_ACCEPT4)
            return true;
    }
    return false;
}

/* poll, accept and their like. */
static bool is_for_requests(const struct session *session, const struct session_wait *wait)
{
    (void)session;
    return wait->class == TRACE_WAIT_CLASS_IDLE && wait->address == 0;
}

/* The threads of a library wait, too, and not for the program's tasks. */
static bool is_own_site(const struct session *session, uint64_t site)
{
    const struct session_module *module = session_find_module(session, site);
    const char *program = session->process.program;

    return python_is_site(site) ||
           (module && program &&
            strcmp(text_base_name(module->path), text_base_name(program)) == 0);
}

/* A semaphore, a condition variable or a futex, in another thread than the first. */
static bool is_for_tasks(const struct session *session, const struct session_wait *wait)
{
    return wait->class == TRACE_WAIT_CLASS_IDLE && wait->address != 0 &&
           wait->thread != wait_main_thread(session) && is_own_site(session, wait->site);
}

typedef bool (*wanted_waits)(const struct session *session, const struct session_wait *wait);

static void gather_turns(struct array *turns, const struct session *session, wanted_waits is_wanted)
{
    for (size_t i = 0; i < session->wait_calls.count; i++) {
        const struct session_wait_call *call = session_wait_call_at(session, i);
        const struct session_wait *wait = session_wait_at(session, call->wait);
        struct turn *turn = is_wanted(session, wait) ? array_add(turns) : NULL;

        if (turn)
            *turn = (struct turn){wait->thread,   wait->call,   find_place(session, wait->site),
                                  call->start_ns, call->end_ns, call->is_in_vain};
    }
    if (turns->count > 0)
        qsort(turns->items, turns->count, sizeof(struct turn), compare_turns);
}

/* ---- one place ---------------------------------------------------------- */

static uint64_t count_calls(const struct session *session, const struct turn *place)
{
    uint64_t calls = 0;

    for (size_t i = 0; i < session->waits.count; i++) {
        const struct session_wait *wait = session_wait_at(session, i);

        if (wait->thread == place->thread && wait->call == place->call &&
            find_place(session, wait->site) == place->place)
            calls += wait->calls;
    }
    return calls;
}

/* The turns of one place, in order. */
static struct service serve(const struct session *session, const struct turn *turns, size_t count)
{
    struct service service = {.thread = turns->thread};
    uint64_t calls = count_calls(session, turns);

    for (size_t i = 0; i < count; i++) {
        if (turns[i].is_in_vain)
            continue;
        if (service.waits++ == 0)
            service.from_ns = turns[i].end_ns;
        service.is_open = i + 1 == count;
        service.to_ns = service.is_open ? turns[i].end_ns : turns[i + 1].start_ns;
    }
    if (service.waits > 0)
        service.kind = SERVICE_TASKS;
    if (calls - calls / KNOWN_PART > count)
        service.waits = 0;
    return service;
}

static size_t count_of_place(const struct array *turns, size_t from)
{
    const struct turn *turn = turns->items;
    size_t to = from;

    while (to < turns->count && compare_places(&turn[from], &turn[to]) == 0)
        to++;
    return to - from;
}

/* ---- all of them -------------------------------------------------------- */

/* Serving must be most of the work: a program may also serve besides its work, or its workers may
 * only write its log. */
static bool is_most(const struct session *session, double ns)
{
    double all_ns = 0;

    for (size_t i = 0; i < session->threads.count; i++) {
        uint64_t cpu_ns = session_thread_at(session, i)->cpu_ns;

        all_ns += cpu_ns == SESSION_UNKNOWN ? 0 : (double)cpu_ns;
    }
    return ns > all_ns / 2;
}

static double cpu_of(const struct session *session, uint32_t thread)
{
    uint64_t ns = session_thread_at(session, thread)->cpu_ns;

    return ns == SESSION_UNKNOWN ? 0 : (double)ns;
}

static void find_requests(struct service *service, const struct session *session)
{
    uint32_t main = wait_main_thread(session);
    struct array turns;
    size_t most = 0;

    array_init(&turns, sizeof(struct turn));
    gather_turns(&turns, session, is_for_requests);
    for (size_t i = 0, count; i < turns.count; i += count) {
        struct service one = serve(session, array_at(&turns, i), count = count_of_place(&turns, i));

        if (one.kind != SERVICE_NONE && count > most) {
            most = count;
            *service = one;
        }
    }
    if (service->kind != SERVICE_NONE)
        service->kind = SERVICE_REQUESTS;
    if (service->thread != main && is_most(session, cpu_of(session, main)))
        service->kind = SERVICE_NONE;
}

/* Connections outlast the wait for new ones, and an unfinished wait has no record.  So the last
 * sign of work counts: an exchange, or a sample of a thread other than the first. */
static uint64_t find_last_sign(const struct session *session, uint64_t least_ns)
{
    uint32_t main = wait_main_thread(session);
    const struct session_tick *tick = session->ticks.items;
    uint64_t last_ns = least_ns;

    for (size_t i = 0; i < session->ticks.count; i++)
        if (session_sample_at(session, tick[i].sample)->thread != main &&
            tick[i].time_ns > last_ns)
            last_ns = tick[i].time_ns;
    for (size_t i = 0; i < session->wait_calls.count; i++) {
        const struct session_wait_call *call = session_wait_call_at(session, i);

        if (session_wait_is_network(session_wait_at(session, call->wait)) && call->bytes > 0 &&
            call->end_ns > last_ns)
            last_ns = call->end_ns;
    }
    return last_ns;
}

/* Several threads are workers: the first task of any, and the last. */
static void join(struct service *service, const struct service *one, size_t *most)
{
    if (service->kind == SERVICE_NONE) {
        *service = *one;
        *most = one->waits;
        return;
    }
    service->from_ns = one->from_ns < service->from_ns ? one->from_ns : service->from_ns;
    service->to_ns = one->to_ns > service->to_ns ? one->to_ns : service->to_ns;
    service->is_open = service->is_open || one->is_open;
    service->waits = service->waits > 0 && one->waits > 0 ? service->waits + one->waits : 0;
    if (one->waits > *most) {
        *most = one->waits;
        service->thread = one->thread;
    }
}

static void find_tasks(struct service *service, const struct session *session)
{
    struct array turns;
    uint32_t last = SESSION_NONE;
    double cpu_ns = 0;
    size_t most = 0;

    array_init(&turns, sizeof(struct turn));
    gather_turns(&turns, session, is_for_tasks);
    for (size_t i = 0, count; i < turns.count; i += count) {
        const struct turn *turn = array_at(&turns, i);
        struct service one = serve(session, turn, count = count_of_place(&turns, i));

        if (count < TASKS_LEAST || one.kind == SERVICE_NONE)
            continue;
        join(service, &one, &most);
        cpu_ns += turn->thread == last ? 0 : cpu_of(session, turn->thread);
        last = turn->thread;
    }
    if (!is_most(session, cpu_ns))
        service->kind = SERVICE_NONE;
}

/* Whose requests are not recorded, as a notebook's, serves nobody. */
static bool has_no_requests(const struct session *session)
{
    const struct text_list *options = &session->process.options;

    for (size_t i = 0; i < text_list_count(options); i++)
        if (strcmp(text_list_at(options, i), "TPROF_REQUESTS=off") == 0)
            return true;
    return false;
}

void service_find(struct service *service, const struct session *session, places_finder find)
{
    *service = (struct service){.kind = SERVICE_NONE};
    if (session->threads.count == 0)
        return;
    if (is_server(session) && !has_no_requests(session))
        find_requests(service, session);
    if (service->kind == SERVICE_NONE)
        service_find_pool(service, session, find);
    if (service->kind == SERVICE_NONE) {
        *service = (struct service){.kind = SERVICE_NONE};
        find_tasks(service, session);
    }
    if (service->kind == SERVICE_REQUESTS || service->is_open)
        service->to_ns = find_last_sign(session, service->to_ns);
}
