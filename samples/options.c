/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A loop over the arguments and a table of options.  All numbers are whole
 * and at least 1; the upper bounds keep the extents of every BLAS call within
 * an int, and catch the slip of a finger before it asks for a terabyte.
 */
#include "options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
    const char *name;
    uint64_t maximum;
    const char *help;
};

static const struct row rows[OPTIONS_COUNT] = {
    [OPTION_BATCH] = {"--batch", 1 << 16, "items a step"},
    [OPTION_SEQ] = {"--seq", 1 << 14, "tokens an item"},
    [OPTION_D_MODEL] = {"--d-model", 1 << 14, "width of the hidden layers"},
    [OPTION_HEADS] = {"--heads", 1 << 14, "attention heads, a divisor of the width"},
    [OPTION_LAYERS] = {"--layers", 1 << 10, "hidden layers"},
    [OPTION_STEPS] = {"--steps", 1 << 30, "batches to go through"},
    [OPTION_THREADS] = {"--threads", 1 << 10, "workers that share a batch"},
    [OPTION_SEED] = {"--seed", UINT64_MAX, "start of the weights and of the data"},
};

static const char *const naive_names[NAIVE_WAYS] = {
    [NAIVE_ALLOC] = "alloc", [NAIVE_ATTENTION] = "attention", [NAIVE_DOUBLE] = "double",
    [NAIVE_GEMV] = "gemv",   [NAIVE_REORDER] = "reorder",
};

struct reading {
    const struct options_program *program;
    struct options *options;
    char **next; /* the argument to be read */
    bool steps_given;
};

static void print_naive_help(const struct options_program *program)
{
    printf("  --naive WAYS   plant bottlenecks, several with commas between; not with --train:\n");
    for (unsigned way = 0; way < NAIVE_WAYS; way++)
        if (program->naive_ways[way])
            printf("       %-9s %s\n", naive_names[way], program->naive_ways[way]);
}

static void print_help(const struct options_program *program)
{
    printf("%s: %s\n\nusage: %s [--train] [options]\n\n", program->name, program->summary,
           program->name);
    for (unsigned id = 0; id < OPTIONS_COUNT; id++)
        if (program->standard[id] != 0)
            printf("  %-11s N  %s (%" PRIu64 ")\n", rows[id].name, rows[id].help,
                   program->standard[id]);
    printf("  --train        learn: forward, backward and update (--steps: %" PRIu64 ")\n",
           program->training_steps);
    print_naive_help(program);
    printf("  --help         print this and stop\n");
}

static enum options_result refuse(const struct reading *reading, const char *argument,
                                  const char *why)
{
    fprintf(stderr, "%s: %s: %s\n", reading->program->name, argument, why);
    return OPTIONS_REFUSED;
}

/* The name of an option ends where the argument does, or at a '='. */
static bool name_matches(const char *argument, const char *name)
{
    size_t length = strcspn(argument, "=");

    return strlen(name) == length && strncmp(argument, name, length) == 0;
}

/* Returns: the row of the argument, or OPTIONS_COUNT. */
static enum option_id find_option(const char *argument)
{
    unsigned id = 0;

    while (id < OPTIONS_COUNT && !name_matches(argument, rows[id].name))
        id++;
    return (enum option_id)id;
}

/* Returns: the value that stands after a '=' or as the next argument. */
static const char *take_value(struct reading *reading)
{
    const char *equals = strchr(*reading->next++, '=');

    if (equals)
        return equals + 1;
    return *reading->next ? *reading->next++ : "";
}

/* Returns: false unless the text is a whole number from 1 to the maximum. */
static bool read_number(const char *text, uint64_t maximum, uint64_t *number)
{
    char *end;

    /* strtoull would take a space, a sign and "-1". */
    if (text[0] < '0' || text[0] > '9')
        return false;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0' && *number >= 1 && *number <= maximum;
}

/* Returns: the way that the first `length` letters name, or NAIVE_WAYS. */
static enum naive_way find_way(const struct reading *reading, const char *name, size_t length)
{
    unsigned way = 0;

    while (way < NAIVE_WAYS &&
           (!reading->program->naive_ways[way] || strlen(naive_names[way]) != length ||
            strncmp(naive_names[way], name, length) != 0))
        way++;
    return (enum naive_way)way;
}

static enum options_result read_naive(struct reading *reading)
{
    const char *argument = *reading->next;
    const char *name = take_value(reading);

    while (true) {
        size_t length = strcspn(name, ",");
        enum naive_way way = find_way(reading, name, length);

        if (way == NAIVE_WAYS)
            return refuse(reading, argument, "this model has no such bottleneck; see --help");
        reading->options->is_naive[way] = true;
        if (name[length] == '\0')
            return OPTIONS_READ;
        name += length + 1;
    }
}

static enum options_result read_option(struct reading *reading)
{
    const char *argument = *reading->next;
    enum option_id id = find_option(argument);

    if (id == OPTIONS_COUNT)
        return refuse(reading, argument, "no such option; see --help");
    if (reading->program->standard[id] == 0)
        return refuse(reading, argument, "this model has no such option; see --help");
    if (!read_number(take_value(reading), rows[id].maximum, &reading->options->values[id])) {
        fprintf(stderr, "%s: %s: expected a whole number from 1 to %" PRIu64 "\n",
                reading->program->name, argument, rows[id].maximum);
        return OPTIONS_REFUSED;
    }
    reading->steps_given = reading->steps_given || id == OPTION_STEPS;
    return OPTIONS_READ;
}

static enum options_result read_argument(struct reading *reading)
{
    if (strcmp(*reading->next, "--help") == 0) {
        print_help(reading->program);
        return OPTIONS_HELPED;
    }
    if (strcmp(*reading->next, "--train") == 0) {
        reading->options->train = true;
        reading->next++;
        return OPTIONS_READ;
    }
    if (name_matches(*reading->next, "--naive"))
        return read_naive(reading);
    return read_option(reading);
}

static enum options_result check_heads(const struct reading *reading)
{
    const uint64_t *values = reading->options->values;

    if (values[OPTION_HEADS] == 0 || values[OPTION_D_MODEL] % values[OPTION_HEADS] == 0)
        return OPTIONS_READ;
    fprintf(stderr, "%s: --d-model %" PRIu64 " is not divisible by --heads %" PRIu64 "\n",
            reading->program->name, values[OPTION_D_MODEL], values[OPTION_HEADS]);
    return OPTIONS_REFUSED;
}

/* The bottlenecks are planted in forward alone. */
static enum options_result check_naive(const struct reading *reading)
{
    for (unsigned way = 0; reading->options->train && way < NAIVE_WAYS; way++)
        if (reading->options->is_naive[way])
            return refuse(reading, "--naive", "is for inference; leave out --train");
    return OPTIONS_READ;
}

enum options_result options_read(const struct options_program *program, char **arguments,
                                 struct options *options)
{
    struct reading reading = {program, options, arguments + 1, false};
    enum options_result result = OPTIONS_READ;

    *options = (struct options){.train = false};
    memcpy(options->values, program->standard, sizeof options->values);
    while (result == OPTIONS_READ && *reading.next)
        result = read_argument(&reading);
    if (result != OPTIONS_READ)
        return result;
    if (options->train && !reading.steps_given)
        options->values[OPTION_STEPS] = program->training_steps;
    result = check_naive(&reading);
    return result == OPTIONS_READ ? check_heads(&reading) : result;
}

int options_exit_status(enum options_result result)
{
    return result == OPTIONS_REFUSED ? 2 : 0;
}
