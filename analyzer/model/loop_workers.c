/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Samples of the workers of parallel loops.
 *
 * The parts of a loop run at the same time in all threads.  So the thread that started the loop is
 * sampled in it, too, unless the loop is very short.
 */
#include "model/loop_workers.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/wildcard.h"
#include "model/chains_parts.h"
#include "model/sample_split.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_kernels.h"
#include "model/session_unknown.h"

enum { NEAR_NS = 20000000 }; /* five ticks of a thread */

/* The role of a module on a chain. */
enum part { PART_OTHER, PART_RUNTIME, PART_STARTER };

/* The loop of a chain: the innermost function that the runtime called. */
struct loop {
    uint32_t body;   /* the call of the loop's body; 0: there is none */
    uint32_t around; /* the runtime's call that called it */
    bool is_worker;  /* only functions that start threads are around the runtime */
    uint32_t module; /* module of the function, and its start in the module */
    uint64_t start;
};

/* A tick of a thread that began a loop. */
struct begun {
    uint32_t module;
    uint64_t start;
    uint64_t time_ns;
    uint32_t sample;
};

struct credit {
    struct chains *chains;
    struct session *session;
    unsigned char *parts; /* enum part, by module */
    struct loop *loops;   /* loops by sample */
    struct array begun;   /* of struct begun, by function and time */
    uint32_t *keys;       /* by tick: the sample of the thread that started the loop */
};

static enum part part_of(const char *path)
{
    static const char *const runtimes[] = {"^libgomp", "^libomp", "^libiomp"};
    static const char *const starters[] = {"^libc.so", "^libc-", "^libpthread", "^ld-"};
    const char *name = text_base_name(path);

    for (size_t i = 0; i < sizeof runtimes / sizeof *runtimes; i++)
        if (wildcard_matches(runtimes[i], name))
            return PART_RUNTIME;
    for (size_t i = 0; i < sizeof starters / sizeof *starters; i++)
        if (wildcard_matches(starters[i], name))
            return PART_STARTER;
    return PART_OTHER;
}

/* Returns: whether there is a runtime. */
static bool find_parts(struct credit *credit)
{
    const struct session_module *module = credit->session->modules.items;
    bool is_found = false;

    for (size_t i = 0; i < credit->session->modules.count; i++) {
        credit->parts[i] = (unsigned char)part_of(module[i].path);
        is_found |= credit->parts[i] == PART_RUNTIME;
    }
    return is_found;
}

/* The shim's own frames are at the start of a thread. */
static enum part part_at(const struct credit *credit, uint32_t call)
{
    const struct session_call *of = session_call_at(credit->session, call);

    if (of->is_shim && of->binding == SESSION_NONE)
        return PART_STARTER;
    return of->module == SESSION_NONE ? PART_OTHER : (enum part)credit->parts[of->module];
}

static uint32_t parent_of(const struct credit *credit, uint32_t call)
{
    return session_call_at(credit->session, call)->parent;
}

static bool is_worker(const struct credit *credit, uint32_t around)
{
    while (around != 0 && part_at(credit, around) != PART_OTHER)
        around = parent_of(credit, around);
    return around == 0;
}

static void find_function(const struct session *session, struct loop *loop)
{
    const struct symbols_frame *frames = NULL;
    size_t count = 0;

    session_find_frames(session, loop->body, &frames, &count);
    loop->module = session_call_at(session, loop->body)->module;
    loop->start = count > 0 ? frames[count - 1].start : 0;
    if (loop->start == 0)
        loop->body = 0;
}

static void find_loop(const struct credit *credit, uint32_t call, struct loop *loop)
{
    for (; call != 0; call = parent_of(credit, call)) {
        uint32_t around = parent_of(credit, call);

        if (part_at(credit, call) != PART_OTHER || around == 0 ||
            part_at(credit, around) != PART_RUNTIME)
            continue;
        *loop = (struct loop){call, around, is_worker(credit, around), SESSION_NONE, 0};
        if (session_call_at(credit->session, call)->module == SESSION_NONE)
            break;
        find_function(credit->session, loop);
        return;
    }
    *loop = (struct loop){0};
}

static void find_loops(struct credit *credit)
{
    for (size_t i = 0; i < credit->session->samples.count; i++)
        find_loop(credit, session_sample_at(credit->session, i)->call, &credit->loops[i]);
}

static int compare_begun(const void *left, const void *right)
{
    const struct begun *a = left, *b = right;

    if (a->module != b->module)
        return a->module < b->module ? -1 : 1;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->time_ns > b->time_ns) - (a->time_ns < b->time_ns);
}

static void gather_begun(struct credit *credit)
{
    const struct session_tick *tick = credit->session->ticks.items;

    for (size_t i = 0; i < credit->session->ticks.count; i++) {
        const struct loop *loop = &credit->loops[tick[i].sample];
        struct begun *begun;

        if (loop->body == 0 || loop->is_worker)
            continue;
        begun = array_add(&credit->begun);
        *begun = (struct begun){loop->module, loop->start, tick[i].time_ns, tick[i].sample};
    }
    if (credit->begun.count > 0)
        qsort(credit->begun.items, credit->begun.count, sizeof(struct begun), compare_begun);
}

static bool is_function(const struct begun *begun, const struct loop *loop)
{
    return begun && begun->module == loop->module && begun->start == loop->start;
}

static uint64_t distance(const struct begun *begun, uint64_t time_ns)
{
    if (!begun)
        return UINT64_MAX;
    return begun->time_ns > time_ns ? begun->time_ns - time_ns : time_ns - begun->time_ns;
}

/* Returns: the sample of the thread that started the loop of a tick; SESSION_NONE: unknown. */
static uint32_t find_beginner(const struct credit *credit, const struct session_tick *tick)
{
    const struct loop *loop = &credit->loops[tick->sample];
    const struct begun key = {loop->module, loop->start, tick->time_ns, 0};
    const struct begun *all = credit->begun.items, *before, *after, *near;
    size_t at;

    if (loop->body == 0 || !loop->is_worker ||
        session_sample_at(credit->session, tick->sample)->slot != SESSION_NONE)
        return SESSION_NONE;
    at = array_first_from(&credit->begun, &key, compare_begun);
    before = at > 0 && is_function(&all[at - 1], loop) ? &all[at - 1] : NULL;
    after = at < credit->begun.count && is_function(&all[at], loop) ? &all[at] : NULL;
    near = distance(before, tick->time_ns) <= distance(after, tick->time_ns) ? before : after;
    if (!near)
        return SESSION_NONE;
    if (distance(near, tick->time_ns) <= NEAR_NS)
        return near->sample;
    if (before && after &&
        credit->loops[before->sample].around != credit->loops[after->sample].around)
        return SESSION_NONE;
    return near->sample;
}

/* Put the calls from the loop's function inwards below another call. */
static void move_chain(const struct credit *credit, uint32_t body, uint32_t around, uint32_t *call)
{
    uint32_t inner[CHAINS_JOINED_MAX];
    size_t count = 0;

    for (uint32_t at = *call;; at = parent_of(credit, at)) {
        if (count == CHAINS_JOINED_MAX)
            return;
        inner[count++] = at;
        if (at == body)
            break;
    }
    while (count > 0) {
        struct session_call like = *session_call_at(credit->session, inner[--count]);

        like.parent = around;
        chains_merge(credit->chains, &like, &around);
    }
    *call = around;
}

/* Inside a kernel the time of the workers is not moved: the kernel's own clock has it. */
static void give(void *of, struct session_sample *sample, uint32_t key)
{
    const struct credit *credit = of;
    const struct session_sample *beginner = session_sample_at(credit->session, key);
    uint32_t around = credit->loops[key].around;
    struct loop loop = {0};

    find_loop(credit, sample->call, &loop);
    if (loop.body == 0 || session_call_at(credit->session, around)->kernel != SESSION_NONE)
        return;
    sample->region = beginner->region;
    sample->op = sample->other_op != 0 ? sample->other_op : beginner->op;
    move_chain(credit, loop.body, around, &sample->call);
}

/* One of the samples with the same call around the loop represents all of them. */
static void unite_keys(struct credit *credit)
{
    uint32_t *first = memory_get_zeros(credit->session->calls.count, sizeof *first);

    for (size_t i = 0; i < credit->session->ticks.count; i++) {
        uint32_t *of = credit->keys[i] == SESSION_NONE
                           ? NULL
                           : &first[credit->loops[credit->keys[i]].around];

        if (of && *of == 0)
            *of = credit->keys[i] + 1;
        if (of)
            credit->keys[i] = *of - 1;
    }
    free(first);
}

static void fill(struct credit *credit)
{
    const struct session *session = credit->session;
    const struct session_tick *tick = session->ticks.items;

    credit->loops = memory_get_zeros(session->samples.count + 1, sizeof *credit->loops);
    credit->keys = memory_get_zeros(session->ticks.count + 1, sizeof *credit->keys);
    find_loops(credit);
    gather_begun(credit);
    if (credit->begun.count == 0)
        return;
    for (size_t i = 0; i < session->ticks.count; i++)
        credit->keys[i] = find_beginner(credit, &tick[i]);
    unite_keys(credit);
    sample_split(credit->session, credit->keys, give, credit);
}

void loop_workers_credit(struct chains *chains)
{
    struct credit credit = {.chains = chains, .session = chains->session};

    array_init(&credit.begun, sizeof(struct begun));
    credit.parts = memory_get_zeros(chains->session->modules.count + 1, 1);
    if (credit.parts)
        if (find_parts(&credit))
            fill(&credit);
    array_fini(&credit.begun);
    free(credit.parts);
    free(credit.loops);
    free(credit.keys);
}
