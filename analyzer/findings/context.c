/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The figures that all rules share.
 */
#include "findings/context.h"

#include <math.h>
#include <string.h>

#include "analysis/runtimes.h"
#include "cpu/cpu_row.h"
#include "cpu/cpu_time.h"
#include "findings/texts.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_kernels.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"

double findings_wall_ns(const struct findings_context *context, double thread_ns)
{
    return wall_of_threads(&context->wall, thread_ns);
}

double findings_outside_ns(const struct findings_context *context, double thread_ns)
{
    return fmin(findings_wall_ns(context, thread_ns), context->wall.ns - context->kernel_ns);
}

static void judge_all(struct findings_context *context)
{
    context->judge = judge_init(context->session, &context->options);
    context->capacity = capacity_find(context->session, &context->wall, &context->judge);
    context->kernel_ns =
        fmin(context->wall.ns, findings_wall_ns(context, (double)context->groups.self_ns));
    array_init(&context->judgements, sizeof(struct judgement));
    array_reserve(&context->judgements, context->groups.rows.count);
    for (size_t i = 0; i < context->groups.rows.count; i++) {
        struct judgement *judgement = array_add(&context->judgements);

        *judgement = judge_group(&context->judge, findings_group(context, i));
    }
}

static void find_rows(struct findings_context *context)
{
    array_init(&context->rows, sizeof(size_t));
    for (size_t i = 0; i < context->session->slots.count; i++)
        array_add(&context->rows);
    for (size_t i = 0; i < context->groups.rows.count; i++) {
        size_t slot = findings_group(context, i)->slot;

        for (; slot != GROUPS_NO_SLOT; slot = groups_next_slot(&context->groups, slot))
            ((size_t *)context->rows.items)[slot] = i;
    }
}

/* Smaller products have too few FLOPs a byte to show the rate of large ones. */
static const int64_t least_side = 64;

static bool is_large(const struct slots_product *product)
{
    return product->m >= least_side && product->n >= least_side && product->k >= least_side;
}

static double find_best(const struct findings_context *context, enum machine_precision precision)
{
    double best = (double)NAN;

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);
        const struct judgement *judgement = findings_judgement(context, i);
        struct slots_product product;

        if (judgement->precision == precision && !judgement->is_invalid &&
            judgement->flops_per_second > 0 &&
            slots_find_product(findings_slot(context, group), &product) && is_large(&product))
            best = fmax(best, judgement->flops_per_second);
    }
    return best;
}

static struct product_rate find_rate(const struct findings_context *context,
                                     enum machine_precision precision)
{
    double best = find_best(context, precision), calibrated = (double)NAN;

    if (context->judge.machine && precision < MACHINE_PRECISIONS)
        calibrated = machine_gemm(context->judge.machine, precision, context->judge.threads);
    if (calibrated >= best || isnan(best))
        return (struct product_rate){calibrated, !isnan(calibrated)};
    return (struct product_rate){best, false};
}

static void find_time(struct findings_context *context)
{
    const struct cpu_time_options options = {CPU_BY_FUNCTION, context->options.confidence,
                                             context->options.find_frames};
    double spun_ns = 0;

    cpu_time_init(&context->time, context->session, &options);
    for (size_t i = 0; i < context->time.rows.count; i++) {
        const struct cpu_row *row = array_at(&context->time.rows, i);

        spun_ns += row->kind == CPU_SPIN ? row->self_ns : 0;
    }
    capacity_note_spinning(&context->capacity, spun_ns);
    context->has_python = python_split_init(&context->python, &context->time);
}

void findings_context_init(struct findings_context *context, const struct session *session,
                           const struct analysis_options *options)
{
    *context = (struct findings_context){.session = session, .options = *options};
    context->options.by = ANALYSIS_BY_SHAPE;
    groups_init(&context->groups, session, &context->options);
    roles_init(&context->roles, session);
    successions_init(&context->successions, session);
    wall_init(&context->wall, session);
    request_rows_init(&context->requests, session, options->confidence);
    find_rows(context);
    judge_all(context);
    find_time(context);
    for (int i = 0; i <= MACHINE_PRECISIONS; i++)
        context->rates[i] = find_rate(context, (enum machine_precision)i);
}

bool findings_is_server(const struct findings_context *context)
{
    enum { LEAST = 20 };

    return context->requests.costs.counted >= LEAST;
}

const struct group *findings_group(const struct findings_context *context, size_t index)
{
    return array_at(&context->groups.rows, index);
}

size_t findings_row(const struct findings_context *context, size_t slot)
{
    return ((const size_t *)context->rows.items)[slot];
}

const struct judgement *findings_judgement(const struct findings_context *context, size_t index)
{
    return array_at(&context->judgements, index);
}

const struct session_slot *findings_slot(const struct findings_context *context,
                                         const struct group *group)
{
    return session_slot_at(context->session, group->slot);
}

/* A thread with less of its processor shared it. */
static const double own_share = 0.9;

double findings_elapsed_ns(const struct findings_context *context, double cpu_ns)
{
    double had_ns = 0, awaited_ns = 0;

    for (size_t i = 0; i < context->session->threads.count; i++) {
        const struct session_thread *thread = session_thread_at(context->session, i);

        if (thread->cpu_ns == SESSION_UNKNOWN || thread->delay_ns == SESSION_UNKNOWN)
            continue;
        had_ns += (double)thread->cpu_ns;
        awaited_ns += (double)thread->delay_ns;
    }
    return fmin(context->wall.ns, had_ns > 0 ? cpu_ns * (1 + awaited_ns / had_ns) : cpu_ns);
}

bool findings_is_disturbed(const struct findings_context *context)
{
    return context->wall.processor < own_share;
}

bool findings_has_torch(const struct findings_context *context)
{
    return runtimes_has(context->session, "PyTorch");
}

enum { LARGE_BIN = 20 }; /* the bin of the histogram of sizes from 1 MiB on */

double findings_large_blocks(const struct findings_context *context)
{
    const struct session_heap *heap = &context->session->heap;
    double count = 0;

    for (size_t i = LARGE_BIN; i < SESSION_BINS; i++)
        count += (double)heap->sizes.counts[i];
    return count;
}

bool findings_lost_name(const struct group *group)
{
    return strcmp(group_name(group), SESSION_NAME_LOST) == 0;
}

void findings_append_name(struct text *text, const struct group *group)
{
    text_append(text, group_name(group));
    if (group->shape[0] != '\0')
        text_appendf(text, " %s", group->shape);
}

void findings_say_whole(struct text *text, const struct findings_context *context)
{
    if (context->wall.kernel_threads > 1)
        say(text, threads_at_once_text, said_count(context->wall.kernel_threads),
            said_real(context->wall.at_once));
}
