/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * OWN-PRODUCT: a compiled line of the program sums products of elements, as in three loops that
 * multiply matrices.  A BLAS keeps blocks of them in the caches and in registers.
 *
 * The text of the line tells: "sum += a[i][k] * b[k][j]".
 *
 * Source: K. Goto and R. van de Geijn, Anatomy of High-Performance Matrix Multiplication, ACM
 * Transactions on Mathematical Software 34 (2008) 12.
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

static const double least_share = 0.2;   /* of the processor time, as in HOT-LINE */
static const double itself_share = 0.75; /* of the line's time, in no function that it calls */

static bool is_in_no_kernel(const struct cpu_time *time, size_t sample, const void *of)
{
    (void)of;
    return session_sample_at(time->session, sample)->slot == SESSION_NONE;
}

/* Samples of a short loop fall on its head as well: then the next line is its body. */
static bool sums_products(struct source_text *source, const struct place *place)
{
    static const char head[] = "for ";
    struct text line;
    bool sums = false, is_head = true;

    if (place->function->is_python || !place->file)
        return false;
    for (uint32_t i = 0; i < 2 && is_head && !sums; i++) {
        text_init(&line);
        source_text_append(source, &line, place->file, place->line + i);
        sums = line.size > 0 && line_phrases_sums_products(line.bytes);
        is_head = line.size > 0 && (strncmp(line.bytes, head, sizeof head - 1) == 0 ||
                                    strncmp(line.bytes, "for(", sizeof head - 1) == 0);
        text_fini(&line);
    }
    return sums;
}

/* Returns: the time of samples in the line itself. */
static double sum_itself(const struct findings_context *context, const struct place *place)
{
    const struct cpu_time *time = &context->time;
    double ns = 0;

    for (size_t i = 0; i < time->session->samples.count; i++) {
        const struct call_places *of =
            places_known(time->places, session_sample_at(time->session, i)->call);

        if (of && of->count > 0 && place_is_same_line(&of->places[0], place))
            ns += time->sample_ns[i];
    }
    return ns;
}

static void add(const struct findings_context *context, struct findings *findings,
                const struct own_line *line)
{
    double ns = findings_elapsed_ns(context, line->ns);
    struct finding *finding = findings_add_freeing(
        findings, &(struct finding_claim){ns, ns, FINDING_CONFIDENCE_MEDIUM}, line->ns);

    place_append_short(&finding->place, line->place);
    say(&finding->title, own_product_title_text, said_share(line->ns / context->time.cpu_ns));
    say(&finding->evidence, own_product_time_text, said_time(line->ns),
        said_time(context->time.cpu_ns), said_count(line->samples));
    finding_add_number(finding, "line_ns", line->ns);
    finding_add_number(finding, "samples", (double)line->samples);
}

void rule_own_product(const struct findings_context *context, struct findings *findings)
{
    struct source_text source;
    struct own_lines lines;

    if (context->time.unknown) {
        findings_skip(findings, time_not_sampled_text, said_words(context->time.unknown));
        return;
    }
    source_text_init(&source, context->session);
    own_lines_init_of(&lines, &context->time, is_in_no_kernel, NULL);
    for (size_t i = 0; i < lines.rows.count; i++) {
        const struct own_line *line = array_at(&lines.rows, i);

        if (line->ns < least_share * context->time.cpu_ns)
            break;
        if (sums_products(&source, line->place) &&
            sum_itself(context, line->place) >= itself_share * line->ns) {
            add(context, findings, line);
            return;
        }
    }
    findings_pass(findings, own_product_passed_text);
}
