/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chains with frames of Python code, joined as in model/python_join.h.  In a program that contains
 * a Python, only the loop is left out.
 */
#include "base/memory.h"
#include "model/chains_parts.h"

#include <stdlib.h>

#include "base/text.h"
#include "model/python.h"
#include "model/python_join.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_kernels.h"
#include "model/session_unknown.h"

/* A chain of only Python frames: the loop was called for it. */
#define ENTRY (UINT64_C(1) << 63)

/* Calls, innermost first, up to the call that represents the outer ones. */
struct way {
    uint32_t calls[CHAINS_JOINED_MAX];
    uint32_t count;
    uint32_t root;
};

struct joining {
    struct chains *chains;
    struct way native;
    struct way python;
    struct python_joined joined[CHAINS_JOINED_MAX];
};

static const struct session_call *call_at(const struct chains *chains, uint32_t index)
{
    return session_call_at(chains->session, index);
}

static void gather(const struct chains *chains, uint32_t call, struct way *way)
{
    way->count = 0;
    for (; call_at(chains, call)->kind == SESSION_CALL_PLAIN && way->count < CHAINS_JOINED_MAX;
         call = call_at(chains, call)->parent)
        way->calls[way->count++] = call;
    way->root = call;
}

void chains_find_python(struct chains *chains)
{
    const struct session *session = chains->session;
    const struct session_module *module = session->modules.items;

    for (uint32_t i = 0; session->python.is_there && i < session->modules.count; i++)
        if (module[i].fact.id == session->python.fact.module)
            chains->python_module = chains->first_loads[i];
    if (chains->python_module == SESSION_NONE)
        return;
    chains->is_python_whole =
        python_is_own_file(text_base_name(module[chains->python_module].path));
}

static bool is_loop(const struct chains *chains, uint32_t call)
{
    const struct session_python *python = &chains->session->python;
    const struct session_call *of = call_at(chains, call);

    if (of->module == SESSION_NONE || of->module != chains->python_module)
        return false;
    return (of->address >= python->fact.loop_start && of->address < python->fact.loop_end) ||
           (of->address >= python->fact.rest_start && of->address < python->fact.rest_end);
}

/* Python's own program or library has nothing else. */
static bool is_interpreter(const struct chains *chains, uint32_t call)
{
    uint32_t module = call_at(chains, call)->module;

    return is_loop(chains, call) ||
           (chains->is_python_whole && module != SESSION_NONE && module == chains->python_module);
}

static enum python_join_kind kind_of(const void *of, uint32_t native)
{
    const struct joining *joining = of;
    uint32_t call = joining->native.calls[native];

    if (is_loop(joining->chains, call))
        return PYTHON_JOIN_LOOP;
    return is_interpreter(joining->chains, call) ? PYTHON_JOIN_INTERPRETER : PYTHON_JOIN_OTHER;
}

static bool is_entry(const void *of, uint32_t python)
{
    const struct joining *joining = of;

    return (call_at(joining->chains, joining->python.calls[python])->address & ENTRY) != 0;
}

static bool is_whole(const struct chains *chains, const struct way *way)
{
    return call_at(chains, way->root)->kind == SESSION_CALL_ROOT;
}

static void make(const struct joining *joining, const struct python_join *join, uint32_t *index)
{
    const struct way *native = &joining->native, *python = &joining->python;

    *index = join->is_native_whole && join->is_python_whole ? native->root : python->root;
    for (uint32_t i = join->count; i-- > 0;) {
        const struct python_joined *joined = &join->joined[i];
        uint32_t call = (joined->is_python ? python : native)->calls[joined->index];
        const struct session_call *of = call_at(joining->chains, call);
        const struct session_call like = {.kind = SESSION_CALL_PLAIN,
                                          .address = of->address & ~ENTRY,
                                          .parent = *index,
                                          .module = of->module};

        chains_merge(joining->chains, &like, index);
    }
}

void chains_add_python(struct chains *chains, const struct trace_call *raw, uint32_t parent,
                       uint32_t *index)
{
    const struct session_call like = {
        .kind = SESSION_CALL_PLAIN,
        .address = (raw->address & (PYTHON_CALL - 1)) | PYTHON_CALL |
                   (raw->flags & TRACE_CALL_ENTRY ? ENTRY : 0),
        .parent = parent,
        .module = SESSION_NONE,
    };

    if (call_at(chains, parent)->depth < CHAINS_PYTHON_MAX + 1) {
        chains_merge(chains, &like, index);
        return;
    }
    chains->bad_calls++;
    chains_find_stand_in(chains, TRACE_CHAIN_LOST, index);
}

static void join(struct chains *chains, uint32_t native, uint32_t python, uint32_t *index)
{
    struct joining joining;

    joining.chains = chains;
    gather(chains, native, &joining.native);
    gather(chains, python, &joining.python);
    struct python_join join = {
        .kind_of = kind_of,
        .is_entry = is_entry,
        .of = &joining,
        .native_count = joining.native.count,
        .python_count = joining.python.count,
        .is_native_whole = is_whole(chains, &joining.native),
        .is_python_whole = is_whole(chains, &joining.python),
        .joined = joining.joined,
        .room = CHAINS_JOINED_MAX,
    };
    python_join(&join);
    make(&joining, &join, index);
}

/* ---- chains that share the way to the interpreter --------------------------------------- */

/* Returns: the innermost call of the interpreter, or the last call; the calls before it stay
 * unchanged. */
static uint32_t find_inner(const struct chains *chains, uint32_t native, struct way *front)
{
    front->count = 0;
    for (; call_at(chains, native)->kind == SESSION_CALL_PLAIN && !is_interpreter(chains, native);
         native = call_at(chains, native)->parent)
        front->calls[front->count++] = native;
    return native;
}

/* Chains that are cut short are joined without sharing. */
static bool is_shared(const struct chains *chains, uint32_t native, uint32_t python)
{
    return call_at(chains, python)->kind == SESSION_CALL_PLAIN &&
           call_at(chains, native)->depth + call_at(chains, python)->depth < CHAINS_JOINED_MAX;
}

static struct chains_joined *find_joined(struct chains *chains, uint32_t native, uint32_t python)
{
    uint64_t hash = (uint64_t)native * UINT64_C(0x9e3779b97f4a7c15) ^
                    (uint64_t)python * UINT64_C(0xbf58476d1ce4e5b9);

    return &chains->joined[(hash >> 32) % CHAINS_JOINED_KEPT];
}

static void join_inner(struct chains *chains, uint32_t native, uint32_t python, uint32_t *index)
{
    struct chains_joined *kept = find_joined(chains, native, python);

    *index = kept->index;
    if (kept->python == python && kept->native == native)
        return;
    join(chains, native, python, index);
    *kept = (struct chains_joined){native, python, *index};
}

/* Most chains differ only inside the interpreter's calls: the rest is joined once.  The trace of a
 * training of PyTorch (102 MiB) is read in 2.0 s instead of 3.1 s of processor time. */
void chains_join_python(struct chains *chains, uint32_t native, uint32_t python, uint32_t *index)
{
    struct way front;

    if (!is_shared(chains, native, python)) {
        join(chains, native, python, index);
        return;
    }
    if (!chains->joined)
        chains->joined = memory_get_zeros(CHAINS_JOINED_KEPT, sizeof *chains->joined);
    join_inner(chains, find_inner(chains, native, &front), python, index);
    while (front.count > 0) {
        const struct session_call *of = call_at(chains, front.calls[--front.count]);
        const struct session_call like = {.kind = SESSION_CALL_PLAIN,
                                          .address = of->address & ~ENTRY,
                                          .parent = *index,
                                          .module = of->module};

        chains_merge(chains, &like, index);
    }
}
