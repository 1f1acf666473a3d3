/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Batches of several sizes by the counts of their products.
 *
 * Decision: doc/decisions/roles-of-products.
 */
#include "figures/role_batches.h"

#include <math.h>
#include <stdlib.h>

/* How projections are laid out: the one that tells the passes is so many times as wide as
 * the model, and a layer has so many of it and so many of the width itself. */
enum layout_kind { LAYOUT_AT_ONCE, LAYOUT_ONE_BY_ONE, LAYOUT_FEWER_HEADS };

struct role_layout {
    enum layout_kind kind;
    int64_t times;
    double each;
    double squares;
};

static const struct role_layout layouts[] = {
    {LAYOUT_AT_ONCE, 3, 1, 1}, {LAYOUT_ONE_BY_ONE, 1, 4, 4}, {LAYOUT_FEWER_HEADS, 1, 2, 2}};

enum { LAYOUTS = sizeof layouts / sizeof *layouts };

static const struct role_family *find_sizes(const struct role_families *families, int64_t tokens,
                                            int64_t width, int64_t other)
{
    return role_families_find(families, &(struct slots_product){tokens, width, other, 1, false});
}

static double count_products(const struct role_families *families, int64_t tokens, int64_t width,
                             int64_t other)
{
    const struct role_family *family = find_sizes(families, tokens, width, other);

    return family ? role_family_products(family) : 0;
}

static bool is_known(const struct array *layers, int64_t width, const struct role_layout *layout)
{
    for (size_t i = 0; i < layers->count; i++) {
        const struct role_layers *known = array_at(layers, i);

        if (known->width == width && known->layout == layout)
            return true;
    }
    return false;
}

/* Returns: whether there are tokens, and no more than can be held. */
static bool add_tokens(struct role_layers *layers, const struct role_families *families)
{
    int64_t outputs = layers->layout->times * layers->width;

    for (size_t i = 0; i < families->items.count; i++) {
        const struct role_family *family = role_families_at(families, i);
        int64_t tokens = role_family_third(family, layers->width, outputs);
        double products = role_family_products(family) / layers->layout->each;

        if (tokens == 0 || products < 1 || products != floor(products) ||
            !role_family_may_be_tokens(family, tokens))
            continue;
        if (layers->count == ROLE_BATCHES_MAX)
            return false;
        layers->batch[layers->count++] = (struct role_batch){tokens, products, 0, 0};
    }
    return layers->count > 0;
}

static enum status add_layers(struct array *found, const struct role_families *families,
                              int64_t width, int64_t times)
{
    for (size_t i = 0; i < LAYOUTS; i++) {
        struct role_layers layers = {.width = width, .layout = &layouts[i]};
        struct role_layers *added;

        if (layouts[i].times != times || is_known(found, width, &layouts[i]) ||
            !add_tokens(&layers, families))
            continue;
        added = array_add(found);
        if (!added)
            return STATUS_OUT_OF_MEMORY;
        *added = layers;
    }
    return STATUS_OK;
}

/* Try each size as the width, and each other one as what a layer leads to. */
static enum status add_layers_of(struct array *layers, const struct role_families *families,
                                 const struct role_family *family)
{
    enum status status = STATUS_OK;

    for (unsigned i = 0; i < 9 && !status; i++) {
        int64_t width = family->sizes[i / 3], outputs = family->sizes[i % 3];

        if (i / 3 != i % 3 && (outputs == width || outputs == 3 * width))
            status = add_layers(layers, families, width, outputs / width);
    }
    return status;
}

enum status role_layers_find(struct array *layers, const struct role_families *families,
                             double least_flops)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < families->items.count && !status; i++)
        if (role_family_flops(role_families_at(families, i)) >= least_flops)
            status = add_layers_of(layers, families, role_families_at(families, i));
    return status;
}

/* Whether a size is the tokens of another batch than one. */
static bool is_of_other(const struct role_batch *batches, unsigned count, unsigned index,
                        int64_t size)
{
    for (unsigned i = 0; i < count; i++)
        if (i != index && batches[i].tokens == size)
            return true;
    return false;
}

/* Whether other families than the squares have this many of a batch's keys and values, a
 * product each for fewer heads. */
static bool has_fewer_heads(const struct role_families *families, int64_t tokens, int64_t width,
                            int64_t head_width, double products)
{
    for (size_t i = 0; i < families->items.count; i++) {
        const struct role_family *family = role_families_at(families, i);
        int64_t other = role_family_third(family, tokens, width);

        if (other > 0 && other < width && other % head_width == 0 &&
            role_family_products(family) == products)
            return true;
    }
    return false;
}

/* Whether the projections that are not as wide as the model are those of a layout. */
static bool has_others(const struct role_families *families, const struct role_layers *layers,
                       const struct role_batch *batch, int64_t head_width)
{
    int64_t tokens = batch->tokens, width = layers->width;
    double squares = layers->layout->squares * batch->products;

    switch (layers->layout->kind) {
    case LAYOUT_AT_ONCE: return true;
    case LAYOUT_ONE_BY_ONE:
        return count_products(families, tokens, width, 3 * width) < squares &&
               !has_fewer_heads(families, tokens, width, head_width, squares);
    case LAYOUT_FEWER_HEADS:
        return count_products(families, tokens, width, 2 * width) >= batch->products ||
               has_fewer_heads(families, tokens, width, head_width, squares);
    }
    return false;
}

/* Whether the other projections of a layer are there as often as its layout says. */
static bool is_laid_out(const struct role_families *families, const struct role_layers *layers,
                        unsigned index, int64_t head_width)
{
    const struct role_batch *batch = &layers->batch[index];
    double squares = count_products(families, batch->tokens, layers->width, layers->width);
    double asked = layers->layout->squares * batch->products;

    if (squares < asked)
        return false;
    if (squares > asked && !is_of_other(layers->batch, layers->count, index, layers->width))
        return false;
    return has_others(families, layers, batch, head_width);
}

/* Scores and context of one block that batches make in all. */
static double count_scores(const struct role_batches *batches, const struct role_asked *asked)
{
    double scores = 0;

    for (unsigned i = 0; i < batches->count; i++)
        scores += 2 * batches->batch[i].products * (double)(batches->width / asked->head_width) *
                  (double)(batches->batch[i].tokens / asked->block);
    return scores;
}

static bool have_blocks(struct role_batches *batches, const struct role_asked *asked)
{
    double blocks = asked->products / count_scores(batches, asked);

    if (!(blocks >= 1) || blocks != floor(blocks))
        return false;
    for (unsigned i = 0; i < batches->count; i++)
        if (fmod((double)(batches->batch[i].tokens / asked->block), blocks) != 0)
            return false;
    batches->blocks = (int64_t)blocks;
    return true;
}

/* Pairs that one pass of a batch makes. */
static double pairs_each(const struct role_batches *batches, const struct role_asked *asked,
                         const struct role_batch *batch)
{
    return (double)(batches->width / asked->head_width) * (double)(batch->tokens / asked->block) *
           (double)batches->blocks;
}

/* The passes with gradients of a batch, by the sums over its tokens.
 * Returns: a negative number where its tokens are as many as the layer is wide. */
static double count_trained(const struct role_families *families, const struct role_layers *layers,
                            const struct role_batch *batch)
{
    int64_t outputs = layers->layout->times * layers->width;
    const struct role_family *family = find_sizes(families, batch->tokens, layers->width, outputs);
    unsigned same = role_family_count(family, outputs);

    if (outputs != layers->width)
        return role_family_over(family, outputs) / (batch->tokens == outputs ? same : 1);
    return batch->tokens == layers->width
               ? -1
               : role_family_over(family, batch->tokens) / layers->layout->each;
}

/* The passes with gradients of a batch whose tokens are as many as it is wide, by both
 * layers of a feed-forward: without gradients of weights these sum over the width as often as
 * over the inner width.
 * Returns: a negative number where there is no such feed-forward. */
static double count_by_feed_forward(const struct role_families *families, int64_t width,
                                    const struct role_batch *batch)
{
    for (size_t i = 0; i < families->items.count; i++) {
        const struct role_family *family = role_families_at(families, i);
        int64_t inner = role_family_third(family, batch->tokens, width);

        if (inner > width && role_family_products(family) == 2 * batch->products)
            return (role_family_over(family, width) - role_family_over(family, inner)) / 2;
    }
    return -1;
}

/* The sums do not tell one batch: the scores do, or else the feed-forward. */
static double find_unknown(const struct role_families *families, const struct role_batches *batches,
                           const struct role_asked *asked, const struct role_batch *unknown)
{
    double left = asked->trained_pairs;

    if (left < 0)
        return count_by_feed_forward(families, batches->width, unknown);
    for (unsigned i = 0; i < batches->count; i++)
        if (&batches->batch[i] != unknown)
            left -= batches->batch[i].trained * pairs_each(batches, asked, &batches->batch[i]);
    return left / pairs_each(batches, asked, unknown);
}

/* Returns: whether the passes of each batch are whole, and as many as the scores say. */
static bool find_passes(struct role_batches *batches, const struct role_families *families,
                        const struct role_layers *layers, const struct role_asked *asked)
{
    struct role_batch *unknown = NULL;
    double pairs = 0;

    for (unsigned i = 0; i < batches->count; i++) {
        struct role_batch *batch = &batches->batch[i];

        batch->trained = count_trained(families, layers, batch);
        if (batch->trained < 0)
            unknown = batch;
    }
    if (unknown)
        unknown->trained = find_unknown(families, batches, asked, unknown);
    for (unsigned i = 0; i < batches->count; i++) {
        struct role_batch *batch = &batches->batch[i];

        batch->passes = batch->products - 2 * batch->trained;
        if (batch->trained < 0 || batch->trained != floor(batch->trained) ||
            batch->passes < batch->trained)
            return false;
        pairs += batch->trained * pairs_each(batches, asked, batch);
    }
    return asked->trained_pairs < 0 || pairs == asked->trained_pairs;
}

static bool try_batches(struct role_batches *tried, const struct role_families *families,
                        const struct role_layers *layers, const struct role_asked *asked)
{
    return tried->count > 0 && have_blocks(tried, asked) &&
           find_passes(tried, families, layers, asked);
}

/* The layers' batches that could be those of the scores. */
static struct role_layers keep_possible(const struct role_families *families,
                                        const struct role_layers *layers,
                                        const struct role_asked *asked)
{
    struct role_layers kept = *layers;

    kept.count = 0;
    for (unsigned i = 0; i < layers->count; i++)
        if (layers->batch[i].tokens % asked->block == 0 &&
            is_laid_out(families, layers, i, asked->head_width))
            kept.batch[kept.count++] = layers->batch[i];
    return kept;
}

static struct role_batches choose(const struct role_layers *layers, unsigned mask)
{
    struct role_batches chosen = {.width = layers->width};

    for (unsigned i = 0; i < layers->count; i++)
        if (mask & 1U << i)
            chosen.batch[chosen.count++] = layers->batch[i];
    return chosen;
}

/* Whether one of them may be no batch but a width: that of products which another one, of as
 * many tokens as what is projected to, would have. */
static bool has_doubtful(const struct role_layers *layers)
{
    for (unsigned i = 0; i < layers->count; i++)
        if (is_of_other(layers->batch, layers->count, i, layers->layout->times * layers->width))
            return true;
    return false;
}

/* All batches, or else those of them that alone explain the scores: batches of other
 * sequences have other scores.  Of several choices the one with the fewest blocks, unless
 * one of them may be no batch.
 * Returns: whether there is one such choice. */
static bool find_choice(struct role_batches *found, const struct role_layers *possible,
                        const struct role_families *families, const struct role_asked *asked)
{
    unsigned all = (1U << possible->count) - 1, choices = 0, fewest = 0;

    for (unsigned mask = all; mask > 0; mask--) {
        struct role_batches tried = choose(possible, mask);

        if (!try_batches(&tried, families, possible, asked))
            continue;
        choices++;
        if (fewest > 0 && tried.blocks > found->blocks)
            continue;
        fewest = fewest == 0 || tried.blocks < found->blocks ? 1 : fewest + 1;
        *found = tried;
        if (mask == all && tried.blocks == 1 && !has_doubtful(possible))
            return true;
    }
    return has_doubtful(possible) ? choices == 1 : fewest == 1;
}

static bool narrows_again(const struct role_family *family, const struct role_batch *batch,
                          int64_t inner)
{
    double gradients = role_family_products(family) * batch->trained / batch->products;

    return role_family_narrows(family, inner, batch->tokens, batch->passes + batch->trained,
                               gradients);
}

static enum shape_role role_of(const struct role_family *family, const struct role_batches *batches,
                               const struct role_batch *batch, const struct role_width *read,
                               int64_t head_width)
{
    int64_t width = batches->width;

    if (read->each < 1)
        return SHAPE_ROLE_NONE;
    if (read->width > width && role_family_over(family, width) > 0 &&
        narrows_again(family, batch, read->width))
        return SHAPE_ROLE_FEED;
    if (role_may_project(read->width, width, head_width))
        return SHAPE_ROLE_PROJECTION;
    return SHAPE_ROLE_NONE;
}

/* Read a width where no other batch makes products of the same sizes.  Returns: whether it
 * is of all layers: each batch has as many of it for its passes. */
static bool read_width(struct role_width *read, const struct role_batches *batches,
                       const struct role_families *families, int64_t head_width)
{
    for (unsigned i = 0; i < batches->count; i++) {
        const struct role_batch *batch = &batches->batch[i];
        const struct role_family *family =
            find_sizes(families, batch->tokens, batches->width, read->width);
        double each = family ? role_family_products(family) / batch->products : 0;

        if (is_of_other(batches->batch, batches->count, i, read->width))
            continue;
        if (each == 0 || (read->each > 0 && each != read->each))
            return false;
        if (read->each == 0) {
            read->each = each;
            read->role = role_of(family, batches, batch, read, head_width);
        }
    }
    return read->each > 0;
}

static bool has_width(const struct role_batches *batches, int64_t width)
{
    for (unsigned i = 0; i < batches->width_count; i++)
        if (batches->widths[i].width == width)
            return true;
    return false;
}

/* Returns: false when there are more widths than can be held. */
static bool add_widths(struct role_batches *batches, const struct role_families *families,
                       int64_t head_width)
{
    for (size_t i = 0; i < families->items.count; i++) {
        const struct role_family *family = role_families_at(families, i);
        struct role_width read = {
            .width = role_family_third(family, batches->batch[0].tokens, batches->width)};

        if (read.width == 0 || has_width(batches, read.width) ||
            !read_width(&read, batches, families, head_width))
            continue;
        if (batches->width_count == ROLE_WIDTHS_MAX)
            return false;
        batches->widths[batches->width_count++] = read;
    }
    return true;
}

/* Products that have the role of a width and are not of whole layers: those of another
 * layer that is as wide, such as a head. */
static double count_odd(const struct role_batches *batches)
{
    double odd = 0;

    for (unsigned i = 0; i < batches->width_count; i++) {
        const struct role_width *width = &batches->widths[i];

        for (unsigned j = 0; j < batches->count && width->role != SHAPE_ROLE_NONE; j++)
            odd += round((width->each - floor(width->each)) * batches->batch[j].products);
    }
    return odd;
}

/* Products that batches make of a family, by role. */
struct parts {
    double products[SHAPE_ROLE_FEED + 1];
    double all;
};

static struct parts find_parts(const struct role_batches *batches, const struct role_family *family)
{
    struct parts parts = {{0}, 0};

    for (unsigned i = 0; i < batches->count; i++) {
        int64_t other = role_family_third(family, batches->batch[i].tokens, batches->width);

        for (unsigned j = 0; other > 0 && j < batches->width_count; j++) {
            const struct role_width *width = &batches->widths[j];
            double products = round(width->each * batches->batch[i].products);

            if (width->width != other)
                continue;
            parts.products[width->role] += products;
            parts.all += products;
        }
    }
    return parts;
}

enum shape_role role_batches_role(const struct role_batches *batches,
                                  const struct role_family *family)
{
    struct parts parts = find_parts(batches, family);
    enum shape_role most = SHAPE_ROLE_NONE;

    if (parts.all != role_family_products(family))
        return SHAPE_ROLE_NONE;
    for (int role = SHAPE_ROLE_NONE; role <= SHAPE_ROLE_FEED; role++)
        if (parts.products[role] > parts.products[most])
            most = (enum shape_role)role;
    return most;
}

/* Returns: whether all that a width of the layers has is what the batches make of it. */
static bool is_whole(struct role_batches *batches, const struct role_families *families)
{
    for (size_t i = 0; i < families->items.count; i++) {
        const struct role_family *family = role_families_at(families, i);
        struct parts parts = find_parts(batches, family);

        if (parts.all == 0)
            continue;
        if (parts.all != role_family_products(family))
            return false;
        batches->doubtful += parts.all - parts.products[role_batches_role(batches, family)];
    }
    return true;
}

static int compare_batches(const void *a, const void *b)
{
    const struct role_batch *first = a, *second = b;
    double one = first->products * (double)first->tokens;
    double other = second->products * (double)second->tokens;

    return (one < other) - (one > other);
}

/* One item of as many tokens as a head is wide: any product of three equal sizes. */
static bool is_cube(const struct role_batches *batches, const struct role_asked *asked)
{
    return batches->count == 1 && asked->block == asked->head_width &&
           batches->batch[0].tokens == asked->block;
}

/* One item at a time without a feed-forward: a perceptron with a square layer may make it. */
static bool is_perceptron(const struct role_batches *batches, const struct role_asked *asked)
{
    for (unsigned i = 0; i < batches->count; i++)
        if (batches->batch[i].tokens > asked->block * batches->blocks)
            return false;
    for (unsigned i = 0; i < batches->width_count; i++)
        if (batches->widths[i].role == SHAPE_ROLE_FEED)
            return false;
    return true;
}

/* Keys and values at once are as wide as a feed-forward that doubles the width.
 * Returns: their products, where more have their sizes. */
static double count_shared(const struct role_batches *batches, const struct role_families *families,
                           const struct role_layers *layers, int64_t head_width)
{
    double shared = 0;

    for (unsigned i = 0; i < batches->count && layers->layout->kind == LAYOUT_FEWER_HEADS; i++) {
        const struct role_batch *batch = &batches->batch[i];
        double doubled = count_products(families, batch->tokens, layers->width, 2 * layers->width);

        if (doubled > batch->products &&
            !has_fewer_heads(families, batch->tokens, layers->width, head_width,
                             layers->layout->squares * batch->products))
            shared += batch->products;
    }
    return shared;
}

bool role_batches_find(struct role_batches *found, const struct role_layers *layers,
                       const struct role_families *families, const struct role_asked *asked)
{
    struct role_layers possible;

    found->count = 0;
    if (layers->width % asked->head_width != 0 || layers->width / asked->head_width < 2)
        return false;
    possible = keep_possible(families, layers, asked);
    if (!find_choice(found, &possible, families, asked) || is_cube(found, asked))
        return false;
    qsort(found->batch, found->count, sizeof *found->batch, compare_batches);
    found->doubtful = count_shared(found, families, layers, asked->head_width);
    if (!add_widths(found, families, asked->head_width) || is_perceptron(found, asked) ||
        !is_whole(found, families))
        return false;
    found->doubtful += count_odd(found);
    return true;
}
