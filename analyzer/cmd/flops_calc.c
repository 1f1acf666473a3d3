/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof flops calc: the work of an operation from its sizes, without a trace.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "calc/calc.h"
#include "cmd/cmd.h"

/* The parsed command line: the options of the operation, and those of all reporting commands. */
struct request {
    const struct calc_operation *operation;
    struct calc_value values[CALC_OPTIONS_MAX];
    struct cmd_options options;
    char name[64]; /* the command and the operation */
};

static void print_operations(void)
{
    printf("Usage: tprof flops calc OPERATION [--OPTION VALUE...]\n"
           "Count FLOPs, parameters and bytes of an operation from its sizes.\n\n");
    for (size_t i = 0; calc_at(i); i++)
        printf("  %-12s %s\n", calc_at(i)->name, calc_at(i)->help);
    printf("\ntprof flops calc OPERATION --help lists its options.\n");
}

static const char *argument_of(enum calc_kind kind)
{
    static const char *const arguments[] = {
        [CALC_WHOLE] = " N",   [CALC_PAIR] = " NxN", [CALC_LIST] = " N,N,...",
        [CALC_TYPE] = " TYPE", [CALC_FLAG] = "",
    };

    return arguments[kind];
}

static void print_options(const struct calc_operation *operation)
{
    printf("Usage: tprof flops calc %s [--OPTION VALUE...]\nCount the FLOPs of %s.\n\n",
           operation->name, operation->help);
    for (size_t i = 0; i < operation->option_count; i++) {
        const struct calc_option *option = &operation->options[i];
        char spelled[40];

        snprintf(spelled, sizeof spelled, "--%s%s", option->column.title,
                 argument_of(option->kind));
        printf("  %-24s %s", spelled, option->column.help);
        if (option->standard)
            printf(" (%s)", option->standard);
        printf("%s\n", option->need == CALC_NEEDED ? "; needed" : "");
    }
    printf("\nAlso --json, --format, --output, --force, --color and --no-color, as every command "
           "that reports.\n");
}

/* Take an option of the operation out of the arguments.
 * Returns: how many arguments it took; 0 when the first is no option. */
static int take_option(struct request *request, char **argv, int left, enum status *status,
                       struct diagnostic *diagnostic)
{
    const struct calc_operation *operation = request->operation;
    const char *name = argv[0] + 2;
    size_t length = strcspn(name, "=");
    size_t index;
    const char *text = name[length] == '=' ? name + length + 1 : NULL;
    bool is_flag;

    if (strncmp(argv[0], "--", 2) != 0)
        return 0;
    index = calc_find_option(operation, name, length);
    if (index == operation->option_count)
        return 0;
    is_flag = operation->options[index].kind == CALC_FLAG;
    if (is_flag ? text != NULL : !text && left < 2) {
        *status = diagnostic_set(diagnostic, STATUS_USAGE, "flops calc %s: --%s %s",
                                 operation->name, operation->options[index].column.title,
                                 is_flag ? "takes no value" : "needs a value");
        return 1;
    }
    *status = calc_read_value(operation, index, text || is_flag ? text : argv[1], request->values,
                              diagnostic);
    return text || is_flag ? 1 : 2;
}

/* Split the arguments; the rest goes to `rest`, terminated. */
static enum status split(struct request *request, char **argv, char **rest,
                         struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;
    int left = 0;

    while (argv[left])
        left++;
    *rest++ = request->name;
    while (left > 0 && !status) {
        int taken = take_option(request, argv, left, &status, diagnostic);

        if (taken == 0) {
            *rest++ = *argv;
            taken = 1;
        }
        argv += taken;
        left -= taken;
    }
    *rest = NULL;
    return status;
}

static enum status parse(struct request *request, int argc, char **argv,
                         struct diagnostic *diagnostic)
{
    char **rest = memory_get_zeros((size_t)argc + 2, sizeof *rest);
    enum status status;
    int count = 0;

    status = split(request, argv, rest, diagnostic);
    while (rest[count])
        count++;
    if (!status)
        status = cmd_parse(&request->options, NULL, count, rest, diagnostic);
    if (!status && request->options.trace)
        status =
            diagnostic_set(diagnostic, STATUS_USAGE, "flops calc %s: expected options, not '%.60s'",
                           request->operation->name, request->options.trace);
    free(rest);
    return status;
}

static enum status render(const struct request *request, const struct calc_result *result,
                          struct diagnostic *diagnostic)
{
    struct document document;

    calc_build(request->operation, request->values, result, &document);
    return cmd_finish_document(&document, &request->options, diagnostic);
}

static enum status calculate(struct request *request, struct diagnostic *diagnostic)
{
    struct calc_result result;
    enum status status = calc_complete(request->operation, request->values, diagnostic);

    if (status)
        return status;
    status = calc_count(request->operation, request->values, &result, diagnostic);
    if (!status)
        status = render(request, &result, diagnostic);
    calc_result_fini(&result);
    return status;
}

static enum status run_operation(struct request *request, int argc, char **argv,
                                 struct diagnostic *diagnostic)
{
    enum status status;

    snprintf(request->name, sizeof request->name, "flops calc %s", request->operation->name);
    status = parse(request, argc, argv, diagnostic);
    if (status)
        return status;
    if (!request->options.is_help)
        return calculate(request, diagnostic);
    print_options(request->operation);
    return STATUS_OK;
}

enum status cmd_flops_calc(int argc, char **argv, struct cmd_outcome *outcome)
{
    struct diagnostic *diagnostic = &outcome->diagnostic;
    struct request *request;
    enum status status;

    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        print_operations();
        return STATUS_OK;
    }
    if (argc < 2)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "flops calc: no operation was given; tprof flops calc --help lists "
                              "them");
    request = memory_get_zeros(1, sizeof *request);
    request->operation = calc_find(argv[1]);
    status = request->operation
                 ? run_operation(request, argc - 2, argv + 2, diagnostic)
                 : diagnostic_set(diagnostic, STATUS_USAGE,
                                  "flops calc: there is no operation '%.60s'; tprof flops calc "
                                  "--help lists them",
                                  argv[1]);
    free(request);
    return status;
}
