/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What all rules look at.
 */
#include "analysis/findings/context.h"

#include <math.h>
#include <string.h>

#include "analysis/findings/rates.h"
#include "analysis/time/together.h"

/* ---- threads and wall time ----------------------------------------------------- */

/* Self time in the kernels of each thread, our own cost taken out with the groups'. */
static const struct session_thread *find_busiest(const struct session *session, size_t *count)
{
    const struct session_thread *busiest = NULL;

    *count = 0;
    for (size_t i = 0; i < session->threads.count; i++) {
        const struct session_thread *thread = array_at(&session->threads, i);

        if (thread->kernel_ns == 0)
            continue;
        (*count)++;
        if (!busiest || thread->kernel_ns > busiest->kernel_ns)
            busiest = thread;
    }
    return busiest;
}

/* Kernel time of all threads by the time in which any is inside.  Where calls are
 * missing, the others are taken to be inside whenever the busiest is. */
static enum status find_together(struct findings_context *context,
                                 const struct session_thread *busiest)
{
    struct together together;
    double sum_ns = 0, any_ns;

    context->together = 1;
    if (context->kernel_threads <= 1)
        return STATUS_OK;
    if (together_init(&together, context->session))
        return STATUS_OUT_OF_MEMORY;
    any_ns =
        together.is_whole && together.any_ns > 0 ? together.any_ns : (double)busiest->kernel_ns;
    together_fini(&together);
    for (size_t i = 0; i < context->session->threads.count; i++)
        sum_ns += (double)((const struct session_thread *)array_at(&context->session->threads, i))
                      ->kernel_ns;
    context->together = fmax(1, sum_ns / any_ns);
    return STATUS_OK;
}

/* Our own cost delays the thread that records; of all of it, the share that the
 * thread has of the records. */
static double own_cost_ns(const struct session *session, const struct session_thread *thread)
{
    double records = 0;

    for (size_t i = 0; i < session->threads.count; i++)
        records += (double)((const struct session_thread *)array_at(&session->threads, i))->records;
    if (!thread || records <= 0)
        return (double)session->overhead.total_ns;
    return (double)session->overhead.total_ns * (double)thread->records / records;
}

/* Processor time by time, of the threads that call kernels.  What is missing was spent
 * waiting: for a processor, or, in a process that gives up more often than it is forced
 * to, for something else; then only what is missing inside of kernels counts. */
static double find_processor(const struct session *session)
{
    const struct trace_reading *last = &session->process.last;
    double cpu_ns = 0, lived_ns = 0, inside_ns = 0;

    for (size_t i = 0; i < session->threads.count; i++) {
        const struct session_thread *thread = array_at(&session->threads, i);

        if (thread->kernel_ns == 0 || thread->cpu_ns == SESSION_UNKNOWN)
            continue;
        cpu_ns += (double)thread->cpu_ns;
        lived_ns += (double)(thread->last_ns - thread->first_ns);
        inside_ns += (double)thread->kernel_ns;
    }
    if (last->voluntary_switches < last->involuntary_switches)
        inside_ns = lived_ns;
    return cpu_ns > 0 && inside_ns > 0 ? fmin(1, cpu_ns / inside_ns) : 1;
}

static enum status find_wall(struct findings_context *context)
{
    const struct session *session = context->session;
    const struct session_thread *busiest = find_busiest(session, &context->kernel_threads);
    double wall_ns = (double)session->process.wall_ns;

    context->processor = find_processor(session);
    context->wall_ns = fmax(0, wall_ns - own_cost_ns(session, busiest));
    if (find_together(context, busiest))
        return STATUS_OUT_OF_MEMORY;
    context->kernel_ns =
        fmin(context->wall_ns, (double)context->groups.self_ns / context->together);
    return STATUS_OK;
}

double findings_wall_ns(const struct findings_context *context, double thread_ns)
{
    return thread_ns / context->together;
}

/* ---- gathering ----------------------------------------------------------------- */

static enum status judge_all(struct findings_context *context)
{
    array_init(&context->judgements, sizeof(struct judgement));
    if (array_reserve(&context->judgements, context->groups.rows.count))
        return STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < context->groups.rows.count; i++) {
        struct judgement *judgement = array_add(&context->judgements);

        if (!judgement)
            return STATUS_OUT_OF_MEMORY;
        *judgement = judge_group(&context->judge, findings_group(context, i));
    }
    return STATUS_OK;
}

enum status findings_context_init(struct findings_context *context, const struct session *session,
                                  const struct analysis_options *options)
{
    enum status status;

    *context = (struct findings_context){.session = session, .options = *options};
    context->options.by = ANALYSIS_BY_SHAPE;
    status = groups_init(&context->groups, session, &context->options);
    if (status)
        return status;
    status = roles_init(&context->roles, session);
    if (status) {
        groups_fini(&context->groups);
        return status;
    }
    status = successions_init(&context->successions, session);
    if (status) {
        roles_fini(&context->roles);
        groups_fini(&context->groups);
        return status;
    }
    context->judge = judge_init(session, &context->options);
    status = find_wall(context);
    if (!status)
        status = judge_all(context);
    if (status)
        findings_context_fini(context);
    else
        rates_find_all(context);
    return status;
}

void findings_context_fini(struct findings_context *context)
{
    array_fini(&context->judgements);
    successions_fini(&context->successions);
    roles_fini(&context->roles);
    groups_fini(&context->groups);
}

/* ---- asking -------------------------------------------------------------------- */

const struct group *findings_group(const struct findings_context *context, size_t index)
{
    return array_at(&context->groups.rows, index);
}

const struct judgement *findings_judgement(const struct findings_context *context, size_t index)
{
    return array_at(&context->judgements, index);
}

const struct session_slot *findings_slot(const struct findings_context *context,
                                         const struct group *group)
{
    return array_at(&context->session->slots, group->slot);
}

void findings_append_name(struct text *text, const struct group *group)
{
    text_append(text, group_name(group));
    if (group->shape[0] != '\0')
        text_appendf(text, " %s", group->shape);
}

void findings_append_whole(struct text *text, const struct findings_context *context)
{
    if (context->kernel_threads > 1)
        text_appendf(text, " (%zu threads call kernels, %.3g at once: their time counts by that)",
                     context->kernel_threads, context->together);
}
