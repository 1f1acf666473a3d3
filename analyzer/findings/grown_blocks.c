/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks that grow piece by piece.
 *
 * A text, an array or a tensor that gets a piece at its end in each step is copied as a whole: n
 * pieces move n^2 / 2 bytes.  Such blocks have all sizes up to the largest, so their mean is half
 * of it, and each is freed soon after the next one was made.  Blocks of other sizes are rarely so,
 * but may be, so the advice is conditional.
 */
#include "findings/grown_blocks.h"

#include <math.h>

#include "cpu/own_lines.h"
#include "findings/context.h"
#include "findings/known_costs.h"
#include "findings/texts.h"
#include "model/session.h"
#include "model/session_heap.h"

static const double least_share = 0.1;         /* of the processor time */
static const double least_blocks = 100;        /* fewer pieces are no loop */
static const double least_max_bytes = 1 << 20; /* copies of smaller blocks stay in the caches */
static const double least_rise = 16;           /* the largest, by the smallest block */
static const double most_askew = 0.1;          /* of the mean, by half of the largest block */
static const uint64_t most_together = 4; /* blocks at the heap's peak: the last and the next */

/* The large blocks of a line of the program. */
struct line_blocks {
    struct place line;
    double blocks, bytes, freed_bytes;
    double min_bytes, max_bytes;
    uint64_t peak_blocks;
};

static struct line_blocks *find_line(struct array *lines, const struct place *place)
{
    struct line_blocks *line = lines->items;

    for (size_t i = 0; i < lines->count; i++)
        if (place_is_same_line(&line[i].line, place))
            return &line[i];
    line = array_add(lines);
    *line = (struct line_blocks){.line = *place, .min_bytes = (double)INFINITY};
    return line;
}

static void add_site(struct array *lines, const struct findings_context *context,
                     const struct session_site *site)
{
    const struct place *own = own_lines_find(context->session, context->time.places, site->call);
    struct line_blocks *line;

    if (!own)
        return;
    line = find_line(lines, own);
    line->blocks += (double)site->allocations;
    line->bytes += (double)site->allocated_bytes;
    line->freed_bytes += (double)site->freed_bytes;
    line->min_bytes = fmin(line->min_bytes, (double)site->min_size);
    line->max_bytes = fmax(line->max_bytes, (double)site->max_size);
    line->peak_blocks += site->peak_blocks;
}

static bool is_grown(const struct line_blocks *line)
{
    double askew = 2 * line->bytes / line->blocks / line->max_bytes - 1;

    return line->blocks >= least_blocks && line->max_bytes >= least_rise * line->min_bytes &&
           fabs(askew) <= most_askew && line->peak_blocks <= most_together &&
           line->freed_bytes >= line->bytes - 2 * line->max_bytes;
}

/* Sites whose largest block is small have other blocks of the line, such as its objects. */
static bool find_grown(struct line_blocks *most, const struct findings_context *context)
{
    struct array lines;
    const struct line_blocks *line;

    array_init(&lines, sizeof(struct line_blocks));
    for (size_t i = 0; i < context->session->sites.count; i++)
        if ((double)session_site_at(context->session, i)->max_size >= least_max_bytes)
            add_site(&lines, context, session_site_at(context->session, i));
    *most = (struct line_blocks){.bytes = 0};
    line = lines.items;
    for (size_t i = 0; i < lines.count; i++)
        if (is_grown(&line[i]) && line[i].bytes > most->bytes)
            *most = line[i];
    return most->bytes > 0;
}

static double find_time(const struct findings_context *context, const struct place *line)
{
    struct own_lines lines;

    own_lines_init(&lines, &context->time);
    for (size_t i = 0; i < lines.rows.count; i++) {
        const struct own_line *row = array_at(&lines.rows, i);

        if (place_is_same_line(row->place, line))
            return row->ns;
    }
    return 0;
}

static void add(struct findings *findings, const struct findings_context *context,
                const struct line_blocks *of, double cpu_ns)
{
    double ns = findings_elapsed_ns(context, cpu_ns);
    struct finding *finding = findings_add_freeing(
        findings, &(struct finding_claim){ns, ns, FINDING_CONFIDENCE_MEDIUM}, cpu_ns);

    finding_weaken(finding, FINDING_BOUNDS);
    place_append_short(&finding->place, &of->line);
    say(&finding->title, grown_title_text, said_bytes(of->min_bytes), said_bytes(of->max_bytes),
        said_share(cpu_ns / context->time.cpu_ns));
    say(&finding->evidence, grown_blocks_text, said_count((uint64_t)of->blocks),
        said_bytes(of->bytes / of->blocks), said_count(of->peak_blocks));
    say(&finding->why, grown_why_text);
    say(&finding->action,
        of->line.function->is_python ? grown_action_python_text : grown_action_text);
    say(&finding->refute, grown_refute_text);
}

bool grown_blocks_add(struct findings *findings, const struct findings_context *context,
                      struct place *line)
{
    struct line_blocks most;
    struct text name;
    double cpu_ns;
    bool is_known;

    if (context->time.unknown || !find_grown(&most, context))
        return false;
    text_init(&name);
    place_append_short(&name, &most.line);
    cpu_ns = find_time(context, &most.line);
    is_known = known_costs_at(findings, name.bytes, "") > findings_elapsed_ns(context, cpu_ns) / 2;
    text_fini(&name);
    if (is_known || cpu_ns < least_share * context->time.cpu_ns)
        return false;
    add(findings, context, &most, cpu_ns);
    *line = most.line;
    return true;
}
