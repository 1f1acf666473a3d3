/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A flame graph as a picture: callers below, callees above, as wide as their weight.
 *
 * Frames of less than half a pixel are left out, and the picture says how many.  There is no
 * script: a browser shows a frame's numbers when the pointer rests on it.  Colours distinguish
 * Python's functions from libraries, in light and dark schemes.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "base/utf8.h"
#include "export/export.h"
#include "model/session.h"
#include "model/session_process.h"

enum { WIDTH = 1200, MARGIN = 10, HEAD = 40, FOOT = 24, ROW = 17, LETTER = 7, HUES = 6 };

/* A picture. */
struct picture {
    const struct export_stacks *stacks;
    enum export_weight weight;
    FILE *out;
    double scale; /* pixels a unit of weight */
    size_t depth; /* depth of the deepest frame that is wide enough */
    size_t left_out;
};

static const double least_width = 0.5;

static bool is_wide(const struct picture *picture, const struct call_node *stack)
{
    return stack->weights[picture->weight].whole * picture->scale >= least_width;
}

static void measure(struct picture *picture)
{
    for (size_t i = picture->stacks->tree.count; i-- > 0;) {
        const struct call_node *stack = call_tree_at(&picture->stacks->tree, i);

        if (stack->weights[picture->weight].whole <= 0)
            continue;
        if (!is_wide(picture, stack))
            picture->left_out++;
        else if (stack->depth > picture->depth)
            picture->depth = stack->depth;
    }
}

static void write_escaped(struct picture *picture, const char *string, size_t most)
{
    struct text valid;
    size_t size;

    text_init(&valid);
    utf8_append_valid(&valid, string);
    size = valid.size > most ? utf8_cut(valid.bytes, most) : valid.size;
    for (size_t i = 0; i < size; i++) {
        char c = valid.bytes[i];

        if (c == '<')
            fputs("&lt;", picture->out);
        else if (c == '&')
            fputs("&amp;", picture->out);
        else
            fputc((unsigned char)c < ' ' ? ' ' : c, picture->out);
    }
    if (size < valid.size)
        fputs("..", picture->out);
    text_fini(&valid);
}

/* Python's functions share one colour; each library has one of a few. */
static unsigned hue_of(const struct call_frame *frame)
{
    unsigned hash = 5381;

    if (frame->kind == CALL_FRAME_PYTHON)
        return 0;
    for (const char *c = frame->library ? frame->library : ""; *c; c++)
        hash = hash * 33 + (unsigned char)*c;
    return 1 + hash % (HUES - 1);
}

static void write_title(struct picture *picture, const struct call_node *stack)
{
    const struct call_frame *frame = call_tree_frame(&picture->stacks->tree, stack);
    double whole = picture->stacks->tree.root->weights[picture->weight].whole;
    char amount[UNITS_SIZE];

    export_format_weight(amount, picture->weight, stack->weights[picture->weight].whole);
    fputs("<title>", picture->out);
    write_escaped(picture, frame->name, SIZE_MAX);
    if (frame->library) {
        fputs(" in ", picture->out);
        write_escaped(picture, frame->library, SIZE_MAX);
    }
    if (frame->line > 0)
        fprintf(picture->out, ", line %" PRIu32, frame->line);
    fprintf(picture->out, ": %s, %.2f %% of all; itself ", amount,
            100 * stack->weights[picture->weight].whole / whole);
    export_format_weight(amount, picture->weight, stack->weights[picture->weight].own);
    fprintf(picture->out, "%s</title>", amount);
}

static void write_frame(struct picture *picture, const struct call_node *stack, double x)
{
    const struct call_frame *frame = call_tree_frame(&picture->stacks->tree, stack);
    double width = stack->weights[picture->weight].whole * picture->scale;
    double y = HEAD + (double)(picture->depth - stack->depth) * ROW;
    size_t letters = width > 2 * LETTER ? (size_t)(width / LETTER) - 1 : 0;

    fprintf(picture->out, "<g>");
    write_title(picture, stack);
    fprintf(picture->out,
            "<rect class=\"h%u\" x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" height=\"%d\"/>",
            hue_of(frame), x, y, width, ROW - 1);
    if (letters > 2) {
        fprintf(picture->out, "<text x=\"%.1f\" y=\"%.0f\">", x + 3, y + ROW - 5);
        write_escaped(picture, frame->name, letters > 4 ? letters - 2 : letters);
        fputs("</text>", picture->out);
    }
    fputs("</g>\n", picture->out);
}

/* Depth is bounded by that of the stacks. */
static void write_inside(struct picture *picture, const struct call_node *around, double x)
{
    for (const struct call_node *stack = around->first_child; stack; stack = stack->next) {
        if (!is_wide(picture, stack))
            continue;
        write_frame(picture, stack, x);
        write_inside(picture, stack, x);
        x += stack->weights[picture->weight].whole * picture->scale;
    }
}

static const char style[] =
    "<style>text{font:11px monospace;fill:#111}rect{stroke:#fff;stroke-width:.5}"
    ".h0{fill:#8ec5f0}.h1{fill:#f6b26b}.h2{fill:#f4cf7a}.h3{fill:#e79a84}.h4{fill:#d8c28f}"
    ".h5{fill:#f0a95b}g:hover rect{stroke:#000;stroke-width:1}.head{font-size:14px}"
    "@media(prefers-color-scheme:dark){svg{background:#1b1b1b}.head,.foot{fill:#ddd}"
    "rect{stroke:#1b1b1b}}</style>\n";

static void write_head(struct picture *picture)
{
    const struct session *session = picture->stacks->session;
    double whole = picture->stacks->tree.root->weights[picture->weight].whole;
    size_t height = HEAD + (picture->depth + 1) * ROW + FOOT;
    char amount[UNITS_SIZE];

    export_format_weight(amount, picture->weight, whole);
    fprintf(picture->out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %zu\" width=\"%d\" "
            "height=\"%zu\" role=\"img\">\n<title>Flame graph: %s</title>\n%s",
            WIDTH, height, WIDTH, height, export_weight_at(picture->weight)->help, style);
    fprintf(picture->out, "<text class=\"head\" x=\"%d\" y=\"24\">", MARGIN);
    if (session->process.name)
        write_escaped(picture, session->process.name, 80);
    fprintf(picture->out, ": %s, %s</text>\n", export_weight_at(picture->weight)->help, amount);
}

static void write_foot(struct picture *picture)
{
    size_t y = HEAD + (picture->depth + 1) * ROW + FOOT - 8;

    fprintf(
        picture->out,
        "<text class=\"foot\" x=\"%d\" y=\"%zu\">Callers stand below what they call. Width: %s.",
        MARGIN, y, export_weight_at(picture->weight)->help);
    if (picture->left_out > 0)
        fprintf(picture->out, " Left out: %zu frames narrower than half a pixel.",
                picture->left_out);
    fputs("</text>\n</svg>\n", picture->out);
}

void export_svg(const struct export_stacks *stacks, enum export_weight weight, FILE *out)
{
    struct picture picture = {.stacks = stacks, .weight = weight, .out = out};
    double whole = stacks->tree.root->weights[weight].whole;

    picture.scale = whole > 0 ? (WIDTH - 2 * MARGIN) / whole : 0;
    measure(&picture);
    write_head(&picture);
    if (whole > 0)
        write_inside(&picture, stacks->tree.root, MARGIN);
    write_foot(&picture);
}
