/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks that one thread makes and others free: BACKLOG.
 *
 * A thread that makes work faster than others do it fills the queue between them.  Where all that
 * is made at one line is freed by other threads, it was handed over.  The blocks live at the heap's
 * peak waited, or were in work.
 */
#include "findings/context.h"
#include "findings/texts.h"
#include "heap/memory_facts.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "places/places.h"

static const double least_peak = 64.0 * 1024 * 1024;
static const double least_of_peak = 0.5; /* of the heap, for one line */
static const uint64_t least_blocks = 50; /* at the peak: more than threads have in work */
static const double least_handed = 0.9;  /* of the freed blocks: other threads free them */

/* The blocks of a line of the program. */
struct handed {
    struct place line;
    uint64_t peak_bytes, peak_blocks;
    uint64_t frees, strange_frees;
};

static void add_site(struct array *lines, struct places *places, const struct session_site *site)
{
    struct handed *line;
    struct place owner;

    if (!places_find_owner_of(places, site->call, &owner))
        return;
    line = places_find_row(lines, &owner);
    line->peak_bytes += site->peak_bytes;
    line->peak_blocks += site->peak_blocks;
    line->frees += site->frees;
    line->strange_frees += site->strange_frees;
}

static bool is_backlog(const struct handed *line, double peak)
{
    return (double)line->peak_bytes >= least_of_peak * peak && line->peak_blocks >= least_blocks &&
           (double)line->strange_frees >= least_handed * (double)line->frees &&
           line->frees >= line->peak_blocks;
}

/* Returns: whether there is such a line, which is the only one: it has half of the peak. */
static bool find_backlog(struct handed *found, const struct findings_context *context)
{
    const struct session *session = context->session;
    struct places *places = places_new(session, context->options.find_frames);
    const struct handed *line;
    struct array lines;

    array_init(&lines, sizeof(struct handed));
    for (size_t i = 0; i < session->sites.count; i++)
        if (session_site_at(session, i)->strange_frees > 0)
            add_site(&lines, places, session_site_at(session, i));
    line = lines.items;
    for (size_t i = 0; i < lines.count; i++)
        if (is_backlog(&line[i], (double)session->heap.peak_bytes)) {
            *found = line[i];
            return true;
        }
    return false;
}

static void add_backlog(struct findings *findings, const struct session *session,
                        const struct handed *line)
{
    struct finding *finding = findings_add_doubt(findings, false, FINDING_CONFIDENCE_MEDIUM);

    say(&finding->title, backlog_title_text, said_count(line->peak_blocks),
        said_bytes((double)line->peak_bytes));
    say(&finding->evidence, backlog_frees_text, said_count(line->strange_frees),
        said_count(line->frees), said_bytes((double)session->heap.peak_bytes));
    place_append_short(&finding->place, &line->line);
    finding_add_number(finding, "blocks", (double)line->peak_blocks);
    finding_add_number(finding, "bytes", (double)line->peak_bytes);
}

void rule_backlog(const struct findings_context *context, struct findings *findings)
{
    const struct session_heap *heap = &context->session->heap;
    struct handed line;

    if (!memory_is_known(heap))
        findings_skip(findings, memory_unknown_sentence(), said_words(memory_why_unknown(heap)));
    else if ((double)heap->peak_bytes >= least_peak && find_backlog(&line, context))
        add_backlog(findings, context->session, &line);
    else
        findings_pass(findings, backlog_passed_text, said_bytes((double)heap->peak_bytes));
}
