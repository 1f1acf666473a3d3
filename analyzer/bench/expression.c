/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Expressions by the catalog's reader of formulas, without names.
 */
#include "bench/expression.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "spec/formula.h"

static const char *no_name(const void *of, unsigned index)
{
    (void)of;
    (void)index;
    return "";
}

static bool compute(const char *text, double *number, struct catalog_error *error)
{
    _Alignas(long double) char memory[FORMULA_STEPS_MAX * sizeof(struct catalog_step)];
    struct catalog_arena arena = {.base = memory, .size = sizeof memory};
    const struct formula_scope scope = {.name = no_name};
    struct catalog_line line = {.error = error};
    struct catalog_formula formula = {0};

    snprintf(line.text, sizeof line.text, "%s", text);
    if (!formula_read(&line, &arena, &scope, &formula))
        return false;
    if (!line_is_at_end(&line))
        return line_fail(&line, 0, "unexpected '%.20s'", line.text + line.position);
    *number = (double)catalog_evaluate(&formula, NULL);
    return true;
}

enum status expression_compute(const char *option, const char *text, double *number,
                               struct diagnostic *diagnostic)
{
    struct catalog_error error = {0};

    if (strlen(text) >= CATALOG_LINE_MAX || !compute(text, number, &error))
        return diagnostic_set(diagnostic, STATUS_USAGE, "%s '%.80s': %s", option, text,
                              error.text[0] ? error.text : "it is too long");
    if (!isfinite(*number) || *number <= 0)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "%s '%.80s': expected a number above 0, found %g", option, text,
                              *number);
    return STATUS_OK;
}
