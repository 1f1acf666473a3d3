/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof list: what tprof knows by name, from the tables themselves.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "cmd/cmd.h"
#include "model/known_machines.h"

enum { NAME_COLUMN = 15, HELP_COLUMN = 4 };

/* For people as wide as their terminal; programs read one row a line. */
static void print_row(const char *head, int column, const char *help)
{
    if (isatty(STDOUT_FILENO))
        cmd_print_row(stdout, head, (size_t)column, help);
    else
        printf("%-*s %s\n", column - 1, head, help);
}

static void list_row(const char *name, const char *help)
{
    print_row(name, NAME_COLUMN, help);
}

static void list_analyses(void)
{
    for (size_t i = 0; analysis_at(i); i++)
        list_row(analysis_at(i)->name, analysis_at(i)->help);
}

static void list_findings(void)
{
#define RULE(name, id, help) list_row(id, help);
#include "analysis/findings/rules.def"
#undef RULE
}

static void list_kernels(void)
{
#define NAME(name) puts(name);
#include "kernels.def"
#undef NAME
}

static void list_options(void)
{
#define OPTION(field, variable, flag, type, standard, argument, help)                              \
    printf("%-14s --%s %s%s%s%s\n", variable, flag, argument, standard[0] ? " (" : "", standard,   \
           standard[0] ? ")" : "");                                                                \
    print_row("", HELP_COLUMN, help);
#include "spec/options.def"
#undef OPTION
}

static void list_events(void)
{
#define EVENT(kind, name, words, help) list_row(name, help);
#include "spec/events.def"
#undef EVENT
#define EXTENDED(type, name, words, help) list_row(name, help);
#include "spec/extended.def"
#undef EXTENDED
}

static void list_formats(void)
{
    for (size_t i = 0; render_at(i); i++)
        list_row(render_at(i)->name, render_at(i)->help);
}

/* An address cannot be broken: on a terminal it has a line of its own. */
static void print_machine(const char *head, const char *source)
{
    if (!isatty(STDOUT_FILENO)) {
        printf("%s %s\n", head, source);
        return;
    }
    puts(head);
    print_row("", HELP_COLUMN, source);
}

static void list_machines(void)
{
    struct known_machine machine;
    char peak[UNITS_SIZE], bandwidth[UNITS_SIZE];

    for (size_t i = 0; known_machine_at(i, &machine); i++) {
        char head[120];

        snprintf(head, sizeof head, "%-26s f32 %-13s memory %-10s", machine.name,
                 units_format_flop_rate(peak, machine.peaks[MACHINE_F32]),
                 units_format_byte_rate(bandwidth, machine.bytes_per_second));
        print_machine(head, machine.source);
    }
}

static const struct {
    const char *name;
    void (*print)(void);
} lists[] = {
    {"analyses", list_analyses}, {"findings", list_findings}, {"kernels", list_kernels},
    {"options", list_options},   {"events", list_events},     {"formats", list_formats},
    {"machines", list_machines},
};

enum { LISTS = sizeof lists / sizeof *lists };

static void list_all(void)
{
    for (size_t i = 0; i < LISTS; i++) {
        if (strcmp(lists[i].name, "kernels") == 0)
            continue; /* hundreds: only when they are asked for */
        printf("%s%s\n", i ? "\n" : "", lists[i].name);
        lists[i].print();
    }
}

static enum status list_one(const char *name, struct diagnostic *diagnostic)
{
    for (size_t i = 0; i < LISTS; i++) {
        if (strcmp(lists[i].name, name) != 0)
            continue;
        lists[i].print();
        return STATUS_OK;
    }
    return diagnostic_set(diagnostic, STATUS_USAGE,
                          "list: there is no list '%.60s'; tprof list --help names them", name);
}

static void print_help(void)
{
    printf("Usage: tprof list [");
    for (size_t i = 0; i < LISTS; i++)
        printf("%s%s", i ? "|" : "", lists[i].name);
    printf("]\nEverything tprof knows by name; without a word, all but the kernels.\n");
}

enum status cmd_list(int argc, char **argv, struct cmd_outcome *outcome)
{
    enum status status = STATUS_OK;

    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
        print_help();
    else if (argc > 2)
        status = diagnostic_set(&outcome->diagnostic, STATUS_USAGE,
                                "list: one list at a time; the second word is '%.60s'", argv[2]);
    else if (argc > 1)
        status = list_one(argv[1], &outcome->diagnostic);
    else
        list_all();
    return status ? status : render_finish(stdout, &outcome->diagnostic);
}
