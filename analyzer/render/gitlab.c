/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The values of the new runs, for GitLab's metrics report (artifacts:reports:metrics): OpenMetrics
 * text.
 *
 * GitLab takes a line apart as a shell does, with comments from any # on.  A # in a name would lose
 * the whole report, so it becomes an underscore.
 *
 * To read: "Metrics reports" in GitLab's documentation, and the text format of
 * https://prometheus.io/docs/specs/om/open_metrics_spec.
 */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "render/checks.h"
#include "render/display.h"
#include "render/render.h"

static const double ns_each = 1e-9;

static void append_label(struct text *out, const char *key, const char *string)
{
    struct text safe;

    if (!*string)
        return;
    text_init(&safe);
    display_append_safe(&safe, string, true);
    text_appendf(out, ",%s=\"", key);
    for (const char *place = safe.bytes; *place; place++) {
        if (strchr("\"\\", *place))
            text_append(out, "\\");
        text_append_bytes(out, *place == '#' ? "_" : place, 1);
    }
    text_append(out, "\"");
    text_fini(&safe);
}

/* Append the name of a metric: times are in seconds.  Returns: the factor of its values. */
static double append_metric(struct text *out, const char *quantity)
{
    const size_t length = strlen(quantity);
    const bool is_time = text_ends_with(quantity, length, "_ns");

    text_append(out, "tprof_");
    text_append_bytes(out, quantity, is_time ? length - strlen("_ns") : length);
    text_append(out, is_time ? "_seconds" : "");
    return is_time ? ns_each : 1;
}

/* Counts are whole; six digits of a measured value are more than enough. */
static void append_value(struct text *out, double value)
{
    text_appendf(out, value == floor(value) && fabs(value) < 1e15 ? " %.0f\n" : " %.6g\n", value);
}

/* Returns: the value of the new runs; NAN: unknown. */
static double value_of(const struct checks *checks, size_t row)
{
    const struct value *value = checks_cell(checks, row, CHECKS_VALUE);

    if (value && value->kind == VALUE_INTEGER)
        return (double)value->integer;
    return value && value->kind == VALUE_REAL ? value->real : (double)NAN;
}

/* A library calls thousands of kernels, and GitLab shows all metrics.  Kernels, functions and ops
 * are shown by their time, if it is not small, and if there is something to tell of them. */
static bool is_shown(const struct checks *checks, size_t row)
{
    static const char *const parts[] = {"kernel", "function", "op"};
    const struct value *share = checks_cell(checks, row, CHECKS_SHARE);
    const char *subject = checks_text(checks, row, CHECKS_SUBJECT);
    bool is_part = false;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        is_part = is_part || strcmp(subject, parts[i]) == 0;
    return !is_part || *checks_text(checks, row, CHECKS_LEVEL) ||
           (share && share->kind != VALUE_NULL &&
            strcmp(checks_text(checks, row, CHECKS_RESULT), "small") != 0);
}

static bool is_of(const struct checks *checks, size_t row, const char *quantity)
{
    return !isnan(value_of(checks, row)) && is_shown(checks, row) &&
           strcmp(checks_text(checks, row, CHECKS_QUANTITY), quantity) == 0;
}

static void append_sample(struct text *out, const struct checks *checks, size_t row,
                          const char *quantity)
{
    const double factor = append_metric(out, quantity);

    text_appendf(out, "{subject=\"%s\"", checks_text(checks, row, CHECKS_SUBJECT));
    append_label(out, "name", checks_text(checks, row, CHECKS_PART));
    append_label(out, "shape", checks_text(checks, row, CHECKS_SHAPE));
    text_append(out, "}");
    append_value(out, value_of(checks, row) * factor);
}

/* The samples of a metric stand together, behind its type. */
static void append_family(struct text *out, const struct checks *checks, size_t first)
{
    const char *quantity = checks_text(checks, first, CHECKS_QUANTITY);

    for (size_t i = 0; i < first; i++)
        if (is_of(checks, i, quantity))
            return;
    text_append(out, "# TYPE ");
    append_metric(out, quantity);
    text_append(out, " gauge\n");
    for (size_t i = first; i < table_row_count(checks->table); i++)
        if (is_of(checks, i, quantity))
            append_sample(out, checks, i, quantity);
}

static void append_outcomes(struct text *out, const struct checks *checks)
{
    static const char *const outcomes[] = {"passed", "failed", "skipped"};

    text_append(out, "# TYPE tprof_checks gauge\n");
    for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++)
        text_appendf(out, "tprof_checks{outcome=\"%s\"} %zu\n", outcomes[i],
                     checks_count(checks, CHECKS_OUTCOME, outcomes[i]));
}

static void append_page(struct text *page, const struct checks *checks, const void *unused)
{
    (void)unused;
    if (checks->table->rows_cut == 0) /* the outcomes of some would pass for those of all */
        append_outcomes(page, checks);
    for (size_t i = 0; i < table_row_count(checks->table); i++)
        if (is_of(checks, i, checks_text(checks, i, CHECKS_QUANTITY)))
            append_family(page, checks, i);
    text_append(page, "# EOF\n");
}

static enum status render_table(const struct table *table, const struct render_options *options,
                                FILE *out, struct diagnostic *diagnostic)
{
    (void)options;
    return checks_write(table, "gitlab", append_page, NULL, out, diagnostic);
}

static enum status render_document(const struct document *document,
                                   const struct render_options *options, FILE *out,
                                   struct diagnostic *diagnostic)
{
    return render_table(document_main_table(document), options, out, diagnostic);
}

const struct renderer renderer_gitlab = {
    .name = "gitlab",
    .help = "GitLab's metrics report, OpenMetrics text; of tprof gate.",
    .is_for_checks = true,
    .table = render_table,
    .document = render_document,
};
