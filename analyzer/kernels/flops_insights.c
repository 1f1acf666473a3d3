/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the mix of operations says of the model: attention against
 * feed-forward, which sort of network it looks like, and how its work grows.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "document/fields.h"
#include "figures/op_stages.h"
#include "figures/slots.h"
#include "kernels/flops_parts.h"
#include "kernels/texts.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_ops.h"
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
    enum role_source source; /* the least sure of the blocks' */
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
    mix->source = entry->source > mix->source ? entry->source : mix->source;
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

/* Without attention beside it, a name such as fc may be that of any layer. */
static bool has_attention(const struct mix *mix)
{
    return mix->block_ns[ROLE_BLOCK_ATTENTION] > 0;
}

/* How attention and feed-forward were recognized: for programs, and for people. */
static const struct source {
    const char *name;
    const struct said *text;
} sources[] = {
    [ROLE_SOURCE_NONE] = {NULL, NULL},
    [ROLE_SOURCE_OPS] = {"ops", &blocks_by_ops_text},
    [ROLE_SOURCE_NAMES] = {"regions", &blocks_by_regions_text},
    [ROLE_SOURCE_SHAPES] = {"inferred", &blocks_by_shapes_text},
};

static struct said said_of_kernels(const struct mix *mix, uint64_t ns)
{
    return said_share(share_of(ns, mix->kernel_ns));
}

static void append_attention(struct text *line, const struct mix *mix)
{
    uint64_t scores_ns = mix->role_ns[ROLE_SCORES];

    say(line, blocks_attention_text, said_of_kernels(mix, mix->block_ns[ROLE_BLOCK_ATTENTION]),
        said_time((double)mix->kernel_ns));
    if (scores_ns > 0)
        say_part(line, blocks_scores_text, said_of_kernels(mix, scores_ns));
    say_part(line, blocks_feed_forward_text,
             said_of_kernels(mix, mix->block_ns[ROLE_BLOCK_FEED_FORWARD]));
}

static void append_blocks(struct text *line, const struct mix *mix)
{
    if (!has_attention(mix))
        return;
    append_attention(line, mix);
    say(line, *sources[mix->source].text);
}

/* The regions themselves, with their code outside kernels. */
static void append_regions(struct text *line, const struct mix *mix)
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

/* ---- ops ---- */

/* What an op is for: its block, else what its name or its kind tells. */
static enum role find_op_role(const struct session *session, uint32_t op)
{
    static const char *const products[] = {"mm",     "bmm", "addmm", "baddbmm", "matmul",
                                           "linear", "mv",  "addmv", "einsum",  NULL};
    const struct session_op *of = session_op_at(session, op);
    enum role role = role_of_op_block(session, op);

    if (role == ROLES)
        role = role_of_op(session, op);
    if (role != ROLES)
        return role;
    if (role_name_has_any(of->name, products))
        return ROLE_MATMUL;
    return of->kind == OP_KIND_ELEMENTWISE ? ROLE_ELEMENTWISE : ROLES;
}

/* Forward ops have the time of their gradients.  Returns: the time in all ops. */
static double sum_op_roles(const struct session *session, double *ns)
{
    for (uint32_t i = 1; i < session->ops.count; i++) {
        const struct session_op *op = session_op_at(session, i);

        if (op_stage_of(session, i) == OP_STAGE_FORWARD)
            ns[find_op_role(session, i)] += (double)op->exclusive_ns + op->backward_ns;
    }
    return (double)op_stages_sum(session).all_ns;
}

/* Returns: the largest that is left; ROLES when all are small. */
static enum role find_largest(const double *ns, double least_ns)
{
    enum role largest = ROLES;

    for (int i = 0; i < ROLES; i++)
        if (ns[i] >= least_ns && (largest == ROLES || ns[i] > ns[largest]))
            largest = (enum role)i;
    return largest;
}

static void append_op_roles(struct text *line, const struct mix *mix)
{
    const double least_share = 0.01;
    double ns[ROLES + 1] = {0}, all_ns = sum_op_roles(mix->session, ns), rest_ns = all_ns;
    struct text roles;

    text_init(&roles);
    for (enum role role = find_largest(ns, least_share * all_ns); all_ns > 0 && role != ROLES;
         role = find_largest(ns, least_share * all_ns)) {
        say_part(&roles, blocks_of_op_text, said_words(role_name(role)),
                 said_share(ns[role] / all_ns));
        rest_ns -= ns[role];
        ns[role] = -1;
    }
    if (roles.size > 0)
        say_part(&roles, blocks_of_rest_text, said_share(fmax(0, rest_ns) / all_ns));
    if (roles.size > 0)
        say(line, blocks_of_ops_text, said_time(all_ns), said_words(roles.bytes));
    text_fini(&roles);
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

static enum network find_network(const struct mix *mix)
{
    long double half = mix->flops / 2;

    if (!(mix->flops > 0))
        return NETWORK_UNKNOWN;
    if (has_attention(mix))
        return NETWORK_TRANSFORMER;
    if (mix->role_flops[ROLE_CONVOLUTION] >= half)
        return NETWORK_CONVOLUTIONAL;
    if (mix->role_flops[ROLE_RECURRENT] >= half)
        return NETWORK_RECURRENT;
    if (mix->role_flops[ROLE_MATMUL] + mix->role_flops[ROLE_FEED_FORWARD] >= half)
        return NETWORK_PERCEPTRON;
    return NETWORK_UNKNOWN;
}

/* Scores and context grow with the square of the sequence, the others with its
 * length.  Their balance is known for a single length only. */
static void append_transformer(struct text *line, const struct mix *mix)
{
    long double scores = mix->role_flops[ROLE_SCORES];
    const struct role_model *model = &mix->roles.shapes.model;
    struct said share = said_share(share_of(scores, mix->flops));
    char factor[UNITS_SIZE];

    say(line, network_transformer_text);
    if (!(scores > 0))
        return;
    if (model->sequence == 0) {
        say(line, network_scores_text, share);
        return;
    }
    snprintf(factor, sizeof factor, "%.2Lf", 2 * (1 + scores / mix->flops));
    say(line, network_scores_at_text, share, said_count((uint64_t)model->sequence),
        said_count(
            (uint64_t)llroundl((long double)model->sequence * (mix->flops - scores) / scores)),
        said_words(factor));
}

static void append_convolutional(struct text *line, const struct mix *mix)
{
    say(line, network_convolutional_text,
        said_share(share_of(mix->role_flops[ROLE_CONVOLUTION], mix->flops)));
    say(line, network_image_text);
}

static void append_insight(struct text *line, const struct mix *mix)
{
    switch (find_network(mix)) {
    case NETWORK_TRANSFORMER: append_transformer(line, mix); return;
    case NETWORK_CONVOLUTIONAL: append_convolutional(line, mix); return;
    case NETWORK_RECURRENT: say(line, network_recurrent_text); return;
    case NETWORK_PERCEPTRON: say(line, network_products_text); return;
    case NETWORK_UNKNOWN: return;
    }
}

enum { INSIGHT_MODEL, INSIGHT_REGIONS, INSIGHT_OPS, INSIGHT_INFERRED, INSIGHT_NETWORK };

static const struct column insight_columns[] = {
    {"model", "Model", NULL, UNIT_TEXT, 0},
    {"regions", "Regions", NULL, UNIT_TEXT, 0},
    {"ops", "Ops", NULL, UNIT_TEXT, 0},
    {"inferred", "Inferred", NULL, UNIT_TEXT, 0},
    {"network", "Network", NULL, UNIT_TEXT, 0},
};

static enum status add_mix(struct record *record, const struct mix *mix)
{
    struct text line;
    enum status status;

    text_init(&line);
    append_blocks(&line, mix);
    status = record_add_line(record, &insight_columns[INSIGHT_MODEL], &line);
    if (!status)
        append_regions(&line, mix);
    if (!status)
        status = record_add_line(record, &insight_columns[INSIGHT_REGIONS], &line);
    if (!status)
        append_op_roles(&line, mix);
    if (!status)
        status = record_add_line(record, &insight_columns[INSIGHT_OPS], &line);
    if (!status)
        role_shapes_append(&line, &mix->roles.shapes);
    if (!status)
        status = record_add_line(record, &insight_columns[INSIGHT_INFERRED], &line);
    if (!status)
        append_insight(&line, mix);
    if (!status)
        status = record_add_line(record, &insight_columns[INSIGHT_NETWORK], &line);
    text_fini(&line);
    return status;
}

static const struct column block_columns[] = {
    FIELD("network", UNIT_TEXT),
    FIELD("attention_time_fraction", UNIT_FRACTION),
    FIELD("scores_time_fraction", UNIT_FRACTION),
    FIELD("feed_forward_time_fraction", UNIT_FRACTION),
    FIELD("source", UNIT_TEXT),
    FIELD("confidence", UNIT_FRACTION),
    FIELD("sequence", UNIT_COUNT),
    FIELD("heads", UNIT_COUNT),
    FIELD("width", UNIT_COUNT),
};

static uint64_t size_or_unknown(int64_t size)
{
    return size > 0 ? (uint64_t)size : SESSION_UNKNOWN;
}

static double share_or_unknown(uint64_t ns, const struct mix *mix)
{
    return ns > 0 ? share_of(ns, mix->kernel_ns) : (double)NAN;
}

static enum status add_facts(struct document *document, const struct mix *mix)
{
    const struct role_model *model = &mix->roles.shapes.model;
    struct fields fields = fields_begin(
        document_add_record(document, "operations", NULL, SECTION_IN_JSON), block_columns);

    fields_add_text(&fields, network_names[find_network(mix)]);
    fields_add_real(&fields, share_or_unknown(mix->block_ns[ROLE_BLOCK_ATTENTION], mix));
    fields_add_real(&fields, share_or_unknown(mix->role_ns[ROLE_SCORES], mix));
    fields_add_real(&fields, has_attention(mix)
                                 ? share_or_unknown(mix->block_ns[ROLE_BLOCK_FEED_FORWARD], mix)
                                 : (double)NAN);
    fields_add_text(&fields, has_attention(mix) ? sources[mix->source].name : NULL);
    fields_add_real(&fields, model->width > 0 ? model->confidence : (double)NAN);
    fields_add_count(&fields, size_or_unknown(model->sequence));
    fields_add_count(&fields, size_or_unknown(model->heads));
    fields_add_count(&fields, size_or_unknown(model->width));
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
