/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the mix of operations says of the model: attention against
 * feed-forward, which sort of network it looks like, and how its work grows.
 */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "document/fields.h"
#include "figures/slots.h"
#include "kernels/flops_parts.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"

/* Sums by role and by block.  Times are of kernels, without those inside. */
struct mix {
    const struct session *session;
    struct roles roles;
    uint64_t kernel_ns;
    uint64_t role_ns[ROLES];
    long double role_flops[ROLES];
    uint64_t block_ns[ROLE_BLOCK_FEED_FORWARD + 1];
    uint64_t named_ns[ROLE_BLOCK_FEED_FORWARD + 1]; /* of these, told by a name */
    long double flops;
};

static void add_slot(struct mix *mix, size_t index)
{
    const struct session_slot *slot = session_slot_at(mix->session, index);
    uint64_t self_ns = slots_times(mix->session, slot).self_ns;
    const struct role_entry *entry = roles_of(&mix->roles, index);
    long double flops =
        slot->nested || isnan(slot->flops_each) ? 0 : slot->flops_each * slot->calls;

    mix->kernel_ns += self_ns;
    mix->role_ns[entry->role] += self_ns;
    mix->block_ns[entry->block] += self_ns;
    mix->named_ns[entry->block] += entry->is_named ? self_ns : 0;
    mix->role_flops[entry->role] += flops;
    mix->flops += flops;
}

static enum status mix_init(struct mix *mix, const struct session *session)
{
    enum status status;

    memset(mix, 0, sizeof *mix);
    mix->session = session;
    status = roles_init(&mix->roles, session);
    for (size_t i = 0; i < session->slots.count && !status; i++)
        add_slot(mix, i);
    return status;
}

static void mix_fini(struct mix *mix)
{
    roles_fini(&mix->roles);
}

static double share_of(long double part, long double whole)
{
    return whole > 0 ? (double)(part / whole) : (double)NAN;
}

/* ---- attention against feed-forward ----------------------------------------- */

static bool has_attention(const struct mix *mix)
{
    return mix->block_ns[ROLE_BLOCK_ATTENTION] > 0;
}

/* Of attention that is known by its scores alone the rest is among other products. */
static bool has_scores_alone(const struct mix *mix)
{
    return has_attention(mix) && mix->named_ns[ROLE_BLOCK_ATTENTION] == 0 &&
           mix->role_ns[ROLE_PROJECTION] == 0;
}

/* By what attention and feed-forward were told: its name in JSON, and for people. */
struct source {
    const char *name;
    const char *phrase;
};

static struct source find_source(const struct mix *mix)
{
    uint64_t all = mix->block_ns[ROLE_BLOCK_ATTENTION] + mix->block_ns[ROLE_BLOCK_FEED_FORWARD];
    uint64_t named = mix->named_ns[ROLE_BLOCK_ATTENTION] + mix->named_ns[ROLE_BLOCK_FEED_FORWARD];

    if (named == all)
        return (struct source){"names", "told by the names of regions and kernels"};
    if (named == 0)
        return (struct source){"shapes", "inferred from shapes"};
    return (struct source){"names and shapes", "told by names, and else inferred from shapes"};
}

/* Without attention beside it only shapes are believed: a name such as fc may be that of any
 * layer. */
static bool has_feed_forward_alone(const struct mix *mix)
{
    return !has_attention(mix) && mix->block_ns[ROLE_BLOCK_FEED_FORWARD] > 0 &&
           mix->named_ns[ROLE_BLOCK_FEED_FORWARD] == 0;
}

static void append_feed_forward(struct text *line, const struct mix *mix)
{
    char feed[UNITS_SIZE], whole[UNITS_SIZE];

    if (!has_feed_forward_alone(mix))
        return;
    text_appendf(line, "feed-forward takes %s of %s of kernel time; %s",
                 units_format_percent(
                     feed, share_of(mix->block_ns[ROLE_BLOCK_FEED_FORWARD], mix->kernel_ns)),
                 units_format_time(whole, (double)mix->kernel_ns), find_source(mix).phrase);
}

static void append_scores_alone(struct text *line, const struct mix *mix)
{
    char scores[UNITS_SIZE], whole[UNITS_SIZE];

    text_appendf(line,
                 "scores and context of attention take %s of %s of kernel time; its projections "
                 "and feed-forward are unknown; inferred from shapes",
                 units_format_percent(scores, share_of(mix->role_ns[ROLE_SCORES], mix->kernel_ns)),
                 units_format_time(whole, (double)mix->kernel_ns));
}

static void append_blocks(struct text *line, const struct mix *mix)
{
    char attention[UNITS_SIZE], scores[UNITS_SIZE], feed[UNITS_SIZE], whole[UNITS_SIZE];
    uint64_t scores_ns = mix->role_ns[ROLE_SCORES];

    if (!has_attention(mix)) {
        append_feed_forward(line, mix);
        return;
    }
    if (has_scores_alone(mix)) {
        append_scores_alone(line, mix);
        return;
    }
    text_appendf(line, "attention takes %s of %s of kernel time",
                 units_format_percent(
                     attention, share_of(mix->block_ns[ROLE_BLOCK_ATTENTION], mix->kernel_ns)),
                 units_format_time(whole, (double)mix->kernel_ns));
    if (scores_ns > 0)
        text_appendf(line, " (scores and context alone %s)",
                     units_format_percent(scores, share_of(scores_ns, mix->kernel_ns)));
    text_appendf(line, ", feed-forward %s; %s",
                 units_format_percent(
                     feed, share_of(mix->block_ns[ROLE_BLOCK_FEED_FORWARD], mix->kernel_ns)),
                 find_source(mix).phrase);
}

/* The regions themselves, with what is no kernel in them. */
static void append_regions(struct text *line, const struct mix *mix)
{
    const struct session *session = mix->session;
    uint64_t ns[ROLE_BLOCK_FEED_FORWARD + 1] = {0};
    char attention[UNITS_SIZE], feed[UNITS_SIZE], whole[UNITS_SIZE];

    for (uint32_t i = 1; i < session->regions.count; i++) {
        const struct session_region *region = session_region_at(session, i);

        ns[roles_block_of_region(session, i)] += region->exclusive_ns;
    }
    if (ns[ROLE_BLOCK_ATTENTION] == 0)
        return;
    text_appendf(
        line,
        "regions of attention take %s of %s of thread time, those of feed-forward %s, with "
        "what is no kernel in them",
        units_format_percent(attention, share_of(ns[ROLE_BLOCK_ATTENTION], session->thread_ns)),
        units_format_time(whole, (double)session->thread_ns),
        units_format_percent(feed, share_of(ns[ROLE_BLOCK_FEED_FORWARD], session->thread_ns)));
}

static void append_model(struct text *line, const struct mix *mix, size_t index)
{
    if (index < mix->roles.shapes.models.count)
        role_model_append(line, array_at(&mix->roles.shapes.models, index));
}

/* ---- what sort of network ---------------------------------------------------- */

enum network {
    NETWORK_UNKNOWN,
    NETWORK_TRANSFORMER,
    NETWORK_CONVOLUTIONAL,
    NETWORK_RECURRENT,
    NETWORK_PERCEPTRON
};

static const char *const network_names[] = {
    [NETWORK_UNKNOWN] = NULL,
    [NETWORK_TRANSFORMER] = "transformer",
    [NETWORK_CONVOLUTIONAL] = "convolutional",
    [NETWORK_RECURRENT] = "recurrent",
    [NETWORK_PERCEPTRON] = "products",
};

/* What is convolved, with what follows each convolution. */
static long double find_convolved(const struct mix *mix)
{
    return mix->role_flops[ROLE_CONVOLUTION] +
           (has_feed_forward_alone(mix) ? mix->role_flops[ROLE_FEED_FORWARD] : 0);
}

static enum network find_network(const struct mix *mix)
{
    long double half = mix->flops / 2;

    if (!(mix->flops > 0))
        return NETWORK_UNKNOWN;
    if (has_attention(mix))
        return NETWORK_TRANSFORMER;
    if (find_convolved(mix) >= half)
        return NETWORK_CONVOLUTIONAL;
    if (mix->role_flops[ROLE_RECURRENT] >= half)
        return NETWORK_RECURRENT;
    if (mix->role_flops[ROLE_MATMUL] + mix->role_flops[ROLE_FEED_FORWARD] >= half)
        return NETWORK_PERCEPTRON;
    return NETWORK_UNKNOWN;
}

/* A window has as many tokens whatever the image. */
static void append_windowed(struct text *line, const struct mix *mix,
                            const struct role_model *model)
{
    char share[UNITS_SIZE];

    text_appendf(line,
                 "a transformer with attention in windows of %lld tokens: all its work grows with "
                 "the number of windows; scores and context are %s of the FLOPs",
                 (long long)model->sequence,
                 units_format_percent(share, share_of(mix->role_flops[ROLE_SCORES], mix->flops)));
}

/* Scores and context grow with the square of the sequence, the others with its
 * length.  One length alone must be known for their balance to be told. */
static void append_transformer(struct text *line, const struct mix *mix)
{
    long double scores = mix->role_flops[ROLE_SCORES];
    const struct role_model *model =
        mix->roles.shapes.models.count == 1 ? array_at(&mix->roles.shapes.models, 0) : NULL;
    char share[UNITS_SIZE];

    if (model && model->stages.count > 0) {
        append_windowed(line, mix, model);
        return;
    }
    text_append(line, "a transformer: the work of scores and context grows with the square of the "
                      "sequence, that of all others with its length");
    if (!(scores > 0))
        return;
    text_appendf(line, "; they are %s of the FLOPs",
                 units_format_percent(share, share_of(scores, mix->flops)));
    if (model)
        text_appendf(line,
                     " at %lld token%s, and half of them at about %.0Lf: twice the sequence "
                     "is now %.2Lf times the FLOPs",
                     (long long)model->sequence, units_choose((uint64_t)model->sequence, "", "s"),
                     (long double)model->sequence * (mix->flops - scores) / scores,
                     2 * (1 + scores / mix->flops));
}

static void append_insight(struct text *line, const struct mix *mix)
{
    char share[UNITS_SIZE];

    switch (find_network(mix)) {
    case NETWORK_TRANSFORMER: append_transformer(line, mix); return;
    case NETWORK_CONVOLUTIONAL:
        text_appendf(line,
                     "a convolutional network: convolutions%s do %s of the FLOPs; their work "
                     "grows with the area of the image, and each weight is used at every "
                     "place of it",
                     has_feed_forward_alone(mix) ? " and the feed-forward behind them" : "",
                     units_format_percent(share, share_of(find_convolved(mix), mix->flops)));
        return;
    case NETWORK_RECURRENT:
        text_append(line, "a recurrent network: its work grows with the length of the sequence, "
                          "and each step waits for the one before");
        return;
    case NETWORK_PERCEPTRON:
        text_append(line, "not told by its products of matrices: linear layers, convolutions made "
                          "into products, or attention of which shapes and counts do not agree; "
                          "the work of linear layers grows with the batch and the parameters, two "
                          "FLOPs for each of both");
        return;
    case NETWORK_UNKNOWN: return;
    }
}

/* ---- records -------------------------------------------------------------- */

static const struct column insight_columns[] = {
    {"model", "Model", NULL, UNIT_TEXT, 0},
    {"regions", "Regions", NULL, UNIT_TEXT, 0},
    {"inferred", "Inferred", NULL, UNIT_TEXT, 0},
    {"network", "Network", NULL, UNIT_TEXT, 0},
};

enum { MODELS_SHOWN = 3 };

static enum status add_mix(struct record *record, const struct mix *mix)
{
    struct text line;
    enum status status;

    text_init(&line);
    append_blocks(&line, mix);
    status = record_add_line(record, &insight_columns[0], &line);
    if (!status)
        append_regions(&line, mix);
    if (!status)
        status = record_add_line(record, &insight_columns[1], &line);
    for (size_t i = 0; i < MODELS_SHOWN && !status; i++) {
        append_model(&line, mix, i);
        status = record_add_line(record, &insight_columns[2], &line);
    }
    if (!status) {
        role_shapes_append_refusal(&line, &mix->roles.shapes);
        status = record_add_line(record, &insight_columns[2], &line);
    }
    if (!status) {
        role_convolved_append(&line, &mix->roles.shapes.convolved);
        status = record_add_line(record, &insight_columns[2], &line);
    }
    if (!status)
        append_insight(&line, mix);
    if (!status)
        status = record_add_line(record, &insight_columns[3], &line);
    text_fini(&line);
    return status;
}

static const struct column block_columns[] = {
    FIELD("network", UNIT_TEXT),
    FIELD("attention_time_fraction", UNIT_FRACTION),
    FIELD("scores_time_fraction", UNIT_FRACTION),
    FIELD("feed_forward_time_fraction", UNIT_FRACTION),
    FIELD("told_by", UNIT_TEXT),
    FIELD("sequence", UNIT_COUNT),
    FIELD("heads", UNIT_COUNT),
    FIELD("width", UNIT_COUNT),
    FIELD("confidence", UNIT_TEXT),
    FIELD("rule", UNIT_TEXT),
    FIELD("reason", UNIT_TEXT),
};

static uint64_t size_or_unknown(int64_t size)
{
    return size > 0 ? (uint64_t)size : SESSION_UNKNOWN;
}

/* Why there is no model; null where there is one, or nothing looks like one. */
static void add_reason(struct fields *fields, const struct role_shapes *shapes)
{
    struct text reason;

    text_init(&reason);
    role_shapes_append_refusal(&reason, shapes);
    if (text_status(&reason))
        fields->status = STATUS_OUT_OF_MEMORY;
    fields_add_text(fields, reason.size > 0 ? reason.bytes : NULL);
    text_fini(&reason);
}

/* Of several models none is told apart: there are sizes when there is one. */
static void add_model(struct fields *fields, const struct mix *mix)
{
    static const struct role_model none;
    bool is_one = mix->roles.shapes.models.count == 1;
    const struct role_model *model = is_one ? array_at(&mix->roles.shapes.models, 0) : &none;
    struct text rule;

    fields_add_count(fields, size_or_unknown(model->sequence));
    fields_add_count(fields, size_or_unknown(model->heads));
    fields_add_count(fields, size_or_unknown(model->width));
    fields_add_text(fields, is_one ? role_model_confidence(model) : NULL);
    text_init(&rule);
    if (is_one)
        role_model_append(&rule, model);
    if (text_status(&rule))
        fields->status = STATUS_OUT_OF_MEMORY;
    fields_add_text(fields, is_one ? rule.bytes : NULL);
    text_fini(&rule);
    add_reason(fields, &mix->roles.shapes);
}

static double share_or_unknown(uint64_t ns, const struct mix *mix)
{
    return ns > 0 ? share_of(ns, mix->kernel_ns) : (double)NAN;
}

static enum status add_facts(struct document *document, const struct mix *mix)
{
    struct fields fields = fields_begin(
        document_add_record(document, "operations", NULL, SECTION_IN_JSON), block_columns);

    fields_add_text(&fields, network_names[find_network(mix)]);
    fields_add_real(&fields, has_scores_alone(mix)
                                 ? (double)NAN
                                 : share_or_unknown(mix->block_ns[ROLE_BLOCK_ATTENTION], mix));
    fields_add_real(&fields, share_or_unknown(mix->role_ns[ROLE_SCORES], mix));
    fields_add_real(&fields, share_or_unknown(mix->block_ns[ROLE_BLOCK_FEED_FORWARD], mix));
    fields_add_text(
        &fields, has_attention(mix) || has_feed_forward_alone(mix) ? find_source(mix).name : NULL);
    add_model(&fields, mix);
    return fields.status;
}

enum status flops_add_insights(struct document *document, struct record *summary,
                               const struct session *session)
{
    struct mix mix;
    enum status status = mix_init(&mix, session);

    if (status)
        return status;
    status = add_mix(summary, &mix);
    if (!status)
        status = add_facts(document, &mix);
    mix_fini(&mix);
    return status;
}

/* Programs that compute a little with matrices are no networks as a rule. */
static bool is_worth_a_line(const struct mix *mix)
{
    enum { LEAST_PART = 10 };

    return find_network(mix) != NETWORK_PERCEPTRON ||
           mix->kernel_ns >= mix->session->process.wall_ns / LEAST_PART;
}

enum status flops_append_network(struct text *line, const struct session *session)
{
    struct mix mix;
    enum status status = mix_init(&mix, session);

    if (status)
        return status;
    if (is_worth_a_line(&mix))
        append_insight(line, &mix);
    mix_fini(&mix);
    return STATUS_OK;
}
