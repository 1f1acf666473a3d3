/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two recordings side by side, operation by operation.
 */
#include "money/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "document/fields.h"
#include "document/table.h"
#include "kernels/roles.h"
#include "model/session.h"
#include "money/texts.h"
#include "money/whatif.h"

static const char other_code[] = "other code", not_in_catalog[] = "not in the catalog";
static const double enough_in_common = 0.5; /* share of the FLOPs of each */

static struct reference_row *find_row(struct reference *reference, const char *name)
{
    struct reference_row *row;

    for (size_t i = 0; i < reference->rows.count; i++) {
        row = array_at(&reference->rows, i);
        if (strcmp(row->name, name) == 0)
            return row;
    }
    row = array_add(&reference->rows);
    *row = (struct reference_row){.name = name};
    return row;
}

/* The label is freed with its group, so its constant is copied. */
static const char *keep_label(const char *label)
{
    for (int i = 0; i < ROLES; i++)
        if (strcmp(role_name((enum role)i), label) == 0)
            return role_name((enum role)i);
    for (int i = 0; i < GROUPS_CLASSES; i++)
        if (strcmp(group_class_name((enum catalog_class)i), label) == 0)
            return group_class_name((enum catalog_class)i);
    return not_in_catalog;
}

static void add_groups(struct reference *reference, int side, const struct wall *wall,
                       const struct groups *groups)
{
    for (size_t i = 0; i < groups->rows.count; i++) {
        const struct group *group = array_at(&groups->rows, i);
        struct reference_row *row = find_row(reference, keep_label(group->label));

        row->flops[side] += group->work.flops;
        row->ns[side] +=
            wall_of_threads(wall, (double)(group->work.known_ns + group->work.unknown_ns));
        reference->flops[side] += group->work.flops;
        reference->kernel_ns[side] += wall_of_threads(wall, (double)group->work.known_ns);
    }
}

static void add_side(struct reference *reference, int side, const struct session *session,
                     const struct analysis_options *options)
{
    struct analysis_options grouped = *options;
    struct groups groups;
    struct wall wall;

    grouped.by = reference->is_by_class ? ANALYSIS_BY_CLASS : ANALYSIS_BY_OP;
    reference->wall_ns[side] = (double)session->process.wall_ns;
    reference->items[side] = session->items > 0 ? (double)session->items : (double)NAN;
    groups_init(&groups, session, &grouped);
    wall_init(&wall, session);
    add_groups(reference, side, &wall, &groups);
}

static void add_rest(struct reference *reference)
{
    double ns[2] = {0, 0};
    struct reference_row *row;

    for (size_t i = 0; i < reference->rows.count; i++)
        for (int side = 0; side < 2; side++)
            ns[side] += ((struct reference_row *)array_at(&reference->rows, i))->ns[side];
    row = find_row(reference, other_code);
    for (int side = 0; side < 2; side++)
        row->ns[side] = reference->wall_ns[side] - ns[side];
}

static int compare_rows(const void *a, const void *b)
{
    const struct reference_row *left = a, *right = b;
    double extra = (right->ns[0] - right->ns[1]) - (left->ns[0] - left->ns[1]);

    return extra != 0 ? (extra > 0 ? 1 : -1) : strcmp(left->name, right->name);
}

/* The regions of one recording may name the purpose of its kernels, while the other has none. */
static bool has_enough_in_common(const struct reference *reference)
{
    long double common[2] = {0, 0};

    for (size_t i = 0; i < reference->rows.count; i++) {
        const struct reference_row *row = array_at(&reference->rows, i);

        for (int side = 0; side < 2 && row->flops[0] > 0 && row->flops[1] > 0; side++)
            common[side] += row->flops[side];
    }
    return common[0] >= enough_in_common * reference->flops[0] &&
           common[1] >= enough_in_common * reference->flops[1];
}

static void gather(struct reference *reference, const struct session *session,
                   const struct session *other, const struct analysis_options *options)
{
    *reference = (struct reference){.is_by_class = reference->is_by_class};
    array_init(&reference->rows, sizeof(struct reference_row));
    add_side(reference, 0, session, options);
    add_side(reference, 1, other, options);
}

void reference_init(struct reference *reference, const struct session *session,
                    const struct session *other, const struct analysis_options *options)
{
    reference->is_by_class = false;
    gather(reference, session, other, options);
    if (!has_enough_in_common(reference)) {
        reference->is_by_class = true;
        gather(reference, session, other, options);
    }
    add_rest(reference);
    qsort(reference->rows.items, reference->rows.count, sizeof(struct reference_row), compare_rows);
}

static double ratio(long double dividend, long double divisor)
{
    return dividend > 0 && divisor > 0 ? (double)(dividend / divisor) : (double)NAN;
}

struct reference_factors reference_factors(const struct reference *reference)
{
    const double *wall_ns = reference->wall_ns, *kernel_ns = reference->kernel_ns;
    const long double *flops = reference->flops;
    double items = reference->items[0] / reference->items[1];

    return (struct reference_factors){
        .wall = ratio(wall_ns[0], wall_ns[1]),
        .items = items,
        .flops = ratio(flops[0], flops[1]) / (isfinite(items) ? items : 1),
        .kernel_seconds = ratio(kernel_ns[0], kernel_ns[1]) / ratio(flops[0], flops[1]),
        .outside = ratio(wall_ns[0], kernel_ns[0]) / ratio(wall_ns[1], kernel_ns[1]),
    };
}

enum column_index { NAME, EXTRA, HERE, THERE, FLOPS_HERE, FLOPS_THERE, MORE_FLOPS, LONGER };

static const struct column columns[] = {
    [NAME] = {"name", "what", "purpose of the kernels, or other code", UNIT_TEXT, 0},
    [EXTRA] = {"extra_ns", "extra",
               "time here minus that of the reference; rows sum to the "
               "difference of the wall times",
               UNIT_NS, 0},
    [HERE] = {"here_ns", "here", "part of the wall time", UNIT_NS, 1},
    [THERE] = {"reference_ns", "reference", "part of the wall time", UNIT_NS, 1},
    [FLOPS_HERE] = {"here_flops", "FLOPs here", "known FLOPs", UNIT_FLOPS, 3},
    [FLOPS_THERE] = {"reference_flops", "FLOPs there", "known FLOPs", UNIT_FLOPS, 3},
    [MORE_FLOPS] = {"flops_ratio", "FLOPs", "here divided by reference", UNIT_RATIO, 2},
    [LONGER] = {"time_per_flop_ratio", "time a FLOP", "here divided by reference", UNIT_RATIO, 0},
};

static const struct table_schema schema = {"reference", "Against the reference", columns,
                                           sizeof columns / sizeof *columns, NULL};

/* A comparison to be printed. */
struct against {
    const struct reference *reference;
    struct reference_factors factors;
    const char *path;
};

static void add_factors(struct document *document, const struct against *against)
{
    const struct reference_factors *factors = &against->factors;
    struct record *fields = document_add_record(document, "reference", NULL, SECTION_IN_JSON);

    fields_put_text(fields, "trace", against->path);
    fields_put_real(fields, "wall_ratio", UNIT_RATIO, factors->wall);
    fields_put_real(fields, "items_ratio", UNIT_RATIO, factors->items);
    fields_put_real(fields, "flops_ratio", UNIT_RATIO, factors->flops);
    fields_put_real(fields, "time_per_flop_ratio", UNIT_RATIO, factors->kernel_seconds);
    fields_put_real(fields, "outside_ratio", UNIT_RATIO, factors->outside);
}

static void append_factor(struct text *line, double factor, const struct said *of)
{
    char ratio_text[UNITS_SIZE];

    say_part(line, against_factor_text, line->size > 0 ? said_words(" x ") : said_words(""),
             said_words(isfinite(factor) ? units_format_ratio(ratio_text, factor) : "unknown"),
             *of);
}

static void append_wall(struct text *line, const void *of)
{
    const struct against *against = of;
    const double *wall_ns = against->reference->wall_ns;

    say(line, against_wall_text, said_time(wall_ns[0]), said_time(wall_ns[1]),
        said_words(against->path), said_ratio(against->factors.wall));
}

static void append_factors(struct text *line, const void *of)
{
    const struct reference_factors *factors = &((const struct against *)of)->factors;
    bool has_items = isfinite(factors->items);

    if (has_items)
        append_factor(line, factors->items, &against_items_text);
    append_factor(line, factors->flops, has_items ? &against_item_flops_text : &against_flops_text);
    append_factor(line, factors->kernel_seconds, &against_flop_time_text);
    append_factor(line, factors->outside, &against_outside_text);
}

static void add_lines(struct document *document, const struct against *against)
{
    static const struct record_line lines[] = {
        {{"wall", "Wall time", NULL, UNIT_TEXT, 0}, append_wall},
        {{"factors", "Of that", NULL, UNIT_TEXT, 0}, append_factors},
    };

    record_add_lines(
        document_add_record(document, "against", "Against the reference", SECTION_IN_TEXT), lines,
        sizeof lines / sizeof *lines, against);
}

static void set_row(struct value *cells, const struct reference_row *row)
{
    double longer = ratio(row->ns[0], row->ns[1]) / ratio(row->flops[0], row->flops[1]);

    value_set_integer(&cells[EXTRA], llround(row->ns[0]) - llround(row->ns[1]));
    value_set_integer(&cells[HERE], llround(row->ns[0]));
    value_set_integer(&cells[THERE], llround(row->ns[1]));
    if (strcmp(row->name, other_code) != 0) {
        value_set_count(&cells[FLOPS_HERE], row->flops[0]);
        value_set_count(&cells[FLOPS_THERE], row->flops[1]);
    }
    value_set_real(&cells[MORE_FLOPS], ratio(row->flops[0], row->flops[1]));
    value_set_real(&cells[LONGER], longer);
    value_set_text(&cells[NAME], row->name);
}

static void add_table(struct document *document, const struct reference *reference)
{
    struct table *table = document_start_table(document, "operations", SECTION_IN_BOTH, &schema);

    for (size_t i = 0; i < reference->rows.count; i++) {
        struct value *cells = table_add_row(table);

        set_row(cells, array_at(&reference->rows, i));
    }
    if (reference->is_by_class)
        table_say(table, against_classes_text);
    table_say(table, against_sum_text, said_time(reference->wall_ns[0] - reference->wall_ns[1]));
}

void reference_add(struct document *document, const struct reference *reference, const char *path)
{
    struct against against = {reference, reference_factors(reference), path};

    add_factors(document, &against);
    add_lines(document, &against);
    add_table(document, reference);
}
