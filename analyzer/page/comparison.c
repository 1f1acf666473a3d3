/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A call tree with the processor time of each run, and a verdict on each of its frames.
 *
 * Source: Welch's interval for the difference of the means, for all frames of at least one percent
 * and all sides together (Bonferroni); smaller frames are not judged.  As in tprof compare, fewer
 * runs than its rank test needs show nothing.
 */
#include "page/comparison.h"

#include <math.h>
#include <stdlib.h>

#include "base/pool.h"
#include "export/stacks.h"
#include "page/comparison_parts.h"
#include "page/html.h"
#include "page/outline.h"
#include "page/tables.h"
#include "statistics/two_samples.h"

static const double least_share = 0.01, most_chance = 0.05;

void comparison_init(struct comparison *comparison, const struct text_list *labels)
{
    *comparison = (struct comparison){.labels = labels, .sides = text_list_count(labels)};
    text_list_init(&comparison->weights);
    for (int i = 0; i < COMPARISON_MOST; i++)
        array_init(&comparison->runs[i], sizeof(struct array));
    for (size_t i = 0; i < comparison->sides; i++)
        text_list_addf(&comparison->weights, "%s: processor time", text_list_at(labels, i));
    call_tree_init(&comparison->tree, comparison->sides);
}

/* ---- runs ----------------------------------------------------------------------------- */

static void add_ns(struct array *run, size_t number, double ns)
{
    while (run->count <= number)
        array_add(run);
    *(double *)array_at(run, number) += ns;
}

static struct call_node *enter(struct comparison *comparison, struct call_node *node,
                               const struct call_frame *frame)
{
    const struct call_frame like = {.name = frame->name,
                                    .library = frame->library,
                                    .kind = frame->kind == CALL_FRAME_PYTHON ? CALL_FRAME_PYTHON
                                                                             : CALL_FRAME_NATIVE};

    return call_tree_enter_frame(&comparison->tree, node, &like);
}

/* `nodes`: those of the comparison, by the indices of the stacks. */
static void add_stacks(struct comparison *comparison, const struct export_stacks *stacks,
                       struct array *run, struct call_node **nodes)
{
    for (size_t i = 0; i < stacks->tree.count; i++) {
        const struct call_node *stack = call_tree_at(&stacks->tree, i);
        double ns = stack->weights[EXPORT_CPU].whole;
        bool is_outermost = stack->depth == 1;

        if (!(ns > 0))
            continue;
        nodes[i] = enter(comparison,
                         is_outermost ? comparison->tree.root : nodes[stack->parent->index],
                         call_tree_frame(&stacks->tree, stack));
        add_ns(run, nodes[i]->index + 1, ns);
        if (is_outermost)
            add_ns(run, 0, ns);
    }
}

void comparison_add(struct comparison *comparison, size_t side, const struct session *session)
{
    struct array *run = array_add(&comparison->runs[side]);
    struct call_node **nodes;
    struct export_stacks stacks;
    struct pool pool;

    array_init(run, sizeof(double));
    pool_enter(&pool);
    export_stacks_make(&stacks, session, EXPORT_BY_FUNCTION);
    nodes = pool_get_zeros(stacks.tree.count + 1, sizeof *nodes);
    add_stacks(comparison, &stacks, run, nodes);
    pool_leave(&pool);
}

/* ---- verdicts ------------------------------------------------------------------------- */

/* The values of a node, for one side after the other. */
struct sample {
    double *values;
    size_t starts[COMPARISON_MOST + 1]; /* and the end */
    double means[COMPARISON_MOST];
    size_t least_runs; /* runs of a side that certainty needs */
};

static void fill_side(struct sample *sample, const struct array *runs, size_t side, size_t number)
{
    const struct array *run = runs->items;
    double *values = sample->values + sample->starts[side], sum = 0;

    sample->starts[side + 1] = sample->starts[side] + runs->count;
    for (size_t i = 0; i < runs->count; i++) {
        values[i] = number < run[i].count ? *(double *)array_at(&run[i], number) : 0;
        sum += values[i];
    }
    sample->means[side] = runs->count > 0 ? sum / (double)runs->count : 0;
}

static void fill(struct sample *sample, const struct comparison *comparison, size_t number)
{
    for (size_t i = 0; i < comparison->sides; i++)
        fill_side(sample, &comparison->runs[i], i, number);
}

static size_t runs_of(const struct sample *sample, size_t side)
{
    return sample->starts[side + 1] - sample->starts[side];
}

static enum verdict compare(const struct sample *sample, size_t side, double confidence)
{
    const struct two_samples samples = {sample->values, runs_of(sample, COMPARISON_BASE),
                                        sample->values + sample->starts[side],
                                        runs_of(sample, side), confidence};
    struct mean_comparison means;

    two_samples_welch(&samples, &means);
    if (means.difference_interval.low > 0)
        return VERDICT_SLOWER;
    return means.difference_interval.high < 0 ? VERDICT_FASTER : VERDICT_UNDECIDED;
}

static enum verdict judge(const struct sample *sample, size_t side, double confidence)
{
    bool is_in_base = sample->means[COMPARISON_BASE] > 0, is_in_side = sample->means[side] > 0;

    if (!is_in_base && !is_in_side)
        return VERDICT_UNDECIDED;
    if (!is_in_base)
        return VERDICT_ONLY_NEW;
    if (!is_in_side)
        return VERDICT_ONLY_BASE;
    if (runs_of(sample, COMPARISON_BASE) < sample->least_runs ||
        runs_of(sample, side) < sample->least_runs)
        return VERDICT_DIFFERS;
    return compare(sample, side, confidence);
}

static bool is_large(const struct comparison *comparison, const struct call_node *node)
{
    for (size_t i = 0; i < comparison->sides; i++)
        if (node->weights[i].whole >= least_share * comparison->tree.root->weights[i].whole)
            return true;
    return false;
}

static void set_means(struct call_node *node, const struct comparison *comparison,
                      struct sample *sample, size_t number)
{
    fill(sample, comparison, number);
    for (size_t i = 0; i < comparison->sides; i++)
        node->weights[i].whole = sample->means[i];
}

static size_t weigh(struct comparison *comparison, struct sample *sample)
{
    size_t large = 0;

    set_means(comparison->tree.root, comparison, sample, 0);
    for (size_t i = 0; i < comparison->tree.count; i++) {
        struct call_node *node = call_tree_at(&comparison->tree, i);

        set_means(node, comparison, sample, i + 1);
        large += is_large(comparison, node);
    }
    return large;
}

static size_t count_runs(const struct comparison *comparison)
{
    size_t count = 0;

    for (size_t i = 0; i < comparison->sides; i++)
        count += comparison->runs[i].count;
    return count;
}

/* All frames and sides are judged together. */
static void judge_all(struct comparison *comparison)
{
    struct sample sample = {.values =
                                pool_get_zeros(count_runs(comparison) + 1, sizeof *sample.values),
                            .least_runs = two_samples_least_count(most_chance, 1)};
    double confidence, judged;

    judged = (double)(weigh(comparison, &sample) * (comparison->sides - 1));
    confidence = 1 - most_chance / fmax(1, judged);
    comparison->verdicts = pool_get_zeros(comparison->tree.count + 1,
                                            sizeof *comparison->verdicts);
    for (size_t i = 0; i < comparison->tree.count; i++) {
        if (!is_large(comparison, call_tree_at(&comparison->tree, i)))
            continue;
        fill(&sample, comparison, i + 1);
        for (size_t j = 1; j < comparison->sides; j++)
            comparison->verdicts[i].of[j] = (signed char)judge(&sample, j, confidence);
    }
}

/* ---- the page ------------------------------------------------------------------------- */

static void put_legend(struct html *html)
{
    html_put(html, "<p class=\"note\">");
    for (int i = 0; i < VERDICTS; i++)
        html_putf(html, "<span class=\"verdict v%d\"></span>%s ", i,
                  comparison_words((enum verdict)i));
    html_put(html, "</p>\n");
}

static void put_flame(struct html *html, const struct comparison *comparison)
{
    struct flame_data data = {.name = "functions",
                              .tree = &comparison->tree,
                              .weight_count = comparison->sides,
                              .sides = comparison->labels,
                              .verdicts = comparison->verdicts};

    for (size_t i = 0; i < comparison->sides; i++)
        data.weights[i] =
            (struct flame_weight){text_list_at(&comparison->weights, i), "ns", i, true};
    html_put(html, "<script type=\"application/json\" id=\"flame-data\">\n[");
    flame_data_put(html, &data);
    html_put(html, "]</script>\n");
}

static void put_page(struct html *html, struct comparison *comparison,
                     const struct document *document)
{
    judge_all(comparison);

    outline_begin(html, "comparison");
    html_put(html, "<main>\n<section id=\"overview\"><h1>Comparison</h1>\n");
    html->is_overview = html->has_title = true;
    tables_put_document(html, document);
    html_put(html, "</section>\n<section id=\"cpu\"><h2>Time</h2>\n");
    html_put(html, "<div id=\"flame\" class=\"chart\" hidden></div>\n");
    put_legend(html);
    comparison_put_frames(html, comparison);
    html_put(html, "</section>\n</main>\n");
    put_flame(html, comparison);
    outline_end(html);
}

void comparison_write(struct comparison *comparison, const struct document *document, FILE *out)
{
    struct html html;

    html_init(&html, out);
    put_page(&html, comparison, document);
}
