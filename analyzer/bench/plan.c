/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From commands and parameters to points.
 */
#include "bench/plan.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "bench/expression.h"
#include "bench/metric.h"
#include "symbols/storage.h"

enum { STANDARD_WARMUP = 3 };

void plan_init(struct plan *plan)
{
    *plan = (struct plan){.texts = storage_new()};
    array_init(&plan->commands, sizeof(struct plan_command));
    array_init(&plan->names, sizeof(const char *));
    array_init(&plan->metric_names, sizeof(const char *));
    array_init(&plan->points, sizeof(struct plan_point));
}

static void command_fini(struct plan_command *command)
{
    struct parameter *parameter = command->parameters.items;
    struct metric *metric = command->metrics.items;

    for (size_t i = 0; i < command->parameters.count; i++)
        parameter_fini(&parameter[i]);
    for (size_t i = 0; i < command->metrics.count; i++)
        metric_fini(&metric[i]);
    array_fini(&command->words);
    array_fini(&command->parameters);
    array_fini(&command->metrics);
}

void plan_fini(struct plan *plan)
{
    struct plan_command *command = plan->commands.items;
    struct plan_point *point = plan->points.items;

    for (size_t i = 0; i < plan->commands.count; i++)
        command_fini(&command[i]);
    for (size_t i = 0; i < plan->points.count; i++) {
        array_fini(&point[i].words);
        array_fini(&point[i].values);
    }
    array_fini(&plan->commands);
    array_fini(&plan->names);
    array_fini(&plan->metric_names);
    array_fini(&plan->points);
    storage_free(plan->texts);
}

struct plan_command *plan_add_command(struct plan *plan)
{
    struct plan_command *command = array_add(&plan->commands);

    command->warmup = STANDARD_WARMUP;
    array_init(&command->words, sizeof(const char *));
    array_init(&command->parameters, sizeof(struct parameter));
    array_init(&command->metrics, sizeof(struct metric));
    return command;
}

const char *plan_keep(struct plan *plan, const char *text)
{
    return storage_keep(plan->texts, text, strlen(text));
}

/* `text`: kept by the plan. */
static void add_text(struct array *texts, const char *text)
{
    const char **place = text ? array_add(texts) : NULL;

    *place = text;
}

void plan_add_word(struct plan *plan, struct plan_command *command, const char *word)
{
    add_text(&command->words, plan_keep(plan, word));
}

static void add_name(struct plan *plan, struct array *names, const char *name)
{
    const char **known = names->items;

    for (size_t i = 0; i < names->count; i++)
        if (strcmp(known[i], name) == 0)
            return;
    add_text(names, plan_keep(plan, name));
}

static void add_names(struct plan *plan, const struct plan_command *command)
{
    const struct parameter *parameter = command->parameters.items;
    const struct metric *metric = command->metrics.items;

    for (size_t i = 0; i < command->parameters.count; i++)
        add_name(plan, &plan->names, parameter[i].name);
    for (size_t i = 0; i < command->metrics.count; i++)
        add_name(plan, &plan->metric_names, metric[i].name);
}

bool plan_command_uses(const struct plan_command *command, const char *name)
{
    const char *const *words = command->words.items;

    for (size_t i = 0; i < command->words.count; i++)
        if (parameter_is_used(words[i], name))
            return true;
    return parameter_is_used(command->prepare, name);
}

/* With a misspelled name, every point would measure the same thing. */
static enum status check_uses(const struct plan_command *command, struct diagnostic *diagnostic)
{
    const struct parameter *parameter = command->parameters.items;

    for (size_t i = 0; i < command->parameters.count; i++)
        if (!plan_command_uses(command, parameter[i].name))
            return diagnostic_set(
                diagnostic, STATUS_USAGE,
                "bench: no word of '%.80s' uses the parameter %.60s: write {%.60s} in place of "
                "its value",
                command->label, parameter[i].name, parameter[i].name);
    return STATUS_OK;
}

static enum status check_names(const struct plan_command *command, struct diagnostic *diagnostic)
{
    const struct parameter *parameter = command->parameters.items;

    for (size_t i = 0; i < command->parameters.count; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(parameter[i].name, parameter[j].name) == 0)
                return diagnostic_set(diagnostic, STATUS_USAGE,
                                      "bench: the parameter %.60s is given twice",
                                      parameter[i].name);
    return STATUS_OK;
}

static const char *make_label(struct plan *plan, const struct plan_command *command)
{
    const char *const *words = command->words.items;
    struct text label;
    const char *kept;

    text_init(&label);
    for (size_t i = 0; i < command->words.count; i++)
        text_appendf(&label, "%s%s", i > 0 ? " " : "",
                     i > 0 || command->is_shell ? words[i] : text_base_name(words[i]));
    kept = plan_keep(plan, label.bytes);
    text_fini(&label);
    return kept;
}

/* "mlp batch=16"; with one command, its parameters are enough. */
static const char *make_point_label(struct plan *plan, const struct plan_point *point)
{
    const struct parameter_value *value = point->values.items;
    bool has_command = plan->commands.count > 1 || point->values.count == 0;
    struct text label;
    const char *kept;

    text_init(&label);
    if (has_command)
        text_append(&label, point->command->label);
    for (size_t i = 0; i < point->values.count; i++)
        text_appendf(&label, "%s%s=%s", i > 0 || has_command ? " " : "", value[i].name,
                     value[i].shown);
    kept = plan_keep(plan, label.bytes);
    text_fini(&label);
    return kept;
}

static const char *substitute(struct plan *plan, const char *text, const struct array *values)
{
    struct text replaced;
    const char *kept;

    text_init(&replaced);
    parameter_substitute(&replaced, text, values);
    kept = plan_keep(plan, replaced.bytes);
    text_fini(&replaced);
    return kept;
}

/* The values of combination `index`, the last parameter changing fastest. */
static void choose_values(const struct plan_command *command, size_t index,
                          struct plan_point *point)
{
    const struct parameter *parameter = command->parameters.items;
    size_t below = 1;

    for (size_t i = 0; i < command->parameters.count; i++)
        below *= text_list_count(&parameter[i].values);
    for (size_t i = 0; i < command->parameters.count; i++) {
        struct parameter_value *value = array_add(&point->values);
        size_t choice;

        below /= text_list_count(&parameter[i].values);
        choice = index / below % text_list_count(&parameter[i].values);
        *value =
            (struct parameter_value){parameter[i].name, text_list_at(&parameter[i].values, choice),
                                     text_list_at(&parameter[i].shown, choice)};
    }
}

static void add_words(struct plan *plan, struct plan_point *point)
{
    static const char *const shell[] = {"/bin/sh", "-c"};
    const struct plan_command *command = point->command;
    const char *const *words = command->words.items;

    for (size_t i = 0; command->is_shell && i < 2; i++)
        add_text(&point->words, shell[i]);
    for (size_t i = 0; i < command->words.count; i++)
        add_text(&point->words, substitute(plan, words[i], &point->values));
    array_add(&point->words);
}

/* Shape: an expression of the command, NULL for none. */
static enum status compute(struct plan *plan, const struct plan_point *point, const char *option,
                           const char *expression, double *number, struct diagnostic *diagnostic)
{
    const char *text = expression ? substitute(plan, expression, &point->values) : "";

    return expression ? expression_compute(option, text, number, diagnostic) : STATUS_OK;
}

static enum status fill_point(struct plan *plan, struct plan_point *point, size_t index,
                              struct diagnostic *diagnostic)
{
    const struct plan_command *command = point->command;
    enum status status;

    choose_values(command, index, point);
    point->items = (double)NAN;
    point->batches = 1;
    add_words(plan, point);
    point->label = make_point_label(plan, point);
    point->prepare = command->prepare ? substitute(plan, command->prepare, &point->values) : NULL;
    status = compute(plan, point, "bench --items", command->items, &point->items, diagnostic);
    return status ? status
                  : compute(plan, point, "bench --batches", command->batches, &point->batches,
                            diagnostic);
}

static enum status add_point(struct plan *plan, const struct plan_command *command, size_t index,
                             struct diagnostic *diagnostic)
{
    struct plan_point *point = array_add(&plan->points);

    point->command = command;
    array_init(&point->words, sizeof(const char *));
    array_init(&point->values, sizeof(struct parameter_value));
    return fill_point(plan, point, index, diagnostic);
}

static enum status count_points(const struct plan_command *command, size_t *count,
                                struct diagnostic *diagnostic)
{
    const struct parameter *parameter = command->parameters.items;

    *count = 1;
    for (size_t i = 0; i < command->parameters.count; i++) {
        *count *= text_list_count(&parameter[i].values);
        if (*count > PLAN_MAX_POINTS)
            return diagnostic_set(diagnostic, STATUS_USAGE,
                                  "bench: the parameters make more than %d points",
                                  PLAN_MAX_POINTS);
    }
    return STATUS_OK;
}

static enum status expand_command(struct plan *plan, struct plan_command *command,
                                  struct diagnostic *diagnostic)
{
    size_t count;
    enum status status;

    if (command->words.count == 0)
        return diagnostic_set(diagnostic, STATUS_USAGE, "bench: a command is empty");
    if (!command->label)
        command->label = make_label(plan, command);
    add_names(plan, command);
    status = check_names(command, diagnostic);
    if (!status)
        status = check_uses(command, diagnostic);
    if (!status)
        status = count_points(command, &count, diagnostic);
    for (size_t i = 0; !status && i < count; i++)
        status = add_point(plan, command, i, diagnostic);
    return status;
}

enum status plan_expand(struct plan *plan, struct diagnostic *diagnostic)
{
    struct plan_command *command = plan->commands.items;
    enum status status = STATUS_OK;

    if (plan->commands.count == 0)
        return diagnostic_set(diagnostic, STATUS_USAGE, "bench: no command was given");
    for (size_t i = 0; i < plan->commands.count && !status; i++)
        status = expand_command(plan, &command[i], diagnostic);
    if (!status && plan->points.count > PLAN_MAX_POINTS)
        status =
            diagnostic_set(diagnostic, STATUS_USAGE, "bench: more than %d points", PLAN_MAX_POINTS);
    return status;
}

const struct parameter_value *plan_value(const struct plan_point *point, const char *name)
{
    const struct parameter_value *value = point->values.items;

    for (size_t i = 0; i < point->values.count; i++)
        if (strcmp(value[i].name, name) == 0)
            return &value[i];
    return NULL;
}

void plan_find_warmup(const struct plan *plan, unsigned *least, unsigned *most)
{
    *least = UINT_MAX;
    *most = 0;
    for (size_t i = 0; i < plan->commands.count; i++) {
        unsigned own = ((const struct plan_command *)array_at(&plan->commands, i))->warmup;

        *least = own < *least ? own : *least;
        *most = own > *most ? own : *most;
    }
}

const char *plan_swept(const struct plan *plan)
{
    const struct plan_command *command = plan->commands.items;
    const char *swept = NULL;

    for (size_t i = 0; i < plan->commands.count; i++) {
        const struct parameter *parameter = command[i].parameters.items;

        for (size_t j = 0; j < command[i].parameters.count; j++) {
            if (text_list_count(&parameter[j].values) < 2)
                continue;
            if (!parameter[j].is_numeric || (swept && strcmp(swept, parameter[j].name) != 0))
                return NULL;
            swept = parameter[j].name;
        }
    }
    return swept;
}
