/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A call tree with the processor time of each run, and what follows of each of its frames.
 *
 * Source: Welch's interval for the difference of the means, for all frames of one percent or
 * more together (Bonferroni); smaller ones are not judged.
 */
#include "page/comparison.h"

#include <math.h>
#include <stdlib.h>

#include "export/stacks.h"
#include "page/html.h"
#include "page/outline.h"
#include "page/tables.h"
#include "statistics/two_samples.h"

enum verdict {
#define VERDICT(id, words) VERDICT_##id,
#include "page/verdicts.def"
#undef VERDICT
};

static const double least_share = 0.01, most_chance = 0.05;

void comparison_init(struct comparison *comparison)
{
    static const struct call_tree_weight weights[] = {
        [COMPARISON_BASE] = {"base: processor time", "ns", true},
        [COMPARISON_NEW] = {"new: processor time", "ns", true},
    };

    call_tree_init(&comparison->tree, weights, COMPARISON_SIDES);
    comparison->tree.is_summed = comparison->tree.has_verdicts = true;
    array_init(&comparison->nodes, sizeof(struct call_tree_node *));
    for (int i = 0; i < COMPARISON_SIDES; i++)
        array_init(&comparison->runs[i], sizeof(struct array));
}

void comparison_fini(struct comparison *comparison)
{
    for (int i = 0; i < COMPARISON_SIDES; i++) {
        struct array *run = comparison->runs[i].items;

        for (size_t j = 0; j < comparison->runs[i].count; j++)
            array_fini(&run[j]);
        array_fini(&comparison->runs[i]);
    }
    array_fini(&comparison->nodes);
    call_tree_fini(&comparison->tree);
}

/* ---- runs ----------------------------------------------------------------------------- */

/* Node 0 is the root.  A node that is new has its number from here. */
static enum status note_node(struct comparison *comparison, struct call_tree_node *node)
{
    struct call_tree_node **place;

    if (node == &comparison->tree.root || node->number > 0)
        return STATUS_OK;
    place = array_add(&comparison->nodes);
    if (!place)
        return STATUS_OUT_OF_MEMORY;
    *place = node;
    node->number = (long)comparison->nodes.count;
    return STATUS_OK;
}

static enum status add_ns(struct array *run, size_t number, double ns)
{
    while (run->count <= number)
        if (!array_add(run))
            return STATUS_OUT_OF_MEMORY;
    *(double *)array_at(run, number) += ns;
    return STATUS_OK;
}

static enum status enter(struct comparison *comparison, struct call_tree_node **node,
                         const struct export_frame *frame)
{
    const struct call_tree_frame like = {frame->name, frame->library ? frame->library : "",
                                         frame->is_python ? CALL_TREE_PYTHON : CALL_TREE_NATIVE};
    enum status status = call_tree_enter(&comparison->tree, node, &like);

    return status ? status : note_node(comparison, *node);
}

/* Stacks come from the last on: callers first. */
static enum status add_stacks(struct comparison *comparison, const struct export_stacks *stacks,
                              struct array *run, struct call_tree_node **nodes)
{
    enum status status = STATUS_OK;

    for (size_t i = stacks->stacks.count; i-- > 0 && !status;) {
        const struct export_stack *stack = export_stack_at(stacks, i);
        const struct export_stack *around = export_stack_around(stacks, stack);

        if (!(stack->wholes[EXPORT_CPU] > 0))
            continue;
        nodes[i] = around ? nodes[around->index] : &comparison->tree.root;
        status = enter(comparison, &nodes[i], export_frame_of(stacks, stack));
        if (!status)
            status = add_ns(run, (size_t)nodes[i]->number, stack->wholes[EXPORT_CPU]);
        if (!status && !around)
            status = add_ns(run, 0, stack->wholes[EXPORT_CPU]);
    }
    return status;
}

enum status comparison_add(struct comparison *comparison, enum comparison_side side,
                           const struct session *session)
{
    struct array *run = array_add(&comparison->runs[side]);
    struct call_tree_node **nodes = NULL;
    struct export_stacks stacks;
    enum status status;

    if (!run)
        return STATUS_OUT_OF_MEMORY;
    array_init(run, sizeof(double));
    status = export_stacks_init(&stacks, session, EXPORT_BY_FUNCTION);
    if (!status)
        nodes = calloc(stacks.stacks.count + 1, sizeof *nodes);
    if (nodes)
        status = add_stacks(comparison, &stacks, run, nodes);
    else
        status = STATUS_OUT_OF_MEMORY;
    free(nodes);
    export_stacks_fini(&stacks);
    return status;
}

/* ---- what follows --------------------------------------------------------------------- */

/* The values of a node, of one side after the other. */
struct sample {
    double *values;
    size_t counts[COMPARISON_SIDES];
    double means[COMPARISON_SIDES];
};

static void fill_side(struct sample *sample, const struct array *runs, enum comparison_side side,
                      size_t number)
{
    const struct array *run = runs->items;
    double *values = sample->values + (side == COMPARISON_NEW ? sample->counts[0] : 0), sum = 0;

    sample->counts[side] = runs->count;
    for (size_t i = 0; i < runs->count; i++) {
        values[i] = number < run[i].count ? *(double *)array_at(&run[i], number) : 0;
        sum += values[i];
    }
    sample->means[side] = runs->count > 0 ? sum / (double)runs->count : 0;
}

static void fill(struct sample *sample, const struct comparison *comparison, size_t number)
{
    for (enum comparison_side i = 0; i < COMPARISON_SIDES; i++)
        fill_side(sample, &comparison->runs[i], i, number);
}

static enum verdict compare(const struct sample *sample, double confidence)
{
    const struct two_samples samples = {sample->values, sample->counts[COMPARISON_BASE],
                                        sample->values + sample->counts[COMPARISON_BASE],
                                        sample->counts[COMPARISON_NEW], confidence};
    struct mean_comparison means;

    two_samples_welch(&samples, &means);
    if (means.difference_interval.low > 0)
        return VERDICT_SLOWER;
    return means.difference_interval.high < 0 ? VERDICT_FASTER : VERDICT_UNDECIDED;
}

static enum verdict judge(const struct sample *sample, double confidence)
{
    if (!(sample->means[COMPARISON_BASE] > 0))
        return VERDICT_ONLY_NEW;
    if (!(sample->means[COMPARISON_NEW] > 0))
        return VERDICT_ONLY_BASE;
    if (sample->counts[COMPARISON_BASE] < 2 || sample->counts[COMPARISON_NEW] < 2)
        return VERDICT_DIFFERS;
    return compare(sample, confidence);
}

static bool is_large(const struct comparison *comparison, const struct call_tree_node *node)
{
    for (enum comparison_side i = 0; i < COMPARISON_SIDES; i++)
        if (node->weights[i] >= least_share * comparison->tree.root.weights[i])
            return true;
    return false;
}

static size_t weigh(struct comparison *comparison, struct sample *sample)
{
    struct call_tree_node **nodes = comparison->nodes.items;
    size_t large = 0;

    fill(sample, comparison, 0);
    for (int i = 0; i < COMPARISON_SIDES; i++)
        comparison->tree.root.weights[i] = sample->means[i];
    for (size_t i = 0; i < comparison->nodes.count; i++) {
        fill(sample, comparison, i + 1);
        for (int j = 0; j < COMPARISON_SIDES; j++)
            nodes[i]->weights[j] = sample->means[j];
        large += is_large(comparison, nodes[i]);
    }
    return large;
}

static enum status judge_all(struct comparison *comparison)
{
    size_t runs = comparison->runs[COMPARISON_BASE].count + comparison->runs[COMPARISON_NEW].count;
    struct sample sample = {.values = calloc(runs + 1, sizeof *sample.values)};
    struct call_tree_node **nodes = comparison->nodes.items;
    double confidence;

    if (!sample.values)
        return STATUS_OUT_OF_MEMORY;
    confidence = 1 - most_chance / fmax(1, (double)weigh(comparison, &sample));
    for (size_t i = 0; i < comparison->nodes.count; i++) {
        if (!is_large(comparison, nodes[i]))
            continue;
        fill(&sample, comparison, i + 1);
        nodes[i]->verdict = (int)judge(&sample, confidence);
    }
    free(sample.values);
    return STATUS_OK;
}

/* ---- the page ------------------------------------------------------------------------- */

static void put_legend(struct html *html)
{
    static const char *const words[] = {
#define VERDICT(id, words) words,
#include "page/verdicts.def"
#undef VERDICT
    };

    html_put(html, "<p class=\"note\">");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        html_putf(html, "<span class=\"verdict v%zu\"></span>%s ", i, words[i]);
    html_put(html, "</p>\n");
}

static enum status put_page(struct html *html, struct comparison *comparison,
                            const struct document *document)
{
    enum status status = judge_all(comparison);

    outline_begin(html, "comparison");
    html_put(html, "<main>\n<section id=\"overview\">\n");
    tables_put_document(html, document);
    html_put(html, "</section>\n<section id=\"cpu\"><h2>Time</h2>\n");
    html_put(html, "<div id=\"flame\" class=\"chart\" hidden></div>\n");
    put_legend(html);
    html_put(html, "</section>\n</main>\n");
    html_put(html, "<script type=\"application/json\" id=\"flame-data\">\n[");
    if (!status)
        status = call_tree_put(html, &comparison->tree, "functions");
    html_put(html, "]</script>\n");
    outline_end(html);
    return status;
}

enum status comparison_write(struct comparison *comparison, const struct document *document,
                             FILE *out)
{
    struct html html;
    enum status status;

    html_init(&html, out);
    status = put_page(&html, comparison, document);
    return html_fini(&html) ? STATUS_OUT_OF_MEMORY : status;
}
