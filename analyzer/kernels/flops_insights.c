/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conclusions from the mix of operations: attention against feed-forward, the likely sort of
 * network, and the growth of its work.
 */
#include "kernels/flops_insights.h"

#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "document/fields.h"
#include "kernels/flops_mix.h"
#include "kernels/texts.h"
#include "model/session.h"
#include "model/session_layers.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"

static double share_of(long double part, long double whole)
{
    return whole > 0 ? (double)(part / whole) : (double)NAN;
}

static struct said said_of_whole(const struct flops_mix *mix, double ns)
{
    return said_share(share_of(ns, mix->whole.ns));
}

static void append_source(struct text *line, const struct flops_mix *mix)
{
    switch (mix->source) {
    case ROLE_SOURCE_NONE: return;
    case ROLE_SOURCE_OPS: say(line, blocks_by_ops_text); return;
    case ROLE_SOURCE_NAMES: say(line, blocks_by_regions_text); return;
    case ROLE_SOURCE_SHAPES: say(line, blocks_by_shapes_text); return;
    }
}

static void append_blocks(struct text *line, const struct flops_mix *mix)
{
    double scores_ns = mix->parts[ROLE_SCORES].ns;

    if (!flops_mix_has_attention(mix))
        return;
    say(line, mix->is_of_ops ? blocks_of_ops_text : blocks_of_kernels_text,
        said_of_whole(mix, flops_mix_block(mix, ROLE_BLOCK_ATTENTION).ns),
        said_time(mix->whole.ns));
    if (scores_ns > 0)
        say_part(line, blocks_scores_text, said_of_whole(mix, scores_ns));
    say_part(line, blocks_feed_forward_text,
             said_of_whole(mix, flops_mix_block(mix, ROLE_BLOCK_FEED_FORWARD).ns));
    append_source(line, mix);
}

/* The outermost module, and the cost of a pass through it. */
static void append_passes(struct text *line, const struct flops_mix *mix)
{
    const struct op_model *model = &mix->model;
    struct said passes = said_count(model->passes);
    const struct session_layer *layer;

    if (model->layer == 0 || model->passes == 0)
        return;
    layer = array_at(&mix->session->layers, model->layer);
    if (model->backward_flops > 0 && flops_mix_has_gradients(mix))
        say(line, model_trained_text, said_words(layer->name), passes,
            said_flops((double)(model->flops / model->passes)),
            said_flops((double)(model->backward_flops / model->passes)));
    else
        say(line, model_forward_text, said_words(layer->name), passes,
            said_flops((double)(model->flops / model->passes)));
}

/* The regions themselves, with their code outside kernels. */
static void append_regions(struct text *line, const struct flops_mix *mix)
{
    const struct session *session = mix->session;
    uint64_t ns[ROLE_BLOCK_FEED_FORWARD + 1] = {0};

    for (uint32_t i = 1; i < session->regions.count; i++) {
        const struct session_region *region = session_region_at(session, i);

        ns[roles_block_of_region(session, i)] += region->exclusive_ns;
    }
    if (ns[ROLE_BLOCK_ATTENTION] > 0)
        say(line, blocks_regions_text,
            said_share(share_of(ns[ROLE_BLOCK_ATTENTION], session->thread_ns)),
            said_time((double)session->thread_ns),
            said_share(share_of(ns[ROLE_BLOCK_FEED_FORWARD], session->thread_ns)));
}

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

static enum network find_network(const struct flops_mix *mix)
{
    long double half = mix->whole.flops / 2;

    if (!(mix->whole.flops > 0))
        return NETWORK_UNKNOWN;
    if (flops_mix_has_attention(mix))
        return NETWORK_TRANSFORMER;
    if (mix->parts[ROLE_CONVOLUTION].flops >= half)
        return NETWORK_CONVOLUTIONAL;
    if (mix->parts[ROLE_RECURRENT].flops >= half)
        return NETWORK_RECURRENT;
    if (mix->parts[ROLE_MATMUL].flops + mix->parts[ROLE_FEED_FORWARD].flops >= half)
        return NETWORK_PERCEPTRON;
    return NETWORK_UNKNOWN;
}

/* Scores and context grow with the square of the sequence, the others with its
 * length.  Their balance is known for a single length only. */
static void append_transformer(struct text *line, const struct flops_mix *mix)
{
    long double scores = mix->parts[ROLE_SCORES].flops;
    const struct role_model *model = &mix->roles.shapes.model;
    struct said share = said_share(share_of(scores, mix->whole.flops));
    char factor[UNITS_SIZE];

    say(line, network_transformer_text);
    if (!(scores > 0))
        return;
    if (model->sequence == 0) {
        say(line, network_scores_text, share);
        return;
    }
    snprintf(factor, sizeof factor, "%.2Lf", 2 * (1 + scores / mix->whole.flops));
    say(line, network_scores_at_text, share, said_count((uint64_t)model->sequence),
        said_count((uint64_t)llroundl((long double)model->sequence * (mix->whole.flops - scores) /
                                      scores)),
        said_words(factor));
}

static void append_convolutional(struct text *line, const struct flops_mix *mix)
{
    say(line, network_convolutional_text,
        said_share(share_of(mix->parts[ROLE_CONVOLUTION].flops, mix->whole.flops)));
    say(line, network_image_text);
}

static void append_insight(struct text *line, const struct flops_mix *mix)
{
    switch (find_network(mix)) {
    case NETWORK_TRANSFORMER: append_transformer(line, mix); return;
    case NETWORK_CONVOLUTIONAL: append_convolutional(line, mix); return;
    case NETWORK_RECURRENT: say(line, network_recurrent_text); return;
    case NETWORK_PERCEPTRON: say(line, network_products_text); return;
    case NETWORK_UNKNOWN: return;
    }
}

enum { INSIGHT_MODEL, INSIGHT_REGIONS, INSIGHT_INFERRED, INSIGHT_NETWORK };

static const struct column insight_columns[] = {
    {"model", "Model", NULL, UNIT_TEXT, 0},
    {"regions", "Regions", NULL, UNIT_TEXT, 0},
    {"inferred", "Inferred", NULL, UNIT_TEXT, 0},
    {"network", "Network", NULL, UNIT_TEXT, 0},
};

static void add_mix(struct record *record, const struct flops_mix *mix)
{
    struct text line;

    text_init(&line);
    append_passes(&line, mix);
    append_blocks(&line, mix);
    record_add_line(record, &insight_columns[INSIGHT_MODEL], &line);
    append_regions(&line, mix);
    record_add_line(record, &insight_columns[INSIGHT_REGIONS], &line);
    role_shapes_append(&line, &mix->roles.shapes);
    record_add_line(record, &insight_columns[INSIGHT_INFERRED], &line);
    append_insight(&line, mix);
    record_add_line(record, &insight_columns[INSIGHT_NETWORK], &line);
}

static uint64_t size_or_unknown(int64_t size)
{
    return size > 0 ? (uint64_t)size : SESSION_UNKNOWN;
}

static double share_or_unknown(const struct flops_mix *mix, double ns)
{
    return ns > 0 && flops_mix_has_attention(mix) ? share_of(ns, mix->whole.ns) : (double)NAN;
}

/* The model as a whole, by its ops. */
static void add_passes(struct record *fields, const struct flops_mix *mix)
{
    const struct op_model *model = &mix->model;
    const struct session_layer *layer =
        model->layer != 0 ? array_at(&mix->session->layers, model->layer) : NULL;

    fields_put_text(fields, "model", layer ? layer->name : NULL);
    fields_put_count(fields, "passes", UNIT_COUNT,
                     model->passes > 0 ? model->passes : SESSION_UNKNOWN);
    if (layer)
        fields_put_large(fields, "forward_flops", UNIT_FLOPS, model->flops);
    else
        fields_put_null(fields, "forward_flops");
    if (layer && flops_mix_has_gradients(mix))
        fields_put_large(fields, "backward_flops", UNIT_FLOPS, model->backward_flops);
    else
        fields_put_null(fields, "backward_flops");
}

static void add_facts(struct document *document, const struct flops_mix *mix)
{
    const struct role_model *model = &mix->roles.shapes.model;
    struct record *fields = document_add_record(document, "operations", NULL, SECTION_IN_JSON);

    fields_put_text(fields, "network", network_names[find_network(mix)]);
    fields_put_real(fields, "attention_time_fraction", UNIT_FRACTION,
                    share_or_unknown(mix, flops_mix_block(mix, ROLE_BLOCK_ATTENTION).ns));
    fields_put_real(fields, "scores_time_fraction", UNIT_FRACTION,
                    share_or_unknown(mix, mix->parts[ROLE_SCORES].ns));
    fields_put_real(fields, "feed_forward_time_fraction", UNIT_FRACTION,
                    share_or_unknown(mix, flops_mix_block(mix, ROLE_BLOCK_FEED_FORWARD).ns));
    fields_put_text(fields, "source", flops_mix_source(mix));
    fields_put_real(fields, "confidence", UNIT_FRACTION,
                    model->width > 0 ? model->confidence : (double)NAN);
    fields_put_count(fields, "sequence", UNIT_COUNT, size_or_unknown(model->sequence));
    fields_put_count(fields, "heads", UNIT_COUNT, size_or_unknown(model->heads));
    fields_put_count(fields, "width", UNIT_COUNT, size_or_unknown(model->width));
    add_passes(fields, mix);
}

void flops_add_insights(struct document *document, struct record *summary,
                        const struct session *session)
{
    struct flops_mix mix;

    flops_mix_init(&mix, session);
    add_mix(summary, &mix);
    add_facts(document, &mix);
    flops_add_model_parts(document, &mix);
}

/* Programs that compute a little with matrices are no networks as a rule. */
static bool is_worth_a_line(const struct flops_mix *mix)
{
    enum { LEAST_PART = 10 };

    return find_network(mix) != NETWORK_PERCEPTRON ||
           mix->whole.ns >= (double)mix->session->process.wall_ns / LEAST_PART;
}

void flops_append_network(struct text *line, const struct session *session)
{
    struct flops_mix mix;

    flops_mix_init(&mix, session);
    append_blocks(line, &mix);
    if (is_worth_a_line(&mix))
        append_insight(line, &mix);
}
