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
static const double least_max_bytes = 1 << 16; /* copies of smaller blocks take little time */
static const double least_rise = 16;           /* the largest, by the smallest block */
static const double most_askew = 0.1;          /* of the mean, by half of the largest block */
static const uint64_t most_together = 4; /* blocks at the heap's peak: the last and the next */

/* Bin i of the heap's sizes has blocks from 2^i bytes on. */
static double count_blocks(const struct session_heap *heap, double bytes)
{
    int bin = 0;

    frexp(bytes, &bin);
    return bin > 0 ? (double)heap->sizes.counts[bin - 1] : 0;
}

/* Of sizes that rise evenly, half of the largest and a quarter of it are as frequent as others; two
 * sizes may have the same mean. */
static bool has_all_sizes(const struct session_heap *heap, const struct session_site *site)
{
    double blocks = (double)site->allocations, most = (double)site->max_size;

    return count_blocks(heap, most / 2) >= blocks / 8 &&
           count_blocks(heap, most / 4) >= blocks / 16;
}

static bool is_grown(const struct session_heap *heap, const struct session_site *site)
{
    double blocks = (double)site->allocations, most = (double)site->max_size;
    double bytes = (double)site->allocated_bytes;

    return blocks >= least_blocks && most >= least_max_bytes &&
           most >= least_rise * (double)site->min_size &&
           fabs(2 * bytes / blocks / most - 1) <= most_askew &&
           site->peak_blocks <= most_together && (double)site->freed_bytes >= bytes - 2 * most &&
           has_all_sizes(heap, site);
}

/* Returns: the site with most bytes of such blocks; NULL. */
static const struct session_site *find_grown(const struct session *session)
{
    const struct session_site *most = NULL;

    for (size_t i = 0; i < session->sites.count; i++) {
        const struct session_site *site = session_site_at(session, i);

        if (is_grown(&session->heap, site) &&
            (!most || site->allocated_bytes > most->allocated_bytes))
            most = site;
    }
    return most;
}

static double find_time(const struct findings_context *context, const struct place *line)
{
    struct own_lines lines;

    own_lines_init(&lines, &context->time);
    return own_lines_time_at(&lines, line);
}

static void add(struct findings *findings, const struct findings_context *context,
                const struct session_site *of, const struct place *line, double cpu_ns)
{
    double ns = findings_elapsed_ns(context, cpu_ns);
    struct finding *finding = findings_add_freeing(
        findings, &(struct finding_claim){ns, ns, FINDING_CONFIDENCE_MEDIUM}, cpu_ns);

    finding_weaken(finding, FINDING_BOUNDS);
    place_append_short(&finding->place, line);
    say(&finding->title, grown_title_text, said_bytes((double)of->min_size),
        said_bytes((double)of->max_size), said_share(cpu_ns / context->time.cpu_ns));
    say(&finding->evidence, grown_blocks_text, said_count(of->allocations),
        said_bytes((double)of->allocated_bytes / (double)of->allocations),
        said_count(of->peak_blocks));
    say(&finding->why, grown_why_text);
    say(&finding->action, line->function->is_python ? grown_action_python_text : grown_action_text);
    say(&finding->refute, grown_refute_text);
}

/* Does another finding have most of the time of the line? */
static bool is_told(const struct findings *findings, const struct place *line, double ns)
{
    struct text name;
    double told_ns;

    text_init(&name);
    place_append_short(&name, line);
    told_ns = known_costs_at(findings, name.bytes, "");
    text_fini(&name);
    return told_ns > ns / 2;
}

bool grown_blocks_add(struct findings *findings, const struct findings_context *context,
                      struct place *line)
{
    const struct session_site *grown = find_grown(context->session);
    const struct place *own;
    double cpu_ns;

    if (context->time.unknown || !grown)
        return false;
    own = own_lines_find(context->session, context->time.places, grown->call);
    if (!own)
        return false;
    *line = *own;
    cpu_ns = find_time(context, line);
    if (cpu_ns < least_share * context->time.cpu_ns ||
        is_told(findings, line, findings_elapsed_ns(context, cpu_ns)))
        return false;
    add(findings, context, grown, line, cpu_ns);
    return true;
}
