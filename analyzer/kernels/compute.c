/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums of arithmetic, and their presentation.
 */
#include "kernels/compute.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "document/fields.h"
#include "kernels/flops_options.h"
#include "kernels/texts.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_unknown.h"

double compute_per_second(long double amount, uint64_t ns)
{
    return ns > 0 ? (double)(amount * 1e9L / ns) : NAN;
}

/* From the user, else from the program, else unknown: a trace does not show which operands are
 * weights. */
static double find_parameters(const struct session *session, const struct analysis_options *options)
{
    if (options->flops->parameters > 0)
        return options->flops->parameters;
    for (size_t i = 0; i < session->metrics.count; i++) {
        const struct session_metric *metric = session_metric_at(session, i);

        if (metric->name && strcmp(metric->name, "parameters") == 0 && metric->value > 0)
            return metric->value;
    }
    return NAN;
}

struct compute compute_find(const struct session *session, const struct groups *groups,
                            const struct analysis_options *options)
{
    const struct group_work *work = &groups->work;
    bool is_known = work->known_calls > 0;
    struct compute compute = {
        .session = session,
        .calls = groups->calls,
        .flops = group_work_flops(work),
        .executed_flops = group_work_executed_flops(work),
        .unknown_fraction =
            groups->self_ns > 0 ? (double)work->unknown_ns / (double)groups->self_ns : (double)NAN,
        .items = session->items > 0 ? (double)session->items : (double)NAN,
        .parameters = find_parameters(session, options),
        .utilization = utilization_of(session, options),
    };

    for (unsigned i = 0; i < GROUPS_CLASSES; i++)
        compute.class_flops[i] = is_known ? work->class_flops[i] : (long double)NAN;
    compute.macs = compute.class_flops[CATALOG_MATMUL] / 2;
    compute.flops_per_second = compute_per_second(compute.executed_flops, session->process.wall_ns);
    compute.kernel_flops_per_second =
        work->is_on_device ? (double)NAN
                           : compute_per_second(compute.executed_flops, groups->self_ns);
    return compute;
}

/* A field without a title is only for programs. */
static void add_utilization(struct record *fields, const struct utilization *of)
{
    struct text reason;

    text_init(&reason);
    utilization_append_reason(&reason, of);
    fields_put_real(fields, "mfu", UNIT_FRACTION, of->mfu);
    fields_put_real(fields, "hfu", UNIT_FRACTION, of->hfu);
    fields_put_text(fields, "mfu_of", utilization_model_name(of));
    fields_put_text(fields, "mfu_reason", reason.size > 0 ? reason.bytes : NULL);
}

void compute_add_facts(struct document *document, const struct compute *compute)
{
    const struct session *session = compute->session;
    struct record *fields = document_add_record(document, "compute", NULL, SECTION_IN_JSON);

    fields_put_large(fields, "flops", UNIT_FLOPS, compute->flops);
    fields_put_large(fields, "executed_flops", UNIT_FLOPS, compute->executed_flops);
    fields_put_large(fields, "macs", UNIT_COUNT, compute->macs);
    fields_put_large(fields, "matmul_flops", UNIT_FLOPS, compute->class_flops[CATALOG_MATMUL]);
    fields_put_large(fields, "elementwise_flops", UNIT_FLOPS,
                     compute->class_flops[CATALOG_ELEMENTWISE]);
    fields_put_large(fields, "other_flops", UNIT_FLOPS,
                     compute->class_flops[CATALOG_OTHER] + compute->class_flops[CATALOG_MOVEMENT]);
    fields_put_real(fields, "flops_per_second", UNIT_FLOPS_PER_SECOND, compute->flops_per_second);
    fields_put_real(fields, "kernel_flops_per_second", UNIT_FLOPS_PER_SECOND,
                    compute->kernel_flops_per_second);
    fields_put_real(fields, "unknown_flops_fraction", UNIT_FRACTION, compute->unknown_fraction);
    fields_put_count(fields, "items", UNIT_COUNT,
                     session->items > 0 ? session->items : SESSION_UNKNOWN);
    fields_put_count(fields, "requests", UNIT_COUNT, session->requests);
    fields_put_large(fields, "estimated_flops", UNIT_FLOPS, compute->flops);
    fields_put_large(fields, "parameters", UNIT_COUNT, (long double)compute->parameters);
    fields_put_real(fields, "flops_per_item", UNIT_REAL, (double)compute->flops / compute->items);
    fields_put_real(fields, "flops_per_param", UNIT_REAL,
                    (double)compute->flops / compute->parameters);
    fields_put_real(fields, "flops_per_param_per_item", UNIT_REAL,
                    (double)compute->flops / compute->parameters / compute->items);
    add_utilization(fields, &compute->utilization);
}

void compute_append_count(struct text *line, long double count)
{
    char number[UNITS_SIZE];

    if (count == floorl(count) && fabsl(count) < 0x1p63L)
        text_append(line, units_format_count(number, (int64_t)count));
    else
        text_appendf(line, "%.4Lg", count);
}

void compute_append_total(struct text *line, const struct compute *compute)
{
    say_part(line, compute_total_text,
             isnan(compute->flops) ? compute_no_flops_text : said_flops((double)compute->flops),
             said_count(compute->calls));
}

void compute_append_executed(struct text *line, const struct compute *compute)
{
    if (compute->executed_flops < compute->flops)
        say(line, compute_executed_text, said_flops((double)compute->executed_flops));
}

void compute_append_no_calls(struct text *line, const struct compute *compute)
{
    say(line, compute->session->losses.lacks_totals ? compute_unread_text : compute_unseen_text);
}

void compute_append_classes(struct text *line, const struct compute *compute)
{
    const char *separator = "";

    for (unsigned i = 0; i < GROUPS_CLASSES && compute->flops > 0; i++) {
        if (!(compute->class_flops[i] > 0))
            continue;
        text_append(line, separator);
        say_part(line, compute_class_text,
                 said_share((double)(compute->class_flops[i] / compute->flops)),
                 said_words(group_class_name((enum catalog_class)i)));
        separator = ", ";
    }
}

void compute_append_speed(struct text *line, const struct compute *compute)
{
    if (isnan(compute->flops))
        say(line, compute_no_speed_text);
    else
        say(line, compute_speed_text, said_flop_rate(compute->kernel_flops_per_second),
            said_flop_rate(compute->flops_per_second));
    utilization_append(line, &compute->utilization);
}

void compute_append_unknown(struct text *line, const struct compute *compute)
{
    if (compute->unknown_fraction >= 0)
        say(line, compute_unknown_text, said_share(compute->unknown_fraction));
}

void compute_append_items(struct text *line, const struct compute *compute)
{
    if (isnan(compute->items))
        say(line, compute_no_items_text);
    else
        say(line, compute_items_text, said_count((uint64_t)compute->items),
            said_flops((double)compute->flops / compute->items));
}

void compute_append_parameters(struct text *line, const struct compute *compute)
{
    double each = (double)compute->flops / compute->parameters;

    if (isnan(compute->parameters)) {
        say(line, compute_no_parameters_text);
        return;
    }
    compute_append_count(line, (long double)compute->parameters);
    say_part(line, compute_parameters_text, said_real(each));
    if (!isnan(compute->items))
        say(line, compute_parameter_items_text, said_real(each / compute->items));
}
