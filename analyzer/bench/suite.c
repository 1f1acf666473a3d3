/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads suites by libyaml.  A table has a row for each key.  Each command gets the settings of all
 * commands first, then its own.
 */
#include "bench/suite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/units.h"
#include "bench/metric.h"

struct suite {
    struct plan *plan;
    yaml_document_t document;
    const char *path;
    struct diagnostic *diagnostic;
};

static enum status refuse(const struct suite *suite, const yaml_node_t *node, const char *what)
{
    return diagnostic_set(suite->diagnostic, STATUS_USAGE, "%.200s: line %zu: %s", suite->path,
                          node->start_mark.line + 1, what);
}

static enum status refuse_key(const struct suite *suite, const yaml_node_t *node, const char *key,
                              const char *what)
{
    return diagnostic_set(suite->diagnostic, STATUS_USAGE, "%.200s: line %zu: %.60s: %s",
                          suite->path, node->start_mark.line + 1, key, what);
}

/* Put the place before the message of another reader. */
static enum status add_place(const struct suite *suite, const yaml_node_t *node, const char *key)
{
    const struct diagnostic said = *suite->diagnostic;

    return diagnostic_set(suite->diagnostic, said.status, "%.200s: line %zu: %.60s: %.200s",
                          suite->path, node->start_mark.line + 1, key, said.text);
}

/* Returns: the text of a scalar, or NULL. */
static const char *text_of(const yaml_node_t *node)
{
    return node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

static yaml_node_t *node_at(struct suite *suite, int index)
{
    return yaml_document_get_node(&suite->document, index);
}

/* Called with each key of a mapping, or each item of a list (without a key). */
typedef enum status (*node_visitor)(struct suite *suite, struct plan_command *command,
                                    const char *key, yaml_node_t *value);

static enum status visit_mapping(struct suite *suite, struct plan_command *command,
                                 const yaml_node_t *node, node_visitor visit)
{
    enum status status = STATUS_OK;

    if (node->type != YAML_MAPPING_NODE)
        return refuse(suite, node, "expected keys with values, as 'key: value'");
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top && !status; pair++) {
        const yaml_node_t *key = node_at(suite, pair->key);

        status = text_of(key) ? visit(suite, command, text_of(key), node_at(suite, pair->value))
                              : refuse(suite, key, "a key must be a word");
    }
    return status;
}

static enum status visit_list(struct suite *suite, struct plan_command *command, const char *key,
                              const yaml_node_t *node, node_visitor visit)
{
    enum status status = STATUS_OK;

    for (yaml_node_item_t *item = node->data.sequence.items.start;
         item < node->data.sequence.items.top && !status; item++)
        status = visit(suite, command, key, node_at(suite, *item));
    return status;
}

static yaml_node_t *find_key(struct suite *suite, const yaml_node_t *mapping, const char *name)
{
    for (yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
         pair < mapping->data.mapping.pairs.top; pair++) {
        const char *key = text_of(node_at(suite, pair->key));

        if (key && strcmp(key, name) == 0)
            return node_at(suite, pair->value);
    }
    return NULL;
}

static enum status keep_text(struct suite *suite, const char *key, const yaml_node_t *node,
                             const char **text)
{
    if (!text_of(node))
        return refuse_key(suite, node, key, "expected a text");
    *text = plan_keep(suite->plan, text_of(node));
    return STATUS_OK;
}

static enum status read_count(struct suite *suite, const char *key, const yaml_node_t *node,
                              unsigned *count)
{
    const char *text = text_of(node);
    char *end;
    unsigned long value = strtoul(text ? text : "", &end, 10);

    if (!text || text[0] < '0' || text[0] > '9' || *end != '\0' || value > 1000000)
        return refuse_key(suite, node, key, "expected a whole number up to 1000000");
    *count = (unsigned)value;
    return STATUS_OK;
}

static enum status read_label(struct suite *suite, struct plan_command *command, const char *key,
                              yaml_node_t *value)
{
    return keep_text(suite, key, value, &command->label);
}

static enum status read_runs(struct suite *suite, struct plan_command *command, const char *key,
                             yaml_node_t *value)
{
    enum status status = read_count(suite, key, value, &command->runs);

    return !status && command->runs == 0 ? refuse_key(suite, value, key, "expected 1 or more")
                                         : status;
}

static enum status read_warmup(struct suite *suite, struct plan_command *command, const char *key,
                               yaml_node_t *value)
{
    return read_count(suite, key, value, &command->warmup);
}

static enum status read_plain(struct suite *suite, struct plan_command *command, const char *key,
                              yaml_node_t *value)
{
    const char *text = text_of(value);

    command->is_plain = text && (strcmp(text, "true") == 0 || strcmp(text, "yes") == 0);
    if (command->is_plain || (text && (strcmp(text, "false") == 0 || strcmp(text, "no") == 0)))
        return STATUS_OK;
    return refuse_key(suite, value, key, "expected yes or no");
}

static enum status read_timeout(struct suite *suite, struct plan_command *command, const char *key,
                                yaml_node_t *value)
{
    if (!text_of(value))
        return refuse_key(suite, value, key, "expected a duration, such as 10s");
    return units_parse_duration(text_of(value), &command->timeout_ns, suite->diagnostic)
               ? add_place(suite, value, key)
               : STATUS_OK;
}

static enum status read_prepare(struct suite *suite, struct plan_command *command, const char *key,
                                yaml_node_t *value)
{
    return keep_text(suite, key, value, &command->prepare);
}

static enum status read_items(struct suite *suite, struct plan_command *command, const char *key,
                              yaml_node_t *value)
{
    return keep_text(suite, key, value, &command->items);
}

static enum status read_batches(struct suite *suite, struct plan_command *command, const char *key,
                                yaml_node_t *value)
{
    return keep_text(suite, key, value, &command->batches);
}

static enum status read_metric(struct suite *suite, struct plan_command *command, const char *key,
                               yaml_node_t *value)
{
    struct metric read, *place;

    if (!text_of(value))
        return refuse_key(suite, value, key, "expected a regular expression");
    if (metric_init(&read, key, text_of(value), suite->diagnostic))
        return add_place(suite, value, key);
    place = array_add(&command->metrics);
    *place = read;
    return STATUS_OK;
}

static enum status read_metrics(struct suite *suite, struct plan_command *command, const char *key,
                                yaml_node_t *value)
{
    (void)key;
    return visit_mapping(suite, command, value, read_metric);
}

/* The command's own values of a parameter replace those of all commands. */
static struct parameter *place_parameter(struct plan_command *command, const char *name)
{
    struct parameter *parameter = command->parameters.items;

    for (size_t i = 0; i < command->parameters.count; i++)
        if (strcmp(parameter[i].name, name) == 0) {
            parameter_fini(&parameter[i]);
            return &parameter[i];
        }
    return array_add(&command->parameters);
}

static struct parameter *named_parameter(struct plan_command *command, const char *name)
{
    struct parameter *parameter = command->parameters.items;
    size_t index = 0;

    while (strcmp(parameter[index].name, name) != 0)
        index++;
    return &parameter[index];
}

static enum status read_value(struct suite *suite, struct plan_command *command, const char *key,
                              yaml_node_t *value)
{
    if (!text_of(value))
        return refuse_key(suite, value, key, "expected a value, a list of values or a range");
    if (parameter_add(named_parameter(command, key), text_of(value), suite->diagnostic))
        return add_place(suite, value, key);
    return STATUS_OK;
}

/* Outside a list a text is read as on the command line. */
static enum status read_values(struct suite *suite, struct plan_command *command, const char *key,
                               yaml_node_t *value)
{
    if (!text_of(value))
        return read_value(suite, command, key, value);
    if (parameter_add_list(named_parameter(command, key), text_of(value), suite->diagnostic))
        return add_place(suite, value, key);
    return STATUS_OK;
}

static enum status start_parameter(struct suite *suite, struct plan_command *command,
                                   const char *name, const yaml_node_t *node)
{
    struct parameter read, *place;

    if (parameter_init(&read, name, strlen(name), suite->diagnostic)) {
        parameter_fini(&read);
        return add_place(suite, node, name);
    }
    place = place_parameter(command, name);
    *place = read;
    return STATUS_OK;
}

static enum status read_parameter(struct suite *suite, struct plan_command *command,
                                  const char *key, yaml_node_t *value)
{
    enum status status = start_parameter(suite, command, key, value);

    if (status)
        return status;
    return value->type == YAML_SEQUENCE_NODE ? visit_list(suite, command, key, value, read_value)
                                             : read_values(suite, command, key, value);
}

static enum status read_parameters(struct suite *suite, struct plan_command *command,
                                   const char *key, yaml_node_t *value)
{
    (void)key;
    return visit_mapping(suite, command, value, read_parameter);
}

/* "small: data/small.bin": the name is shown, and {data} is replaced by the text. */
static enum status read_datum(struct suite *suite, struct plan_command *command, const char *key,
                              yaml_node_t *value)
{
    if (!text_of(value))
        return refuse_key(suite, value, key, "expected a text");
    if (parameter_add_shown(named_parameter(command, "data"), text_of(value), key,
                            suite->diagnostic))
        return add_place(suite, value, key);
    return STATUS_OK;
}

static enum status read_data(struct suite *suite, struct plan_command *command, const char *key,
                             yaml_node_t *value)
{
    enum status status;

    if (value->type != YAML_MAPPING_NODE)
        return read_parameter(suite, command, key, value);
    status = start_parameter(suite, command, key, value);
    return status ? status : visit_mapping(suite, command, value, read_datum);
}

static enum status read_word(struct suite *suite, struct plan_command *command, const char *key,
                             yaml_node_t *value)
{
    if (!text_of(value))
        return refuse_key(suite, value, key, "expected words");
    plan_add_word(suite->plan, command, text_of(value));
    return STATUS_OK;
}

static enum status read_command(struct suite *suite, struct plan_command *command, const char *key,
                                yaml_node_t *value)
{
    command->is_shell = value->type == YAML_SCALAR_NODE;
    if (value->type == YAML_SEQUENCE_NODE)
        return visit_list(suite, command, key, value, read_word);
    return read_word(suite, command, key, value);
}

/* Read by suite_read itself. */
static enum status read_nothing(struct suite *suite, struct plan_command *command, const char *key,
                                yaml_node_t *value)
{
    (void)suite;
    (void)command;
    (void)key;
    (void)value;
    return STATUS_OK;
}

enum key_place { OF_COMMAND = 1, OF_SUITE = 2, OF_BOTH = OF_COMMAND | OF_SUITE };

static const struct {
    const char *name;
    enum key_place place;
    node_visitor read;
} keys[] = {
    {"commands", OF_SUITE, read_nothing}, {"command", OF_COMMAND, read_command},
    {"label", OF_COMMAND, read_label},    {"runs", OF_BOTH, read_runs},
    {"warmup", OF_BOTH, read_warmup},     {"plain", OF_BOTH, read_plain},
    {"timeout", OF_BOTH, read_timeout},   {"prepare", OF_BOTH, read_prepare},
    {"items", OF_BOTH, read_items},       {"batches", OF_BOTH, read_batches},
    {"metrics", OF_BOTH, read_metrics},   {"parameters", OF_BOTH, read_parameters},
    {"data", OF_BOTH, read_data},
};

static enum status read_key_of(struct suite *suite, struct plan_command *command, const char *key,
                               yaml_node_t *value, enum key_place place)
{
    struct text known;

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].place & place && strcmp(keys[i].name, key) == 0)
            return keys[i].read(suite, command, key, value);
    text_init(&known);
    text_append(&known, "unknown key, expected:");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].place & place)
            text_appendf(&known, " %s", keys[i].name);
    refuse_key(suite, value, key, known.bytes);
    text_fini(&known);
    return STATUS_USAGE;
}

static enum status read_key_of_suite(struct suite *suite, struct plan_command *command,
                                     const char *key, yaml_node_t *value)
{
    return read_key_of(suite, command, key, value, OF_SUITE);
}

static enum status read_key_of_command(struct suite *suite, struct plan_command *command,
                                       const char *key, yaml_node_t *value)
{
    return read_key_of(suite, command, key, value, OF_COMMAND);
}

/* Each command keeps only the parameters that it uses. */
static void drop_unused(struct plan_command *command)
{
    struct parameter *parameter = command->parameters.items;
    size_t kept = 0;

    for (size_t i = 0; i < command->parameters.count; i++) {
        if (plan_command_uses(command, parameter[i].name))
            parameter[kept++] = parameter[i];
        else
            parameter_fini(&parameter[i]);
    }
    array_truncate(&command->parameters, kept);
}

static enum status read_one(struct suite *suite, const yaml_node_t *root, const yaml_node_t *node)
{
    struct plan_command *command = plan_add_command(suite->plan);
    enum status status;

    status = visit_mapping(suite, command, root, read_key_of_suite);
    if (!status)
        status = visit_mapping(suite, command, node, read_key_of_command);
    if (!status && command->words.count == 0)
        status = refuse(suite, node, "the key 'command' is missing");
    if (!status)
        drop_unused(command);
    return status;
}

static enum status read_root(struct suite *suite)
{
    const yaml_node_t *root = yaml_document_get_root_node(&suite->document);
    const yaml_node_t *commands;
    enum status status = STATUS_OK;

    if (!root || root->type != YAML_MAPPING_NODE)
        return diagnostic_set(suite->diagnostic, STATUS_USAGE,
                              "%.200s: line 1: expected keys with values: a suite has at least "
                              "'commands:'",
                              suite->path);
    commands = find_key(suite, root, "commands");
    if (!commands || commands->type != YAML_SEQUENCE_NODE)
        return refuse(suite, commands ? commands : root,
                      "the key 'commands' is missing or not a list");
    for (yaml_node_item_t *item = commands->data.sequence.items.start;
         item < commands->data.sequence.items.top && !status; item++)
        status = read_one(suite, root, node_at(suite, *item));
    return status;
}

static enum status read_document(struct suite *suite, FILE *file)
{
    yaml_parser_t parser;
    enum status status;

    yaml_parser_initialize(&parser);
    yaml_parser_set_input_file(&parser, file);
    if (yaml_parser_load(&parser, &suite->document)) {
        status = read_root(suite);
        yaml_document_delete(&suite->document);
    } else {
        status = diagnostic_set(suite->diagnostic, STATUS_USAGE, "%.200s: line %zu: %.200s",
                                suite->path, parser.problem_mark.line + 1,
                                parser.problem ? parser.problem : "not YAML");
    }
    yaml_parser_delete(&parser);
    return status;
}

enum status suite_read(struct plan *plan, const char *path, struct diagnostic *diagnostic)
{
    struct suite suite = {.plan = plan, .path = path, .diagnostic = diagnostic};
    FILE *file = fopen(path, "re");
    enum status status;

    if (!file)
        return diagnostic_set(diagnostic, STATUS_IO, "cannot read %.200s: %s", path,
                              strerror(errno));
    status = read_document(&suite, file);
    fclose(file);
    return status;
}
