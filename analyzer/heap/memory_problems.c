/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Problems with memory, named alike in the memory reports and the findings, and allocators that
 * hide blocks from malloc.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "heap/mapped_for.h"
#include "heap/memory_facts.h"
#include "heap/resident.h"
#include "heap/texts.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_heap.h"
#include "model/session_kernels.h"
#include "model/session_process.h"
#include "model/session_unknown.h"

enum { MIB = 1 << 20 };

static const double ram_bytes = 16e9;          /* the specification's 16 GB */
static const double ram_share_of_limit = 0.90; /* the value of TensorBoard for accelerators */
static const double rest_share = 0.30;         /* FRAG: least share of resident memory */
static const uint64_t rest_least = 256u * MIB; /* and least bytes */
static const uint64_t kept_least = 64u * MIB;  /* the same where the parts are known */
static const double split_share = 0.50;        /* a reading, of the resident memory since */
static const double hidden_share = 0.50;       /* share of resident memory, from an unknown
                                                  source */
static const uint64_t hidden_least = 64u * MIB;

static bool is_limited(const struct session_process *process)
{
    return process->memory_limit_bytes != SESSION_UNKNOWN && process->memory_limit_bytes > 0;
}

bool memory_is_high(const struct session_process *process)
{
    double peak = (double)process->last.peak_rss_bytes;

    return process->last.peak_rss_bytes != SESSION_UNKNOWN &&
           (peak > ram_bytes || (is_limited(process) &&
                                 peak > ram_share_of_limit * (double)process->memory_limit_bytes));
}

void memory_say_advice(struct text *text)
{
    say(text, ram_advice_text);
}

void memory_say_peak(struct text *text, const struct session_process *process)
{
    double peak = (double)process->last.peak_rss_bytes;
    double limit = (double)process->memory_limit_bytes;

    if (is_limited(process))
        say(text, ram_peak_limited_text, said_bytes(peak), said_share(peak / limit),
            said_bytes(limit));
    else
        say(text, ram_peak_text, said_bytes(peak));
}

static bool say_ram(struct text *line, const struct session *session)
{
    if (!memory_is_high(&session->process))
        return false;
    memory_say_advice(line);
    text_append(line, ".");
    memory_say_peak(line, &session->process);
    return true;
}

/* tprof's own part of resident memory, which is known only at the end.  Returns: 0 when it is
 * unknown. */
static uint64_t own_bytes(const struct session *session)
{
    return session->process.own_bytes == SESSION_UNKNOWN ? 0 : session->process.own_bytes;
}

static uint64_t subtract(uint64_t bytes, uint64_t explained)
{
    return bytes > explained ? bytes - explained : 0;
}

/* What malloc has, in use or kept, is what the other parts leave of the resident memory.  These are
 * as large as when the split was read, but for mappings that the program may have made since. */
static uint64_t find_kept(const struct resident_split *split, const struct memory_gap *gap)
{
    uint64_t grown = subtract(gap->resident_bytes, split->bytes);
    uint64_t others = split->bytes - split->parts[RESIDENT_HEAP] - split->parts[RESIDENT_KEPT] +
                      (gap->mapped_bytes < grown ? gap->mapped_bytes : grown);

    return subtract(subtract(gap->resident_bytes, others), gap->live_bytes);
}

/* The parts at the reading before or behind the gap that is most like it, unless it has far less
 * memory.  Returns: whether they are known. */
static bool find_split(struct resident_split *split, const struct memory_gap *gap,
                       const struct session *session)
{
    return resident_split_near(split, session, gap->time_ns, gap->resident_bytes) &&
           (double)split->bytes >= split_share * (double)gap->resident_bytes;
}

bool memory_knows_kept(const struct memory_gap *gap, const struct session *session)
{
    struct resident_split split;

    return find_split(&split, gap, session);
}

/* Code and other files, the program's own mappings and tprof's memory are no fragmentation. */
uint64_t memory_find_fragments(const struct memory_gap *gap, const struct session *session)
{
    uint64_t known = gap->mapped_bytes + gap->shared_bytes + own_bytes(session);
    uint64_t rest = subtract(gap->gap_bytes, known);
    uint64_t least = rest_least;
    struct resident_split split;

    if (find_split(&split, gap, session)) {
        rest = find_kept(&split, gap);
        least = kept_least;
    }
    if (rest <= least || (double)rest <= rest_share * (double)gap->resident_bytes)
        return 0;
    return rest;
}

void memory_say_shared(struct text *text, const struct memory_gap *gap)
{
    if (gap->shared_bytes > 0)
        say(text, fragmentation_shared_text, said_bytes((double)gap->shared_bytes));
}

static bool say_fragmentation(struct text *line, const struct session *session)
{
    struct memory_gap gap;
    uint64_t rest = memory_find_gap(&gap, session) ? memory_find_fragments(&gap, session) : 0;

    if (rest == 0)
        return false;
    say(line, fragmentation_rest_text, said_bytes((double)rest),
        said_bytes((double)gap.resident_bytes), said_time((double)gap.time_ns),
        said_share((double)rest / (double)gap.resident_bytes));
    memory_say_shared(line, &gap);
    say(line, fragmentation_repair_text);
    return true;
}

/* Counts what exceeds the resident memory of the start and the most that malloc can have kept from
 * its own peak: this was never malloc's. */
static bool say_hidden(struct text *line, const struct session *session)
{
    uint64_t first = session->process.first.rss_bytes, hidden;
    struct memory_gap gap;

    if (!memory_is_known(&session->heap) || first == SESSION_UNKNOWN ||
        !memory_find_peak_gap(&gap, session))
        return false;
    hidden = subtract(gap.resident_bytes, session->heap.peak_bytes + gap.mapped_bytes +
                                              gap.shared_bytes + own_bytes(session) + first);
    if (hidden <= hidden_least || (double)hidden <= hidden_share * (double)gap.resident_bytes)
        return false;
    say(line, hidden_bytes_text, said_bytes((double)hidden),
        said_bytes((double)gap.resident_bytes));
    say(line, hidden_sources_text);
    return true;
}

static bool is_kernel_that_computes(const struct session *session, uint32_t binding)
{
    const struct session_binding *of =
        binding == SESSION_NONE ? NULL : session_binding_at(session, binding);

    return of && of->kernel && of->kernel->class != CATALOG_OTHER;
}

static bool is_within_kernel(const struct session *session, uint32_t index)
{
    const struct session_call *call = session_call_at(session, index);

    while (call->kind != SESSION_CALL_ROOT && !is_kernel_that_computes(session, call->binding))
        call = session_call_at(session, call->parent);
    return call->kind != SESSION_CALL_ROOT;
}

static bool has_called_kernels(const struct session *session, uint32_t module)
{
    for (uint32_t i = 0; i < session->bindings.count; i++) {
        const struct session_binding *binding = session_binding_at(session, i);

        if (binding->calls > 0 && binding->module == session_module_at(session, module) &&
            is_kernel_that_computes(session, i))
            return true;
    }
    return false;
}

static bool is_of_c_library(const struct session *session, uint32_t module)
{
    return module != SESSION_NONE && memory_is_c_library(session_module_at(session, module)->path);
}

/* A thread that a library of kernels started: its chain has nothing else. */
static bool is_thread_of_kernels(const struct session *session, uint32_t index)
{
    const struct session_call *call = session_call_at(session, index);
    uint32_t library = call->module;

    if (library == SESSION_NONE || !has_called_kernels(session, library))
        return false;
    while (call->kind == SESSION_CALL_PLAIN &&
           (call->module == library || is_of_c_library(session, call->module)))
        call = session_call_at(session, call->parent);
    return call->kind == SESSION_CALL_ROOT;
}

/* A BLAS maps room for its blocks at its first product, and at the start of each of its threads,
 * and keeps it. */
static bool is_work_memory(const struct session *session, const struct session_mapping *mapping)
{
    return is_within_kernel(session, mapping->call) || is_thread_of_kernels(session, mapping->call);
}

/* Measured at the peak of all mappings, without files; UNKNOWN if that is unknown. */
static uint64_t mapped_by_others(const struct session *session)
{
    uint64_t bytes = session->heap.peak_mapped_bytes;

    if (bytes == SESSION_UNKNOWN)
        return bytes;
    bytes -= session->heap.peak_mapped_file_bytes;
    for (size_t i = 0; i < session->mappings.count; i++) {
        const struct session_mapping *mapping = array_at(&session->mappings, i);

        if (mapping->file_bytes == 0 && is_work_memory(session, mapping))
            bytes = subtract(bytes, mapping->peak_bytes);
    }
    return bytes;
}

static bool say_mapped(struct text *line, const struct session *session)
{
    const struct session_heap *heap = &session->heap;
    uint64_t bytes = mapped_by_others(session), what_bytes;
    const char *what;

    if (!memory_is_known(heap) || bytes == SESSION_UNKNOWN || bytes <= hidden_least ||
        bytes <= heap->peak_bytes)
        return false;
    say(line, own_mappings_text, said_bytes((double)bytes), said_bytes((double)heap->peak_bytes));
    what = mapped_for_most(session, &what_bytes);
    if (what)
        say(line, own_mappings_for_text, said_bytes((double)what_bytes), said_words(what));
    if (heap->peak_mapped_reserved_bytes > 0)
        say(line, own_mappings_reserved_text, said_bytes((double)heap->peak_mapped_reserved_bytes));
    say(line, own_mappings_blocks_text);
    return true;
}

struct hiding_row {
    const char *start; /* start of a file's base name */
    const char *sentence;
    bool is_program;
};

static const struct hiding_row hiding_rows[] = {
#define HIDING(start, sentence) {start, sentence, false},
#define HIDING_PROGRAM(name, sentence) {name, sentence, true},
#include "heap/hiding.def"
#undef HIDING
#undef HIDING_PROGRAM
};

static bool is_of(const struct hiding_row *row, const char *path)
{
    const char *name = path ? text_base_name(path) : NULL;
    size_t size = strlen(row->start);

    return name && strncmp(name, row->start, size) == 0 &&
           !(row->is_program && isalpha((unsigned char)name[size]));
}

static bool is_there(const struct hiding_row *row, const struct session *session)
{
    if (row->is_program)
        return is_of(row, session->process.program);
    for (size_t i = 0; i < session->modules.count; i++)
        if (is_of(row, session_module_at(session, i)->path))
            return true;
    return false;
}

static bool has_text(const struct text_list *list, const char *text)
{
    for (size_t i = 0; i < text_list_count(list); i++)
        if (strcmp(text_list_at(list, i), text) == 0)
            return true;
    return false;
}

/* Two libraries of the same runtime share a sentence. */
void memory_add_hiding(struct text_list *sentences, const struct session *session)
{
    for (size_t i = 0; i < sizeof hiding_rows / sizeof *hiding_rows; i++) {
        const struct hiding_row *row = &hiding_rows[i];

        if (is_there(row, session) && !has_text(sentences, row->sentence))
            text_list_add(sentences, row->sentence);
    }
}

static void add(struct array *findings, const char *id, const char *words)
{
    struct memory_finding *finding = array_add(findings);

    *finding = (struct memory_finding){id, pool_copy(words)};
}

/* A program may have several: node with a library that it loads. */
static void add_own_heaps(struct array *findings, const struct session *session)
{
    struct text_list sentences;

    text_list_init(&sentences);
    memory_add_hiding(&sentences, session);
    for (size_t i = 0; i < text_list_count(&sentences); i++)
        add(findings, "OWN-HEAP", text_list_at(&sentences, i));
}

void memory_find_problems(struct array *findings, const struct session *session)
{
    static const struct {
        const char *id;
        bool (*finds)(struct text *line, const struct session *session);
    } rules[] = {
        {"RAM-16G", say_ram},
        {"FRAG", say_fragmentation},
        {"OWN-ALLOCATOR", say_hidden},
        {"OWN-MAPPINGS", say_mapped},
    };
    struct text line;

    text_init(&line);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        text_clear(&line);
        rules[i].finds(&line, session);
        if (line.size > 0)
            add(findings, rules[i].id, line.bytes);
    }
    add_own_heaps(findings, session);
}

