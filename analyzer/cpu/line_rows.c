/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The samples of processor time as rows.
 *
 * Each chain is walked once, from its sample outwards.  The row of a place is searched once for
 * each place, and for unnamed functions once for each named caller.
 */
#include "cpu/line_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_kernels.h"
#include "model/session_samples.h"
#include "model/session_unknown.h"

/* The samples of one chain; for rows by line, only those in one kernel. */
struct line_fact {
    uint32_t call;
    const struct place *caller; /* the caller of the samples' kernel, which has their time; or
                                   NULL */
    uint32_t row; /* row of the samples */
    double self_ns;
    double time_ns; /* time that the samples add to their callers */
    double own_ns;  /* part of self_ns without garbage collection */
    uint64_t samples;
};

/* The kinds of keys. */
enum { KEY_LIBRARY, KEY_FILE, KEY_LINE, KEY_FUNCTION, KEY_SLOT };

/* Lines of a function that has none are its function. */
static void append_key(struct line_rows *rows, const struct place *place,
                       const struct places_function *caller)
{
    struct fold *fold = &rows->fold;
    enum analysis_by by = rows->by;

    if (by == ANALYSIS_BY_LIBRARY || (by == ANALYSIS_BY_FILE && !place->file)) {
        fold_by_number(fold, KEY_LIBRARY);
        fold_by_text(fold, place->function->module);
    } else if (by == ANALYSIS_BY_FILE || (by == ANALYSIS_BY_LINE && place->file)) {
        fold_by_number(fold, by == ANALYSIS_BY_LINE ? KEY_LINE : KEY_FILE);
        fold_by_text(fold, place->file);
        fold_by_number(fold, by == ANALYSIS_BY_LINE ? place->line : 0);
    } else {
        fold_by_number(fold, KEY_FUNCTION);
        fold_by_number(fold, place->function->row);
        fold_by_number(fold, caller ? caller->row : SESSION_NONE);
    }
}

static uint32_t add_place(struct line_rows *rows, const struct place *place,
                          const struct places_function *caller)
{
    uint32_t index;

    append_key(rows, place, caller);
    if (fold_find(&rows->fold, &index))
        *(struct line_row *)array_at(&rows->rows, index) = (struct line_row){
            .place = *place, .caller = caller, .slot = SESSION_NONE};
    return index;
}

/* Returns: the row of a place, and of the caller that belongs to it. */
static uint32_t find_row(struct line_rows *rows, const struct place *place,
                         const struct places_function *caller)
{
    uint32_t index, *known;

    fold_by_address(&rows->known, place);
    fold_by_address(&rows->known, caller);
    bool is_new = fold_find(&rows->known, &index);
    known = array_at(&rows->indices, index);
    if (is_new)
        *known = add_place(rows, place, caller);
    return *known;
}

static struct line_row *row_at(const struct line_rows *rows, uint32_t index)
{
    return array_at(&rows->rows, index);
}

static void append_place(struct array *chain, const struct place *place)
{
    const struct place **at = array_add(chain);

    *at = place;
}

/* If a kernel counts for its caller, the frames inside are left out. */
static void fill_chain(struct line_rows *rows, const struct session *session,
                       const struct line_fact *fact)
{
    array_truncate(&rows->chain, 0);
    if (fact->caller)
        append_place(&rows->chain, fact->caller);
    for (uint32_t call = fact->call; call != 0; call = session_call_at(session, call)->parent) {
        if (fact->caller && rows->time.call_kernel[call] != SESSION_NONE)
            continue;
        places_look_up(rows->time.places, call);
        const struct call_places *of = places_known(rows->time.places, call);
        for (size_t i = 0; i < of->count; i++)
            append_place(&rows->chain, &of->places[i]);
    }
}

/* Python functions own their callees; code outside of Python keeps its own rows. */
static void keep_python(struct array *chain)
{
    const struct place **place = chain->items;
    size_t count = 0;

    for (size_t i = 0; i < chain->count; i++)
        if (place[i]->function->is_python)
            place[count++] = place[i];
    if (count > 0)
        array_truncate(chain, count);
}

/* Returns: the caller that belongs to the row of place `index` of the chain, or NULL. */
static const struct places_function *find_caller(const struct line_rows *rows, size_t index)
{
    const struct place *const *chain = rows->chain.items;
    const struct place *found = NULL;
    bool is_pair = rows->by == ANALYSIS_BY_CALLER;

    if (!is_pair && chain[index]->function->has_name)
        return NULL;
    for (size_t i = index + 1; i < rows->chain.count; i++) {
        if (place_tells_more(chain[i], found))
            found = chain[i];
        if (found && (is_pair || !found->function->is_relay))
            break;
    }
    return found ? found->function : NULL;
}

/* Returns: the index of the innermost place of Python code; the count if there is none. */
static size_t find_python(const struct array *chain)
{
    const struct place *const *place = chain->items;
    size_t index = 0;

    while (index < chain->count && !place[index]->function->is_python)
        index++;
    return index;
}

/* Counts the time for the innermost place of Python code. */
static void count_python(struct line_rows *rows, const struct line_fact *fact, bool is_native)
{
    const struct place *const *chain = rows->chain.items;
    size_t index = find_python(&rows->chain);
    struct line_row *row;

    if (index == rows->chain.count)
        return;
    row = row_at(rows, find_row(rows, chain[index], find_caller(rows, index)));
    if (is_native)
        row->native_ns += fact->own_ns;
    else
        row->interpreter_ns += fact->own_ns;
}

static void count_chain(struct line_rows *rows, uint32_t number, struct line_fact *fact)
{
    const struct place *const *chain = rows->chain.items;

    for (size_t i = 0; i < rows->chain.count; i++) {
        uint32_t index = find_row(rows, chain[i], find_caller(rows, i));
        struct line_row *row = row_at(rows, index);

        if (i == 0) {
            row->self_ns += fact->self_ns;
            row->self_samples += fact->samples;
            fact->row = index;
        }
        if (row->seen == number + 1)
            continue;
        row->seen = number + 1;
        row->total_ns += i == 0 ? fact->self_ns : fact->time_ns;
        row->total_samples += fact->samples;
    }
}

/* A sample without a chain has its kernel, at most. */
static void count_bare(struct line_rows *rows, const struct session_sample *sample, double time_ns)
{
    uint32_t index;

    fold_by_number(&rows->fold, KEY_SLOT);
    fold_by_number(&rows->fold, sample->slot);
    fold_find(&rows->fold, &index);
    struct line_row *row = row_at(rows, index);
    row->slot = sample->slot;
    row->self_ns += time_ns;
    row->self_samples += sample->count;
    row->total_ns = row->self_ns;
    row->total_samples = row->self_samples;
}

/* Lines inside of a kernel are most useful if they are the program's own. */
static bool is_in_program(const struct session *session, const struct session_slot *slot)
{
    const struct session_module *module = session_binding_at(session, slot->binding)->module;
    const char *program = session->process.program;

    return program && module && !session->python.is_there &&
           strcmp(text_base_name(program), text_base_name(module->path)) == 0;
}

/* Returns: the line that called the kernel of a sample, as in its row of processor time; NULL: the
 * sample was in no kernel of the catalog, or the line is unknown. */
static const struct place *find_kernel_caller(const struct line_rows *rows,
                                              const struct session *session, size_t index)
{
    const struct cpu_time *time = &rows->time;
    const struct session_sample *sample = session_sample_at(session, index);
    const struct cpu_row *row = array_at(&time->rows, time->sample_row[index]);
    const struct session_slot *slot;

    if (rows->by != ANALYSIS_BY_LINE || row->kind != CPU_KERNEL || !row->place ||
        sample->slot == SESSION_NONE)
        return NULL;
    slot = session_slot_at(session, sample->slot);
    return slot->kernel && !is_in_program(session, slot)
               ? places_of_site(time->places, slot->site)
               : NULL;
}

static void add_sample(struct line_rows *rows, const struct session *session, size_t index,
                       struct fold *fold)
{
    const struct session_sample *sample = session_sample_at(session, index);
    const struct place *caller = find_kernel_caller(rows, session, index);
    struct line_fact *fact;

    fold_by_number(fold, sample->call);
    fold_by_address(fold, caller);
    bool is_new = fold_find(fold, &rows->of_sample[index]);
    fact = array_at(&rows->facts, rows->of_sample[index]);
    if (is_new)
        *fact = (struct line_fact){.call = sample->call, .caller = caller, .row = SESSION_NONE};
    fact->self_ns += rows->time.sample_self_ns[index];
    if (!(sample->flags & TRACE_SAMPLE_GARBAGE))
        fact->own_ns += rows->time.sample_self_ns[index];
    fact->time_ns += rows->time.sample_ns[index];
    fact->samples += sample->count;
}

/* Samples at one chain differ by thread, region and kernel. */
static void gather(struct line_rows *rows, const struct session *session)
{
    struct fold fold;

    fold_init(&fold, &rows->facts);
    rows->of_sample = pool_get((session->samples.count + 1) * sizeof *rows->of_sample);
    for (size_t i = 0; i < session->samples.count; i++)
        add_sample(rows, session, i, &fold);
}

static void count_fact(struct line_rows *rows, const struct session *session, uint32_t number)
{
    struct line_fact *fact = array_at(&rows->facts, number);

    fill_chain(rows, session, fact);
    bool is_native = fact->caller || find_python(&rows->chain) > 0;
    if (rows->by == ANALYSIS_BY_PYTHON)
        keep_python(&rows->chain);
    count_chain(rows, number, fact);
    count_python(rows, fact, is_native);
}

static int compare_facts(const void *left, const void *right)
{
    const struct line_fact *a = *(const struct line_fact *const *)left;
    const struct line_fact *b = *(const struct line_fact *const *)right;

    if (a->call != b->call)
        return a->call < b->call ? -1 : 1;
    return (a > b) - (a < b);
}

/* In the order of the calls, which decides between equal rows. */
static void count_facts(struct line_rows *rows, const struct session *session)
{
    struct line_fact *facts = rows->facts.items;
    struct line_fact **order = pool_get((rows->facts.count + 1) * sizeof *order);

    for (size_t i = 0; i < rows->facts.count; i++)
        order[i] = &facts[i];
    if (rows->facts.count > 0)
        qsort(order, rows->facts.count, sizeof *order, compare_facts);
    for (size_t i = 0; i < rows->facts.count; i++)
        if (order[i]->samples > 0 && (order[i]->call != 0 || order[i]->caller))
            count_fact(rows, session, (uint32_t)(order[i] - facts));
}

static const struct line_fact *fact_of(const struct line_rows *rows, size_t sample)
{
    return array_at(&rows->facts, rows->of_sample[sample]);
}

/* Ticks that are kept are neighbours but for stretches that were left out. */
static void count_runs(struct line_rows *rows, const struct session *session)
{
    const struct session_sample *samples = session->samples.items;
    const struct session_tick *ticks = session->ticks.items;
    uint32_t *last = pool_get_zeros(session->threads.count + 1, sizeof *last);

    for (size_t i = 0; i < session->ticks.count; i++) {
        const struct session_sample *sample = &samples[ticks[i].sample];
        uint32_t row = fact_of(rows, ticks[i].sample)->row;

        if (sample->thread == SESSION_NONE || row == SESSION_NONE)
            continue;
        if (last[sample->thread] != row + 1)
            row_at(rows, row)->runs += session->sampling.ticks_of;
        last[sample->thread] = row + 1;
    }
}

static void count_all(struct line_rows *rows, const struct session *session)
{
    const struct session_sample *samples = session->samples.items;

    gather(rows, session);
    count_facts(rows, session);
    for (size_t i = 0; i < session->samples.count; i++)
        if (samples[i].call == 0 && !fact_of(rows, i)->caller)
            count_bare(rows, &samples[i], rows->time.sample_self_ns[i]);
    count_runs(rows, session);
}

void line_rows_init(struct line_rows *rows, const struct session *session,
                    const struct analysis_options *options)
{
    enum analysis_by by = options->by == ANALYSIS_BY_DEFAULT ? ANALYSIS_BY_LINE : options->by;
    const struct cpu_time_options asked = {.by = by == ANALYSIS_BY_LINE ? CPU_BY_LINE : CPU_BY_KIND,
                                           .confidence = options->confidence,
                                           .find_frames = options->find_frames};

    *rows = (struct line_rows){.by = by};
    array_init(&rows->rows, sizeof(struct line_row));
    array_init(&rows->facts, sizeof(struct line_fact));
    array_init(&rows->chain, sizeof(const struct place *));
    array_init(&rows->indices, sizeof(uint32_t));
    fold_init(&rows->fold, &rows->rows);
    fold_init(&rows->known, &rows->indices);
    cpu_time_init(&rows->time, session, &asked);
    if (session->sampling.count == 0)
        return;
    count_all(rows, session);
}

