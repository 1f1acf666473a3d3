/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making plans: by the generator for the built-in catalog, by the shim for
 * users' files.
 */
#include "spec/plan.h"

#include "spec/formula.h"

struct maker {
    const struct catalog_kernel *kernel;
    struct plan_step *steps;
    unsigned count;
    unsigned flags; /* put so far */
    bool is_wide;
};

bool plan_is_real(const struct catalog_argument *argument)
{
    return !argument->is_pointer && argument->access >= CATALOG_FLOAT;
}

enum catalog_access plan_width(enum catalog_access access, bool is_wide)
{
    if (access == CATALOG_UINT64)
        return CATALOG_INT64; /* the same word */
    if (access != CATALOG_INTEGER)
        return access;
    return is_wide ? CATALOG_INT64 : CATALOG_INT32;
}

unsigned plan_place(const struct catalog_kernel *kernel, unsigned argument)
{
    bool is_real = argument < kernel->argument_count && plan_is_real(&kernel->arguments[argument]);
    unsigned place = 0;

    for (unsigned i = 0; i < argument; i++)
        place += plan_is_real(&kernel->arguments[i]) == is_real;
    return place;
}

static bool add_step(struct maker *maker, enum plan_operation operation, int32_t number)
{
    if (maker->count == PLAN_STEPS_MAX)
        return false;
    maker->steps[maker->count++] =
        (struct plan_step){.operation = (uint8_t)operation, .number = number};
    return true;
}

static bool add_argument(struct maker *maker, enum plan_operation operation, unsigned index)
{
    const struct catalog_argument *argument = &maker->kernel->arguments[index];
    struct plan_step *step = &maker->steps[maker->count];

    if (!add_step(maker, operation, 0))
        return false;
    step->place = (uint8_t)plan_place(maker->kernel, index);
    step->access = (uint8_t)plan_width(argument->access, maker->is_wide);
    step->is_pointer = argument->is_pointer;
    return true;
}

/* An element of an array of pointers is an address. */
static bool add_element(struct maker *maker, enum plan_operation operation,
                        const struct catalog_step *element)
{
    const struct catalog_argument *argument = &maker->kernel->arguments[element->operand];
    bool is_address = element->number < argument->stars;

    if (!add_argument(maker, operation, element->operand))
        return false;
    maker->steps[maker->count - 1].access =
        (uint8_t)(is_address ? CATALOG_INT64 : plan_width(argument->element, maker->is_wide));
    return true;
}

/* The operations that formulas and plans share. */
static enum plan_operation plain_operation(enum formula_operation operation)
{
    switch (operation) {
    case ADD: return PLAN_ADD;
    case SUBTRACT: return PLAN_SUBTRACT;
    case MULTIPLY: return PLAN_MULTIPLY;
    case DIVIDE: return PLAN_DIVIDE;
    case EQUAL: return PLAN_EQUAL;
    case UNEQUAL: return PLAN_UNEQUAL;
    case LESS: return PLAN_LESS;
    case GREATER: return PLAN_GREATER;
    case AT_MOST: return PLAN_AT_MOST;
    case AT_LEAST: return PLAN_AT_LEAST;
    case SELECT: return PLAN_SELECT;
    case MINIMUM: return PLAN_MINIMUM;
    case MAXIMUM: return PLAN_MAXIMUM;
    case NEGATE:
    case NUMBER:
    case VALUE:
    case UNSIGNED:
    case LOG2:
    case ELEMENT:
    case BEHIND: break;
    }
    return PLAN_NEGATE;
}

static bool add_formula(struct maker *maker, const struct catalog_formula *formula)
{
    for (unsigned i = 0; i < formula->count; i++) {
        const struct catalog_step *step = &formula->steps[i];
        bool is_added;

        if (step->operation == NUMBER)
            is_added = add_step(maker, PLAN_NUMBER, (int32_t)step->number);
        else if (step->operation == VALUE)
            is_added = add_argument(maker, PLAN_ARGUMENT, step->operand);
        else if (step->operation == ELEMENT)
            is_added = add_element(maker, PLAN_ELEMENT, step);
        else if (step->operation == BEHIND)
            is_added = add_element(maker, PLAN_BEHIND, step);
        else
            is_added = add_step(maker, plain_operation((enum formula_operation)step->operation), 0);
        if (!is_added)
            return false;
    }
    return true;
}

/* 1 or 0: whether an argument, or the value of a formula, is not zero. */
static bool add_flag(struct maker *maker, const struct catalog_term *term)
{
    if (term->argument >= 0)
        return add_argument(maker, PLAN_FLAG, (unsigned)term->argument);
    return add_formula(maker, &term->formula) && add_step(maker, PLAN_NUMBER, 0) &&
           add_step(maker, PLAN_UNEQUAL, 0);
}

static bool add_term(struct maker *maker, const struct catalog_term *term)
{
    if (term->is_flag)
        return add_flag(maker, term) && add_step(maker, PLAN_PUT_FLAG, (int32_t)maker->flags++);
    if (term->argument >= 0)
        return add_argument(maker, PLAN_TAKE, (unsigned)term->argument);
    return add_formula(maker, &term->formula) && add_step(maker, PLAN_PUT, 0);
}

/* The most values that the steps hold at a time. */
static int depth_of(const struct maker *maker)
{
    static const signed char changes[] = {
#define OPERATION(name, change) change,
#include "plan.def"
#undef OPERATION
    };
    int depth = 0, deepest = 0;

    for (unsigned i = 0; i < maker->count; i++) {
        depth += changes[maker->steps[i].operation];
        if (depth > deepest)
            deepest = depth;
    }
    return deepest;
}

const char *plan_make(struct plan *plan, struct plan_step *steps,
                      const struct catalog_kernel *kernel, bool is_wide)
{
    struct maker maker = {kernel, steps, 0, 0, is_wide};
    unsigned integers = kernel->hidden, reals = 0;

    for (unsigned i = 0; i < kernel->argument_count; i++) {
        const struct catalog_argument *argument = &kernel->arguments[i];

        if (!argument->is_pointer && argument->access >= CATALOG_FLOAT_COMPLEX)
            return "it takes a complex number by value";
        *(plan_is_real(argument) ? &reals : &integers) += 1;
    }
    if (reals > PLAN_REALS)
        return "it has more than eight floating arguments";
    for (unsigned i = 0; i < kernel->shape_count; i++)
        if (!add_term(&maker, &kernel->shape[i]))
            return "its shape is too long";
    if (depth_of(&maker) > PLAN_DEPTH_MAX)
        return "a formula of its shape nests too deeply";
    *plan = (struct plan){.steps = steps,
                          .step_count = (uint8_t)maker.count,
                          .words = (uint8_t)catalog_count_words(kernel),
                          .integers = (uint8_t)integers,
                          .keeps_reals = reals > 0 || !kernel->has_proto,
                          .has_no_proto = !kernel->has_proto};
    return NULL;
}
