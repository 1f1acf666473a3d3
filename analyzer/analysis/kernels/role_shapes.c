/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Families of products, and the models that they make.
 */
#include "analysis/kernels/role_shapes.h"

#include <math.h>
#include <string.h>

#include "analysis/kernels/slots.h"

/* Products of the same three sizes, in ascending order. */
struct family {
    int64_t sizes[3];
    double calls[3]; /* products that sum over this size; of equal sizes, the first */
    uint64_t most;   /* products of one call */
    enum shape_role role;
};

static void sort_sizes(int64_t sizes[3])
{
    for (unsigned i = 0; i < 2; i++)
        for (unsigned j = 0; j < 2 - i; j++)
            if (sizes[j] > sizes[j + 1]) {
                int64_t kept = sizes[j];

                sizes[j] = sizes[j + 1];
                sizes[j + 1] = kept;
            }
}

static struct family *find_family(const struct array *families, const struct slots_product *of)
{
    int64_t sizes[3] = {of->m, of->n, of->k};

    sort_sizes(sizes);
    for (size_t i = 0; i < families->count; i++) {
        struct family *family = array_at(families, i);

        if (memcmp(family->sizes, sizes, sizeof sizes) == 0)
            return family;
    }
    return NULL;
}

static struct family *add_family(struct array *families, const struct slots_product *of)
{
    struct family *family = array_add(families);

    if (!family)
        return NULL;
    *family = (struct family){.sizes = {of->m, of->n, of->k}};
    sort_sizes(family->sizes);
    return family;
}

static unsigned index_of(const struct family *family, int64_t size)
{
    unsigned i = 0;

    while (i < 3 && family->sizes[i] != size)
        i++;
    return i;
}

static double calls_over(const struct family *family, int64_t size)
{
    unsigned i = index_of(family, size);

    return i < 3 ? family->calls[i] : 0;
}

static enum status add_slot(struct array *families, const struct session_slot *slot)
{
    struct slots_product product;
    struct family *family;

    if (slot->nested || !slots_find_product(slot, &product))
        return STATUS_OK;
    family = find_family(families, &product);
    if (!family)
        family = add_family(families, &product);
    if (!family)
        return STATUS_OUT_OF_MEMORY;
    family->calls[index_of(family, product.k)] += (double)product.count * (double)slot->calls;
    if (product.count > family->most)
        family->most = product.count;
    return STATUS_OK;
}

/* ---- models ---------------------------------------------------------------- */

/* Scores and context: s, s and e.  When all three are equal both look alike. */
static bool read_scores(const struct family *family, struct role_model *model)
{
    const int64_t *sizes = family->sizes;
    double over_head, over_sequence;

    if (sizes[0] != sizes[1] && sizes[1] != sizes[2])
        return false;
    model->sequence = model->block = sizes[1];
    model->head_width = sizes[0] == sizes[1] ? sizes[2] : sizes[0];
    over_head = calls_over(family, model->head_width);
    over_sequence = calls_over(family, model->block);
    if (model->block == model->head_width)
        over_head = over_sequence = over_head / 2;
    model->trained_pairs = (over_sequence - over_head) / 2;
    model->pairs = over_head - model->trained_pairs;
    return over_head > 0 && over_sequence >= over_head && over_sequence <= 2 * over_head &&
           model->trained_pairs == floor(model->trained_pairs);
}

/* Only some of the pairs have gradients: training and inference in one run. */
static bool is_mixed(const struct role_model *model)
{
    return model->trained_pairs > 0 && model->trained_pairs < model->pairs;
}

/* The blocks of a sequence with which the passes are no more than the calls of a
 * projection, of all blocks that the items have; 0 when there is no such number. */
static int64_t count_blocks(double passes, double calls, int64_t all_blocks)
{
    for (int64_t blocks = 1; blocks <= all_blocks && (double)blocks <= passes; blocks++) {
        double left = passes / (double)blocks;

        if (all_blocks % blocks == 0 && left == floor(left) && left <= calls)
            return blocks;
    }
    return 0;
}

/* Passes of validation may be of batches of another size: what is trained tells the
 * blocks, and all count where they are as many as the projections.
 * Returns: the blocks of a sequence, or 0. */
static int64_t find_passes(const struct family *family, struct role_model *model, double each,
                           int64_t all_blocks)
{
    double calls = calls_over(family, model->width), all = model->pairs / each, left;
    int64_t blocks;

    model->trained_passes = model->trained_pairs / each;
    model->passes = is_mixed(model) ? model->trained_passes : all;
    blocks = count_blocks(model->passes, calls, all_blocks);
    left = blocks > 0 ? all / (double)blocks : 0;
    if (left == floor(left) && left <= calls)
        model->passes = all;
    return blocks;
}

/* Whether a family is the projection of `width` for `tokens`, and as often as
 * the scores of a model ask for. */
static bool explains(const struct family *family, struct role_model *model, int64_t width,
                     int64_t tokens)
{
    double heads = (double)(width / model->head_width);
    int64_t all_blocks = tokens / model->block; /* of all items */
    int64_t blocks;

    if (width % model->head_width != 0 || heads < 2 || tokens % model->block != 0)
        return false;
    model->width = width;
    blocks = find_passes(family, model, heads * (double)all_blocks, all_blocks);
    if (blocks == 0) {
        model->width = 0;
        return false;
    }
    model->sequence = blocks * model->block;
    model->heads = (int64_t)heads;
    model->tokens = tokens;
    model->passes /= (double)blocks;
    model->trained_passes /= (double)blocks;
    if (!is_mixed(model))
        model->confidence = ROLE_CONFIDENCE_HIGH;
    return true;
}

/* The one of three sizes that is left without two others, or 0. */
static int64_t third_size(const struct family *family, int64_t a, int64_t b)
{
    unsigned first = index_of(family, a);

    for (unsigned i = 0; first < 3 && i < 3; i++)
        if (i != first && family->sizes[i] == b)
            return family->sizes[3 - first - i];
    return 0;
}

static bool is_projection_of(const struct family *family, struct role_model *model)
{
    for (unsigned i = 0; i < 3; i++)
        for (unsigned j = 0; j < 3; j++) {
            int64_t width = family->sizes[i], tokens = family->sizes[j];
            int64_t outputs = i != j ? family->sizes[3 - i - j] : 0;

            if ((outputs == width || outputs == 2 * width || outputs == 3 * width) &&
                explains(family, model, width, tokens))
                return true;
        }
    return false;
}

static bool find_model(const struct array *families, const struct family *scores,
                       struct role_model *model)
{
    *model = (struct role_model){.confidence = ROLE_CONFIDENCE_MEDIUM};
    if (!read_scores(scores, model))
        return false;
    for (size_t i = 0; i < families->count; i++) {
        const struct family *family = array_at(families, i);

        if (family != scores && is_projection_of(family, model))
            return true;
    }
    return scores->most >= 2 && model->sequence != model->head_width;
}

/* ---- what else belongs to a model -------------------------------------------- */

/* Attention to another sequence: s, t and e, where s and e are known. */
static bool is_cross(const struct family *family, const struct role_model *model)
{
    int64_t other = third_size(family, model->head_width, model->block);

    return other > 0 && calls_over(family, model->head_width) > 0 &&
           (calls_over(family, other) > 0 || calls_over(family, model->block) > 0);
}

static enum shape_role role_beside(const struct family *family, const struct role_model *model)
{
    int64_t other = model->width > 0 ? third_size(family, model->tokens, model->width) : 0;
    /* Both layers of a feed-forward sum over its inner width in training, one
     * in the forward pass; a layer that only widens does once and not at all.
     * Passes of validation may be of other tokens. */
    double needed =
        is_mixed(model) ? 2 * model->trained_passes : model->passes + model->trained_passes;

    if (other == 0)
        return SHAPE_ROLE_NONE;
    if (other > model->width && calls_over(family, model->width) > 0 &&
        calls_over(family, other) >= needed)
        return SHAPE_ROLE_FEED;
    if (other % model->head_width == 0 &&
        (other <= model->width || other == 2 * model->width || other == 3 * model->width))
        return SHAPE_ROLE_PROJECTION;
    return SHAPE_ROLE_NONE;
}

static double products_flops(const struct family *family)
{
    double calls = family->calls[0] + family->calls[1] + family->calls[2];

    return 2 * calls * (double)family->sizes[0] * (double)family->sizes[1] *
           (double)family->sizes[2];
}

/* Among thousands of small products some always fit each other: what looks like
 * a model must do a part of the work that a model would. */
static bool is_weighty(const struct role_shapes *shapes, const struct role_model *model,
                       const struct family *scores)
{
    double needed = model->width > 0 ? 0.1 : 0.01; /* without projections, scores alone */
    double own = products_flops(scores), all = 0;

    for (size_t i = 0; i < shapes->families.count; i++) {
        const struct family *family = array_at(&shapes->families, i);

        all += products_flops(family);
        if (family != scores && role_beside(family, model) != SHAPE_ROLE_NONE)
            own += products_flops(family);
    }
    return own >= needed * all;
}

static enum status find_models(struct role_shapes *shapes)
{
    for (size_t i = 0; i < shapes->families.count; i++) {
        struct family *family = array_at(&shapes->families, i);
        struct role_model model;
        struct role_model *added;

        if (!find_model(&shapes->families, family, &model) || !is_weighty(shapes, &model, family))
            continue;
        added = array_add(&shapes->models);
        if (!added)
            return STATUS_OUT_OF_MEMORY;
        *added = model;
        family->role = SHAPE_ROLE_SCORES;
    }
    return STATUS_OK;
}

static void assign(struct role_shapes *shapes, const struct role_model *model)
{
    for (size_t i = 0; i < shapes->families.count; i++) {
        struct family *family = array_at(&shapes->families, i);

        if (family->role == SHAPE_ROLE_NONE)
            family->role = role_beside(family, model);
        if (family->role == SHAPE_ROLE_NONE && is_cross(family, model))
            family->role = SHAPE_ROLE_SCORES;
    }
}

enum status role_shapes_init(struct role_shapes *shapes, const struct session *session)
{
    enum status status = STATUS_OK;

    array_init(&shapes->families, sizeof(struct family));
    array_init(&shapes->models, sizeof(struct role_model));
    for (size_t i = 0; i < session->slots.count && !status; i++)
        status = add_slot(&shapes->families, array_at(&session->slots, i));
    if (!status)
        status = find_models(shapes);
    for (size_t i = 0; i < shapes->models.count && !status; i++)
        assign(shapes, array_at(&shapes->models, i));
    if (status)
        role_shapes_fini(shapes);
    return status;
}

void role_shapes_fini(struct role_shapes *shapes)
{
    array_fini(&shapes->families);
    array_fini(&shapes->models);
}

enum shape_role role_shapes_find(const struct role_shapes *shapes, const struct session_slot *slot)
{
    struct slots_product product;
    const struct family *family = NULL;

    if (!slot->nested && slots_find_product(slot, &product))
        family = find_family(&shapes->families, &product);
    return family ? family->role : SHAPE_ROLE_NONE;
}

void role_model_append(struct text *text, const struct role_model *model)
{
    text_appendf(text, "%.0f pairs of products of %lld by %lld by %lld and %lld by %lld by %lld%s",
                 model->pairs, (long long)model->block, (long long)model->block,
                 (long long)model->head_width, (long long)model->block,
                 (long long)model->head_width, (long long)model->block,
                 model->trained_pairs > 0 && !is_mixed(model) ? ", with their gradients," : "");
    if (is_mixed(model))
        text_appendf(text, ", %.0f of them with their gradients,", model->trained_pairs);
    if (model->sequence > model->block)
        text_appendf(text, ", blocks of a sequence of %lld,", (long long)model->sequence);
    if (model->width > 0)
        text_appendf(text,
                     " are %lld heads of width %lld in a width of %lld over %lld tokens, as its "
                     "projections say, %.0f passes through a layer",
                     (long long)model->heads, (long long)model->head_width, (long long)model->width,
                     (long long)model->tokens, model->passes);
    else
        text_append(text, " in calls of several products each");
    text_appendf(text, "; confidence %s",
                 model->confidence == ROLE_CONFIDENCE_HIGH ? "high" : "medium");
}
