/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Evaluates catalog formulas and checks.  This is separate from formula.c, so that the shim, which
 * reads catalogs but computes no FLOPs, needs no libm.
 */
#include "formula.h"

#include <math.h>

/* A result of something without a value has no value, and neither has a comparison. */
static long double apply(enum formula_operation operation, long double a, long double b)
{
    if (isnan(a) || isnan(b))
        return (long double)NAN;
    switch (operation) {
    case ADD: return a + b;
    case SUBTRACT: return a - b;
    case MULTIPLY: return a * b;
    case DIVIDE: return a / b;
    case EQUAL: return a == b;
    case UNEQUAL: return a != b;
    case LESS: return a < b;
    case GREATER: return a > b;
    case AT_MOST: return a <= b;
    case AT_LEAST: return a >= b;
    case MINIMUM: return a < b ? a : b;
    case MAXIMUM: return a > b ? a : b;
    case NUMBER:
    case VALUE:
    case UNSIGNED:
    case NEGATE:
    case SELECT:
    case LOG2:
    case ELEMENT:
    case BEHIND: break; /* the arrays were the program's */
    }
    return (long double)NAN;
}

static long double value_of(int64_t value, bool is_unsigned)
{
    if (value == CATALOG_NO_VALUE)
        return (long double)NAN;
    return is_unsigned ? (long double)(uint64_t)value : (long double)value;
}

/* Only the chosen one needs a value. */
static long double choose(long double condition, long double yes, long double no)
{
    if (isnan(condition))
        return condition;
    return condition != 0 ? yes : no;
}

long double catalog_evaluate(const struct catalog_formula *formula, const int64_t *values)
{
    long double stack[FORMULA_STEPS_MAX]; /* a step pushes at most one value */
    unsigned depth = 0;

    for (unsigned i = 0; i < formula->count; i++) {
        const struct catalog_step *step = &formula->steps[i];

        if (step->operation == NUMBER) {
            stack[depth++] = step->number;
        } else if (step->operation == VALUE || step->operation == UNSIGNED) {
            stack[depth++] = value_of(values[step->operand], step->operation == UNSIGNED);
        } else if (step->operation == NEGATE) {
            stack[depth - 1] = -stack[depth - 1];
        } else if (step->operation == LOG2) {
            stack[depth - 1] = log2l(stack[depth - 1]);
        } else if (step->operation == ELEMENT) {
            stack[depth - 1] = (long double)NAN; /* the array was the program's */
        } else if (step->operation == SELECT) {
            depth -= 2;
            stack[depth - 1] = choose(stack[depth - 1], stack[depth], stack[depth + 1]);
        } else {
            depth--;
            stack[depth - 1] =
                apply((enum formula_operation)step->operation, stack[depth - 1], stack[depth]);
        }
    }
    return depth == 1 && isfinite(stack[0]) ? stack[0] : (long double)NAN;
}

enum catalog_precision catalog_find_precision(const struct catalog_kernel *kernel,
                                              const int64_t *values)
{
    long double found = catalog_evaluate(&kernel->precision, values);

    return found >= 0 && found < CATALOG_PRECISIONS ? (enum catalog_precision)found
                                                    : CATALOG_PRECISIONS;
}

bool catalog_has_negative(const struct catalog_kernel *kernel,
                          const struct catalog_formula *formula, const int64_t *values)
{
    for (unsigned i = 0; i < formula->count; i++) {
        unsigned term = formula->steps[i].operand;

        if (formula->steps[i].operation == VALUE && kernel->shape[term].argument >= 0 &&
            values[term] < 0 && values[term] != CATALOG_NO_VALUE)
            return true;
    }
    return false;
}
