/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The distribution of one row's times, by the columns of tprof timing.
 *
 * Each bin has a bar, and all bars are equally wide on the page, whether the bins have equal widths
 * or grow.  Values outside of the bins are paler bars on both sides.
 *
 * Decision: doc/decisions/page-without-libraries.
 */
#include "page/distribution.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "page/texts.h"
#include "render/cell.h"

enum { BARS_WIDTH = 1000, BARS_HEIGHT = 100 }; /* size of the drawing, in its own units */

/* The keys of two columns of the row. */
static const struct measure {
    const char *name;
    const char *value;
    const char *interval;
} measures[] = {
    {"mean", "mean_ns", "mean_ci_ns"},
#define PERCENTILE(id, name, key, fraction, priority) {name, key "_ns", key "_ci_ns"},
#include "statistics/percentiles.def"
#undef PERCENTILE
};

enum { MEAN, MEDIAN, MEASURES = sizeof measures / sizeof *measures };

/* A bin of the histogram; a row of its table. */
struct bin {
    double from;
    double to;
    double calls;
};

static const struct value null = {.kind = VALUE_NULL};

static const struct value *find(const struct table_schema *schema, const struct value *row,
                                const char *key)
{
    for (size_t i = 0; i < schema->column_count; i++)
        if (strcmp(schema->columns[i].key, key) == 0)
            return &row[i];
    return &null;
}

static const struct table *find_histogram(const struct table_schema *schema,
                                          const struct value *row)
{
    const struct value *value = find(schema, row, "histogram");

    return value->kind == VALUE_TABLE ? value->table : NULL;
}

bool distribution_is_there(const struct table_schema *schema, const struct value *row)
{
    const struct table *histogram = find_histogram(schema, row);

    return histogram && table_row_count(histogram) > 0;
}

static struct bin bin_at(const struct table *histogram, size_t index)
{
    const struct value *row = table_row(histogram, index);
    const struct table_schema *schema = histogram->schema;

    return (struct bin){value_number(find(schema, row, "from_ns")),
                        value_number(find(schema, row, "to_ns")),
                        value_number(find(schema, row, "calls"))};
}

/* ---- bars ------------------------------------------------------------------------------- */

static double most_calls(const struct table *histogram)
{
    double most = 1;

    for (size_t i = 0; i < table_row_count(histogram); i++)
        most = fmax(most, bin_at(histogram, i).calls);
    return most;
}

/* The first or last bin may have the values outside of all others: it is then much wider than its
 * neighbour. */
static bool is_outside(const struct table *histogram, size_t index)
{
    size_t count = table_row_count(histogram);
    struct bin bin = bin_at(histogram, index), near;

    if (count < 3 || (index > 0 && index + 1 < count))
        return false;
    near = bin_at(histogram, index > 0 ? index - 1 : 1);
    return bin.to - bin.from > 3 * (near.to - near.from);
}

static void put_bar(struct html *html, const struct table *histogram, size_t index, double most)
{
    double width = (double)BARS_WIDTH / (double)table_row_count(histogram);
    struct bin bin = bin_at(histogram, index);
    double height = BARS_HEIGHT * bin.calls / most;
    char from[UNITS_SIZE], to[UNITS_SIZE];

    if (bin.calls <= 0)
        return;
    html_putf(html, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">",
              is_outside(histogram, index) ? "out" : "bin", (double)index * width,
              BARS_HEIGHT - height, width * 0.92, height);
    html_putf(html, "<title>%.0f: %s .. %s</title></rect>\n", bin.calls,
              cell_format_number(from, bin.from, UNIT_NS), cell_format_number(to, bin.to, UNIT_NS));
}

/* Returns: the position of a time in the drawing; NAN if it is in no bin. */
static double place_of(const struct table *histogram, double ns)
{
    size_t count = table_row_count(histogram);

    for (size_t i = 0; i < count; i++) {
        struct bin bin = bin_at(histogram, i);

        if (ns >= bin.from && (ns < bin.to || (i + 1 == count && ns <= bin.to)))
            return BARS_WIDTH * ((double)i + (ns - bin.from) / fmax(bin.to - bin.from, 1)) /
                   (double)count;
    }
    return NAN;
}

/* A bound outside of all bins is the side of the drawing. */
static void put_interval(struct html *html, const struct table *histogram,
                         const struct value *interval, unsigned colour)
{
    double low = place_of(histogram, interval->interval.low);
    double high = place_of(histogram, interval->interval.high);

    if (interval->kind != VALUE_INTERVAL)
        return;
    low = isnan(low) ? 0 : low;
    high = isnan(high) ? BARS_WIDTH : high;
    html_putf(html, "<rect class=\"ci c%u\" x=\"%.1f\" y=\"0\" width=\"%.1f\" height=\"%d\"/>\n",
              colour, low, fmax(high - low, 1), BARS_HEIGHT);
}

static void put_measure(struct html *html, const struct table_schema *schema,
                        const struct value *row, size_t measure)
{
    const struct table *histogram = find_histogram(schema, row);
    double at = place_of(histogram, value_number(find(schema, row, measures[measure].value)));
    unsigned colour = measure == MEAN ? 1 : 0;

    put_interval(html, histogram, find(schema, row, measures[measure].interval), colour);
    if (!isnan(at))
        html_putf(html, "<path class=\"curve c%u\" d=\"M%.1f 0V%d\"/>\n", colour, at, BARS_HEIGHT);
}

static void put_edge(struct html *html, const struct table *histogram, size_t index,
                     const char *place)
{
    char label[UNITS_SIZE];
    size_t count = table_row_count(histogram);
    struct bin bin = bin_at(histogram, index < count ? index : count - 1);

    html_putf(html, "<i class=\"x%s\" style=\"left:%.1f%%\">%s</i>\n", place,
              100 * (double)index / (double)count,
              cell_format_number(label, index < count ? bin.from : bin.to, UNIT_NS));
}

static void put_edges(struct html *html, const struct table *histogram)
{
    size_t count = table_row_count(histogram);

    put_edge(html, histogram, 0, " first");
    if (count >= 4)
        for (size_t i = 1; i < 4; i++)
            put_edge(html, histogram, i * count / 4, i % 2 ? " odd" : "");
    put_edge(html, histogram, count, " last");
}

static void put_drawing(struct html *html, const struct table_schema *schema,
                        const struct value *row)
{
    const struct table *histogram = find_histogram(schema, row);
    double most = most_calls(histogram);

    html_putf(html,
              "<figure class=\"plot low bars\"><div>\n<svg viewBox=\"0 0 %d %d\""
              " preserveAspectRatio=\"none\" aria-hidden=\"true\">\n",
              BARS_WIDTH, BARS_HEIGHT);
    for (size_t i = 0; i < table_row_count(histogram); i++)
        put_bar(html, histogram, i, most);
    put_measure(html, schema, row, MEAN);
    put_measure(html, schema, row, MEDIAN);
    html_put(html, "</svg>\n");
    put_edges(html, histogram);
    html_put(html, "</div><figcaption><span><i class=\"curve c0\"></i>median</span>"
                   "<span><i class=\"curve c1\"></i>mean</span><span>");
    html_text(html, page_intervals_text.words);
    html_put(html, "</span></figcaption></figure>\n");
}

/* ---- tables ------------------------------------------------------------------------------ */

static void put_number(struct html *html, const struct value *value)
{
    html_put(html, "<td class=\"n\">");
    html_value(html, value, UNIT_NS);
    html_put(html, "</td>");
}

static void put_measures(struct html *html, const struct table_schema *schema,
                         const struct value *row)
{
    html_put(html, "<table><thead><tr><th></th><th class=\"n\">time</th>"
                   "<th class=\"n\">interval</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < MEASURES; i++) {
        html_putf(html, "<tr><th scope=\"row\">%s</th>", measures[i].name);
        put_number(html, find(schema, row, measures[i].value));
        put_number(html, find(schema, row, measures[i].interval));
        html_put(html, "</tr>\n");
    }
    html_put(html, "</tbody></table>\n");
}

static void put_bins(struct html *html, const struct table *histogram)
{
    html_put(html, "<details><summary>bins</summary><table><thead><tr><th class=\"n\">from</th>"
                   "<th class=\"n\">to</th><th class=\"n\">calls</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < table_row_count(histogram); i++) {
        struct bin bin = bin_at(histogram, i);
        char from[UNITS_SIZE], to[UNITS_SIZE];

        if (bin.calls <= 0)
            continue;
        html_putf(html,
                  "<tr><td class=\"n\">%s</td><td class=\"n\">%s</td>"
                  "<td class=\"n\">%.0f</td></tr>\n",
                  cell_format_number(from, bin.from, UNIT_NS),
                  cell_format_number(to, bin.to, UNIT_NS), bin.calls);
    }
    html_put(html, "</tbody></table></details>\n");
}

static void put_summary(struct html *html, const struct table_schema *schema,
                        const struct value *row)
{
    char samples[UNITS_SIZE];

    cell_format_number(samples, value_number(find(schema, row, "samples")), UNIT_COUNT);
    html_put(html, "<summary>");
    html_putf(html, "%s calls, median ", samples);
    html_value(html, find(schema, row, measures[MEDIAN].value), UNIT_NS);
    html_put(html, "</summary>\n");
}

void distribution_put(struct html *html, const struct table_schema *schema,
                      const struct value *row, size_t columns)
{
    html_putf(html, "<tr class=\"sub\"><td colspan=\"%zu\"><details class=\"spread\">", columns);
    put_summary(html, schema, row);
    put_drawing(html, schema, row);
    put_measures(html, schema, row);
    put_bins(html, find_histogram(schema, row));
    html_put(html, "</details></td></tr>\n");
}
