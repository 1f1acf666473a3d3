/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chains with frames of Python code.
 *
 *     the machine's, innermost first     Python's          joined
 *     dot_product (numpy)                                  dot_product
 *     PyObject_Call (python3.11)                           step          train.py:12
 *     _PyEval_EvalFrameDefault           step              epoch         train.py:30
 *                                        epoch, entry      sort_rows (another library)
 *     sort_rows (another library)                          <module>      train.py:44
 *     _PyEval_EvalFrameDefault           <module>, entry   __libc_start_main
 *     Py_BytesMain (python3.11)
 *     __libc_start_main
 *
 * One call of the interpreter's loop runs the frames up to one for which the loop was called.
 * Where the loops are not as many as such frames, all frames of Python code stand where the
 * innermost loop is: their order holds, and what lies between them is not known.  The other
 * frames of the interpreter's file are its own ways, and left out; of a program that has a Python
 * within, the loop alone is.  A chain that could not be unwound to its end goes on with Python's.
 *
 * Decision: doc/decisions/python-frames.
 */
#include "model/chains_parts.h"

#include <string.h>

#include "base/text.h"
#include "model/python.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_kernels.h"
#include "model/session_unknown.h"

/* On chains of Python's frames alone: the loop was called for it. */
#define ENTRY (UINT64_C(1) << 63)

/* Calls, innermost first, up to what stands for the outer ones. */
struct way {
    uint32_t calls[CHAINS_JOINED_MAX];
    uint32_t count;
    uint32_t root;
};

struct joining {
    struct chains *chains;
    struct way native;
    struct way python;
    struct way joined;  /* the calls that it is made of */
    uint32_t next;      /* of Python's frames */
    bool goes_by_loops; /* there are as many loops as entries */
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
    const char *name;

    for (uint32_t i = 0; session->python.is_there && i < session->modules.count; i++)
        if (module[i].fact.id == session->python.fact.module)
            chains->python_module = chains->first_loads[i];
    if (chains->python_module == SESSION_NONE)
        return;
    name = text_base_name(module[chains->python_module].path);
    chains->is_python_whole = strncmp(name, "python", strlen("python")) == 0 ||
                              strncmp(name, "libpython", strlen("libpython")) == 0;
}

static bool is_loop(const struct chains *chains, uint32_t call)
{
    const struct session_python *python = &chains->session->python;
    const struct session_call *of = call_at(chains, call);

    return of->module != SESSION_NONE && of->module == chains->python_module &&
           of->address >= python->fact.loop_start && of->address < python->fact.loop_end;
}

/* Python's own program or library has nothing else. */
static bool is_interpreter(const struct chains *chains, uint32_t call)
{
    uint32_t module = call_at(chains, call)->module;

    return is_loop(chains, call) ||
           (chains->is_python_whole && module != SESSION_NONE && module == chains->python_module);
}

static bool is_entry(const struct chains *chains, uint32_t call)
{
    return (call_at(chains, call)->address & ENTRY) != 0;
}

static bool are_as_many(const struct joining *joining)
{
    const struct chains *chains = joining->chains;
    uint32_t loops = 0, entries = 0;

    for (uint32_t i = 0; i < joining->native.count; i++)
        loops += is_loop(chains, joining->native.calls[i]);
    for (uint32_t i = 0; i < joining->python.count; i++)
        entries += is_entry(chains, joining->python.calls[i]);
    return loops == entries || call_at(chains, joining->native.root)->kind != SESSION_CALL_ROOT ||
           call_at(chains, joining->python.root)->kind != SESSION_CALL_ROOT;
}

static void add(struct joining *joining, uint32_t call)
{
    if (joining->joined.count < CHAINS_JOINED_MAX)
        joining->joined.calls[joining->joined.count++] = call;
}

/* Add the frames of one call of the loop, or all of them. */
static void add_loop(struct joining *joining)
{
    bool is_end = false;

    while (joining->next < joining->python.count && !is_end) {
        uint32_t call = joining->python.calls[joining->next++];

        add(joining, call);
        is_end = joining->goes_by_loops && is_entry(joining->chains, call);
    }
}

/* Where one chain is not known to its end, the other's end counts. */
static void fill(struct joining *joining)
{
    const struct chains *chains = joining->chains;
    bool is_python_cut = call_at(chains, joining->python.root)->kind != SESSION_CALL_ROOT;
    bool is_native_cut = call_at(chains, joining->native.root)->kind != SESSION_CALL_ROOT;

    for (uint32_t i = 0; i < joining->native.count; i++) {
        uint32_t call = joining->native.calls[i];

        if (is_python_cut && joining->next == joining->python.count)
            break;
        if (is_loop(chains, call))
            add_loop(joining);
        else if (!is_interpreter(chains, call))
            add(joining, call);
    }
    joining->goes_by_loops = false;
    add_loop(joining);
    joining->joined.root =
        is_python_cut || is_native_cut ? joining->python.root : joining->native.root;
}

static enum status make(struct joining *joining, uint32_t *index)
{
    enum status status = STATUS_OK;

    *index = joining->joined.root;
    for (uint32_t i = joining->joined.count; i-- > 0 && !status;) {
        const struct session_call *of = call_at(joining->chains, joining->joined.calls[i]);
        const struct session_call like = {.kind = SESSION_CALL_PLAIN,
                                          .address = of->address & ~ENTRY,
                                          .parent = *index,
                                          .module = of->module};

        status = chains_merge(joining->chains, &like, index);
    }
    return status;
}

enum status chains_add_python(struct chains *chains, const struct trace_call *raw,
                              uint32_t parent, uint32_t *index)
{
    const struct session_call like = {
        .kind = SESSION_CALL_PLAIN,
        .address = (raw->address & (PYTHON_CALL - 1)) | PYTHON_CALL |
                   (raw->flags & TRACE_CALL_ENTRY ? ENTRY : 0),
        .parent = parent,
        .module = SESSION_NONE,
    };

    if (call_at(chains, parent)->depth < CHAINS_PYTHON_MAX + 1)
        return chains_merge(chains, &like, index);
    chains->bad_calls++;
    return chains_find_stand_in(chains, TRACE_CHAIN_LOST, index);
}

enum status chains_join_python(struct chains *chains, uint32_t native, uint32_t python,
                               uint32_t *index)
{
    struct joining joining = {.chains = chains};

    gather(chains, native, &joining.native);
    gather(chains, python, &joining.python);
    joining.goes_by_loops = are_as_many(&joining);
    fill(&joining);
    return make(&joining, index);
}
