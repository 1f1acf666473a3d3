/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list of operations, and the reading of their options.
 */
#include "calc/calc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct calc_operation *const operations[] = {
#define OPERATION(name) &calc_##name,
#include "calc/operations.def"
#undef OPERATION
};

const struct calc_operation *calc_at(size_t index)
{
    return index < sizeof operations / sizeof *operations ? operations[index] : NULL;
}

const struct calc_operation *calc_find(const char *name)
{
    for (size_t i = 0; calc_at(i); i++)
        if (strcmp(calc_at(i)->name, name) == 0)
            return calc_at(i);
    return NULL;
}

size_t calc_find_option(const struct calc_operation *operation, const char *name, size_t length)
{
    size_t i = 0;

    while (i < operation->option_count &&
           (strlen(operation->options[i].column.title) != length ||
            strncmp(operation->options[i].column.title, name, length) != 0))
        i++;
    return i;
}

/* Reads only digits, up to `end`: no sign, no blank, no hexadecimal. */
static bool read_number(const struct calc_option *option, const char **text, long double *number)
{
    long double most = option->most > 0 ? (long double)option->most : CALC_MOST;

    if (**text < '0' || **text > '9')
        return false;
    for (*number = 0; **text >= '0' && **text <= '9' && *number <= most; (*text)++)
        *number = 10 * *number + (**text - '0');
    return *number >= (long double)option->least && *number <= most;
}

/* Numbers with `separator` between them. */
static bool read_numbers(const struct calc_option *option, const char *text, char separator,
                         struct calc_value *value)
{
    value->count = 0;
    while (value->count < CALC_NUMBERS_MAX &&
           read_number(option, &text, &value->numbers[value->count])) {
        value->count++;
        if (*text == '\0' || *text != separator)
            break;
        text++;
        if (*text == '\0')
            return false;
    }
    return value->count > 0 && *text == '\0';
}

static bool read_pair(const struct calc_option *option, const char *text, struct calc_value *value)
{
    if (!read_numbers(option, text, 'x', value) || value->count > 2)
        return false;
    if (value->count == 1)
        value->numbers[1] = value->numbers[0];
    value->count = 2;
    return true;
}

static bool read_type(const char *text, struct calc_value *value)
{
    static const struct {
        const char *name;
        int size;
    } types[] = {
#define TYPE(name, size) {name, size},
#include "calc/types.def"
#undef TYPE
    };

    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, text) == 0) {
            value->numbers[0] = types[i].size;
            value->count = 1;
            return true;
        }
    return false;
}

static bool read_text(const struct calc_option *option, const char *text, struct calc_value *value)
{
    switch (option->kind) {
    case CALC_WHOLE: return read_numbers(option, text, '\0', value);
    case CALC_PAIR: return read_pair(option, text, value);
    case CALC_LIST: return read_numbers(option, text, ',', value);
    case CALC_TYPE: return read_type(text, value);
    case CALC_FLAG: break;
    }
    return false;
}

static enum status refuse_value(const struct calc_operation *operation,
                                const struct calc_option *option, const char *text,
                                struct diagnostic *diagnostic)
{
    static const char *const expected[] = {
        [CALC_WHOLE] = "a whole number",
        [CALC_PAIR] = "whole numbers like 3 or 3x5,",
        [CALC_LIST] = "whole numbers like 784,512,10,",
    };

    if (option->kind == CALC_TYPE)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "flops calc %s: --%s %.40s: expected f64, f32, f16, bf16 or int8",
                              operation->name, option->column.title, text);
    return diagnostic_set(diagnostic, STATUS_USAGE,
                          "flops calc %s: --%s %.40s: expected %s from %.0f to %.0f",
                          operation->name, option->column.title, text, expected[option->kind],
                          option->least, option->most > 0 ? option->most : CALC_MOST);
}

enum status calc_read_value(const struct calc_operation *operation, size_t index, const char *text,
                            struct calc_value *values, struct diagnostic *diagnostic)
{
    const struct calc_option *option = &operation->options[index];
    struct calc_value *value = &values[index];

    value->is_set = true;
    value->text = text;
    if (option->kind == CALC_FLAG || read_text(option, text, value))
        return STATUS_OK;
    return refuse_value(operation, option, text, diagnostic);
}

enum status calc_complete(const struct calc_operation *operation, struct calc_value *values,
                          struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < operation->option_count && !status; i++) {
        const struct calc_option *option = &operation->options[i];

        if (values[i].is_set)
            continue;
        if (option->standard)
            status = calc_read_value(operation, i, option->standard, values, diagnostic);
        else if (option->need == CALC_NEEDED)
            status = diagnostic_set(diagnostic, STATUS_USAGE,
                                    "flops calc %s: --%s is missing; tprof flops calc %s --help "
                                    "lists the options",
                                    operation->name, option->column.title, operation->name);
    }
    return status;
}

enum status calc_count(const struct calc_operation *operation, const struct calc_value *values,
                       struct calc_result *result, struct diagnostic *diagnostic)
{
    enum status status;

    *result = (struct calc_result){.needed_flops = (long double)NAN};
    array_init(&result->parts, sizeof(struct calc_part));
    text_list_init(&result->notes);
    status = operation->count(values, result, diagnostic);
    return status;
}

void calc_result_fini(struct calc_result *result)
{
    array_fini(&result->parts);
    text_list_fini(&result->notes);
}
