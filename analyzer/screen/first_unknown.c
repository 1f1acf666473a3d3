/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Unknown figures, doubts, and the cost of tprof itself.
 */
#include <math.h>

#include "analysis/devices.h"
#include "analysis/loss_words.h"
#include "analysis/stage_words.h"
#include "base/text.h"
#include "cpu/cpu_row.h"
#include "findings/rows.h"
#include "model/session.h"
#include "model/session_losses.h"
#include "screen/first_parts.h"
#include "screen/texts.h"

enum { DOUBTS_SHOWN = 3 };

/* A line of the block; an empty line is left out. */
static void take(struct text_list *lines, struct text *line, enum first_rank rank)
{
    struct text whole;

    if (line->size == 0)
        return;
    text_init(&whole);
    text_appendf(&whole, "  %s", line->bytes);
    text_clear(line);
    text_list_take(lines, &whole);
    text_list_rank(lines, text_list_count(lines) - 1, rank);
}

static void say_losses(struct text *line, const struct report_sums *sums)
{
    if (!loss_words_are_due(sums->session))
        return;
    loss_words_append(line, sums->session);
    text_append(line, ".");
}

/* Say what every block would cost, from the cost of the first ones.  How many blocks a window had
 * is not known. */
static void say_exact(struct text *line, const struct report_sums *sums)
{
    const struct session_overhead *overhead = &sums->session->overhead;
    double own_ns = sums->cpu.cpu_ns - (double)overhead->total_ns;
    double all_ns = sums->cpu.cpu_ns - overhead->blocks_ns + overhead->exact_ns;

    if (!sums->session->window.is_cut && own_ns > 0 && all_ns > own_ns)
        say(line, first_exact_text, said_ratio(all_ns / own_ns));
}

/* The whole story of the rates is in the full report. */
static void say_owners(struct text *line, const struct report_sums *sums)
{
    uint64_t until_ns = stages_exact_until_ns(sums->session, STAGES_OF_SITES);
    uint64_t distance = stages_block_distance(sums->session);

    if (distance > 0 && until_ns == 0)
        say(line, first_owners_throughout_text, said_bytes((double)distance));
    else if (distance > 0)
        say(line, first_owners_drawn_text, said_time((double)until_ns),
            said_bytes((double)distance));
    else
        say(line, first_owners_fewer_text, said_time((double)until_ns));
    say_exact(line, sums);
}

static void say_stages(struct text *line, const struct report_sums *sums)
{
    if (stage_words_are_due(sums->session, STAGES_OF_SITES))
        say_owners(line, sums);
    stage_words_append(line, sums->session, STAGES_OF_KERNELS | STAGES_OF_REGIONS);
}

/* Returns: the reason that most counters lack, or NULL. */
static const char *why_no_counters(const struct session *session)
{
    for (int i = 0; i < TRACE_COUNTERS; i++)
        if (session->counters[i].is_known)
            return NULL;
    return session->counters[0].reason;
}

static void say_limits(struct text *line, const struct report_sums *sums,
                       const struct analysis_options *options)
{
    const char *reason = why_no_counters(sums->session);

    if (sums->kernel_calls > 0 && !options->machine)
        say(line, first_no_roofline_text);
    if (reason)
        say(line, first_no_counters_text, said_words(reason));
}

static void say_nameless(struct text *line, const struct cpu_time *time)
{
    struct text libraries;

    text_init(&libraries);
    say(line, first_nameless_text, said_share(1 - time->named));
    first_append_libraries(&libraries, time, 0, true);
    if (libraries.size > 0)
        say(line, first_nameless_in_text, said_words(libraries.bytes));
}

/* a smaller share does not matter */
static const double least_nameless = 0.01;

/* Say how much processor time has no name, and why; and how reliable the samples are. */
static void say_time(struct text *line, const struct report_sums *sums)
{
    const struct cpu_time *time = &sums->cpu;

    if (time->unknown) {
        say(line, first_not_sampled_text, said_words(time->unknown));
        return;
    }
    if (1 - time->named >= least_nameless)
        say_nameless(line, time);
    if (time->check.is_in_step)
        say(line, first_in_step_text, said_words(time->check.name));
}

/* Calls that pass are not priced one by one, but samples show them. */
static double sampled_own_ns(const struct cpu_time *time)
{
    enum { LEAST_SAMPLES = 30 };
    uint64_t samples = 0;
    double ns = 0;

    for (size_t i = 0; i < time->rows.count && !time->unknown; i++) {
        const struct cpu_row *row = array_at(&time->rows, i);

        if (row->kind != CPU_TPROF)
            continue;
        ns += row->self_ns;
        samples += row->samples;
    }
    return samples >= LEAST_SAMPLES ? ns : 0;
}

static void say_overhead(struct text *line, const struct report_sums *sums)
{
    const struct session_overhead *overhead = &sums->session->overhead;
    double total_ns = fmax((double)overhead->total_ns, sampled_own_ns(&sums->cpu));

    if (sums->session->process.imported) {
        say(line, first_imported_text, said_words(sums->session->process.imported));
        return;
    }
    if (!overhead->is_priced)
        say(line, report_overhead_least_text, said_time(total_ns));
    else if (sums->cpu.cpu_ns > 0 && !sums->cpu.unknown)
        say(line, first_overhead_text, said_time(total_ns),
            said_share(cpu_time_share(&sums->cpu, total_ns)));
    else
        say(line, report_overhead_sum_text, said_time(total_ns), said_share(overhead->fraction));
}

bool first_is_doubt(const struct finding *finding)
{
    return finding->gain == FINDING_DOUBTS && finding->severity > FINDING_INFO;
}

/* The cost of recording has a line of its own; disturbances are with the wall time. */
static void add_doubtful(struct text_list *doubts, const struct findings *findings)
{
    for (size_t i = 0; i < findings->found.count; i++) {
        const struct finding *finding = findings_at(findings, i);
        struct text doubt;

        if (!first_is_doubt(finding) || finding->rule == FINDING_RULE_overhead ||
            finding->rule == FINDING_RULE_noise)
            continue;
        text_init(&doubt);
        first_append_title(&doubt, finding);
        text_list_take(doubts, &doubt);
    }
}

static void add_doubts(struct text_list *lines, struct text *line, const struct report_sums *sums)
{
    struct text_list doubts;
    size_t count;

    text_list_init(&doubts);
    add_doubtful(&doubts, &sums->findings);
    for (size_t i = 0; i < text_list_count(&sums->session->doubts); i++)
        text_list_addf(&doubts, "%s", text_list_at(&sums->session->doubts, i));
    count = text_list_count(&doubts);
    for (size_t i = 0; i < count && i < DOUBTS_SHOWN; i++) {
        text_append(line, text_list_at(&doubts, i));
        take(lines, line, i == 0 ? FIRST_ANSWER : FIRST_NOTE);
    }
    if (count > DOUBTS_SHOWN) {
        say(line, first_more_doubts_text, said_count(count - DOUBTS_SHOWN));
        take(lines, line, FIRST_NOTE);
    }
}

void first_add_unknown(struct document *document, const struct report_sums *sums,
                       const struct analysis_options *options)
{
    struct text_list *lines = document_add_lines(document, NULL);
    struct text line;

    text_init(&line);
    say(&line, first_unknown_text);
    document_head(document, &line, "tprof report --full");
    say_time(&line, sums);
    take(lines, &line, FIRST_NOTE);
    say_losses(&line, sums);
    take(lines, &line, FIRST_ANSWER);
    say_stages(&line, sums);
    take(lines, &line, FIRST_NOTE);
    devices_append(&line, sums->session);
    take(lines, &line, FIRST_NOTE);
    add_doubts(lines, &line, sums);
    say_limits(&line, sums, options);
    take(lines, &line, FIRST_LIMIT);
    say_overhead(&line, sums);
    take(lines, &line, FIRST_NOTE);
}
