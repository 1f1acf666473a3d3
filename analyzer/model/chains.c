/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The call chains of a trace, as one tree of calls.
 *
 * Each lane has its own tree.  A call names its outer call by a lower number, so one pass in the
 * order of the numbers merges the tree into the session's, and damage cannot make a circle.  All
 * loads of one plugin count as one: its calls become those of its first load.  A missing number
 * becomes a lost call.
 */
#include "base/memory.h"
#include "model/chains_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_kernels.h"
#include "model/session_unknown.h"
#include "reader/reader.h"
#include "reader/reader_chunks.h"

enum {
    CHAINS_FIRST_CALL = sizeof(struct trace_chunk) / sizeof(struct trace_call),
    CHAINS_FIRST_BITS = 10,
    CHAINS_NEAR = 4,         /* places tried near those of the caller's number, */
    CHAINS_NEAR_SPREAD = 4,  /* from one of this many starts */
    /* How far chunk numbers may run ahead of the existing chunks. */
    CHAINS_GAP_MAX = 8,
    /* A wrapper is less than 1 KiB. Behind the last one, other functions of the shim follow, which
     * are on call chains, too, when a program calls dlopen. */
    CHAINS_WRAPPER_MAX = 2048
};

/* A wrapper of a binding. */
struct chains_wrapper {
    uint64_t address;
    uint32_t binding;
};

void chains_init(struct chains *chains, struct session *session)
{
    *chains = (struct chains){.session = session, .shim_module = SESSION_NONE,
                               .python_module = SESSION_NONE};
    array_init(&chains->lanes, sizeof(struct chains_lane));
    array_init(&chains->wrappers, sizeof(struct chains_wrapper));
    array_init(&chains->sites, sizeof(uint32_t));
    array_init(&chains->mappings, sizeof(uint32_t));
}

void chains_fini(struct chains *chains)
{
    struct chains_lane *lane = chains->lanes.items;

    for (size_t i = 0; i < chains->lanes.count; i++) {
        free(lane[i].entries);
        chains_later_free(lane[i].later);
    }
    array_fini(&chains->lanes);
    array_fini(&chains->wrappers);
    modules_fini(&chains->modules);
    free(chains->empty.entries);
    free(chains->places);
    array_fini(&chains->sites);
    array_fini(&chains->mappings);
    free(chains->joined);
    free(chains->first_loads);
}

static int compare_wrappers(const void *left, const void *right)
{
    const struct chains_wrapper *a = left;
    const struct chains_wrapper *b = right;

    return (a->address > b->address) - (a->address < b->address);
}

/* Find the shim by its file name: without wrappers nothing else identifies it.
 * Returns: SESSION_NONE if the file has another name. */
static uint32_t find_named_shim(const struct session *session)
{
    static const char name[] = "libtprof.so";
    const struct session_module *module = session->modules.items;

    for (uint32_t i = 0; i < session->modules.count; i++)
        if (strncmp(text_base_name(module[i].path), name, strlen(name)) == 0)
            return i;
    return SESSION_NONE;
}

static void gather_wrappers(struct chains *chains)
{
    const struct session_binding *binding = chains->session->bindings.items;

    for (size_t i = 0; i < chains->session->bindings.count; i++) {
        if (binding[i].wrapper == 0)
            continue;
        struct chains_wrapper *wrapper = array_add(&chains->wrappers);
        *wrapper = (struct chains_wrapper){binding[i].wrapper, (uint32_t)i};
    }
    chains->shim_module = find_named_shim(chains->session);
    if (chains->wrappers.count == 0)
        return;
    struct chains_wrapper *first = chains->wrappers.items;
    qsort(first, chains->wrappers.count, sizeof *first, compare_wrappers);
    chains->shim_module = modules_find(&chains->modules, first->address, 0);
}

/* Returns: the binding in whose wrapper the address is, or SESSION_NONE. */
static uint32_t find_binding(const struct chains *chains, uint64_t address)
{
    const struct chains_wrapper *wrapper = chains->wrappers.items;
    size_t low = 0;
    size_t high = chains->wrappers.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (wrapper[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || address - wrapper[low - 1].address >= CHAINS_WRAPPER_MAX)
        return SESSION_NONE;
    return wrapper[low - 1].binding;
}

/* Identifies a call by the first load of its module. */
static void take_first_load(const struct chains *chains, struct session_call *call)
{
    const struct session_module *module = chains->session->modules.items;
    uint32_t first =
        call->module == SESSION_NONE ? call->module : chains->first_loads[call->module];

    if (first == call->module)
        return;
    call->address += module[first].fact.base - module[call->module].fact.base;
    call->module = first;
}

static inline struct session_call *find_caller(const struct chains *chains, uint32_t index)
{
    return (struct session_call *)chains->session->calls.items + index;
}

/* Multiplicative hashing, as in heap_map.h, with one odd number for each field, so calls of one
 * parent and calls of one address spread alike. */
static size_t hash_chain(const struct session_call *call)
{
    uint64_t hash = call->address * UINT64_C(0x9e3779b97f4a7c15) +
                    call->parent * UINT64_C(0xbf58476d1ce4e5b9) +
                    call->module * UINT64_C(0x94d049bb133111eb) + (uint64_t)call->kind;

    return (size_t)((hash ^ hash >> 32) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static bool is_same(const struct session_call *a, const struct session_call *b)
{
    return a->address == b->address && a->parent == b->parent && a->module == b->module &&
           a->kind == b->kind;
}

/* Returns: the n-th place to search for a call.  Calls are made along their chains, so places by
 * the caller's number are close to the last ones.  Without this, cache misses were half the time of
 * reading chains.  If a caller has many calls, the rest are elsewhere. */
static inline size_t find_probe(const struct chains *chains, const struct session_call *call,
                                size_t hash, size_t n)
{
    size_t at = n < CHAINS_NEAR ? 2 * (size_t)call->parent + hash % CHAINS_NEAR_SPREAD : hash;

    return (at + n) & chains->mask;
}

/* Returns: the place of a call equal to this one, or the free place where it would be.  No place
 * holds the root, so 0 means free. */
static uint32_t *find_place(const struct chains *chains, const struct session_call *call)
{
    size_t hash = hash_chain(call), n = 0, at = find_probe(chains, call, hash, n);

    while (chains->places[at] != 0 && !is_same(find_caller(chains, chains->places[at]), call))
        at = find_probe(chains, call, hash, ++n);
    return &chains->places[at];
}

static void make_places(struct chains *chains, size_t count)
{
    uint32_t *places = memory_get_zeros(count, sizeof *places);

    free(chains->places);
    chains->places = places;
    chains->mask = count - 1;
    for (uint32_t i = 1; i < chains->session->calls.count; i++)
        *find_place(chains, find_caller(chains, i)) = i;
}

static void make_call(struct chains *chains, const struct session_call *like, uint32_t *place)
{
    struct session_call *call = array_add(&chains->session->calls);
    size_t count = chains->session->calls.count;

    if (count >= CHAINS_CALL) /* more than a number of theirs can say */
        memory_ran_out();
    *call = *like;
    call->depth = find_caller(chains, like->parent)->depth + 1;
    if (call->kind == SESSION_CALL_PLAIN)
        call->end = find_caller(chains, like->parent)->end;
    call->binding = SESSION_NONE;
    call->is_shim = like->module == chains->shim_module && like->module != SESSION_NONE;
    if (call->is_shim)
        call->binding = find_binding(chains, like->address);
    call->kernel = call->binding == SESSION_NONE ? find_caller(chains, like->parent)->kernel
                                                 : call->binding;
    *place = (uint32_t)count - 1;
    if (2 * count > chains->mask)
        make_places(chains, 2 * (chains->mask + 1));
}

void chains_merge(struct chains *chains, const struct session_call *like, uint32_t *index)
{
    uint32_t *place = find_place(chains, like);

    *index = *place;
    if (*place != 0)
        return;
    *index = (uint32_t)chains->session->calls.count;
    make_call(chains, like, place);
}

void chains_find_stand_in(struct chains *chains, enum trace_chain_end end, uint32_t *index)
{
    const bool is_cut = end == TRACE_CHAIN_CUT;
    const struct session_call like = {.kind = is_cut ? SESSION_CALL_CUT : SESSION_CALL_LOST,
                                      .address = is_cut ? 0 : (uint64_t)end,
                                      .end = (uint8_t)end,
                                      .module = SESSION_NONE};

    chains_merge(chains, &like, index);
}

/* Returns: room for all calls of the trace, as if no two were equal: making room later would visit
 * all of them again. */
static size_t count_places(const struct reader *reader)
{
    struct reader_span stacks = reader_chunks(reader, TRACE_STACKS);
    size_t calls = (size_t)(stacks.end - stacks.first) * TRACE_STACK_CALLS;
    size_t count = (size_t)1 << CHAINS_FIRST_BITS;

    while (count < 2 * calls && count < CHAINS_CALL)
        count *= 2;
    return count;
}

static void add_root(struct chains *chains, const struct reader *reader)
{
    struct session_call *root = array_add(&chains->session->calls);

    *root = (struct session_call){.module = SESSION_NONE,
                                  .binding = SESSION_NONE,
                                  .kernel = SESSION_NONE,
                                  .kind = SESSION_CALL_ROOT,
                                  .end = TRACE_CHAIN_WHOLE};
    make_places(chains, count_places(reader));
}

/* The calls below a root that makes no sense hang in the air. */
static void read_root(struct chains *chains, const struct trace_call *raw, uint32_t *index,
                      uint32_t *epoch)
{
    *epoch = raw->address < UINT32_MAX ? (uint32_t)raw->address : UINT32_MAX - 1;
    *index = 0;
    if (raw->flags == TRACE_CHAIN_WHOLE)
        return;
    if (raw->flags > TRACE_CHAIN_NONE && raw->flags < TRACE_CHAIN_ENDS) {
        chains_find_stand_in(chains, (enum trace_chain_end)raw->flags, index);
        return;
    }
    chains->bad_calls++;
    chains_find_stand_in(chains, TRACE_CHAIN_LOST, index);
}

/* A return address is behind its call, and may be another function's. */
static uint64_t correct_address(const struct trace_call *raw)
{
    bool is_exact = (raw->flags & TRACE_CALL_EXACT) != 0;

    return is_exact || raw->address == 0 ? raw->address : raw->address - 1;
}

void chains_resolve(struct chains *chains, const struct chains_lane *lane, uint32_t number,
                    uint32_t *index)
{
    if (lane->later && number < lane->count)
        chains_later_read(chains, lane, number);
    if (number >= lane->count || lane->entries[number] == CHAINS_UNKNOWN) {
        chains_find_stand_in(chains, TRACE_CHAIN_LOST, index);
        return;
    }
    *index = lane->entries[number] & ~CHAINS_CALL;
}

/* Both chains have lower numbers, or are lost. */
static void read_mixed(struct chains *chains, const struct chains_reading *reading,
                       const struct trace_call *raw, uint32_t *index)
{
    uint32_t number = raw->address < reading->number ? (uint32_t)raw->address : UINT32_MAX;
    uint32_t native, python;

    chains_resolve(chains, reading->lane, raw->parent, &native);
    chains_resolve(chains, reading->lane, number, &python);
    chains_join_python(chains, native, python, index);
}

static void read_inner(struct chains *chains, struct chains_reading *reading,
                       const struct trace_call *raw, uint32_t *index)
{
    struct session_call like = {.kind = SESSION_CALL_PLAIN, .address = correct_address(raw)};

    chains_resolve(chains, reading->lane, raw->parent, &like.parent);
    if (raw->flags & TRACE_CALL_PYTHON) {
        chains_add_python(chains, raw, like.parent, index);
        return;
    }
    if (raw->flags & TRACE_CALL_MIXED) {
        read_mixed(chains, reading, raw, index);
        return;
    }
    if (find_caller(chains, like.parent)->depth >= CHAINS_DEPTH_MAX) {
        chains->bad_calls++;
        chains_find_stand_in(chains, TRACE_CHAIN_LOST, index);
        return;
    }
    like.module = modules_find(&chains->modules, like.address, reading->epochs[raw->parent]);
    take_first_load(chains, &like);
    chains_merge(chains, &like, index);
}

static void set_entry(struct chains_reading *reading, uint32_t entry, uint32_t epoch)
{
    reading->lane->entries[reading->number] = entry;
    reading->epochs[reading->number] = epoch;
}

static void add_entry(struct chains_reading *reading, uint32_t entry, uint32_t epoch)
{
    set_entry(reading, entry, epoch);
    reading->lane->count = ++reading->number;
}

void chains_read_call(struct chains *chains, struct chains_reading *reading,
                      const struct trace_call *raw)
{
    uint32_t index;
    uint32_t epoch = 0;

    if (raw->parent == 0)

        read_root(chains, raw, &index, &epoch);
    else if (raw->parent < reading->number) {
        epoch = reading->epochs[raw->parent];
        read_inner(chains, reading, raw, &index);
    } else {
        chains->bad_calls++;
        chains_find_stand_in(chains, TRACE_CHAIN_LOST, &index);
    }
    set_entry(reading, index | CHAINS_CALL, epoch);
}

/* A call takes its number only now, so that none can be its own parent. */
static void add_call(struct chains *chains, struct chains_reading *reading,
                     const struct trace_call *raw)
{
    chains_read_call(chains, reading, raw);

    reading->lane->count = ++reading->number;
}

/* Skips numbers up to `count`: those of a head, or of missing chunks. */
static void skip(struct chains_reading *reading, uint32_t count)
{
    while (reading->lane->count < count)
        add_entry(reading, CHAINS_UNKNOWN, 0);
}

static void reserve(struct chains_reading *reading, uint32_t count)
{
    uint32_t *entries = memory_resize(reading->lane->entries, count * sizeof *entries);

    reading->lane->entries = entries;
    uint32_t *epochs = memory_resize(reading->epochs, count * sizeof *epochs);
    reading->epochs = epochs;
}

uint32_t chains_first_of(const struct reader_chunk *chunk)
{
    return chunk->sequence * TRACE_STACK_CALLS + CHAINS_FIRST_CALL;
}

static void read_chunk(struct chains *chains, struct chains_reading *reading,
                       const struct reader *reader, const struct reader_chunk *chunk)
{
    uint32_t first = chains_first_of(chunk);
    struct trace_call raw;
    size_t size;

    if (reading->lane->count > first)
        return; /* its numbers are used already: a second chunk of this place */
    char *bytes = reader_load(reader, chunk, &size);
    reserve(reading, first + (uint32_t)(size / sizeof raw));
    skip(reading, first);
    for (size_t at = 0; at + sizeof raw <= size; at += sizeof raw) {
        memcpy(&raw, bytes + at, sizeof raw);
        add_call(chains, reading, &raw);
    }
    free(bytes);
}

/* Number 0 is no chain, which leads to the root. */
static void start_lane(struct chains_reading *reading)
{
    reserve(reading, 1);

    add_entry(reading, CHAINS_CALL, 0);
}

size_t chains_most_chunks(struct reader_span chunks)
{
    size_t most = 2 * (size_t)(chunks.end - chunks.first) + CHAINS_GAP_MAX;
    size_t numbers = (size_t)1 << TRACE_CELL_BITS;

    return most < numbers / TRACE_STACK_CALLS ? most : numbers / TRACE_STACK_CALLS;
}

static void read_chunks(struct chains *chains, struct chains_reading *reading,
                        const struct reader *reader, struct reader_span chunks)
{
    size_t most = chains_most_chunks(chunks);

    start_lane(reading);
    for (; chunks.first < chunks.end; chunks.first++) {
        if (chunks.first->sequence < most)
            read_chunk(chains, reading, reader, chunks.first);
        else
            chains->bad_calls++;
    }
}

static void read_lane(struct chains *chains, const struct reader *reader, struct reader_span chunks)
{
    struct chains_reading reading = {.lane = array_add(&chains->lanes)};

    reading.lane->number = chunks.first->lane;
    if (chains->is_later) {
        chains_later_start(reading.lane, reader, chunks);
        return;
    }
    read_chunks(chains, &reading, reader, chunks);
    free(reading.epochs);
}

static void read_lanes(struct chains *chains, const struct reader *reader)
{
    struct reader_span rest = reader_chunks(reader, TRACE_STACKS);
    struct chains_reading empty = {.lane = &chains->empty};

    start_lane(&empty);
    free(empty.epochs);
    while (rest.first < rest.end)
        read_lane(chains, reader, reader_next_lane(&rest));
}

void chains_read(struct chains *chains, const struct reader *reader)
{
    modules_init(&chains->modules, &chains->session->modules);

    chains_gather_loads(chains);
    gather_wrappers(chains);
    chains_find_python(chains);
    add_root(chains, reader);
    read_lanes(chains, reader);
}

static int compare_lane(const void *number, const void *lane)
{
    uint32_t a = *(const uint32_t *)number;
    uint32_t b = ((const struct chains_lane *)lane)->number;

    return (a > b) - (a < b);
}

struct chains_lane *chains_find_lane(struct chains *chains, uint32_t number)
{
    struct chains_lane *lane = NULL;

    if (chains->lanes.count > 0)
        lane =
            bsearch(&number, chains->lanes.items, chains->lanes.count, sizeof *lane, compare_lane);
    return lane ? lane : &chains->empty;
}
