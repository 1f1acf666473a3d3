/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Processor time by the lines of a program's own files.
 */
#include "cpu/own_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "cpu/cpu_row.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_kernels.h"
#include "model/session_ops.h"
#include "model/session_process.h"
#include "model/session_samples.h"
#include "model/session_unknown.h"
#include "ops/op_stages.h"
#include "places/places.h"
#include "symbols/symbols.h"

static struct own_line *find_row(struct own_lines *lines, const struct place *place)
{
    struct own_line *row;
    uint32_t index;

    fold_by_number(&lines->fold, place->line);
    fold_by_text(&lines->fold, place->file);
    bool is_new = fold_find(&lines->fold, &index);
    row = array_at(&lines->rows, index);
    if (is_new)
        row->place = place;
    return row;
}

static bool is_in_program(const struct place *place, const char *program)
{
    return place->file && place->line > 0 && place->function->module &&
           !place->function->is_starter && strcmp(place->function->module, program) == 0 &&
           !symbols_is_of_library(place->file);
}

const struct place *own_lines_find(const struct session *session, struct places *places,
                                   uint32_t call)
{
    const char *program = places_own_module(session);

    for (; call != 0; call = places_parent(places, call)) {
        places_look_up(places, call);
        const struct call_places *of = places_known(places, call);

        for (size_t i = 0; i < of->count; i++)
            if (program ? is_in_program(&of->places[i], program)
                        : place_is_own_python(&of->places[i]))
                return &of->places[i];
    }
    return NULL;
}

/* The samples that are asked for. */
struct wish {
    own_lines_wanted wanted;
    const void *of;
};

static bool computes_gradients(const struct session *session, const struct session_sample *sample)
{
    return sample->op != 0 && op_stage_of(session, sample->op) == OP_STAGE_BACKWARD;
}

static void add_sample(struct own_lines *lines, struct own_line *row, const struct cpu_time *time,
                       size_t index)
{
    const struct session_sample *sample = session_sample_at(time->session, index);
    double ns = time->sample_self_ns[index];

    row->ns += ns;
    row->samples += sample->count;
    row->gradients_ns += computes_gradients(time->session, sample) ? ns : 0;
    lines->ns += ns;
}

const struct place *own_lines_of_site(const struct session *session, struct places *places,
                                      uint64_t site)
{
    const struct place *place = places_of_site(places, site);

    if (!place || !place->function->has_name || !place->file || place->line == 0)
        return NULL;
    if (place->function->is_python)
        return place_is_own_python(place) ? place : NULL;
    return session->python.is_there || symbols_is_of_library(place->file) ? NULL : place;
}

/* Inside a kernel a chain may lack its callers, as in a library's workers: then the kernel, or the
 * op around it, gives the line. */
static const struct place *find_place(const struct cpu_time *time,
                                      const struct session_sample *sample)
{
    const struct session *session = time->session;
    const struct place *place = own_lines_find(session, time->places, sample->call);

    if (place || (sample->op == 0 && sample->slot == SESSION_NONE))
        return place;
    return own_lines_of_site(session, time->places,
                             sample->op != 0 ? session_op_at(session, sample->op)->line
                                             : session_slot_at(session, sample->slot)->site);
}

static void add_samples(struct own_lines *lines, const struct cpu_time *time,
                        const struct wish *wish)
{
    const struct session *session = time->session;

    for (size_t i = 0; i < session->samples.count && time->sample_self_ns; i++) {
        const struct place *place = NULL;

        if (wish->wanted(time, i, wish->of))
            place = find_place(time, session_sample_at(session, i));
        if (place)
            add_sample(lines, find_row(lines, place), time, i);
    }
}

static int compare_rows(const void *left, const void *right)
{
    const struct own_line *one = left, *other = right;

    if (one->ns != other->ns)
        return one->ns < other->ns ? 1 : -1;
    return (one->place->line > other->place->line) - (one->place->line < other->place->line);
}

static void sort(struct own_lines *lines)
{
    if (lines->rows.count > 0)
        qsort(lines->rows.items, lines->rows.count, sizeof(struct own_line), compare_rows);
}

void own_lines_init_of(struct own_lines *lines, const struct cpu_time *time,
                       own_lines_wanted wanted, const void *of)
{
    const struct wish wish = {wanted, of};

    *lines = (struct own_lines){.ns = 0};
    array_init(&lines->rows, sizeof(struct own_line));
    fold_init(&lines->fold, &lines->rows);
    add_samples(lines, time, &wish);
    sort(lines);
}

double own_lines_time_at(const struct own_lines *lines, const struct place *place)
{
    for (size_t i = 0; i < lines->rows.count; i++) {
        const struct own_line *line = array_at(&lines->rows, i);

        if (place_is_same_line(line->place, place))
            return line->ns;
    }
    return 0;
}

static bool wants_all(const struct cpu_time *time, size_t sample, const void *of)
{
    (void)time;
    (void)sample;
    (void)of;
    return true;
}

void own_lines_init(struct own_lines *lines, const struct cpu_time *time)
{
    own_lines_init_of(lines, time, wants_all, NULL);
}

/* ---- gradients ---- */

/* Find the row of the line that called an op; `*row` becomes its index, or SIZE_MAX if there is
 * none. */
static void find_row_of_op(const struct own_lines *lines, const struct session *session,
                           const struct session_op *op, size_t *row)
{
    const struct symbols_frame *frame = NULL;

    *row = SIZE_MAX;
    if (op->line != 0)
        session_find_site_python(session, op->line, &frame);
    for (size_t i = 0; i < lines->rows.count && frame && frame->file; i++) {
        const struct own_line *line = array_at(&lines->rows, i);

        if (line->place->line == frame->line && strcmp(line->place->file, frame->file) == 0)
            *row = i;
    }
}

/* The time of gradients, by the rows whose ops caused them. */
static void sum_gradients(double *by_row, double *all_ns, const struct own_lines *lines,
                          const struct session *session)
{
    for (uint32_t i = 1; i < session->ops.count; i++) {
        const struct session_op *op = session_op_at(session, i);
        size_t row;

        if (!(op->backward_ns > 0))
            continue;
        find_row_of_op(lines, session, op, &row);
        *all_ns += op->backward_ns;
        if (row < lines->rows.count)
            by_row[row] += op->backward_ns;
    }
}

/* Gradients without a row stay in place. */
static void move_gradients(struct own_lines *lines, const double *by_row, double all_ns)
{
    double gradients_ns = 0, moved = 0; /* a share */

    for (size_t i = 0; i < lines->rows.count; i++) {
        gradients_ns += ((const struct own_line *)array_at(&lines->rows, i))->gradients_ns;
        moved += by_row[i] / all_ns;
    }
    for (size_t i = 0; i < lines->rows.count; i++) {
        struct own_line *row = array_at(&lines->rows, i);
        double got_ns = gradients_ns * by_row[i] / all_ns - row->gradients_ns * moved;

        row->ns += got_ns;
        row->gradients_ns += got_ns;
    }
    lines->moved_ns = gradients_ns * moved;
}

void own_lines_init_with_gradients(struct own_lines *lines, const struct cpu_time *time)
{
    own_lines_init(lines, time);
    double *by_row = pool_get_zeros(lines->rows.count + 1, sizeof *by_row);
    double all_ns = 0;

    sum_gradients(by_row, &all_ns, lines, time->session);
    if (all_ns > 0)
        move_gradients(lines, by_row, all_ns);
    sort(lines);
}

