/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Walks from the innermost function outwards, to the costs below the program's own lines.
 *
 * A name alone may lie: a paragraph of the catalog can ask for a proof, and a cost without it makes
 * room for one of the functions inside.
 */
#include <math.h>
#include <string.h>

#include "base/wildcard.h"
#include "cpu/cpu_row.h"
#include "cpu/python_split.h"
#include "findings/cost_catalog.h"
#include "findings/known_costs_parts.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_heap.h"
#include "model/session_losses.h"
#include "model/session_samples.h"
#include "model/session_threads.h"
#include "model/session_waits.h"
#include "waits/wait_split.h"

static const uint64_t least_blocks = 100; /* fewer tell no time of a call */
static const double mostly_freed = 0.75;  /* of the bytes: the others may be the result */

/* The costs of a function, by language: all patterns are compared once, and not for each sample. */
struct asked {
    bool is_known;
    const struct cost *costs[COST_LANGUAGES];
    cost_signs signs; /* of these costs */
};

/* A function of the C++ library, also where the program has a copy of the template: its name begins
 * so, or the type that it returns stands before. */
static bool is_of_library(const char *name)
{
    const char *found = strstr(name, "std::");
    size_t before = found ? (size_t)(found - name) : 0;

    if (found && before > 0 && (name[before - 1] != ' ' || strcspn(name, "(<") < before))
        found = NULL;
    return found || strncmp(name, "__gnu_cxx::", strlen("__gnu_cxx::")) == 0;
}

/* A copy, move or end of an object that the compiler wrote has no line: "item::item(item&&)". */
static bool is_unwritten(const struct place *place)
{
    const char *name = place->function->name, *open = strchr(name, '(');
    const char *member = open;
    size_t size;

    while (member && member > name && member[-1] != ':')
        member--;
    if (place->file || !member || member < name + 2)
        return false;
    member += *member == '~';
    size = (size_t)(open - member);
    member -= member[-1] == '~' ? 3 : 2; /* the end of the class's name */
    return (size_t)(member - name) >= size && strncmp(member - size, open - size, size) == 0;
}

static bool is_own(const struct meeting *meeting, const struct place *place)
{
    const struct places_function *function = place->function;

    if (function->is_python)
        return place_is_own_python(place);
    return meeting->program && place_is_telling(place) && !is_unwritten(place) &&
           function->module && strcmp(function->module, meeting->program) == 0 &&
           !(place->file && symbols_is_of_library(place->file)) && !is_of_library(function->name);
}

static const struct asked *ask(struct meeting *meeting, const struct place *place)
{
    struct asked *asked;

    while (meeting->asked.count <= place->function->id)
        *(struct asked *)array_add(&meeting->asked) = (struct asked){.is_known = false};
    asked = array_at(&meeting->asked, place->function->id);
    for (int i = 0; !asked->is_known && i < COST_LANGUAGES; i++)
        asked->costs[i] = cost_catalog_find(meeting->catalog, place, (enum cost_language)i);
    if (!asked->is_known)
        asked->signs = cost_catalog_find_signs(meeting->catalog, place);
    asked->is_known = true;
    return asked;
}

static bool asks_for_blocks(const struct cost *cost)
{
    return cost->most_each_ns > 0 || cost->least_block_bytes > 0 || cost->least_blocks > 0;
}

/* More than a name must show it. */
static bool needs_proof(const struct cost *cost)
{
    return cost->signs.count > 0 || cost->least_self > 0 || cost->least_part > 0 ||
           cost->least_ns > 0 || asks_for_blocks(cost) || cost->least_resident_bytes > 0 ||
           cost->least_threads > 0 || cost->never_line.count > 0;
}

/* Libraries run code of their own by exec() while they are imported.  Its file is "<string>", like
 * that of python -c. */
static bool is_made_by_import(const struct meeting *meeting, const struct place *place,
                              uint32_t call)
{
    return place->function->is_python && place->file && place->file[0] == '<' &&
           python_split_is_import(meeting->time, call);
}

/* A function of an installed library: also the C library, whose malloc() calls mprotect().  One
 * that is not installed is a part of the program. */
static bool is_of_another(const struct place *place)
{
    const struct places_function *function = place->function;

    return !function->is_python && function->module && function->is_installed &&
           !is_of_library(function->name);
}

/* ---- the costs of a chain ---------------------------------------------------------------- */

/* By language, the outermost first.  A cost that needs no proof is the last: those inside of it do
 * not matter. */
struct costs_met {
    const struct cost *lists[COST_LANGUAGES][MET_COSTS];
    const struct cost *innermost[COST_LANGUAGES];
    cost_signs signs;
    bool is_inside;
};

static void push(const struct cost **list, const struct cost *cost)
{
    if (list[0] == cost || (list[0] && list[0]->is_deferred && list[0]->of == cost->of))
        return;
    if (needs_proof(cost))
        memmove(list + 1, list, (MET_COSTS - 1) * sizeof *list);
    else
        memset(list, 0, MET_COSTS * sizeof *list);
    list[0] = cost;
}

/* Costs of locks are met where a thread waits for one. */
static bool can_meet(const struct meeting *meeting, const struct cost *cost)
{
    return cost && (!cost->waits_for_locks || meeting->is_at_lock);
}

static void meet_function(const struct meeting *meeting, struct costs_met *costs,
                          const struct asked *asked)
{
    if (!costs->is_inside)
        memcpy(costs->innermost, asked->costs, sizeof costs->innermost);
    costs->is_inside = true;
    costs->signs |= asked->signs;
    for (int i = 0; i < COST_LANGUAGES; i++)
        if (can_meet(meeting, asked->costs[i]))
            push(costs->lists[i], asked->costs[i]);
}

/* Costs that only count where the program makes the calls, and no library. */
static void drop_direct(struct costs_met *costs)
{
    for (int i = 0; i < COST_LANGUAGES; i++) {
        const struct cost **list = costs->lists[i];
        size_t kept = 0;

        for (size_t j = 0; j < MET_COSTS; j++)
            if (list[j] && !list[j]->is_direct)
                list[kept++] = list[j];
        memset(list + kept, 0, (MET_COSTS - kept) * sizeof *list);
    }
}

static bool is_last(const struct cost *cost)
{
    return cost && !needs_proof(cost);
}

/* Append a candidate if it can count. */
static void append(struct met *met, const struct cost *cost)
{
    size_t count = 0;

    while (count < MET_COSTS && met->candidates[count])
        count++;
    if (cost && count < MET_COSTS && (count == 0 || !is_last(met->candidates[count - 1])))
        met->candidates[count] = cost;
}

static void append_list(struct met *met, const struct costs_met *costs, enum cost_language language)
{
    for (size_t i = 0; i < MET_COSTS; i++)
        append(met, costs->lists[language][i]);
}

/* The user's own costs come first, then those of the line's language. */
static void set_candidates(struct met *met, const struct costs_met *costs)
{
    append_list(met, costs, COST_ANY);
    if (met->place.function->is_python)
        append_list(met, costs, COST_PYTHON);
    append_list(met, costs, COST_NATIVE);
    for (size_t i = 0; i < MET_COSTS && met->candidates[i]; i++) {
        const struct cost *cost = met->candidates[i];

        met->signs |= costs->signs & cost->sign;
        for (int j = 0; j < COST_LANGUAGES; j++)
            if (cost->least_self > 0 && costs->innermost[j] == cost)
                met->self = cost;
    }
}

/* What a kernel calls is its own, and nothing that the program could call otherwise: sgemm clears
 * its result by memset.  The kernel itself may be a cost. */
static void leave_kernel(struct meeting *meeting, struct costs_met *costs, uint32_t call)
{
    const struct places *places = meeting->time->places;
    const uint32_t *kernel = meeting->time->call_kernel;
    const struct call_places *of = places_known(places, call);

    if (kernel[call] == SESSION_NONE || kernel[places_parent(places, call)] != SESSION_NONE)
        return;
    *costs = (struct costs_met){.is_inside = false};
    if (of && of->count > 0)
        meet_function(meeting, costs, ask(meeting, &of->places[of->count - 1]));
}

static bool has_callbacks(const struct asked *asked)
{
    bool has = false;

    for (int i = 0; i < COST_LANGUAGES; i++)
        has |= asked->costs[i] && asked->costs[i]->calls_back;
    return has;
}

static bool has_costs(const struct costs_met *costs)
{
    bool has = false;

    for (int i = 0; i < COST_LANGUAGES; i++)
        has |= costs->lists[i][0] != NULL;
    return has;
}

/* Is an own place a hash or a comparison that a function of such a cost has called, and that calls
 * no cost itself?  `at` is its number among the places of `call`. */
static bool is_called_back(struct meeting *meeting, const struct costs_met *inside, uint32_t call,
                           size_t at)
{
    const struct places *places = meeting->time->places;

    if (has_costs(inside))
        return false;
    for (at++; call != 0; call = places_parent(places, call), at = 0) {
        const struct call_places *of = places_known(places, call);

        for (size_t i = at; of && i < of->count; i++) {
            if (is_own(meeting, &of->places[i]))
                return false;
            if (has_callbacks(ask(meeting, &of->places[i])))
                return true;
        }
    }
    return false;
}

static bool is_cost(const struct asked *asked)
{
    for (int i = 0; i < COST_LANGUAGES; i++)
        if (asked->costs[i])
            return true;
    return false;
}

/* Does a function only call what others gave it: a thread's work, a callback of an event loop? */
static bool is_dispatcher(const struct place *place)
{
    static const char *const names[] = {"Handle._run", "Thread.run", "_WorkItem.run"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(place->function->name, names[i]) == 0)
            return true;
    return false;
}

/* A forked worker has the stack of its parent: what lies further out made the worker. */
static bool is_start_of_child(const struct place *place)
{
    return place->function->is_python &&
           strcmp(place->function->name, "BaseProcess._bootstrap") == 0;
}

/* The walk goes outwards: the last costs before the program's own line are what that line calls.
 * What generated code does for an element of a container is no cost of the container.  A framework
 * that calls the program may also work before and after it, below no line of the program: then the
 * outermost function of Python that is a cost is the place. */
static void meet(struct meeting *meeting, struct met *met, uint32_t call)
{
    const struct places *places = meeting->time->places;
    struct costs_met costs = {.is_inside = false};
    const struct place *outermost = NULL;
    bool is_generated = false, is_dispatched = false, is_at_start = false;

    for (; call != 0 && !is_at_start; call = places_parent(places, call)) {
        const struct call_places *of = places_known(places, call);

        for (size_t i = 0; of && i < of->count; i++) {
            const struct place *place = &of->places[i];

            /* What an import does once is no fault of the functions that it calls. */
            if (place_is_importlib(place))
                return;
            is_at_start = is_start_of_child(place);
            if (is_at_start)
                break;
            if (is_own(meeting, place)) {
                if (is_called_back(meeting, &costs, call, i)) {
                    costs = (struct costs_met){.signs = ask(meeting, place)->signs};
                    continue;
                }
                if (is_made_by_import(meeting, place, call))
                    return;
                met->place = *place;
                set_candidates(met, &costs);
                return;
            }
            if (is_of_another(place))
                drop_direct(&costs);
            is_generated = is_generated || (place->file && symbols_is_generated(place->file));
            if (is_generated && is_of_library(place->function->name))
                continue;
            meet_function(meeting, &costs, ask(meeting, place));
            if (!place->function->is_python)
                continue;
            is_dispatched = is_dispatched || is_dispatcher(place);
            if (!is_dispatched && is_cost(ask(meeting, place)))
                outermost = place;
        }
        leave_kernel(meeting, &costs, call);
    }
    if (outermost) {
        met->place = *outermost;
        set_candidates(met, &costs);
    }
}

static void add_met(struct met *to, const struct met *met)
{
    to->ns += met->ns;
    to->main_ns += met->main_ns;
    to->fault_ns += met->fault_ns;
    to->fault_main_ns += met->fault_main_ns;
    to->samples += met->samples;
    to->wait_ns += met->wait_ns;
    to->others_ns += met->others_ns;
    to->calls += met->calls;
    to->blocks += met->blocks;
    to->block_bytes += met->block_bytes;
    to->largest_bytes = fmax(to->largest_bytes, met->largest_bytes);
    to->large_bytes += met->large_bytes;
    to->freed_bytes += met->freed_bytes;
}

static bool is_same(const struct met *a, const struct met *b)
{
    return a->cost == b->cost && a->signs == b->signs && a->self == b->self &&
           memcmp(a->candidates, b->candidates, sizeof a->candidates) == 0 &&
           place_is_same_line(&a->place, &b->place);
}

static void add(struct array *all, const struct met *found)
{
    struct met *met = all->items;

    for (size_t i = 0; i < all->count; i++)
        if (is_same(&met[i], found)) {
            add_met(&met[i], found);
            return;
        }
    *(struct met *)array_add(all) = *found;
}

/* The stacks of some functions of libraries cannot be read to the end. */
static bool is_lost(const struct cpu_time *time, uint32_t call)
{
    enum session_call_kind kind = SESSION_CALL_LOST;

    for (; call != 0; call = places_parent(time->places, call))
        kind = session_call_at(time->session, call)->kind;
    return kind == SESSION_CALL_LOST || kind == SESSION_CALL_CUT;
}

static void find_all(struct meeting *meeting, const struct cpu_time *time)
{
    const uint32_t main_thread = wait_main_thread(time->session);

    for (size_t i = 0; i < time->session->samples.count; i++) {
        const struct session_sample *sample = session_sample_at(time->session, i);
        const bool is_main = sample->thread == main_thread;
        struct met met = {.ns = time->sample_ns[i],
                          .main_ns = is_main ? time->sample_ns[i] : 0,
                          .samples = sample->count};

        met.fault_ns = sample->flags & TRACE_SAMPLE_FAULT ? met.ns : 0;
        met.fault_main_ns = is_main ? met.fault_ns : 0;
        meeting->main_ns += met.main_ns;
        meet(meeting, &met, sample->call);
        if (met.place.function)
            add(&meeting->met, &met);
        else if (is_lost(time, sample->call))
            meeting->lost_ns += met.ns;
    }
}

/* ---- waiting ----------------------------------------------------------------------------- */

static const uint64_t least_ends = 20; /* of processes or threads: fewer are the work itself */
static const double longest_end_ns = 50e6, longest_join_ns = 5e5;
static const double longest_life_ns = 2e5; /* of a thread */
static const double ends_ns = 3e4;         /* of processor time, to start a thread and to end it */

static bool is_for_thread(const struct session_wait *wait)
{
    return wait->class == TRACE_WAIT_CLASS_JOIN && wait->function &&
           strncmp(wait->function, "pthread_", strlen("pthread_")) == 0;
}

/* Returns: the part of all joins that `work_ns` takes on the allowed processors. */
static double find_work_share(const struct session *session, double work_ns)
{
    uint64_t allowed = session->process.cpu_count;
    double joins_ns = 0;

    for (size_t i = 0; i < session->waits.count; i++)
        if (is_for_thread(session_wait_at(session, i)))
            joins_ns += (double)session_wait_at(session, i)->waiting_ns;
    if (allowed != SESSION_UNKNOWN && allowed > 0)
        work_ns /= (double)allowed;
    return joins_ns > 0 ? fmin(1, work_ns / joins_ns) : 0;
}

/* Returns: the waiting of threads beside the main one, with that before their first record. */
static double sum_waiting(const struct session *session, uint32_t main_thread)
{
    double ns = session->losses.early_waits_ns;

    for (size_t i = 0; i < session->waits.count; i++)
        if (session_wait_at(session, i)->thread != main_thread)
            ns += (double)session_wait_at(session, i)->waiting_ns;
    return ns;
}

/* Find the lives of threads beside the main one.  The start of a thread that records little is not
 * known, but its processor time is part of the process's, and its waiting is summed up. */
static void find_lives(struct meeting *meeting, const struct session *session)
{
    uint32_t main_thread = wait_main_thread(session);
    double cpu_ns = meeting->time->cpu_ns, lives_ns = 0, count = 0;

    for (uint32_t i = 0; i < session->threads.count; i++) {
        const struct session_thread *thread = session_thread_at(session, i);

        if (i == main_thread) {
            cpu_ns -= thread->cpu_ns == SESSION_UNKNOWN ? 0 : (double)thread->cpu_ns;
            continue;
        }
        lives_ns += (double)(thread->last_ns - thread->first_ns);
        count++;
    }
    if (count > 0)
        meeting->life_ns = fmax(lives_ns, cpu_ns + sum_waiting(session, main_thread)) / count;
    meeting->work_share = find_work_share(session, fmax(0, cpu_ns - count * ends_ns));
}

/* Where other programs want the processors, each process takes longer. */
static double find_crowding(const struct session *session)
{
    double cpu_ns = 0, delay_ns = 0;

    for (uint32_t i = 0; i < session->threads.count; i++) {
        const struct session_thread *thread = session_thread_at(session, i);

        if (thread->cpu_ns == SESSION_UNKNOWN || thread->delay_ns == SESSION_UNKNOWN)
            continue;
        cpu_ns += (double)thread->cpu_ns;
        delay_ns += (double)thread->delay_ns;
    }
    return cpu_ns > 0 ? 1 + delay_ns / cpu_ns : 1;
}

/* A process or a thread that does little more than start and end. */
static bool is_of_short_ends(const struct meeting *meeting, const struct session_wait *wait)
{
    double mean_ns = wait->calls > 0 ? (double)wait->waiting_ns / (double)wait->calls : 0;

    if (wait->calls < least_ends)
        return false;
    if (is_for_thread(wait))
        return mean_ns < longest_join_ns && meeting->life_ns < longest_life_ns;
    return mean_ns < longest_end_ns * meeting->crowding;
}

/* The output of a process ends with it. */
static bool is_at_pipe(const struct session_wait *wait)
{
    return (wait->class == TRACE_WAIT_CLASS_IO || wait->class == TRACE_WAIT_CLASS_IDLE) &&
           wait->kind == TRACE_WAITED_PIPE;
}

/* Locks of CPython are semaphores. */
static bool is_at_lock(const struct session_wait *wait)
{
    return wait->class == TRACE_WAIT_CLASS_IDLE && wait->function &&
           strncmp(wait->function, "sem_", strlen("sem_")) == 0;
}

/* Waiting that a call causes by itself: for a file, for a connection, for a process that does next
 * to nothing.  Other waits are for the work of others. */
static bool is_own_wait(const struct meeting *meeting, const struct session_wait *wait)
{
    if (wait->class == TRACE_WAIT_CLASS_JOIN || is_at_pipe(wait))
        return is_of_short_ends(meeting, wait);
    return (wait->class == TRACE_WAIT_CLASS_IO && wait->kind == TRACE_WAITED_FILE) ||
           (wait->function && strcmp(wait->function, "connect") == 0);
}

static void look_up(struct places *places, uint32_t call)
{
    for (; call != 0; call = places_parent(places, call))
        places_look_up(places, call);
}

/* Returns: the cost of the function that waits; NULL. */
static const struct cost *find_of_wait(const struct meeting *meeting,
                                       const struct session_wait *wait, const struct place *line)
{
    const struct cost *cost = NULL;

    if (wait->function && line->function->is_python)
        cost = cost_catalog_find_native(meeting->catalog, wait->function, COST_PYTHON);
    if (wait->function && !cost)
        cost = cost_catalog_find_native(meeting->catalog, wait->function, COST_NATIVE);
    return cost;
}

/* A parent reads from a pipe that its child closes by exec(): however long this takes, it is the
 * start of the child. */
static bool is_of_waiter(const struct meeting *meeting, const struct cost *cost, uint32_t call)
{
    const struct places *places = meeting->time->places;

    for (; call != 0; call = places_parent(places, call)) {
        const struct call_places *of = places_known(places, call);

        for (size_t i = 0; of && i < of->count; i++)
            if (cost_catalog_is_waiter(cost, &of->places[i]))
                return true;
    }
    return false;
}

/* Ask whether the innermost function of Python is one of the cost's. */
static bool is_inside(struct meeting *meeting, const struct cost *cost, uint32_t call)
{
    const struct places *places = meeting->time->places;

    for (; call != 0; call = places_parent(places, call)) {
        const struct call_places *of = places_known(places, call);

        for (size_t i = 0; of && i < of->count; i++)
            if (of->places[i].function->is_python)
                return ask(meeting, &of->places[i])->costs[COST_PYTHON] == cost;
    }
    return false;
}

static bool is_wait_of(struct meeting *meeting, const struct cost *cost,
                       const struct session_wait *wait)
{
    if (!cost)
        return false;
    if (is_at_pipe(wait) && is_of_waiter(meeting, cost, wait->chain))
        return true;
    if (is_at_lock(wait))
        return cost->waits_for_locks && is_inside(meeting, cost, wait->chain);
    return is_own_wait(meeting, wait) && (cost->waits_for_others || !is_at_pipe(wait));
}

/* The chain of a wait begins with the caller of the function that waits. */
static void meet_wait(struct meeting *meeting, const struct session_wait *wait, bool is_main)
{
    const double ns =
        (double)wait->waiting_ns * (is_for_thread(wait) ? 1 - meeting->work_share : 1);
    struct met met = {
        .wait_ns = is_main ? ns : 0, .others_ns = is_main ? 0 : ns, .calls = wait->calls};

    look_up(meeting->time->places, wait->chain);
    meeting->is_at_lock = is_at_lock(wait);
    meet(meeting, &met, wait->chain);
    meeting->is_at_lock = false;
    if (!met.place.function)
        return;
    append(&met, find_of_wait(meeting, wait, &met.place));
    if (is_wait_of(meeting, met.candidates[0], wait))
        add(&meeting->met, &met);
}

static void find_waits(struct meeting *meeting, const struct session *session)
{
    uint32_t thread = wait_main_thread(session);

    find_lives(meeting, session);
    meeting->crowding = find_crowding(session);
    for (size_t i = 0; i < session->waits.count; i++) {
        const struct session_wait *wait = session_wait_at(session, i);

        if (wait->chain != SESSION_NONE &&
            (is_own_wait(meeting, wait) || is_at_pipe(wait) || is_at_lock(wait)))
            meet_wait(meeting, wait, wait->thread == thread);
    }
}

/* ---- blocks ------------------------------------------------------------------------------ */

/* Returns: the first candidate that asks for blocks; NULL. */
static const struct cost *find_asking(const struct met *met)
{
    for (size_t i = 0; i < MET_COSTS && met->candidates[i]; i++)
        if (asks_for_blocks(met->candidates[i]))
            return met->candidates[i];
    return NULL;
}

static bool are_blocks_asked(const struct array *all)
{
    const struct met *met = all->items;

    for (size_t i = 0; i < all->count; i++)
        if (find_asking(&met[i]))
            return true;
    return false;
}

static void meet_site(struct meeting *meeting, const struct session_site *site)
{
    struct met met = {.blocks = site->allocations,
                      .block_bytes = (double)site->allocated_bytes,
                      .largest_bytes = (double)site->max_size};
    const struct cost *cost;

    look_up(meeting->time->places, site->call);
    meet(meeting, &met, site->call);
    cost = find_asking(&met);
    if (!cost)
        return;
    if ((double)site->max_size >= cost->least_block_bytes) {
        met.large_bytes = (double)site->allocated_bytes;
        met.freed_bytes = (double)site->freed_bytes;
    }
    add(&meeting->met, &met);
}

/* Blocks tell how often a function was called that allocates, and how large its results are. */
static void find_blocks(struct meeting *meeting, const struct session *session)
{
    if (are_blocks_asked(&meeting->met))
        for (size_t i = 0; i < session->sites.count; i++)
            meet_site(meeting, session_site_at(session, i));
}

static void add_time(struct line_time *line, const struct met *met, const struct cost *asks)
{
    line->ns += met->ns;
    line->main_ns += met->main_ns;
    line->all_fault_ns += met->fault_ns;
    line->fault_ns += met->cost == asks ? 0 : met->fault_ns;
    line->fault_main_ns += met->cost == asks ? 0 : met->fault_main_ns;
}

struct line_time known_costs_function(const struct array *all, const struct met *of)
{
    const struct met *met = all->items;
    struct line_time function = {.is_function = true};

    for (size_t i = 0; i < all->count; i++)
        if (met[i].place.function == of->place.function)
            add_time(&function, &met[i], of->cost);
    return function;
}

struct line_time known_costs_line(const struct array *all, const struct met *of)
{
    const struct met *met = all->items;
    struct line_time line = {.ns = 0};

    for (size_t i = 0; i < all->count; i++)
        if (place_is_same_line(&met[i].place, &of->place))
            add_time(&line, &met[i], of->cost);
    return line;
}

/* ---- proofs ------------------------------------------------------------------------------ */

/* A candidate at a line, whatever is outside or inside of it. */
struct proof {
    struct met all;
    double sign_ns, self_ns; /* parts of its time */
};

static bool is_candidate(const struct met *met, const struct cost *cost)
{
    for (size_t i = 0; i < MET_COSTS; i++)
        if (met->candidates[i] == cost)
            return true;
    return false;
}

static struct proof sum_proof(const struct array *all, const struct cost *cost,
                              const struct place *line)
{
    const struct met *met = all->items;
    struct proof proof = {.all = {.place = *line}};

    for (size_t i = 0; i < all->count; i++) {
        if (!is_candidate(&met[i], cost) || !place_is_same_line(&met[i].place, line))
            continue;
        add_met(&proof.all, &met[i]);
        proof.sign_ns += (met[i].signs & cost->sign) != 0 ? met[i].ns : 0;
        proof.self_ns += met[i].self == cost ? met[i].ns : 0;
    }
    return proof;
}

static bool has_short_calls(const struct cost *cost, const struct met *met)
{
    return met->blocks >= least_blocks && met->ns <= cost->most_each_ns * (double)met->blocks;
}

/* Copies that grow have half the bytes of copies of the largest size. */
static bool has_many_blocks(const struct cost *cost, const struct met *met)
{
    return met->blocks == 0 || met->block_bytes >= cost->least_blocks * met->largest_bytes;
}

static bool is_large_process(const struct meeting *meeting, const struct cost *cost)
{
    uint64_t bytes = meeting->time->session->process.last.peak_rss_bytes;

    return bytes != SESSION_UNKNOWN && (double)bytes >= cost->least_resident_bytes;
}

/* Does the text of the line say that it does something else?  Without the text it does not. */
static bool is_meant_otherwise(struct meeting *meeting, const struct cost *cost,
                               const struct place *line)
{
    struct text text;
    bool is = false;

    if (cost->never_line.count == 0 || !line->file)
        return false;
    text_init(&text);
    source_text_append(&meeting->source, &text, line->file, line->line);
    for (size_t i = 0; text.size > 0 && i < cost->never_line.count; i++)
        is = is || wildcard_matches(*(const char **)array_at(&cost->never_line, i), text.bytes);
    text_fini(&text);
    return is;
}

/* Is it what the paragraph asks for, beside the names of functions? */
static bool is_proven(struct meeting *meeting, const struct array *all, const struct cost *cost,
                      const struct place *line)
{
    const struct proof proof = sum_proof(all, cost, line);
    const struct met *met = &proof.all;

    if (met->ns < cost->least_ns || met->ns < cost->least_part * known_costs_line(all, met).ns ||
        proof.self_ns < cost->least_self * met->ns)
        return false;
    if (cost->signs.count > 0 &&
        !(proof.sign_ns > 0 && proof.sign_ns >= cost->least_sign * met->ns))
        return false;
    if (cost->most_each_ns > 0 && !has_short_calls(cost, met))
        return false;
    if (cost->least_blocks > 0 && !has_many_blocks(cost, met))
        return false;
    if (cost->least_resident_bytes > 0 && !is_large_process(meeting, cost))
        return false;
    if ((double)meeting->time->session->threads.count < cost->least_threads ||
        is_meant_otherwise(meeting, cost, line))
        return false;
    return !(cost->least_block_bytes > 0) ||
           (met->large_bytes > 0 && met->freed_bytes >= mostly_freed * met->large_bytes);
}

/* A cost without its proof makes room for another of the same functions, or for those of the
 * functions inside. */
static const struct cost *find_proven(struct meeting *meeting, const struct array *all,
                                      const struct met *met)
{
    for (size_t i = 0; i < MET_COSTS && met->candidates[i]; i++) {
        const struct cost *cost = met->candidates[i];

        for (; cost; cost = cost->other)
            if (is_last(cost) || is_proven(meeting, all, cost, &met->place))
                return cost;
    }
    return NULL;
}

static void settle(struct meeting *meeting)
{
    const struct array all = meeting->met;
    const struct met *met = all.items;

    array_init(&meeting->met, sizeof(struct met));
    for (size_t i = 0; i < all.count; i++) {
        struct met settled = {.cost = find_proven(meeting, &all, &met[i]), .place = met[i].place};

        add_met(&settled, &met[i]);
        add(&meeting->met, &settled);
    }
}

void known_costs_meet(struct meeting *meeting, const struct cpu_time *time)
{
    array_init(&meeting->asked, sizeof(struct asked));
    array_init(&meeting->met, sizeof(struct met));
    source_text_init(&meeting->source, time->session);
    find_all(meeting, time);
    find_waits(meeting, time->session);
    find_blocks(meeting, time->session);
    settle(meeting);
}
