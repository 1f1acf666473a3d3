/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The samples of processor time as rows.
 *
 * Chains are walked once each, from where the sample was outwards.  What a place is a row of
 * is found once a place, and for functions without a name once a named caller.
 */
#include "cpu/line_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_samples.h"
#include "model/session_unknown.h"

/* What the samples of one chain weigh. */
struct line_weight {
    double self_ns;
    double time_ns; /* of its callers */
    double own_ns;  /* of self_ns, without collecting garbage */
    uint64_t samples;
};

/* What tells the kinds of keys apart. */
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
            .place = *place, .caller = caller, .slot = SESSION_NONE, .seen = UINT32_MAX};
    return index;
}

/* Returns: the row of a place, and of the caller that is part of it. */
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

static void fill_chain(struct line_rows *rows, const struct session *session, uint32_t call)
{
    array_truncate(&rows->chain, 0);
    for (; call != 0; call = session_call_at(session, call)->parent) {
        places_look_up(rows->time.places, call);
        const struct call_places *of = places_known(rows->time.places, call);
        for (size_t i = 0; i < of->count; i++) {
            const struct place **place = array_add(&rows->chain);

            *place = &of->places[i];
        }
    }
}

/* By Python function what such functions call is theirs; what none calls keeps its own rows. */
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

/* Returns: the caller that is part of the row of place `index` of the chain, or NULL. */
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

/* Returns: the innermost place of Python code; how many there are without one. */
static size_t find_python(const struct array *chain)
{
    const struct place *const *place = chain->items;
    size_t index = 0;

    while (index < chain->count && !place[index]->function->is_python)
        index++;
    return index;
}

/* Whose time it is while a place of Python code is the innermost. */
static void count_python(struct line_rows *rows, const struct line_weight *weight, bool is_native)
{
    const struct place *const *chain = rows->chain.items;
    size_t index = find_python(&rows->chain);
    struct line_row *row;

    if (index == rows->chain.count)
        return;
    row = row_at(rows, find_row(rows, chain[index], find_caller(rows, index)));
    if (is_native)
        row->native_ns += weight->own_ns;
    else
        row->interpreter_ns += weight->own_ns;
}

static void count_chain(struct line_rows *rows, uint32_t number, const struct line_weight *weight)
{
    const struct place *const *chain = rows->chain.items;

    for (size_t i = 0; i < rows->chain.count; i++) {
        uint32_t index = find_row(rows, chain[i], find_caller(rows, i));
        struct line_row *row = row_at(rows, index);

        if (i == 0) {
            row->self_ns += weight->self_ns;
            row->self_samples += weight->samples;
            rows->of_call[number] = index;
        }
        if (row->seen == number)
            continue;
        row->seen = number;
        row->total_ns += i == 0 ? weight->self_ns : weight->time_ns;
        row->total_samples += weight->samples;
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

/* Samples at one chain differ by thread, region and kernel.
 * Returns: what each chain weighs, by its call, for the caller to free. */
static struct line_weight *weigh(const struct session *session, const struct cpu_time *time)
{
    const struct session_sample *samples = session->samples.items;
    struct line_weight *weights = memory_get_zeros(session->calls.count + 1, sizeof *weights);

    for (size_t i = 0; i < session->samples.count; i++) {
        weights[samples[i].call].self_ns += time->sample_self_ns[i];
        if (!(samples[i].flags & TRACE_SAMPLE_GARBAGE))
            weights[samples[i].call].own_ns += time->sample_self_ns[i];
        weights[samples[i].call].time_ns += time->sample_ns[i];
        weights[samples[i].call].samples += samples[i].count;
    }
    return weights;
}

static void count_chains(struct line_rows *rows, const struct session *session)
{
    struct line_weight *weights = weigh(session, &rows->time);

    for (uint32_t call = 1; call < session->calls.count; call++) {
        if (weights[call].samples == 0)
            continue;
        fill_chain(rows, session, call);
        bool is_native = find_python(&rows->chain) > 0;
        if (rows->by == ANALYSIS_BY_PYTHON)
            keep_python(&rows->chain);
        count_chain(rows, call, &weights[call]);
        count_python(rows, &weights[call], is_native);
    }
    free(weights);
}

/* Ticks that are kept are neighbours but for stretches that were left out. */
static void count_runs(struct line_rows *rows, const struct session *session)
{
    const struct session_sample *samples = session->samples.items;
    const struct session_tick *ticks = session->ticks.items;
    uint32_t *last = memory_get_zeros(session->threads.count + 1, sizeof *last);

    for (size_t i = 0; i < session->ticks.count; i++) {
        const struct session_sample *sample = &samples[ticks[i].sample];
        uint32_t row = rows->of_call[sample->call];

        if (sample->thread == SESSION_NONE || row == SESSION_NONE)
            continue;
        if (last[sample->thread] != row + 1)
            row_at(rows, row)->runs += session->sampling.ticks_of;
        last[sample->thread] = row + 1;
    }
    free(last);
}

static void count_all(struct line_rows *rows, const struct session *session)
{
    const struct session_sample *samples = session->samples.items;

    rows->of_call = memory_get((session->calls.count + 1) * sizeof *rows->of_call);
    memset(rows->of_call, 0xff, (session->calls.count + 1) * sizeof *rows->of_call);
    count_chains(rows, session);
    for (size_t i = 0; i < session->samples.count; i++)
        if (samples[i].call == 0)
            count_bare(rows, &samples[i], rows->time.sample_self_ns[i]);
    count_runs(rows, session);
}

void line_rows_init(struct line_rows *rows, const struct session *session,
                    const struct analysis_options *options)
{
    const struct cpu_time_options asked = {.by = CPU_BY_KIND,
                                           .confidence = options->confidence,
                                           .find_frames = options->find_frames};

    *rows = (struct line_rows){
        .by = options->by == ANALYSIS_BY_DEFAULT ? ANALYSIS_BY_LINE : options->by};
    array_init(&rows->rows, sizeof(struct line_row));
    array_init(&rows->chain, sizeof(const struct place *));
    array_init(&rows->indices, sizeof(uint32_t));
    fold_init(&rows->fold, &rows->rows);
    fold_init(&rows->known, &rows->indices);
    cpu_time_init(&rows->time, session, &asked);
    if (session->sampling.count == 0)
        return;
    count_all(rows, session);
}

void line_rows_fini(struct line_rows *rows)
{
    fold_fini(&rows->fold);
    fold_fini(&rows->known);
    array_fini(&rows->indices);
    array_fini(&rows->chain);
    array_fini(&rows->rows);
    free(rows->of_call);
    cpu_time_fini(&rows->time);
}
