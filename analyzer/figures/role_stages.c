/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stages by the counts of their products.
 */
#include "figures/role_stages.h"

#include <math.h>
#include <stdlib.h>

/* Products that sum over a size and have the tokens where all others of the model have them:
 * a convolution that was made a product may have the same sizes the other way round. */
static double count_over(const struct role_stages *of, const struct role_family *family,
                         int64_t tokens, int64_t size)
{
    int64_t other = role_family_third(family, tokens, size);

    return role_family_columns_over(family, of->tokens_are_rows ? other : tokens, size);
}

/* Products of a layer that was passed so many times: forward over its inputs, in training
 * as often over its outputs and its tokens. */
static bool is_layer(const struct role_stages *of, const struct role_family *family,
                     const struct role_stage *stage, int64_t outputs)
{
    double gradients = of->is_trained ? stage->layers : 0;

    return count_over(of, family, stage->tokens, stage->width) == stage->layers &&
           count_over(of, family, stage->tokens, outputs) == gradients &&
           role_family_over(family, stage->tokens) == gradients;
}

/* Both layers of a feed-forward: one sums over the width, the other over the inner width,
 * and their gradients the other way round. */
static bool is_feed_forward(const struct role_stages *of, const struct role_family *family,
                            const struct role_stage *stage, int64_t tokens)
{
    double passes = stage->layers * (of->is_trained ? 2 : 1);
    int64_t inner = role_family_third(family, stage->width, tokens);

    return inner > stage->width && tokens != stage->width && tokens != inner &&
           count_over(of, family, tokens, stage->width) == passes &&
           count_over(of, family, tokens, inner) == passes &&
           role_family_over(family, tokens) == (of->is_trained ? passes : 0);
}

static const struct role_family *find_sizes(const struct role_families *families,
                                            const struct role_stage *stage, int64_t other)
{
    return role_families_find(
        families, &(struct slots_product){stage->width, stage->tokens, other, 1, false});
}

/* The layers of a stage, by its products from d to d: one a layer behind attention, and
 * three before it where these are not made at once. */
static bool count_layers(const struct role_stages *of, struct role_stage *stage,
                         const struct role_families *families, const struct role_family *square)
{
    double passes = count_over(of, square, stage->tokens, stage->width) / (of->is_trained ? 2 : 1);
    const struct role_family *all = find_sizes(families, stage, 3 * stage->width);

    if (passes != floor(passes) ||
        role_family_over(square, stage->tokens) != (of->is_trained ? passes : 0))
        return false;
    stage->layers = passes;
    if (all && is_layer(of, all, stage, 3 * stage->width))
        return true;
    stage->layers = passes / 4;
    return stage->layers > 0 && stage->layers == floor(stage->layers);
}

/* Whether a family is d by d by T, with heads and windows that fit. */
static bool read_stage(struct role_stage *stage, const struct role_family *family,
                       const struct role_windows *windows)
{
    const int64_t *sizes = family->sizes;

    if ((sizes[0] == sizes[1]) == (sizes[1] == sizes[2]))
        return false;
    *stage = (struct role_stage){.width = sizes[1],
                                 .tokens = sizes[0] == sizes[1] ? sizes[2] : sizes[0]};
    return stage->width % windows->head_width == 0 && stage->width >= 2 * windows->head_width &&
           stage->tokens % windows->tokens == 0 && stage->tokens != 3 * stage->width;
}

static double count_pairs(const struct role_stage *stage, const struct role_windows *windows)
{
    return stage->layers * (double)(stage->width / windows->head_width) *
           (double)(stage->tokens / windows->tokens);
}

static int compare_stages(const void *a, const void *b)
{
    const struct role_stage *first = a, *second = b;

    return (first->width > second->width) - (first->width < second->width);
}

static bool is_pyramid(const struct role_stages *stages)
{
    for (unsigned i = 1; i < stages->count; i++)
        if (stages->stage[i].width <= stages->stage[i - 1].width ||
            stages->stage[i].tokens >= stages->stage[i - 1].tokens)
            return false;
    return stages->count >= 2;
}

/* Find the stages of a program that has its tokens in one way. */
static bool find_laid_out(struct role_stages *stages, const struct role_families *families,
                          const struct role_windows *windows)
{
    double pairs = 0;

    for (size_t i = 0; i < families->items.count; i++) {
        const struct role_family *family = role_families_at(families, i);
        struct role_stage stage;

        if (!read_stage(&stage, family, windows) || !count_layers(stages, &stage, families, family))
            continue;
        if (stages->count == ROLE_STAGES_MAX)
            return false;
        stages->stage[stages->count++] = stage;
        pairs += count_pairs(&stage, windows);
    }
    qsort(stages->stage, stages->count, sizeof *stages->stage, compare_stages);
    return pairs == windows->pairs && is_pyramid(stages);
}

bool role_stages_find(struct role_stages *stages, const struct role_families *families,
                      const struct role_windows *windows)
{
    *stages = (struct role_stages){.is_trained = windows->is_trained};
    if (find_laid_out(stages, families, windows))
        return true;
    *stages = (struct role_stages){.is_trained = windows->is_trained, .tokens_are_rows = true};
    if (find_laid_out(stages, families, windows))
        return true;
    stages->count = 0;
    return false;
}

/* Windows may be padded; a feed-forward is not.
 * Returns: its tokens; 0 when it is none. */
static int64_t find_feed_forward(const struct role_stages *stages, const struct role_stage *stage,
                                 const struct role_family *family)
{
    for (unsigned i = 0; i < 3; i++) {
        int64_t tokens = family->sizes[i];

        if (tokens <= stage->tokens && 2 * tokens > stage->tokens &&
            is_feed_forward(stages, family, stage, tokens))
            return tokens;
    }
    return 0;
}

static bool is_projection(const struct role_stages *stages, const struct role_stage *stage,
                          const struct role_family *family)
{
    int64_t other = role_family_third(family, stage->tokens, stage->width);

    return other == stage->width ||
           (other == 3 * stage->width && is_layer(stages, family, stage, other));
}

enum shape_role role_stages_role(const struct role_stages *stages, const struct role_family *family,
                                 int64_t *tokens)
{
    for (unsigned i = 0; i < stages->count; i++) {
        const struct role_stage *stage = &stages->stage[i];

        *tokens = stage->tokens;
        if (is_projection(stages, stage, family))
            return SHAPE_ROLE_PROJECTION;
        *tokens = find_feed_forward(stages, stage, family);
        if (*tokens > 0)
            return SHAPE_ROLE_FEED;
    }
    return SHAPE_ROLE_NONE;
}
