/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of Python whose time is in NumPy's own loops, and whose text tells more than these.
 *
 * PLAIN-PRODUCT: the line multiplies matrices.  NumPy calls its BLAS only for matrices of floats
 * whose rows or columns lie without gaps; else it adds up the products one by one.  The line calls
 * nothing else that takes each element, and has no time in a BLAS.
 *
 * COLUMNS: the line takes columns of an array one by one.
 *
 * Source: numpy/_core/src/umath/matmul.c.src, is_blasable2d; numpy/numpy#17810; NumPy
 * documentation, internal memory layout of an ndarray.
 */
#include <string.h>

#include "cpu/own_lines.h"
#include "findings/context.h"
#include "findings/line_phrases.h"
#include "findings/texts.h"
#include "model/session.h"
#include "model/session_samples.h"
#include "model/session_unknown.h"
#include "places/source_text.h"

static const double least_share = 0.2; /* of the processor time, as in HOT-LINE */
static const double most_share = 0.75; /* of the line's time, in NumPy's loops */
static const double kernel_share = 0.05;

/* Without symbols, a loop is one of many addresses of the module. */
static bool is_in_loops(const struct cpu_time *time, size_t sample, const void *of)
{
    static const char module[] = "_multiarray_umath";
    const struct session_sample *at = session_sample_at(time->session, sample);
    const struct call_places *places = places_known(time->places, at->call);
    const struct places_function *function =
        places && places->count > 0 ? places->places[0].function : NULL;

    (void)of;
    return at->slot == SESSION_NONE && function && function->module &&
           strncmp(function->module, module, sizeof module - 1) == 0;
}

static bool is_in_kernel(const struct cpu_time *time, size_t sample, const void *of)
{
    (void)of;
    return session_sample_at(time->session, sample)->slot != SESSION_NONE;
}

/* What one of the rules looks for, and its words. */
struct sought {
    bool (*says)(const char *line);
    bool is_apart; /* from kernels */
    const struct said *title, *time, *passed;
};

/* Does the text of a line tell what `says` asks for? */
static bool is_told(struct source_text *source, const struct place *place,
                    bool (*says)(const char *line))
{
    struct text line;
    bool is;

    if (!place->function->is_python || !place->file)
        return false;
    text_init(&line);
    source_text_append(source, &line, place->file, place->line);
    is = line.size > 0 && says(line.bytes);
    text_fini(&line);
    return is;
}

/* Returns: the time of wanted samples at a line, with all that it calls; `wanted` NULL: of all. */
static double time_at(const struct findings_context *context, const struct place *place,
                      own_lines_wanted wanted)
{
    struct own_lines lines;

    if (wanted)
        own_lines_init_of(&lines, &context->time, wanted, NULL);
    else
        own_lines_init(&lines, &context->time);
    return own_lines_time_at(&lines, place);
}

/* Most lines are sorted out by their text, before the time of others is gathered. */
static bool is_sought(const struct findings_context *context, struct source_text *source,
                      const struct own_line *line, const struct sought *sought)
{
    return is_told(source, line->place, sought->says) &&
           line->ns >= most_share * time_at(context, line->place, NULL) &&
           (!sought->is_apart ||
            time_at(context, line->place, is_in_kernel) <= kernel_share * line->ns);
}

static void add(const struct findings_context *context, struct findings *findings,
                const struct own_line *line, const struct sought *sought)
{
    double ns = findings_elapsed_ns(context, line->ns);
    struct finding *finding = findings_add_freeing(
        findings, &(struct finding_claim){ns, ns, FINDING_CONFIDENCE_MEDIUM}, line->ns);

    place_append_short(&finding->place, line->place);
    say(&finding->title, *sought->title, said_share(line->ns / context->time.cpu_ns));
    say(&finding->evidence, *sought->time, said_time(line->ns), said_time(context->time.cpu_ns),
        said_count(line->samples));
    finding_add_number(finding, "line_ns", line->ns);
    finding_add_number(finding, "samples", (double)line->samples);
}

static void look(const struct findings_context *context, struct findings *findings,
                 const struct sought *sought)
{
    struct source_text source;
    struct own_lines lines;

    if (context->time.unknown) {
        findings_skip(findings, time_not_sampled_text, said_words(context->time.unknown));
        return;
    }
    source_text_init(&source, context->session);
    own_lines_init_of(&lines, &context->time, is_in_loops, NULL);
    for (size_t i = 0; i < lines.rows.count; i++) {
        const struct own_line *line = array_at(&lines.rows, i);

        if (line->ns < least_share * context->time.cpu_ns)
            break;
        if (is_sought(context, &source, line, sought)) {
            add(context, findings, line, sought);
            return;
        }
    }
    findings_pass(findings, *sought->passed);
}

void rule_plain_product(const struct findings_context *context, struct findings *findings)
{
    look(context, findings,
         &(struct sought){line_phrases_multiplies_matrices, true, &plain_product_title_text,
                          &plain_product_time_text, &plain_product_passed_text});
}

void rule_columns(const struct findings_context *context, struct findings *findings)
{
    look(context, findings,
         &(struct sought){line_phrases_takes_column, false, &columns_title_text, &columns_time_text,
                          &columns_passed_text});
}
