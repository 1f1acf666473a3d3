/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which columns of a table fit a page, and how wide each is.
 *
 * Called by the text renderer, once a table.
 */
#include "render/layout.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "render/cell.h"
#include "render/display.h"

enum {
    LAYOUT_READABLE_WIDTH = 24, /* readable width of a shortened text, while columns can still be
                                   dropped */
    LAYOUT_READABLE_PLACE = 32, /* readable width of a function with its file and line */
    LAYOUT_LEAST_WIDTH = 8      /* least width of a shortened text */
};

static size_t smaller(size_t left, size_t right)
{
    return left < right ? left : right;
}

static void widen(struct layout_column *column, const struct text *cell)
{
    size_t width = display_width(cell->bytes);

    if (column->width < width)
        column->width = width;
}

static void measure_titles(struct layout *layout, const struct render_options *options,
                           struct text *cell)
{
    for (size_t i = 0; i < layout->schema->column_count; i++) {
        text_clear(cell);
        cell_append_title(cell, &layout->schema->columns[i], options);
        widen(&layout->columns[i], cell);
        layout->columns[i].is_shown = cell_is_for_people(&layout->schema->columns[i]);
    }
}

static void measure_row(struct layout *layout, const struct value *row,
                        const struct render_options *options, struct text *cell)
{
    for (size_t i = 0; i < layout->schema->column_count; i++) {
        text_clear(cell);
        cell_append(cell, &row[i], layout->schema->columns[i].unit, options);
        widen(&layout->columns[i], cell);
    }
}

static void measure(struct layout *layout, const struct table *table,
                    const struct render_options *options)
{
    struct text cell;

    text_init(&cell);
    measure_titles(layout, options, &cell);
    for (size_t i = 0; i < table_row_count(table); i++)
        measure_row(layout, table_row(table, i), options, &cell);
    text_fini(&cell);
}

static void find_flexible(struct layout *layout)
{
    size_t count = layout->schema->column_count;
    size_t widest = 0;

    layout->flexible = count;
    for (size_t i = 0; i < count; i++) {
        if (!layout->columns[i].is_shown || !cell_is_text(layout->schema->columns[i].unit) ||
            layout->columns[i].width < widest)
            continue;
        layout->flexible = i;
        widest = layout->columns[i].width;
    }
}

/* Returns: the width of all shown columns, except the flexible one. */
static size_t fixed_width(const struct layout *layout)
{
    size_t count = layout->schema->column_count;
    size_t width = layout->bar < count ? LAYOUT_GAP + layout->bar_width : 0;
    size_t shown = 0;

    for (size_t i = 0; i < count; i++) {
        if (!layout->columns[i].is_shown)
            continue;
        width += i == layout->flexible ? 0 : layout->columns[i].width;
        shown++;
    }
    return width + (shown > 0 ? (shown - 1) * LAYOUT_GAP : 0);
}

static size_t readable_width(const struct column *column)
{
    return column->unit == UNIT_PLACE ? LAYOUT_READABLE_PLACE : LAYOUT_READABLE_WIDTH;
}

/* Returns: whether the page holds everything with a readable text column. */
static bool fits(const struct layout *layout, size_t page_width)
{
    size_t width = fixed_width(layout);

    if (layout->flexible < layout->schema->column_count)
        width += smaller(layout->columns[layout->flexible].width,
                         readable_width(&layout->schema->columns[layout->flexible]));
    return width <= page_width;
}

/* Returns: the column to drop next, the rightmost among equal priorities; the number of columns
 * when all others must stay. */
static size_t find_victim(const struct layout *layout)
{
    size_t count = layout->schema->column_count;
    size_t victim = count;
    int highest = 1;

    for (size_t i = 0; i < count; i++) {
        int priority = layout->schema->columns[i].priority;
        if (layout->columns[i].is_shown && priority >= highest) {
            highest = priority;
            victim = i;
        }
    }
    return victim;
}

/* Returns: whether there was something to drop. */
static bool drop_one(struct layout *layout)
{
    size_t count = layout->schema->column_count;

    if (layout->bar < count) {
        layout->bar = count;
        return true;
    }
    size_t victim = find_victim(layout);
    if (victim == count)
        return false;
    layout->columns[victim].is_shown = false;
    find_flexible(layout);
    return true;
}

static bool can_shorten(const struct layout *layout, size_t column)
{
    return layout->columns[column].is_shown && cell_is_text(layout->schema->columns[column].unit) &&
           layout->columns[column].width > LAYOUT_LEAST_WIDTH;
}

static size_t whole_width(const struct layout *layout)
{
    size_t width = fixed_width(layout);

    return layout->flexible < layout->schema->column_count
               ? width + layout->columns[layout->flexible].width
               : width;
}

/* Returns: the width when the flexible column is as short as it can be. */
static size_t least_width(const struct layout *layout)
{
    size_t width = whole_width(layout);
    bool is_shorter =
        layout->flexible < layout->schema->column_count && can_shorten(layout, layout->flexible);

    return is_shorter ? width - (layout->columns[layout->flexible].width - LAYOUT_LEAST_WIDTH)
                      : width;
}

/* If necessary, drop the last column that should stay: broken lines are worse.  The first column
 * and the flexible one stay, as they name the rows.
 * Returns: whether there was something to drop. */
static bool drop_last(struct layout *layout)
{
    size_t first = 0, last = layout->schema->column_count;

    while (first < last && !layout->columns[first].is_shown)
        first++;
    while (last > first + 1) {
        last--;
        if (layout->columns[last].is_shown && last != layout->flexible) {
            layout->columns[last].is_shown = false;
            return true;
        }
    }
    return false;
}

static void shorten(struct layout *layout, size_t column, size_t page_width)
{
    struct layout_column *of = &layout->columns[column];
    size_t whole = whole_width(layout);
    size_t room = of->width - LAYOUT_LEAST_WIDTH;

    if (whole > page_width)
        of->width -= smaller(whole - page_width, room);
}

/* Shortens the flexible column first; other texts, such as names, only if nothing else helps. */
static void shorten_all(struct layout *layout, size_t page_width)
{
    size_t count = layout->schema->column_count;

    if (layout->flexible < count && can_shorten(layout, layout->flexible))
        shorten(layout, layout->flexible, page_width);
    for (size_t i = count; i-- > 0;)
        if (can_shorten(layout, i))
            shorten(layout, i, page_width);
}

void layout_init(struct layout *layout, const struct table *table,
                 const struct render_options *options)
{
    const struct table_schema *schema = table->schema;

    *layout = (struct layout){.schema = schema, .bar = schema->column_count};
    layout->columns = memory_get_zeros(schema->column_count, sizeof *layout->columns);
    measure(layout, table, options);

    find_flexible(layout);
    layout->bar_width = table->bar_width ? table->bar_width : LAYOUT_BAR_WIDTH;
    if (schema->bar_key)
        layout->bar = table_find_column(table, schema->bar_key);
    if (options->width == 0)
        return;
    while (!fits(layout, options->width) && drop_one(layout))
        continue;
    while (least_width(layout) > options->width && drop_last(layout))
        continue;
    shorten_all(layout, options->width);
}

void layout_fini(struct layout *layout)
{
    free(layout->columns);
    layout->columns = NULL;
}
