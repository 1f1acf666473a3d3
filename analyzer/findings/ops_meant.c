/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ops of PyTorch that one finding is about: their sums, and where the program calls them.
 */
#include "findings/ops_meant.h"

#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "cpu/cpu_row.h"
#include "cpu/own_lines.h"
#include "findings/texts.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_ops.h"
#include "model/session_samples.h"
#include "waits/wait_split.h"

bool ops_are_known(const struct findings_context *context, struct findings *findings)
{
    bool is_known = context->session->ops.count > 1;

    if (!is_known)
        findings_skip(findings, no_ops_text);
    return is_known;
}

/* ---- place ---- */

static bool is_wanted(const struct cpu_time *time, size_t sample, const void *of)
{
    const struct ops_meant *meant = of;

    return meant->is_inside[session_sample_at(time->session, sample)->op];
}

static void find_sampled_place(struct ops_meant *meant)
{
    struct own_lines lines;

    own_lines_init_of(&lines, &meant->context->time, is_wanted, meant);
    if (lines.rows.count > 0)
        place_append_short(&meant->place,
                          ((const struct own_line *)array_at(&lines.rows, 0))->place);
}

void ops_append_line(struct text *text, const struct session *session, uint32_t op)
{
    uint64_t site = session_op_at(session, op)->line;
    const struct symbols_frame *frame = NULL;

    if (site != 0)
        session_find_site_python(session, site, &frame);
    if (frame && frame->file)
        text_appendf(text, "%s:%u", text_base_name(frame->file), frame->line);
}

/* Samples give the line with the most time; without samples, an op has a line of its own. */
static void find_place(struct ops_meant *meant)
{
    if (!meant->context->time.unknown)
        find_sampled_place(meant);
    if (meant->place.size == 0 && meant->most != 0)
        ops_append_line(&meant->place, meant->context->session, meant->most);
}

/* ---- sums ---- */

static void add_op(struct ops_meant *meant, uint32_t index)
{
    const struct session *session = meant->context->session;
    const struct session_op *op = session_op_at(session, index);

    meant->calls += op->calls;
    meant->ns += (double)op->inclusive_ns;
    if (meant->most == 0 || op->inclusive_ns > session_op_at(session, meant->most)->inclusive_ns)
        meant->most = index;
}

/* What the main thread computes outside of the ops remains.  Samples without a call are tprof's own
 * cost, which the wall time lacks. */
static double find_most_ns(const struct ops_meant *meant)
{
    const struct cpu_time *time = &meant->context->time;
    const struct session *session = meant->context->session;
    uint32_t main_thread = wait_main_thread(session);
    double ns = meant->context->wall.ns;

    for (size_t i = 0; !time->unknown && i < session->samples.count; i++) {
        const struct session_sample *sample = session_sample_at(session, i);

        if (sample->thread == main_thread && sample->call != 0 && !meant->is_inside[sample->op])
            ns -= time->sample_ns[i];
    }
    return fmax(0, ns);
}

/* An op includes the ops inside it.  The time of work on a device is unknown. */
static void add_all(struct ops_meant *meant, op_is_meant is_meant)
{
    const struct session *session = meant->context->session;

    for (uint32_t i = 1; i < session->ops.count; i++) {
        meant->is_inside[i] = meant->is_inside[session_op_at(session, i)->parent];
        if (meant->is_inside[i] || session_op_at(session, i)->device || !is_meant(session, i))
            continue;
        meant->is_inside[i] = true;
        add_op(meant, i);
    }
    meant->ns = fmin(meant->ns, find_most_ns(meant));
}

void ops_meant_init(struct ops_meant *meant, const struct findings_context *context,
                    op_is_meant is_meant)
{
    *meant = (struct ops_meant){.context = context};
    text_init(&meant->place);
    meant->is_inside = pool_get_zeros(context->session->ops.count + 1, sizeof *meant->is_inside);
    add_all(meant, is_meant);
    find_place(meant);
}

double ops_meant_fraction(const struct ops_meant *meant)
{
    return meant->context->wall.ns > 0 ? meant->ns / meant->context->wall.ns : 0;
}

/* ---- words ---- */

struct finding *ops_meant_claim(struct findings *findings, const struct ops_meant *meant,
                                double saved_ns, double confidence)
{
    struct finding *finding =
        findings_add(findings, &(struct finding_claim){fmax(meant->ns, saved_ns), saved_ns,
                                                       confidence});
    const struct session_op *most = session_op_at(meant->context->session, meant->most);

    say(&finding->evidence, ops_take_text, said_count(meant->calls), said_time(meant->ns),
        said_share(ops_meant_fraction(meant)), said_words(most->name));
    if (meant->place.size > 0) {
        text_append(&finding->place, meant->place.bytes);
        say(&finding->evidence, ops_at_text, said_words(meant->place.bytes));
    }
    finding_add_number(finding, "calls", (double)meant->calls);
    finding_add_number(finding, "op_ns", meant->ns);
    return finding;
}
