/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * By what models were recognized, in sentences.
 */
#include "figures/role_shapes.h"
#include "figures/texts.h"

const char *role_model_confidence(const struct role_model *model)
{
    return model->doubt == ROLE_DOUBT_NONE ? "high" : "medium";
}

static struct said said_size(int64_t size)
{
    return said_count((uint64_t)size);
}

static void say_pairs(struct text *text, const struct said *row, const struct role_model *model)
{
    struct said block = said_size(model->block), head = said_size(model->head_width);

    say(text, *row, said_count((uint64_t)model->pairs), block, block, head, block, head, block);
}

static void say_gradients(struct text *text, const struct role_model *model)
{
    if (role_model_is_mixed(model))
        say(text, role_gradients_of_text, said_count((uint64_t)model->trained_pairs));
    else if (model->trained_pairs > 0)
        say(text, role_gradients_text);
    if (model->sequence > model->block)
        say(text, role_blocks_text, said_size(model->sequence));
}

static void say_passes(struct text *text, double passes, int64_t width, int64_t tokens)
{
    say(text, role_passes_text, said_count((uint64_t)passes), said_size(width), said_size(tokens));
}

static void say_width(struct text *text, const struct role_model *model)
{
    const struct role_batch *batch = model->batches.batch;

    say(text, role_width_text, said_size(model->heads), said_size(model->head_width),
        said_size(model->width));
    if (model->batches.count <= 1)
        say_passes(text, model->passes, model->width, model->tokens);
    for (unsigned i = 0; model->batches.count > 1 && i < model->batches.count; i++)
        say_passes(text, batch[i].passes, model->width, batch[i].tokens);
}

static void say_stages(struct text *text, const struct role_model *model)
{
    const struct role_stage *stage = model->stages.stage;

    say(text, role_windows_text, said_size(model->head_width), said_size(model->block),
        said_count(model->stages.count));
    for (unsigned i = 0; i < model->stages.count; i++)
        say_passes(text, stage[i].layers, stage[i].width, stage[i].tokens);
}

/* What is not exact where there are no layers is said before. */
static void say_confidence(struct text *text, const struct role_model *model)
{
    say(text, role_confidence_text, said_words(role_model_confidence(model)));
    if (model->doubt == ROLE_DOUBT_COUNTS && model->width > 0)
        say(text, role_doubt_counts_text);
    if (model->doubt == ROLE_DOUBT_SIZES)
        say(text, role_doubt_sizes_text, said_count((uint64_t)model->batches.doubtful));
    if (model->doubt == ROLE_DOUBT_LEFT)
        say(text, role_doubt_left_text);
}

void role_model_append(struct text *text, const struct role_model *model)
{
    const struct role_rival *rival = &model->rival;

    say_pairs(text, &role_pairs_text, model);
    say_gradients(text, model);
    if (model->width > 0)
        say_width(text, model);
    else if (model->stages.count > 0)
        say_stages(text, model);
    else
        say(text, role_batched_text);
    if (rival->width > 0)
        say(text, role_rival_text, said_size(rival->width / model->head_width),
            said_size(rival->width), said_size(rival->tokens));
    say_confidence(text, model);
}

static struct said find_refusal(const struct role_model *refused)
{
    switch (refused->splits) {
    case ROLE_SPLITS_NONE: return role_splits_none_text;
    case ROLE_SPLITS_SEVERAL: return role_splits_several_text;
    case ROLE_SPLITS_ONE: break;
    }
    return role_splits_left_text;
}

void role_shapes_append_refusal(struct text *text, const struct role_shapes *shapes)
{
    const struct role_model *refused = &shapes->refused;

    if (refused->width == 0 || shapes->models.count > 0)
        return;
    say_pairs(text, &role_refused_text, refused);
    say(text, find_refusal(refused));
    say(text, role_refused_regions_text);
}

void role_convolved_append(struct text *text, const struct array *found)
{
    for (size_t i = 0; i < found->count; i++) {
        const struct role_convolved *of = array_at(found, i);

        if (of->inner > 0)
            say(text, role_convolved_text, said_count((uint64_t)of->calls),
                said_size(of->channels), said_size(of->places), said_size(of->inner));
    }
    if (text->size > 0)
        say(text, role_confidence_text, said_words("medium"));
}
