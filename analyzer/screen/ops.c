/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof ops: above the ops it shows the layer with most of their time, its gradients, its memory
 * and advice.  A program without layers has its slowest op there.
 */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/pool.h"
#include "base/text.h"
#include "base/text_index.h"
#include "document/document.h"
#include "document/fields.h"
#include "findings/op_advice.h"
#include "findings/ops_meant.h"
#include "findings/rows.h"
#include "model/session.h"
#include "model/session_layers.h"
#include "model/session_ops.h"
#include "model/session_unknown.h"
#include "ops/op_stages.h"
#include "ops/ops.h"
#include "screen/first_ops.h"
#include "screen/texts.h"

enum { ROWS_FOR_PEOPLE = 15 };

/* Ops of one layer, or with one name. */
struct sum {
    double forward_ns; /* elapsed, without the ops inside */
    double backward_ns;
    uint64_t allocated_bytes;
    uint64_t peak_bytes;
    uint64_t kept_peak_bytes; /* part kept for the backward pass */
    uint64_t kept_bytes;
};

struct sums {
    const struct session *session;
    struct sum *of;
    uint32_t *index_of; /* by op; 0: none */
    uint32_t slowest;   /* 0: there is none */
    uint32_t most;      /* the op that has most of its time */
    bool are_layers;
};

/* ---- the slowest ---- */

static uint32_t find_name(struct text_index *names, const char *name)
{
    long number = text_index_add_words(names, name);

    return (uint32_t)number + 1;
}

static void find_indices(struct sums *sums)
{
    struct text_index names;

    text_index_init(&names);
    for (uint32_t i = 1; i < sums->session->ops.count; i++) {
        const struct session_op *op = session_op_at(sums->session, i);

        if (sums->are_layers)
            sums->index_of[i] = op->layer;
        else if (op_stage_of(sums->session, i) == OP_STAGE_FORWARD)
            sums->index_of[i] = find_name(&names, op->name);
    }
}

static double time_of(const struct sum *sum)
{
    return sum->forward_ns + sum->backward_ns;
}

static void add_ops(struct sums *sums)
{
    for (uint32_t i = 1; i < sums->session->ops.count; i++) {
        const struct session_op *op = session_op_at(sums->session, i);
        uint32_t index = sums->index_of[i];
        struct sum *sum = &sums->of[index];

        if (index == 0)
            continue;
        sum->forward_ns += (double)op->exclusive_ns;
        sum->backward_ns += op->backward_ns;
        sum->allocated_bytes += op->allocated_bytes;
        sum->peak_bytes += op->peak_bytes;
        sum->kept_peak_bytes += op->kept_peak_bytes;
        sum->kept_bytes += op->kept_bytes;
        if (sums->slowest == 0 || time_of(sum) > time_of(&sums->of[sums->slowest]))
            sums->slowest = index;
    }
}

static void find_most(struct sums *sums)
{
    double most_ns = -1;

    for (uint32_t i = 1; i < sums->session->ops.count; i++) {
        const struct session_op *op = session_op_at(sums->session, i);
        double ns = (double)op->exclusive_ns + op->backward_ns;

        if (sums->index_of[i] != sums->slowest || ns <= most_ns)
            continue;
        sums->most = i;
        most_ns = ns;
    }
}

static void sums_init(struct sums *sums, const struct session *session)
{
    size_t count = session->ops.count + session->layers.count + 1;

    *sums = (struct sums){.session = session,
                          .of = pool_get_zeros(count, sizeof *sums->of),
                          .index_of = pool_get_zeros(count, sizeof *sums->index_of),
                          .are_layers = session->layers.count > 1};
    if (sums->of && sums->index_of)
        find_indices(sums);
    add_ops(sums);
    find_most(sums);
}

/* ---- its lines ---- */

/* Python calls "aten::addmm" torch.addmm. */
static const char *without_namespace(const char *op)
{
    static const char space[] = "aten::";

    return strncmp(op, space, strlen(space)) == 0 ? op + strlen(space) : op;
}

static void append_name(struct text *line, const struct sums *sums)
{
    size_t size;

    text_append(line, "  ");
    if (sums->are_layers)
        session_append_layer(line, sums->session, sums->slowest);
    else
        text_append(line, without_namespace(session_op_at(sums->session, sums->most)->name));
    size = line->size;
    text_append(line, ", called at ");
    ops_append_line(line, sums->session, sums->most);
    if (line->size == size + strlen(", called at "))
        text_truncate(line, size);
}

static void say_times(struct text_list *lines, const struct sums *sums, double all_ns)
{
    const struct sum *sum = &sums->of[sums->slowest];
    struct text line;

    text_init(&line);
    append_name(&line, sums);
    say_part(&line, ops_share_text, said_share(time_of(sum) / all_ns), said_time(sum->forward_ns));
    if (sum->backward_ns > 0)
        say_part(&line, ops_backward_text, said_time(sum->backward_ns));
    text_append(&line, ".");
    text_list_take(lines, &line);
}

static bool is_known(const struct session *session, uint64_t bytes)
{
    return bytes != SESSION_UNKNOWN &&
           (session->heap.is_exact || session->heap.has_estimated_sites);
}

/* Append how much of the bytes before it waits for the backward pass, and a full stop. */
static void append_kept(struct text *line, uint64_t bytes, uint64_t kept_bytes)
{
    static const double nearly_all = 0.99;

    if (kept_bytes > 0 && (double)kept_bytes >= nearly_all * (double)bytes)
        say_part(line, ops_all_kept_text);
    else if (kept_bytes > 0)
        say_part(line, ops_kept_text, said_bytes((double)kept_bytes));
    text_append(line, ".");
}

static void say_memory(struct text_list *lines, const struct sums *sums)
{
    const struct session *session = sums->session;
    const struct session_op *root = session_op_at(session, 0);
    const struct sum *sum = &sums->of[sums->slowest];
    bool knows_kept = is_known(session, root->kept_bytes);
    struct text line;

    if (session->heap.allocations == SESSION_UNKNOWN)
        return;
    text_init(&line);
    say_part(&line, ops_memory_text);
    if (is_known(session, root->peak_bytes)) {
        say(&line, ops_peak_text, said_bytes((double)sum->peak_bytes),
            said_bytes((double)session->heap.peak_bytes));
        append_kept(&line, sum->peak_bytes, knows_kept ? sum->kept_peak_bytes : 0);
    }
    say(&line, ops_allocated_text, said_bytes((double)sum->allocated_bytes));
    append_kept(&line, sum->allocated_bytes, knows_kept ? sum->kept_bytes : 0);
    text_list_take(lines, &line);
}

/* ---- advice ------ */

static void say_advice(void *lines, const struct op_advice *advice)
{
    const struct finding *finding = advice->finding;
    struct text line;

    text_init(&line);
    if (finding) {
        say_part(&line, finding_is_advice(finding) ? ops_do_text : ops_try_text,
                 said_share(advice->share), said_words(finding_id(finding->rule)));
        finding_append_action(&line, finding);
    } else if (advice->most) {
        say_part(&line, ops_nothing_text, said_words(without_namespace(advice->most)),
                 said_share(advice->most_share));
    }
    if (line.size > 0) {
        text_list_take(lines, &line);
        return;
    }
}

/* Takes the advice while its findings exist: they are freed afterwards. */
struct hearer {
    void (*take)(void *to, const struct op_advice *advice);
    void *to;
};

static void find_advice(const struct hearer *hearer, const struct findings_context *context,
                        const bool *is_wanted)
{
    struct op_advice advice;
    struct findings findings;

    findings_evaluate(&findings, context);
    op_advice_find(&advice, &findings, context, is_wanted);
    hearer->take(hearer->to, &advice);
}

static void tell_advice(const struct hearer *hearer, const struct sums *sums,
                        const struct analysis_options *options)
{
    bool *is_wanted = pool_get_zeros(sums->session->ops.count + 1, sizeof *is_wanted);
    struct findings_context context;

    for (uint32_t i = 1; i < sums->session->ops.count; i++)
        is_wanted[i] = sums->index_of[i] == sums->slowest;
    findings_context_init(&context, sums->session, options);
    find_advice(hearer, &context, is_wanted);
}

/* ---- the screen ---- */

static void add_slowest(struct document *document, const struct sums *sums,
                        const struct analysis_options *options)
{
    double all_ns = (double)op_stages_sum(sums->session).all_ns;
    struct text_list *lines = document_add_lines(document, NULL);

    document_say_head(document, sums->are_layers ? "tprof ops --by module" : "tprof ops --by shape",
                      sums->are_layers ? ops_slowest_layer_text : ops_slowest_op_text,
                      said_time(all_ns));
    say_times(lines, sums, all_ns);
    say_memory(lines, sums);
    if (sums->are_layers)
        first_say_modules(lines, sums->session);
    tell_advice(&(struct hearer){say_advice, lines}, sums, options);
}

static double sum_shares(const struct table *table)
{
    size_t column = table_find_column(table, "share");
    double sum = 0;

    for (size_t i = 0; i < table_row_count(table); i++)
        sum += value_number(&table_row(table, i)[column]);
    return sum;
}

static void say_cut(struct table *to, const struct table *table)
{
    if (table->rows_cut > 0)
        table_say(to, ops_cut_text, said_count(table_row_count(table)),
                  said_share(sum_shares(table)));
}

static void copy_notes(struct table *to, const struct table *table)
{
    for (size_t i = 0; i < text_list_count(&table->notes); i++)
        text_list_add(&to->notes, text_list_at(&table->notes, i));
}

static void add_table(struct document *document, const struct table *table, bool is_for_programs)
{
    struct table *to = document_start_table(
        document, is_for_programs ? "rows" : table->schema->name, SECTION_IN_BOTH, table->schema);

    for (size_t i = 0; i < table_row_count(table); i++)
        table_share_row(to, table_row(table, i));
    to->rows_cut = table->rows_cut;
    if (!is_for_programs)
        say_cut(to, table);
    copy_notes(to, table);
}

/* ---- for programs ---- */

static void add_finding(void *fields, const struct op_advice *advice)
{
    const struct finding *finding = advice->finding;

    fields_put_text(fields, "finding", finding ? finding_id(finding->rule) : NULL);
    fields_put_real(fields, "finding_share", UNIT_FRACTION, finding ? advice->share : (double)NAN);
}

static uint64_t if_known(const struct session *session, uint64_t whole_bytes, uint64_t bytes)
{
    return is_known(session, whole_bytes) ? bytes : SESSION_UNKNOWN;
}

static void add_bytes(struct record *fields, const struct session *session, const struct sum *sum)
{
    const struct session_op *root = session_op_at(session, 0);
    bool has_all = session->heap.allocations != SESSION_UNKNOWN;

    fields_put_count(fields, "peak_bytes", UNIT_BYTES,
                     if_known(session, root->peak_bytes, sum->peak_bytes));
    fields_put_count(fields, "kept_peak_bytes", UNIT_BYTES,
                     if_known(session, root->kept_bytes, sum->kept_peak_bytes));
    fields_put_count(fields, "allocated_bytes", UNIT_BYTES,
                     has_all ? sum->allocated_bytes : SESSION_UNKNOWN);
    fields_put_count(fields, "kept_bytes", UNIT_BYTES,
                     if_known(session, root->kept_bytes, sum->kept_bytes));
}

static void add_slowest_fields(struct document *document, const struct sums *sums,
                               const struct analysis_options *options)
{
    const char *key = sums->are_layers ? "slowest_layer" : "slowest_op";
    struct record *fields = document_add_record(document, key, NULL, SECTION_IN_JSON);
    const struct sum *sum = &sums->of[sums->slowest];
    double all_ns = (double)op_stages_sum(sums->session).all_ns;
    struct text name, place;

    text_init(&name);
    text_init(&place);
    if (sums->are_layers)
        session_append_layer(&name, sums->session, sums->slowest);
    else
        text_append(&name, session_op_at(sums->session, sums->most)->name);
    ops_append_line(&place, sums->session, sums->most);
    fields_put_text(fields, "name", name.bytes);
    fields_put_text(fields, "place", place.size > 0 ? place.bytes : NULL);
    fields_put_real(fields, "share", UNIT_FRACTION, time_of(sum) / all_ns);
    fields_put_rounded(fields, "forward_ns", UNIT_NS, sum->forward_ns);
    fields_put_rounded(fields, "backward_ns", UNIT_NS,
                       sum->backward_ns > 0 ? sum->backward_ns : (double)NAN);
    add_bytes(fields, sums->session, sum);
    tell_advice(&(struct hearer){add_finding, fields}, sums, options);
}

/* ---- both ---- */

static void add_all(struct document *document, const struct session *session,
                    const struct analysis_options *options, const struct table *table,
                    bool is_for_programs)
{
    struct sums sums;

    if (session->ops.count <= 1)
        return;
    sums_init(&sums, session);
    if (sums.slowest != 0 && is_for_programs)
        add_slowest_fields(document, &sums, options);
    else if (sums.slowest != 0)
        add_slowest(document, &sums, options);
    if (sums.slowest != 0)
        add_table(document, table, is_for_programs);
}

static void elaborate(const struct session *session, const struct analysis_options *options,
                      const struct table *table, struct document *document)
{
    add_all(document, session, options, table, false);
}

static void elaborate_for_programs(const struct session *session,
                                   const struct analysis_options *options,
                                   const struct table *table, struct document *document)
{
    document->name = table->schema->name;
    document->main = "rows";
    add_all(document, session, options, table, true);
}

const struct analysis analysis_ops = {
    .name = "ops",
    .help = "The ops of PyTorch: calls, times, FLOPs, gradients and allocations.",
    .sort_key = "share",
    .build = ops_build,
    .elaborate = elaborate,
    .elaborate_for_programs = elaborate_for_programs,
    .long_rows = UINT_MAX,
    .rows_for_people = ROWS_FOR_PEOPLE,
};
