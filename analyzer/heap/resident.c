/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Splits resident memory into the parts of a report.
 */
#include "heap/resident.h"

#include <math.h>
#include <string.h>

#include "heap/memory_facts.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_kernels.h"
#include "model/session_unknown.h"

static const struct part_names {
    const char *key;
    const char *words;
} part_names[RESIDENT_PARTS] = {
#define PART(name, key, words) [RESIDENT_##name] = {key, words},
#include "heap/resident.def"
#undef PART
};

/* The kinds of the trace that are parts as they stand. */
static const struct plain_part {
    enum trace_resident kind;
    enum resident_part part;
} plain_parts[] = {
    {TRACE_RESIDENT_CODE, RESIDENT_CODE},     {TRACE_RESIDENT_DATA, RESIDENT_DATA},
    {TRACE_RESIDENT_FILES, RESIDENT_FILES},   {TRACE_RESIDENT_SHM, RESIDENT_SHM},
    {TRACE_RESIDENT_SHARED, RESIDENT_SHARED}, {TRACE_RESIDENT_STACKS, RESIDENT_STACKS},
    {TRACE_RESIDENT_OWN, RESIDENT_OWN},       {TRACE_RESIDENT_GENERATED, RESIDENT_GENERATED},
    {TRACE_RESIDENT_KERNEL, RESIDENT_REST},
};

const char *resident_part_words(enum resident_part part)
{
    return part_names[part].words;
}

const char *resident_part_key(enum resident_part part)
{
    return part_names[part].key;
}

static uint64_t least(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

static uint64_t without(uint64_t whole, uint64_t part)
{
    return whole > part ? whole - part : 0;
}

static bool is_glibc(const struct session *session)
{
    return !session->process.allocator || memory_is_c_library(session->process.allocator);
}

/* Memory that an allocator besides glibc's maps comes through the shim, too. */
static bool is_of_allocator(const struct session *session, uint32_t mapping)
{
    const struct session_mapping *of = array_at(&session->mappings, mapping);
    uint32_t call = of->call;
    const struct session_call *calls = session->calls.items;

    while (call != 0 && call < session->calls.count && calls[call].is_shim)
        call = calls[call].parent;
    return call < session->calls.count && calls[call].module != SESSION_NONE &&
           strcmp(session_module_at(session, calls[call].module)->path,
                  session->process.allocator) == 0;
}

static uint64_t sum_of_allocator(const struct session *session, size_t index)
{
    const struct session_resident_site *site = session->resident_sites.items;
    uint64_t bytes = 0;

    if (is_glibc(session) || session->mappings.count == 0)
        return 0;
    for (size_t i = 0; i < session->resident_sites.count; i++)
        if (site[i].resident == index && is_of_allocator(session, site[i].mapping))
            bytes += site[i].bytes;
    return bytes;
}

/* What malloc has, in its heaps and in mappings of single blocks. */
struct holdings {
    uint64_t small;
    uint64_t large;
};

/* glibc keeps no freed block that had a mapping of its own, so these are live. */
static void split_counted(struct resident_split *split, const struct holdings *holdings,
                          uint64_t live_bytes, uint64_t blocks)
{
    uint64_t headers = blocks == SESSION_UNKNOWN ? 0 : RESIDENT_BLOCK_HEADER * blocks;
    uint64_t large = least(holdings->large, live_bytes);
    uint64_t used = least(live_bytes - large + headers, holdings->small);

    headers = least(headers, used);
    split->parts[RESIDENT_HEAP] = large + used - headers;
    split->parts[RESIDENT_OVERHEAD] = headers;
    split->parts[RESIDENT_KEPT] = holdings->small - used;
    split->parts[RESIDENT_REST] += holdings->large - large;
}

/* Blocks that are not touched are not resident, but their headers are.  Blocks without room in the
 * heaps have mappings of their own. */
static void split_exact(struct resident_split *split, const struct holdings *holdings,
                        const struct session_resident *of)
{
    uint64_t chunks = of->chunk_bytes - of->large_bytes;
    uint64_t small = least(chunks, holdings->small);
    uint64_t large = least(of->large_bytes + (chunks - small), holdings->large);
    uint64_t overhead = chunks - (of->requested_bytes - of->large_requested);
    uint64_t large_overhead = of->large_bytes - of->large_requested;

    overhead = least(overhead, small) + least(large_overhead, large);
    split->parts[RESIDENT_OVERHEAD] = overhead;
    split->parts[RESIDENT_HEAP] = small + large - overhead;
    split->parts[RESIDENT_KEPT] = holdings->small - small;
    split->parts[RESIDENT_REST] += holdings->large - large;
}

/* An allocator besides glibc's has its own ways with large blocks. */
static void split_other(struct resident_split *split, uint64_t held, uint64_t live_bytes)
{
    split->parts[RESIDENT_HEAP] = least(held, live_bytes);
    split->parts[RESIDENT_KEPT] = held - least(held, live_bytes);
}

/* The unit is that of the whole report. */
static bool has_all_blocks(const struct session *session, const struct session_resident *of)
{
    return of->chunk_bytes != SESSION_UNKNOWN &&
           session->heap.course_unit == SESSION_HEAP_REQUESTED;
}

/* What the parent mapped is not known in its forked child, and may be among the large blocks: the
 * heaps come first. */
static void split_forked(struct resident_split *split, const struct holdings *holdings,
                         uint64_t live_bytes)
{
    uint64_t used = least(live_bytes, holdings->small);
    uint64_t large = least(live_bytes - used, holdings->large);

    split->parts[RESIDENT_HEAP] = used + large;
    split->parts[RESIDENT_KEPT] = holdings->small - used;
    split->parts[RESIDENT_INHERITED] = holdings->large - large;
}

static void split_malloc(struct resident_split *split, const struct session *session,
                         const struct session_resident *of, const struct holdings *holdings)
{
    bool is_forked = session->process.is_forked;
    bool is_exact = !is_forked && has_all_blocks(session, of);
    uint64_t live = is_exact ? of->requested_bytes : of->usable_bytes;

    split->is_usable = !is_exact && live != SESSION_UNKNOWN;
    if (live == SESSION_UNKNOWN)
        split->parts[RESIDENT_MALLOC] = holdings->small + holdings->large;
    else if (!is_glibc(session))
        split_other(split, holdings->small + holdings->large, live);
    else if (is_forked)
        split_forked(split, holdings, live);
    else if (is_exact)
        split_exact(split, holdings, of);
    else
        split_counted(split, holdings, live, of->blocks);
}

static void add_plain(struct resident_split *split, const struct session_resident *of)
{
    for (size_t i = 0; i < sizeof plain_parts / sizeof *plain_parts; i++) {
        const struct session_part *part = &of->parts[plain_parts[i].kind];

        split->parts[plain_parts[i].part] += part->bytes;
        split->huge[plain_parts[i].part] += part->huge_bytes;
    }
}

static void add_shared(struct resident_split *split, const struct session_resident *of)
{
    static const enum trace_resident kinds[] = {TRACE_RESIDENT_BREAK, TRACE_RESIDENT_ARENAS,
                                                TRACE_RESIDENT_AREAS};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        split->shared_bytes += of->parts[kinds[i]].shared_bytes;
}

/* The trace has the largest areas alone.  In the others, what malloc does not explain is the
 * program's, if it mapped as much. */
static void add_unseen(struct resident_split *split, const struct session_resident *of)
{
    uint64_t areas = of->parts[TRACE_RESIDENT_AREAS].bytes;
    uint64_t unseen = least(without(areas, of->known_bytes), of->unseen_bytes);
    uint64_t plain_rest = of->parts[TRACE_RESIDENT_KERNEL].bytes;
    uint64_t bytes = least(without(split->parts[RESIDENT_REST], plain_rest), unseen);

    split->parts[RESIDENT_REST] -= bytes;
    split->parts[RESIDENT_MAPPED] += bytes;
}

void resident_split(struct resident_split *split, const struct session *session, size_t index)
{
    const struct session_resident *of = array_at(&session->residents, index);
    const struct session_part *areas = &of->parts[TRACE_RESIDENT_AREAS];
    uint64_t arenas = of->parts[TRACE_RESIDENT_ARENAS].bytes;
    uint64_t allocators = sum_of_allocator(session, index);
    uint64_t mapped = without(of->mapped_bytes, allocators);
    const struct holdings holdings = {of->parts[TRACE_RESIDENT_BREAK].bytes + arenas,
                                      without(areas->bytes, mapped)};

    *split = (struct resident_split){
        .time_ns = of->time_ns, .label = of->label, .bytes = of->bytes, .arena_bytes = arenas};
    add_plain(split, of);
    add_shared(split, of);
    split->parts[RESIDENT_MAPPED] = mapped;
    split->huge[RESIDENT_MAPPED] = least(of->mapped_huge, mapped);
    split->huge[RESIDENT_HEAP] = of->parts[TRACE_RESIDENT_BREAK].huge_bytes +
                                 of->parts[TRACE_RESIDENT_ARENAS].huge_bytes +
                                 without(areas->huge_bytes, of->mapped_huge);
    split_malloc(split, session, of, &holdings);
    add_unseen(split, of);
}

static double distance(const struct session_resident *of, uint64_t bytes)
{
    return fabs((double)of->bytes - (double)bytes);
}

bool resident_split_near(struct resident_split *split, const struct session *session,
                         uint64_t time_ns, uint64_t bytes)
{
    const struct session_resident *resident = session->residents.items;
    size_t next = session->residents.count, best;

    while (next > 0 && resident[next - 1].time_ns > time_ns)
        next--;
    best = next > 0 ? next - 1 : next;
    if (next < session->residents.count &&
        distance(&resident[next], bytes) < distance(&resident[best], bytes))
        best = next;
    if (best < session->residents.count)
        resident_split(split, session, best);
    return best < session->residents.count;
}

static uint64_t heap_of(const struct session_resident *of)
{
    uint64_t bytes = of->usable_bytes != SESSION_UNKNOWN ? of->usable_bytes : of->requested_bytes;

    return bytes == SESSION_UNKNOWN ? 0 : bytes;
}

/* Freed blocks stay resident, so of moments near the peak the one with the largest heap counts. */
static bool is_fuller(const struct session_resident *one, const struct session_resident *other)
{
    const double near = 0.03;
    double difference = (double)one->bytes - (double)other->bytes;

    if (fabs(difference) <= near * (double)other->bytes)
        return heap_of(one) > heap_of(other);
    return difference > 0;
}

const struct session_resident *resident_find_peak(const struct session *session)
{
    const struct session_resident *resident = session->residents.items, *peak = NULL;

    for (size_t i = 0; i < session->residents.count; i++)
        if (!peak || is_fuller(&resident[i], peak))
            peak = &resident[i];
    return peak;
}

uint32_t resident_find_most_mapped(const struct session *session, size_t index, uint64_t *bytes)
{
    const struct session_resident_site *site = session->resident_sites.items;
    uint32_t most = SESSION_NONE;

    *bytes = 0;
    for (size_t i = 0; i < session->resident_sites.count; i++)
        if (site[i].resident == index && site[i].bytes > *bytes &&
            site[i].mapping < session->mappings.count &&
            (is_glibc(session) || !is_of_allocator(session, site[i].mapping))) {
            most = site[i].mapping;
            *bytes = site[i].bytes;
        }
    return most;
}
