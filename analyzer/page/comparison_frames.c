/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The frames of a comparison as a table, which needs no script.
 */
#include <math.h>
#include <stdlib.h>

#include "base/pool.h"
#include "base/text.h"
#include "page/comparison_parts.h"
#include "page/texts.h"

enum { FRAMES_SHOWN = 30 };

/* If a callee has nearly all of a frame's difference, the frame adds nothing. */
static const double most_explained = 0.9;

struct frames {
    struct html *html;
    const struct comparison *comparison;
    const struct call_node **rows;
    size_t count;
};

const char *comparison_words(enum verdict verdict)
{
    static const char *const words[VERDICTS] = {
#define VERDICT(id, words) words,
#include "page/verdicts.def"
#undef VERDICT
    };

    return words[verdict];
}

/* Returns: the largest difference of a side. */
static double find_difference(const struct call_node *node, size_t sides)
{
    double most = 0;

    for (size_t i = 1; i < sides; i++)
        most = fmax(most, fabs(node->weights[i].whole - node->weights[COMPARISON_BASE].whole));
    return most;
}

static bool is_told(const struct comparison *comparison, size_t index)
{
    for (size_t i = 1; i < comparison->sides; i++)
        if (comparison->verdicts[index].of[i] != VERDICT_UNDECIDED)
            return true;
    return false;
}

static void mark_explained(const struct comparison *comparison, bool *is_explained)
{
    for (size_t i = 0; i < comparison->tree.count; i++) {
        const struct call_node *node = call_tree_at(&comparison->tree, i), *parent = node->parent;

        if (parent->parent && is_told(comparison, i) &&
            find_difference(node, comparison->sides) >=
                most_explained * find_difference(parent, comparison->sides))
            is_explained[parent->index] = true;
    }
}

static size_t side_count; /* for compare_rows; the page has only one thread */

static int compare_rows(const void *left, const void *right)
{
    const struct call_node *a = *(struct call_node *const *)left;
    const struct call_node *b = *(struct call_node *const *)right;
    double first = find_difference(a, side_count), second = find_difference(b, side_count);

    if (first != second)
        return first < second ? 1 : -1;
    return (a->index > b->index) - (a->index < b->index);
}

static void choose(struct frames *frames, const bool *is_explained)
{
    const struct comparison *comparison = frames->comparison;

    side_count = comparison->sides;
    for (size_t i = 0; i < comparison->tree.count; i++)
        if (is_told(comparison, i) && !is_explained[i])
            frames->rows[frames->count++] = call_tree_at(&comparison->tree, i);
    if (frames->count > 0)
        qsort(frames->rows, frames->count, sizeof *frames->rows, compare_rows);
}

/* Returns: the only side that has the frame; the number of sides: several have it. */
static size_t find_only(const struct comparison *comparison, const struct call_node *node)
{
    size_t only = comparison->sides;

    for (size_t i = 0; i < comparison->sides; i++) {
        if (!(node->weights[i].whole > 0))
            continue;
        if (only < comparison->sides)
            return comparison->sides;
        only = i;
    }
    return only;
}

static void put_time(struct html *html, double ns)
{
    struct value value = {.kind = VALUE_REAL, .real = ns};

    html_putf(html, "<td class=\"n\" data-v=\"%.0f\">", ns);
    if (ns > 0)
        html_value(html, &value, UNIT_NS);
    else
        html_put(html, "-");
    html_put(html, "</td>");
}

static void put_place(struct frames *frames, const char *words, size_t side)
{
    html_put(frames->html, words);
    html_text(frames->html, text_list_at(frames->comparison->labels, side));
}

static void put_verdict(struct frames *frames, const struct call_node *node, size_t side)
{
    size_t only = find_only(frames->comparison, node);
    enum verdict verdict = (enum verdict)frames->comparison->verdicts[node->index].of[side];

    html_putf(frames->html, "<td><span class=\"verdict v%d\"></span>", (int)verdict);
    if (only < frames->comparison->sides)
        put_place(frames, "only in ", only);
    else if (verdict == VERDICT_ONLY_NEW || verdict == VERDICT_ONLY_BASE)
        put_place(frames, "not in ", verdict == VERDICT_ONLY_NEW ? COMPARISON_BASE : side);
    else
        html_put(frames->html, comparison_words(verdict));
    html_put(frames->html, "</td>");
}

static void put_row(struct frames *frames, const struct call_node *node)
{
    const struct comparison *comparison = frames->comparison;
    const struct call_frame *frame = call_tree_frame(&comparison->tree, node);

    html_put(frames->html, "<tr>");
    put_time(frames->html, node->weights[COMPARISON_BASE].whole);
    for (size_t i = 1; i < comparison->sides; i++) {
        put_time(frames->html, node->weights[i].whole);
        put_verdict(frames, node, i);
    }
    html_put(frames->html, "<td>");
    html_text(frames->html, frame->name);
    html_put(frames->html, "</td><td>");
    html_text(frames->html, frame->library ? text_base_name(frame->library) : "");
    html_put(frames->html, "</td></tr>\n");
}

static void put_titles(struct frames *frames)
{
    const struct comparison *comparison = frames->comparison;

    html_put(frames->html, "<div class=\"wide\"><table><thead><tr>");
    for (size_t i = 0; i < comparison->sides; i++) {
        html_put(frames->html, "<th class=\"n\">");
        html_text(frames->html, text_list_at(comparison->labels, i));
        html_put(frames->html, i > 0 ? "</th><th>verdict</th>" : "</th>");
    }
    html_put(frames->html, "<th>frame</th><th>module</th></tr></thead><tbody>\n");
}

static void put_note(struct html *html, struct said sentence, struct said count)
{
    struct text text;

    text_init(&text);
    say(&text, sentence, count);
    html_put(html, "<p class=\"note\">");
    html_prose(html, text.bytes);
    html_put(html, "</p>\n");
}

static void put_rows(struct frames *frames)
{
    if (frames->count == 0) {
        put_note(frames->html, page_no_frames_text, said_count(0));
        return;
    }
    put_titles(frames);
    for (size_t i = 0; i < frames->count && i < FRAMES_SHOWN; i++)
        put_row(frames, frames->rows[i]);
    html_put(frames->html, "</tbody></table></div>\n");
    if (frames->count <= FRAMES_SHOWN)
        return;
    put_note(frames->html, page_more_frames_text, said_count(frames->count - FRAMES_SHOWN));
}

void comparison_put_frames(struct html *html, const struct comparison *comparison)
{
    size_t nodes = comparison->tree.count + 1;
    struct frames frames = {.html = html,
                            .comparison = comparison,
                            .rows = pool_get_zeros(nodes, sizeof *frames.rows)};
    bool *is_explained = pool_get_zeros(nodes, sizeof *is_explained);

    mark_explained(comparison, is_explained);
    choose(&frames, is_explained);
    html_putf(html, "<h3>%s</h3>\n", page_frames_text.words);
    put_rows(&frames);
}
