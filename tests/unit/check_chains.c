/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of call chains and sites, from the chunks of a trace to
 * the session's tree of calls.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_heap.h"
#include "model/session_open.h"
#include "model/session_unknown.h"
#include "suite.h"
#include "trace_builder.h"

enum {
    CHUNK_SIZE = 4096,
    START = 1000,
    PROGRAM = 0x400000, /* addresses of a module each */
    PLUGIN = 0x500000,
    SHIM = 0x600000,
    WRAPPER = SHIM + 0x1000, /* of binding 0; the next is of binding 1 */
    WRAPPER_STRIDE = 0x340
};

/* ---- traces ------------------------------------------------------------ */

/* Each is another file. */
static void add_module(struct trace_builder *builder, uint32_t id, uint32_t epoch, uint64_t start)
{
    char path[] = "/lib/x0.so";

    const struct trace_module module = {
        .id = id, .epoch = epoch, .start = start, .end = start + 0x10000};

    path[6] = (char)('0' + id);
    trace_builder_fact(builder, TRACE_FACT_MODULE, &module, sizeof module, path, strlen(path));
}

static void add_gone(struct trace_builder *builder, uint32_t module, uint32_t epoch)
{
    const struct trace_gone gone = {module, epoch};

    trace_builder_fact(builder, TRACE_FACT_GONE, &gone, sizeof gone, "", 0);
}

static void add_binding(struct trace_builder *builder, uint32_t id, uint64_t wrapper)
{
    const struct trace_binding binding = {id, UINT32_MAX, PROGRAM, wrapper};

    trace_builder_fact(builder, TRACE_FACT_BINDING, &binding, sizeof binding, "dgemm_", 6);
}

/* Modules 0 to 4: the program, a plugin unloaded in epoch 3, the shim, one that replaces the
 * plugin, and one that replaces that one. */
static void init(struct trace_builder *builder)
{
    trace_builder_init(builder);
    trace_builder_chunk(builder, TRACE_FACTS, 0, 0, CHUNK_SIZE, START);
    add_module(builder, 1, 1, PROGRAM);
    add_module(builder, 2, 1, PLUGIN);
    add_module(builder, 3, 1, SHIM);
    add_module(builder, 4, 3, PLUGIN);
    add_module(builder, 5, 7, PLUGIN);
    add_gone(builder, 2, 3);
    add_gone(builder, 4, 5);
    add_binding(builder, 8, WRAPPER + WRAPPER_STRIDE);
    add_binding(builder, 7, WRAPPER);
}

static void open_stacks(struct trace_builder *builder, uint32_t lane, uint32_t sequence)
{
    trace_builder_chunk(builder, TRACE_STACKS, lane, sequence, TRACE_STACK_CHUNK_SIZE, START);
}

static uint32_t add_root(struct trace_builder *builder, uint64_t epoch, enum trace_chain_end end)
{
    const struct trace_call call = {epoch, 0, end};

    return trace_builder_stack(builder, &call);
}

static uint32_t add_call(struct trace_builder *builder, uint32_t parent, uint64_t address)
{
    const struct trace_call call = {address, parent, 0};

    return trace_builder_stack(builder, &call);
}

/* Opens a chunk of events with a block for each of the chains. */
static void add_blocks(struct trace_builder *builder, uint32_t lane, const uint32_t *chains,
                       size_t count)
{
    trace_builder_chunk(builder, TRACE_EVENTS, lane, 0, CHUNK_SIZE, START);
    for (size_t i = 0; i < count; i++) {
        const struct trace_builder_block block = {(lane * 1000 + i + 1) * 4096, 10 + i, chains[i]};

        trace_builder_chained(builder, TRACE_EVENT_MALLOC, START + 16 * (i + 1), &block);
    }
}

static void add_sample(struct trace_builder *builder, uint64_t ticks, uint32_t chain)
{
    const struct trace_builder_sample sample = {.chain = chain};

    trace_builder_sample(builder, ticks, 1, &sample);
}

static void open_as(struct trace_builder *builder, struct session *session,
                    const struct session_options *options)
{
    char path[BUILDER_PATH_SIZE];
    struct diagnostic diagnostic = {.text = ""};

    trace_builder_write(builder, builder->size, path);
    enum status status = session_open(session, path, options, &diagnostic);
    unlink(path);
    trace_builder_fini(builder);
    ck_assert_msg(!status, "%s", diagnostic.text);
}

static void open_built(struct trace_builder *builder, struct session *session)
{
    const struct session_options options = session_defaults();

    open_as(builder, session, &options);
}

static const struct session_call *call_at(const struct session *session, uint32_t index)
{
    ck_assert_uint_lt(index, session->calls.count);
    return array_at(&session->calls, index);
}

static const struct session_site *site_at(const struct session *session, uint32_t index)
{
    ck_assert_uint_lt(index, session->sites.count);
    return array_at(&session->sites, index);
}

/* Returns: the call of a site. */
static const struct session_call *call_of(const struct session *session, uint32_t site)
{
    return call_at(session, site_at(session, site)->call);
}

/* ---- one lane ---------------------------------------------------------- */

START_TEST(chains_are_a_tree_whose_calls_are_inside_the_calling_instruction)
{
    struct trace_builder builder;
    struct session session;
    uint32_t chain[2];

    init(&builder);
    open_stacks(&builder, 1, 0);
    uint32_t outer = add_call(&builder, add_root(&builder, 1, TRACE_CHAIN_WHOLE), PROGRAM + 0x10);
    chain[0] = add_call(&builder, outer, PLUGIN + 0x20);
    chain[1] = add_call(&builder, outer, 0x999);
    add_blocks(&builder, 1, chain, 2);
    open_built(&builder, &session);
    ck_assert(session.heap.has_chains);
    ck_assert_uint_eq(session.calls.count, 4);
    const struct session_call *root = call_at(&session, 0);
    ck_assert_int_eq(root->kind, SESSION_CALL_ROOT);
    ck_assert_uint_eq(root->depth, 0);
    const struct session_call *inner = call_of(&session, 0);
    ck_assert_int_eq(inner->kind, SESSION_CALL_PLAIN);
    ck_assert_uint_eq(inner->address, PLUGIN + 0x1f);
    ck_assert_uint_eq(inner->module, 1);
    ck_assert_uint_eq(inner->depth, 2);
    ck_assert_uint_eq(inner->binding, SESSION_NONE);
    ck_assert_uint_eq(call_at(&session, inner->parent)->address, PROGRAM + 0xf);
    ck_assert_uint_eq(call_at(&session, inner->parent)->parent, 0);
    ck_assert_uint_eq(call_of(&session, 1)->module, SESSION_NONE);
    session_close(&session);
}
END_TEST

START_TEST(chains_keep_the_address_where_a_signal_came)
{
    struct trace_builder builder;
    struct session session;

    init(&builder);
    open_stacks(&builder, 1, 0);
    const struct trace_call exact = {PROGRAM, add_root(&builder, 1, TRACE_CHAIN_WHOLE),
                                     TRACE_CALL_EXACT};
    uint32_t chain = trace_builder_stack(&builder, &exact);
    add_blocks(&builder, 1, &chain, 1);
    open_built(&builder, &session);
    ck_assert_uint_eq(call_of(&session, 0)->address, PROGRAM);
    ck_assert_uint_eq(call_of(&session, 0)->module, 0);
    session_close(&session);
}
END_TEST

/* A call that never returns is the last of its function, or module. */
START_TEST(chains_find_the_module_of_a_call_at_its_very_end)
{
    struct trace_builder builder;
    struct session session;
    uint32_t chain;

    init(&builder);
    open_stacks(&builder, 1, 0);
    chain = add_call(&builder, add_root(&builder, 1, TRACE_CHAIN_WHOLE), PROGRAM + 0x10000);
    add_blocks(&builder, 1, &chain, 1);
    open_built(&builder, &session);
    ck_assert_uint_eq(call_of(&session, 0)->module, 0);
    session_close(&session);
}
END_TEST

/* The module of an address in the plugin's place, by epoch. */
static const struct {
    uint64_t epoch;
    uint32_t module;
} epoch_cases[] = {{1, 1}, {2, 1}, {3, 3}, {4, 3}, {5, 4}, {6, 4}, {7, 4}, {UINT64_MAX, 4}};

START_TEST(chains_find_the_module_that_came_first_and_was_not_gone)
{
    struct trace_builder builder;
    struct session session;
    uint32_t chain;

    init(&builder);
    open_stacks(&builder, 1, 0);
    uint32_t root = add_root(&builder, epoch_cases[_i].epoch, TRACE_CHAIN_WHOLE);
    chain = add_call(&builder, root, PLUGIN + 0x20);
    add_blocks(&builder, 1, &chain, 1);
    open_built(&builder, &session);
    ck_assert_uint_eq(call_of(&session, 0)->module, epoch_cases[_i].module);
    session_close(&session);
}
END_TEST

/* ---- merging ----------------------------------------------------------- */

START_TEST(chains_of_several_lanes_and_epochs_merge_where_they_are_alike)
{
    struct trace_builder builder;
    struct session session;

    init(&builder);
    for (uint32_t lane = 1; lane <= 2; lane++) {
        uint32_t chain[2];

        open_stacks(&builder, lane, 0);
        if (lane == 2)
            add_call(&builder, add_root(&builder, 1, TRACE_CHAIN_WHOLE), 0x777);
        for (uint32_t epoch = 1; epoch <= 2; epoch++) {
            uint32_t root = add_root(&builder, epoch, TRACE_CHAIN_WHOLE);

            chain[epoch - 1] =
                add_call(&builder, add_call(&builder, root, PROGRAM + 0x10), PROGRAM + 0x20);
        }
        add_blocks(&builder, lane, chain, 2);
    }
    open_built(&builder, &session);
    ck_assert_uint_eq(session.calls_read, 4);
    ck_assert_uint_eq(session.calls.count, 3);
    ck_assert_uint_eq(session.sites.count, 1);
    ck_assert_uint_eq(site_at(&session, 0)->allocations, 4);
    ck_assert_uint_eq(site_at(&session, 0)->allocated_bytes, 2 * (10 + 11));
    session_close(&session);
}
END_TEST

START_TEST(chains_differ_when_another_library_came_to_the_same_place)
{
    struct trace_builder builder;
    struct session session;
    uint32_t chain[2];

    init(&builder);
    open_stacks(&builder, 1, 0);
    for (uint32_t i = 0; i < 2; i++)
        chain[i] = add_call(&builder, add_root(&builder, 1 + 2 * i, TRACE_CHAIN_WHOLE), PLUGIN + 8);
    add_blocks(&builder, 1, chain, 2);
    open_built(&builder, &session);
    ck_assert_uint_eq(session.sites.count, 2);
    session_close(&session);
}
END_TEST

static const struct {
    enum trace_chain_end end;
    enum session_call_kind kind;
} end_cases[] = {{TRACE_CHAIN_CUT, SESSION_CALL_CUT},
                 {TRACE_CHAIN_LOST, SESSION_CALL_LOST},
                 {TRACE_CHAIN_NO_CODE, SESSION_CALL_LOST},
                 {TRACE_CHAIN_UNREADABLE, SESSION_CALL_LOST}};

struct load {
    const char *build_id; /* of two bytes, or none */
    const char *path;
    uint64_t size; /* size of its code */
};

static void add_load(struct trace_builder *builder, uint32_t id, uint64_t start,
                     const struct load *load)
{
    const struct trace_module module = {.id = id,
                                        .epoch = id,
                                        .base = start,
                                        .start = start + 0x1000,
                                        .end = start + 0x1000 + load->size,
                                        .build_id_size = (uint32_t)strlen(load->build_id)};
    char text[64];

    snprintf(text, sizeof text, "%s%s", load->build_id, load->path);
    trace_builder_fact(builder, TRACE_FACT_MODULE, &module, sizeof module, text, strlen(text));
}

static const struct {
    struct load first;
    struct load again;
    bool is_same;
} load_cases[] = {
    {{"ia", "/lib/again.so", 0x8000}, {"ia", "/lib/again.so", 0x8000}, true},
    {{"ia", "/lib/again.so", 0x8000}, {"ib", "/lib/again.so", 0x8000}, false},
    {{"ia", "/lib/again.so", 0x8000}, {"ia", "/lib/other.so", 0x8000}, false},
    {{"", "/lib/again.so", 0x8000}, {"", "/lib/again.so", 0x8000}, true},
    {{"", "/lib/again.so", 0x8000}, {"", "/lib/again.so", 0x8010}, false},
    {{"", "/lib/again.so", 0x8000}, {"ia", "/lib/again.so", 0x8000}, false},
    {{"", "/lib/again.so", 0x8000}, {"", "/lib/other.so", 0x8000}, false},
    {{"", "/proc/self/fd/5", 0x8000}, {"", "/proc/self/fd/5", 0x8000}, false},
    {{"", "/dev/fd/5", 0x8000}, {"", "/dev/fd/5", 0x8000}, false},
    {{"ia", "/proc/self/fd/5", 0x8000}, {"ia", "/proc/self/fd/5", 0x8000}, true},
};

/* A file loaded at another place is the same, and another file is not. */
START_TEST(chains_of_a_library_that_was_loaded_again_are_those_of_its_first_load)
{
    bool is_same = load_cases[_i].is_same;
    struct trace_builder builder;
    struct session session;
    uint32_t chain[2];

    init(&builder);
    add_load(&builder, 11, 0x700000, &load_cases[_i].first);
    add_load(&builder, 12, 0x800000, &load_cases[_i].again);
    open_stacks(&builder, 1, 0);
    uint32_t root = add_root(&builder, 12, TRACE_CHAIN_WHOLE);
    chain[0] = add_call(&builder, root, 0x700000 + 0x2345);
    chain[1] = add_call(&builder, root, 0x800000 + 0x2345);
    add_blocks(&builder, 1, chain, 2);
    open_built(&builder, &session);
    ck_assert_uint_eq(session.sites.count, is_same ? 1 : 2);
    const struct session_call *last = call_of(&session, (uint32_t)session.sites.count - 1);
    ck_assert_uint_eq(last->module, is_same ? 5 : 6);
    ck_assert_uint_eq(last->address, (is_same ? 0x700000 : 0x800000) + 0x2344);
    session_close(&session);
}
END_TEST

START_TEST(chains_without_their_outer_calls_hang_on_one_call_that_says_so)
{
    struct trace_builder builder;
    struct session session;
    uint32_t chain[2];

    init(&builder);
    open_stacks(&builder, 1, 0);
    for (uint32_t i = 0; i < 2; i++)
        chain[i] = add_call(&builder, add_root(&builder, 1 + i, end_cases[_i].end), PROGRAM + 8);
    add_blocks(&builder, 1, chain, 2);
    open_built(&builder, &session);
    ck_assert_uint_eq(session.calls.count, 3);
    const struct session_call *above = call_at(&session, call_of(&session, 0)->parent);
    ck_assert_int_eq(above->kind, end_cases[_i].kind);
    ck_assert_uint_eq(above->parent, 0);
    ck_assert_uint_eq(above->module, SESSION_NONE);
    ck_assert_uint_eq(session.losses.bad_records, 0);
    ck_assert_uint_eq(session.losses.chains, 2);
    ck_assert_uint_eq(session.losses.chain_ends[TRACE_CHAIN_WHOLE], 0);
    ck_assert_uint_eq(session.losses.chain_ends[end_cases[_i].end], 2);
    session_close(&session);
}
END_TEST

START_TEST(chains_of_older_traces_are_lost_for_unknown_reasons)
{
    struct trace_builder builder;
    struct session session;
    uint32_t chain[2];

    init(&builder);
    trace_builder_header(&builder)->version = TRACE_VERSION_7;
    open_stacks(&builder, 1, 0);
    chain[0] = add_call(&builder, add_root(&builder, 1, TRACE_CHAIN_LOST), PROGRAM + 8);
    chain[1] = add_call(&builder, add_root(&builder, 1, TRACE_CHAIN_CUT), PROGRAM + 8);
    add_blocks(&builder, 1, chain, 2);
    open_built(&builder, &session);
    ck_assert_uint_eq(session.losses.chains, 2);
    ck_assert_uint_eq(session.losses.chain_ends[TRACE_CHAIN_LOST], 1);
    ck_assert_uint_eq(session.losses.chain_ends[TRACE_CHAIN_CUT], 1);
    ck_assert_uint_eq(session.losses.chain_ends[TRACE_CHAIN_NO_TABLE], SESSION_UNKNOWN);
    session_close(&session);
}
END_TEST

/* ---- kernels ----------------------------------------------------------- */

/* The meaning of a frame in the shim; bindings have the numbers of the trace. */
static const struct {
    uint64_t address;
    uint32_t binding;
} wrapper_cases[] = {
    {WRAPPER + 5, 1},
    {WRAPPER + WRAPPER_STRIDE, 1}, /* the return address behind its last call */
    {WRAPPER + WRAPPER_STRIDE + 5, 0},
    {WRAPPER, SESSION_NONE},
    {WRAPPER + 0x8000, SESSION_NONE}, /* some other function of the shim */
    {PROGRAM + 5, SESSION_NONE},
};

START_TEST(chains_know_the_kernel_whose_wrapper_a_frame_is_in)
{
    struct trace_builder builder;
    struct session session;
    uint32_t chain;

    init(&builder);
    open_stacks(&builder, 1, 0);
    uint32_t root = add_root(&builder, 1, TRACE_CHAIN_WHOLE);
    uint32_t frame = add_call(&builder, root, wrapper_cases[_i].address);
    chain = add_call(&builder, frame, PLUGIN + 0x20);
    add_blocks(&builder, 1, &chain, 1);
    open_built(&builder, &session);
    const struct session_call *inner = call_of(&session, 0);
    ck_assert_uint_eq(inner->binding, SESSION_NONE);
    ck_assert_uint_eq(call_at(&session, inner->parent)->binding, wrapper_cases[_i].binding);
    ck_assert_uint_eq(site_at(&session, 0)->binding, wrapper_cases[_i].binding);
    session_close(&session);
}
END_TEST

START_TEST(sites_belong_to_the_innermost_kernel_that_was_running)
{
    struct trace_builder builder;
    struct session session;
    uint32_t chain;

    init(&builder);
    open_stacks(&builder, 1, 0);
    chain = add_call(&builder, add_root(&builder, 1, TRACE_CHAIN_WHOLE), WRAPPER + 5);
    chain = add_call(&builder, chain, WRAPPER + WRAPPER_STRIDE + 5);
    chain = add_call(&builder, chain, PROGRAM + 0x20);
    add_blocks(&builder, 1, &chain, 1);
    open_built(&builder, &session);
    ck_assert_uint_eq(site_at(&session, 0)->binding, 0);
    session_close(&session);
}
END_TEST

/* ---- without chains ---------------------------------------------------- */

START_TEST(sites_without_chains_are_one_of_the_root)
{
    struct trace_builder builder;
    struct session session;
    const uint32_t chains[2] = {0, 0};

    init(&builder);
    add_blocks(&builder, 1, chains, 2);
    add_blocks(&builder, 2, chains, 2);
    open_built(&builder, &session);
    ck_assert(!session.heap.has_chains);
    ck_assert_uint_eq(session.sites.count, 1);
    ck_assert_uint_eq(site_at(&session, 0)->call, 0);
    ck_assert_uint_eq(site_at(&session, 0)->binding, SESSION_NONE);
    ck_assert_uint_eq(site_at(&session, 0)->allocations, 4);
    session_close(&session);
}
END_TEST

START_TEST(sites_of_records_without_room_for_a_chain_are_the_roots)
{
    struct trace_builder builder;
    struct session session;
    uint32_t chain[2] = {0, 0};

    init(&builder);
    trace_builder_header(&builder)->lost_chains = 1;
    open_stacks(&builder, 1, 0);
    chain[0] = add_call(&builder, add_root(&builder, 1, TRACE_CHAIN_WHOLE), PROGRAM + 8);
    add_blocks(&builder, 1, chain, 2);
    open_built(&builder, &session);
    ck_assert_uint_eq(session.sites.count, 2);
    ck_assert_uint_eq(site_at(&session, 1)->call, 0);
    ck_assert_uint_eq(session.heap.lost_chains, 1);
    session_close(&session);
}
END_TEST

/* ---- damage ------------------------------------------------------------ */

/* The numbers of a lane's second chunk; the first chunk is missing. */
START_TEST(chains_whose_outer_calls_are_missing_are_lost)
{
    struct trace_builder builder;
    struct session session;
    uint32_t chain[3];

    init(&builder);
    open_stacks(&builder, 1, 1);
    chain[0] = add_call(&builder, 17, PROGRAM + 8);
    chain[1] = 17;
    chain[2] = 99999;
    add_blocks(&builder, 1, chain, 3);
    open_built(&builder, &session);
    ck_assert_uint_eq(session.sites.count, 2);
    ck_assert_int_eq(call_of(&session, 1)->kind, SESSION_CALL_LOST);
    ck_assert_uint_eq(call_of(&session, 0)->parent, site_at(&session, 1)->call);
    ck_assert_uint_eq(site_at(&session, 1)->allocations, 2);
    ck_assert_uint_ge(session.losses.torn_chunks, 1);
    session_close(&session);
}
END_TEST

/* A parent of a higher number, itself, and a root of an unknown kind. */
static const struct trace_call bad_cases[] = {
    {PROGRAM + 8, 7, 0},
    {PROGRAM + 8, 6, 0},
    {PROGRAM + 8, UINT32_MAX, 0},
    {1, 0, 77},
};

START_TEST(chains_of_no_sense_are_counted_and_lost)
{
    struct trace_builder builder;
    struct session session;
    uint32_t chain;

    init(&builder);
    open_stacks(&builder, 1, 0);
    add_call(&builder, add_root(&builder, 1, TRACE_CHAIN_WHOLE), PROGRAM + 16);
    chain = trace_builder_stack(&builder, &bad_cases[_i]);
    ck_assert_uint_eq(chain, 6);
    add_blocks(&builder, 1, &chain, 1);
    open_built(&builder, &session);
    ck_assert_int_eq(call_of(&session, 0)->kind, SESSION_CALL_LOST);
    ck_assert_uint_eq(session.losses.bad_records, 1);
    ck_assert_msg(session.heap.is_exact, "%s", session.heap.reason);
    session_close(&session);
}
END_TEST

START_TEST(chains_are_never_deeper_than_the_shim_makes_them)
{
    enum { DEPTH = 2000 };
    struct trace_builder builder;
    struct session session;
    uint32_t chains[2] = {0, 0}; /* the longest that is kept, and the last */

    init(&builder);
    open_stacks(&builder, 1, 0);
    chains[1] = add_root(&builder, 1, TRACE_CHAIN_CUT);
    for (uint64_t i = 0; i < DEPTH; i++) {
        chains[1] = add_call(&builder, chains[1], PROGRAM + i + 1);
        chains[0] = i + 1 == TRACE_CHAIN_MAX ? chains[1] : chains[0];
    }
    add_blocks(&builder, 1, chains, 2);
    open_built(&builder, &session);
    const struct session_call *call = session.calls.items;
    uint32_t deepest = 0;
    for (size_t i = 0; i < session.calls.count; i++) {
        ck_assert(i == 0 || call[i].parent < i);
        deepest = call[i].depth > deepest ? call[i].depth : deepest;
    }
    ck_assert_uint_eq(deepest, TRACE_CHAIN_MAX + 1);
    ck_assert_uint_gt(session.losses.bad_records, 0);
    session_close(&session);
}
END_TEST

/* More than a chunk of them, with gaps where heads are. */
START_TEST(chains_go_on_from_chunk_to_chunk)
{
    enum { PER_CHUNK = TRACE_STACK_CALLS - 4, COUNT = 3 * PER_CHUNK };
    struct trace_builder builder;
    struct session session;
    uint32_t root = 0;
    uint32_t last = 0;

    init(&builder);
    for (uint32_t i = 0; i < COUNT; i++) {
        if (i % PER_CHUNK == 0)
            open_stacks(&builder, 1, i / PER_CHUNK);
        if (i == 0)
            root = add_root(&builder, 1, TRACE_CHAIN_WHOLE);
        else
            last = add_call(&builder, root, PROGRAM + 4 * i);
    }
    add_blocks(&builder, 1, &last, 1);
    open_built(&builder, &session);
    ck_assert_uint_eq(session.calls_read, COUNT);
    ck_assert_uint_eq(session.calls.count, 2);
    ck_assert_uint_eq(call_of(&session, 0)->address, PROGRAM + 4 * (COUNT - 1) - 1);
    ck_assert_uint_eq(session.losses.torn_chunks, 0);
    session_close(&session);
}
END_TEST

/* Nothing refers to the first call, nor to the one between those of the sample and the block. */
START_TEST(calls_that_nothing_refers_to_go_and_the_others_keep_their_chains)
{
    struct trace_builder builder;
    struct session session;
    uint32_t root, outer, sampled, chain;

    init(&builder);
    open_stacks(&builder, 1, 0);
    root = add_root(&builder, 1, TRACE_CHAIN_WHOLE);
    add_call(&builder, root, PROGRAM + 0x10);
    outer = add_call(&builder, root, PROGRAM + 0x20);
    sampled = add_call(&builder, outer, PROGRAM + 0x30);
    add_call(&builder, sampled, PROGRAM + 0x40);
    chain = add_call(&builder, sampled, PROGRAM + 0x50);
    add_blocks(&builder, 1, &chain, 1);
    add_sample(&builder, START + 100, sampled);
    open_built(&builder, &session);
    ck_assert_uint_eq(session.calls_read, 6);
    ck_assert_uint_eq(session.calls.count, 4);
    const struct session_call *call = call_of(&session, 0);
    ck_assert_uint_eq(call->address, PROGRAM + 0x4f);
    ck_assert_uint_eq(call->parent, session_sample_at(&session, 0)->call);
    call = call_at(&session, call->parent);
    ck_assert_uint_eq(call->address, PROGRAM + 0x2f);
    call = call_at(&session, call->parent);
    ck_assert_uint_eq(call->address, PROGRAM + 0x1f);
    ck_assert_uint_eq(call->parent, 0);
    session_close(&session);
}
END_TEST

/* In a window: calls 1 and 2, the second in the next chunk, with a block each; a sample at call 2,
 * and one at a missing number. */
START_TEST(chains_that_blocks_alone_refer_to_are_not_read_where_blocks_are_left_out)
{
    struct session_options options = session_defaults();
    struct trace_builder builder;
    struct session session;
    uint32_t chains[2], outer;

    init(&builder);
    open_stacks(&builder, 1, 0);
    outer = add_call(&builder, add_root(&builder, 1, TRACE_CHAIN_WHOLE), PROGRAM + 0x10);
    chains[0] = add_call(&builder, outer, PROGRAM + 0x20);
    open_stacks(&builder, 1, 1);
    chains[1] = add_call(&builder, outer, PROGRAM + 0x30);
    add_blocks(&builder, 1, chains, 2);
    add_sample(&builder, START + 100, chains[1]);
    add_sample(&builder, START + 200, chains[1] + 7);
    options.window = (struct session_window){.is_cut = true, .to_ns = UINT64_MAX};
    options.leaves_heap = true;
    open_as(&builder, &session, &options);
    ck_assert_uint_eq(session.sites.count, 0);
    ck_assert_ptr_nonnull(session.heap.reason);
    ck_assert_uint_eq(session.heap.live_bytes, SESSION_UNKNOWN);
    ck_assert_uint_eq(session.samples.count, 2);
    ck_assert_uint_eq(session.calls.count, 4);
    const struct session_call *call = call_at(&session, session_sample_at(&session, 0)->call);
    ck_assert_uint_eq(call->address, PROGRAM + 0x2f);
    ck_assert_uint_eq(call_at(&session, call->parent)->address, PROGRAM + 0xf);
    call = call_at(&session, session_sample_at(&session, 1)->call);
    ck_assert_int_eq(call->kind, SESSION_CALL_LOST);
    session_close(&session);
}
END_TEST

/* Opens a chunk of stacks in the format of `tprof pack`, with stored contents. */
static void open_packed_stacks(struct trace_builder *builder, uint64_t kept)
{
    const struct trace_packed packed = {TRACE_STACKS,           TRACE_CODING_STORED,
                                        TRACE_HEADER_SIZE,      TRACE_STACK_CHUNK_SIZE,
                                        TRACE_STACK_CHUNK_SIZE, kept};
    const uint64_t size = sizeof(struct trace_chunk) + sizeof packed + kept;

    trace_builder_chunk(builder, TRACE_PACKED, 1, 0,
                        (size + TRACE_CHUNK_ALIGN - 1) / TRACE_CHUNK_ALIGN * TRACE_CHUNK_ALIGN,
                        START);
    trace_builder_add(builder, &packed, sizeof packed);
}

/* A packed chunk as large as any may be holds 16 times the calls of a lane's. */
START_TEST(chains_of_a_packed_chunk_larger_than_stacks_are_torn)
{
    const struct trace_call call = {1, 0, TRACE_CHAIN_WHOLE};
    struct trace_builder builder;
    struct session session;

    init(&builder);
    open_packed_stacks(&builder, TRACE_PACKED_MAX);
    for (size_t i = 0; i < TRACE_PACKED_MAX / sizeof call; i++)
        trace_builder_add(&builder, &call, sizeof call);
    open_built(&builder, &session);
    ck_assert_uint_eq(session.calls.count, 1);
    ck_assert_uint_eq(session.losses.torn_chunks, 1);
    session_close(&session);
}
END_TEST

static void add_sound_tests(TCase *tests)
{
    tcase_add_test(tests, chains_are_a_tree_whose_calls_are_inside_the_calling_instruction);
    tcase_add_test(tests, chains_keep_the_address_where_a_signal_came);
    tcase_add_test(tests, chains_find_the_module_of_a_call_at_its_very_end);
    tcase_add_loop_test(tests, chains_find_the_module_that_came_first_and_was_not_gone, 0,
                        sizeof epoch_cases / sizeof *epoch_cases);
    tcase_add_test(tests, chains_of_several_lanes_and_epochs_merge_where_they_are_alike);
    tcase_add_test(tests, chains_differ_when_another_library_came_to_the_same_place);
    tcase_add_loop_test(tests,
                        chains_of_a_library_that_was_loaded_again_are_those_of_its_first_load, 0,
                        sizeof load_cases / sizeof *load_cases);
    tcase_add_loop_test(tests, chains_without_their_outer_calls_hang_on_one_call_that_says_so, 0,
                        sizeof end_cases / sizeof *end_cases);
    tcase_add_test(tests, chains_of_older_traces_are_lost_for_unknown_reasons);
    tcase_add_loop_test(tests, chains_know_the_kernel_whose_wrapper_a_frame_is_in, 0,
                        sizeof wrapper_cases / sizeof *wrapper_cases);
    tcase_add_test(tests, sites_belong_to_the_innermost_kernel_that_was_running);
    tcase_add_test(tests, sites_without_chains_are_one_of_the_root);
    tcase_add_test(tests, sites_of_records_without_room_for_a_chain_are_the_roots);
    tcase_add_test(tests, chains_go_on_from_chunk_to_chunk);
    tcase_add_test(tests, calls_that_nothing_refers_to_go_and_the_others_keep_their_chains);
    tcase_add_test(tests,
                   chains_that_blocks_alone_refer_to_are_not_read_where_blocks_are_left_out);
}

static void add_damage_tests(TCase *tests)
{
    tcase_add_test(tests, chains_whose_outer_calls_are_missing_are_lost);
    tcase_add_loop_test(tests, chains_of_no_sense_are_counted_and_lost, 0,
                        sizeof bad_cases / sizeof *bad_cases);
    tcase_add_test(tests, chains_are_never_deeper_than_the_shim_makes_them);
    tcase_add_test(tests, chains_of_a_packed_chunk_larger_than_stacks_are_torn);
}

int check_chains(void)
{
    Suite *suite = suite_create("chains");
    TCase *tests = tcase_create("chains");

    add_sound_tests(tests);
    add_damage_tests(tests);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
