/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Processor time by the lines of a program's own files.
 */
#include "cpu/own_lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
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

static struct own_line *find_row(struct own_lines *lines, const struct place *place,
                                 struct text *key)
{
    struct own_line *row;
    long number;

    text_clear(key);
    text_appendf(key, "%" PRIu32, place->line);
    text_index_append_part(key, place->file);
    number = text_index_add(&lines->keys, key);
    if ((size_t)number < lines->rows.count)
        return array_at(&lines->rows, (size_t)number);
    row = array_add(&lines->rows);
    *row = (struct own_line){.place = place};
    return row;
}

/* The program's own file, by its base name; NULL: it runs in Python, whose files tell. */
static const char *find_program(const struct session *session)
{
    const char *program = session->process.program;

    return program && !session->python.is_there ? text_base_name(program) : NULL;
}

static bool is_in_program(const struct place *place, const char *program)
{
    return place->file && place->line > 0 && place->function->module &&
           !place->function->is_starter && strcmp(place->function->module, program) == 0 &&
           !symbols_is_system_header(place->file);
}

/* Returns: the innermost place of the program's own; NULL: there is none. */
static const struct place *find_own(const struct cpu_time *time, uint32_t call)
{
    const char *program = find_program(time->session);

    if (!program)
        return places_find_known(time->places, call, place_is_own_python);
    for (; call != 0; call = places_parent(time->places, call)) {
        const struct call_places *of = places_known(time->places, call);

        for (size_t i = 0; of && i < of->count; i++)
            if (is_in_program(&of->places[i], program))
                return &of->places[i];
    }
    return NULL;
}

enum status own_lines_find(const struct session *session, struct places *places, uint32_t call,
                           struct place *found)
{
    const char *program = find_program(session);

    if (!program)
        return places_find(places, call, place_is_own_python, found);
    for (; call != 0; call = places_parent(places, call)) {
        places_look_up(places, call);
        const struct call_places *of = places_known(places, call);

        for (size_t i = 0; of && i < of->count; i++)
            if (is_in_program(&of->places[i], program)) {
                *found = of->places[i];
                return STATUS_OK;
            }
    }
    return STATUS_NOT_FOUND;
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

/* A place that no call of a sample has: of a frame. */
struct made_place {
    struct place place;
    struct places_function function;
};

static struct made_place make_place(const struct symbols_frame *frame, bool is_python)
{
    return (struct made_place){.place = {.file = frame->file, .line = frame->line},
                               .function = {.name = frame->function,
                                            .module = text_base_name(frame->file),
                                            .has_name = true,
                                            .is_python = is_python}};
}

static void find_row_of_frame(struct own_lines *lines, const struct symbols_frame *frame,
                              bool is_python, struct text *key, struct own_line **row)
{
    struct made_place made = make_place(frame, is_python), *kept;

    *row = find_row(lines, &made.place, key);
    if ((*row)->place != &made.place)
        return;
    kept = memory_get(sizeof *kept);
    struct made_place **place = array_add(&lines->made);
    *kept = made;
    kept->place.function = &kept->function;
    *place = kept;
    (*row)->place = &kept->place;
}

static bool is_told(const struct symbols_frame *frame)
{
    return frame->function && frame->file && frame->line > 0;
}

/* Find the row of the line that a return address is of; NULL: it is not the program's own. */
static void find_row_of_site(struct own_lines *lines, const struct session *session, uint64_t site,
                             struct text *key, struct own_line **row)
{
    const struct symbols_frame *frame = NULL;
    size_t count = 0;

    *row = NULL;
    session_find_site_python(session, site, &frame);
    if (frame && is_told(frame) && place_file_is_own(frame->file)) {
        find_row_of_frame(lines, frame, true, key, row);
        return;
    }
    if (session->python.is_there)
        return;
    session_find_site_frames(session, site, &frame, &count);
    if (count == 0 || !is_told(frame) || symbols_is_system_header(frame->file))
        return;
    find_row_of_frame(lines, frame, false, key, row);
}

/* Inside of a kernel a chain may lack its callers, as in a library's workers: the kernel, or the op
 * around it, knows the line. */
static void find_row_of_sample(struct own_lines *lines, const struct cpu_time *time,
                               const struct session_sample *sample, struct text *key,
                               struct own_line **row)
{
    const struct session *session = time->session;
    const struct place *place = find_own(time, sample->call);
    uint64_t site = 0;

    *row = place ? find_row(lines, place, key) : NULL;
    if (place)
        return;
    if (sample->op != 0)
        site = session_op_at(session, sample->op)->line;
    else if (sample->slot != SESSION_NONE)
        site = session_slot_at(session, sample->slot)->site;
    if (site != 0)
        find_row_of_site(lines, session, site, key, row);
}

static void add_samples(struct own_lines *lines, const struct cpu_time *time,
                        const struct wish *wish, struct text *key)
{
    const struct session *session = time->session;

    for (size_t i = 0; i < session->samples.count && time->sample_self_ns; i++) {
        const struct session_sample *sample = session_sample_at(session, i);
        struct own_line *row;

        if (!wish->wanted(time, i, wish->of))
            continue;
        find_row_of_sample(lines, time, sample, key, &row);
        if (row)
            add_sample(lines, row, time, i);
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
    struct text key;

    *lines = (struct own_lines){.ns = 0};
    array_init(&lines->rows, sizeof(struct own_line));
    array_init(&lines->made, sizeof(struct made_place *));
    text_init(&key);
    add_samples(lines, time, &wish, &key);
    text_fini(&key);
    sort(lines);
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

/* Find the row of the line that called an op; its index is `*row`, or SIZE_MAX: it has none. */
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

/* The time of gradients by the rows whose ops need them. */
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

/* What no row needs stays where it is. */
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
    double *by_row = memory_get_zeros(lines->rows.count + 1, sizeof *by_row);
    double all_ns = 0;

    sum_gradients(by_row, &all_ns, lines, time->session);
    if (all_ns > 0)
        move_gradients(lines, by_row, all_ns);
    sort(lines);
    free(by_row);
}

void own_lines_fini(struct own_lines *lines)
{
    for (size_t i = 0; i < lines->made.count; i++)
        free(*(struct made_place **)array_at(&lines->made, i));
    array_fini(&lines->made);
    array_fini(&lines->rows);
    text_index_fini(&lines->keys);
}
