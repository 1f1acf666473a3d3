/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Printing help on standard output.
 */
#include "options/help.h"

#include <string.h>

#include "base/text.h"
#include "render/display.h"
#include "render/terminal.h"

/* A word that reaches into the column of the meanings has a line of its own. */
static void append_head(struct text *line, const char *head, size_t indent)
{
    size_t size = strlen(head);
    bool is_apart = size == 0 || head[size - 1] == ' ';

    if (size > indent || (size == indent && !is_apart))
        text_appendf(line, "%s\n%*s", head, (int)indent, "");
    else
        text_appendf(line, "%-*s", (int)indent, head);
}

void help_print_row(FILE *out, const char *head, size_t indent, const char *meaning)
{
    struct text line;

    text_init(&line);
    append_head(&line, head, indent);
    display_append_wrapped(
        &line, meaning,
        (struct display_margins){.start = indent, .indent = indent, .width = terminal_width(out)});
    fputs(line.bytes, out);
    text_fini(&line);
}

void help_print_usage(const char *name, const char *arguments, const char *sentence)
{
    char usage[64];
    int start = snprintf(usage, sizeof usage, "Usage: tprof %s ", name);

    help_print_row(stdout, usage, (unsigned)start, arguments);
    if (strchr(sentence, '\n'))
        puts(sentence); /* the sentence has its own line breaks */
    else
        help_print_row(stdout, "", 0, sentence);
    putchar('\n');
}

void help_print_option(const struct option_row *row, const char *meaning)
{
    struct text spelled;

    text_init(&spelled);
    text_append(&spelled, row->letter ? (const char[]){' ', ' ', '-', (char)row->letter, ',', ' ',
                                                       '\0'}
                                      : "      ");
    text_appendf(&spelled, "--%s%s%s", row->name,
                 row->argument && !option_may_stand_alone(row) ? " " : "",
                 row->argument ? row->argument : "");
    help_print_row(stdout, spelled.bytes, HELP_COLUMN, meaning);
    text_fini(&spelled);
}

void help_print_options(const struct option_set *set, const char *command)
{
    for (size_t i = 0; i < set->count; i++)
        if (option_is_of(&set->rows[i], command))
            help_print_option(&set->rows[i], set->rows[i].help);
}
