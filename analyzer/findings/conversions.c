/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conversions between Python objects and arrays: LISTS.
 *
 * A sample counts if its chain has a function of conversions.def inside all Python code, and it
 * moved no bytes: the copy of an array is no conversion.  A wait for a device's result is no
 * conversion, either.
 */
#include <math.h>
#include <string.h>

#include "base/wildcard.h"
#include "cpu/cpu_row.h"
#include "findings/context.h"
#include "findings/texts.h"
#include "model/session.h"
#include "model/session_ops.h"
#include "model/session_samples.h"

static const double least_share = 0.05; /* share of the processor time, as in GARBAGE */
static const uint64_t least_samples = 10;

static const struct conversion {
    const char *library;
    const char *function;
    const char *words;
} conversions[] = {
#define CONVERSION(library, function, words) {library, function, words},
#include "findings/conversions.def"
#undef CONVERSION
};

/* Conversions of one kind at one line. */
struct converter {
    const char *words;
    const struct place *place; /* a place in Python code */
    double ns;
};

struct converters {
    struct array rows; /* of struct converter */
    double ns;
    uint64_t samples;
};

static const char *find_words(const struct place *place)
{
    const struct places_function *function = place->function;

    for (size_t i = 0; i < sizeof conversions / sizeof *conversions; i++)
        if (function->module && wildcard_matches(conversions[i].library, function->module) &&
            wildcard_matches(conversions[i].function, function->name))
            return conversions[i].words;
    return NULL;
}

static bool only_moves(const struct place *place)
{
    return wildcard_matches("^__mem", place->function->name) ||
           wildcard_matches("^mem", place->function->name);
}

/* Visit the places of a chain inside of its Python code.
 * Returns: the words of the conversion; NULL: none.  `python`: the innermost Python code. */
static const char *find_conversion(const struct cpu_time *time, uint32_t call,
                                   const struct place **python)
{
    const char *words = NULL;
    bool is_first = true;

    for (; call != 0; call = places_parent(time->places, call)) {
        const struct call_places *of = places_known(time->places, call);

        for (size_t i = 0; of && i < of->count; i++) {
            *python = &of->places[i];
            if (place_is_python(*python))
                return words;
            if (is_first && only_moves(*python))
                return NULL;
            is_first = false;
            words = words ? words : find_words(*python);
        }
    }
    return NULL;
}

static struct converter *find_row(struct array *rows, const struct converter *like)
{
    struct converter *row;

    for (size_t i = 0; i < rows->count; i++) {
        row = array_at(rows, i);
        if (strcmp(row->words, like->words) == 0 && row->place->line == like->place->line &&
            row->place->function == like->place->function)
            return row;
    }
    row = array_add(rows);
    *row = *like;
    return row;
}

/* The reported line is the nearest outer line of the program's own code, if there is one. */
static void add_sample(struct converters *of, const struct cpu_time *time, size_t index)
{
    const struct session_sample *sample = session_sample_at(time->session, index);
    struct converter like = {.ns = 0}, *row;
    const struct place *own;

    like.words = find_conversion(time, sample->call, &like.place);
    if (!like.words || session_op_at(time->session, sample->op)->device)
        return;
    own = places_find_known(time->places, sample->call, place_is_own_python);
    like.place = own ? own : like.place;
    row = find_row(&of->rows, &like);
    row->ns += time->sample_self_ns[index];
    of->ns += time->sample_self_ns[index];
    of->samples += sample->count;
}

static void gather(struct converters *of, const struct cpu_time *time)
{
    array_init(&of->rows, sizeof(struct converter));
    for (size_t i = 0; i < time->session->samples.count; i++)
        add_sample(of, time, i);
}

static const struct converter *find_most(const struct array *rows)
{
    const struct converter *most = array_at(rows, 0);

    for (size_t i = 1; i < rows->count; i++) {
        const struct converter *row = array_at(rows, i);

        most = row->ns > most->ns ? row : most;
    }
    return most;
}

static void add_conversions(const struct findings_context *context, struct findings *findings,
                            const struct converters *of)
{
    const struct converter *most = find_most(&of->rows);
    double ns = fmin(of->ns, context->wall.ns);
    struct finding *finding =
        findings_add(findings, &(struct finding_claim){ns, ns, FINDING_CONFIDENCE_LOW});

    place_append_short(&finding->place, most->place);
    say(&finding->title, conversions_title_text, said_share(of->ns / context->time.cpu_ns));
    say(&finding->evidence, conversions_time_text, said_time(of->ns),
        said_time(context->time.cpu_ns), said_count(of->samples));
    say(&finding->evidence, conversions_most_text, said_words(most->words),
        said_words(finding->place.bytes), said_time(most->ns));
    finding_add_number(finding, "converted_ns", of->ns);
    finding_add_number(finding, "samples", (double)of->samples);
}

static void judge(const struct findings_context *context, struct findings *findings,
                  const struct converters *of)
{
    double share = context->time.cpu_ns > 0 ? of->ns / context->time.cpu_ns : 0;

    if (share >= least_share && of->samples >= least_samples)
        add_conversions(context, findings, of);
    else
        findings_pass(findings, conversions_passed_text, said_share(share));
}

void rule_conversions(const struct findings_context *context, struct findings *findings)
{
    struct converters of = {.ns = 0};

    if (!findings_has_python_time(context, findings))
        return;
    gather(&of, &context->time);
    judge(context, findings, &of);
}
