/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading options by getopt_long.
 */
#include "options/parse.h"

#include <assert.h>
#include <getopt.h>
#include <string.h>

enum { BEYOND_LETTERS = 256 }; /* getopt_long returns this plus an index for a long name */

struct known {
    const struct option_row *row;
    void *fields;
    bool is_own; /* option of this command */
    bool is_seen;
};

struct parse {
    const char *command;
    struct known known[OPTIONS_MOST];
    size_t count;
};

static bool has_name(const struct parse *parse, const char *name)
{
    for (size_t i = 0; i < parse->count; i++)
        if (strcmp(parse->known[i].row->name, name) == 0)
            return true;
    return false;
}

/* Two commands may give one name two meanings, so the command's own rows come first. */
static void add_rows(struct parse *parse, const struct options_asked *asked, bool is_own)
{
    for (size_t i = 0; i < asked->count; i++) {
        const struct option_set *set = &asked->sets[i];

        for (size_t k = 0; k < set->count; k++) {
            const struct option_row *row = &set->rows[k];

            if (option_is_of(row, asked->command) != is_own || has_name(parse, row->name))
                continue;
            assert(parse->count < OPTIONS_MOST);
            parse->known[parse->count++] =
                (struct known){.row = row, .fields = set->fields, .is_own = is_own};
        }
    }
}

/* The tables that getopt_long wants. */
static void describe(const struct parse *parse, bool ends_at_a_word, struct option *names,
                     char *letters)
{
    if (ends_at_a_word)
        *letters++ = '+';
    *letters++ = ':';
    for (size_t i = 0; i < parse->count; i++) {
        const struct option_row *row = parse->known[i].row;
        int argument = !row->argument                ? no_argument
                       : option_may_stand_alone(row) ? optional_argument
                                                     : required_argument;

        names[i] = (struct option){row->name, argument, NULL, BEYOND_LETTERS + (int)i};
        if (!row->letter)
            continue;
        *letters++ = (char)row->letter;
        if (argument == required_argument)
            *letters++ = ':';
    }
    *letters = '\0';
}

static struct known *find(struct parse *parse, int found)
{
    size_t i = 0;

    if (found >= BEYOND_LETTERS)
        return &parse->known[found - BEYOND_LETTERS];
    while (parse->known[i].row->letter != found)
        i++;
    return &parse->known[i];
}

static enum status refuse_missing(const char *command, const char *word,
                                  struct diagnostic *diagnostic)
{
    return diagnostic_set(diagnostic, STATUS_USAGE,
                          "%s: a value is missing after '%.60s'; tprof %s --help lists the options",
                          command, word, command);
}

/* A letter may be anywhere in its word, and getopt reports only the letter. */
static enum status refuse_unknown(const char *command, const char *word,
                                  struct diagnostic *diagnostic)
{
    if (optopt > 0 && optopt < BEYOND_LETTERS)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "%s: there is no option '-%c'; tprof %s --help lists the options",
                              command, optopt, command);
    return diagnostic_set(diagnostic, STATUS_USAGE,
                          "%s: %s '%.60s'; tprof %s --help lists the options", command,
                          optopt ? "no value is expected in" : "there is no option", word, command);
}

static enum status refuse_foreign(const struct option_row *row, const char *command,
                                  struct diagnostic *diagnostic)
{
    return diagnostic_set(diagnostic, STATUS_USAGE,
                          "%s: --%s is an option of %s%s; tprof %s --help lists the options",
                          command, row->name, option_is_common(row) ? "all commands " : "tprof ",
                          row->commands, command);
}

/* Readers of durations, sizes and rates do not know the option. */
static enum status name_option(const struct option_row *row, enum status status,
                               struct diagnostic *diagnostic)
{
    static const char start[] = "expected ";
    const struct diagnostic own = *diagnostic;

    if (status != STATUS_USAGE || strncmp(own.text, start, sizeof start - 1) != 0)
        return status;
    return diagnostic_set(diagnostic, STATUS_USAGE, "--%s: %s", row->name, own.text);
}

/* "--" ends the options, and is no value of the last one. */
static bool took_end(char **argv)
{
    return optarg && optarg == argv[optind - 1] && strcmp(optarg, "--") == 0;
}

static enum status take(struct parse *parse, int found, char **argv, struct diagnostic *diagnostic)
{
    const char *command = parse->command;
    struct known *known;
    struct option_value value;

    if (found == '?')
        return refuse_unknown(command, argv[optind - 1], diagnostic);
    if (found == ':')
        return refuse_missing(command, argv[optind - 1], diagnostic);
    known = find(parse, found);
    if (!known->is_own)
        return refuse_foreign(known->row, command, diagnostic);
    if (took_end(argv))
        return refuse_missing(command, argv[optind - 2], diagnostic);
    known->is_seen = true;
    value = (struct option_value){known->row, optarg, (char *)known->fields + known->row->place,
                                  known->fields};
    return name_option(known->row, known->row->read(&value, diagnostic), diagnostic);
}

/* Returns: an option that was given and that a row excludes, or NULL. */
static const struct option_row *find_excluded(const struct parse *parse,
                                              const struct option_row *row)
{
    for (size_t i = 0; i < parse->count && row->excludes; i++)
        if (parse->known[i].is_seen && option_list_has(row->excludes, parse->known[i].row->name))
            return parse->known[i].row;
    return NULL;
}

static enum status check_together(const struct parse *parse, struct diagnostic *diagnostic)
{
    for (size_t i = 0; i < parse->count; i++) {
        const struct option_row *row = parse->known[i].row;
        const struct option_row *other =
            parse->known[i].is_seen ? find_excluded(parse, row) : NULL;

        if (other)
            return diagnostic_set(diagnostic, STATUS_USAGE, "%s: --%s and --%s exclude one another",
                                  parse->command, row->name, other->name);
    }
    return STATUS_OK;
}

enum status options_parse(const struct options_asked *asked, int argc, char **argv,
                          struct diagnostic *diagnostic)
{
    struct parse parse = {.command = asked->command};
    struct option names[OPTIONS_MOST + 1] = {{0}};
    char letters[2 * OPTIONS_MOST + 3];
    enum status status = STATUS_OK;
    int found;

    add_rows(&parse, asked, true);
    add_rows(&parse, asked, false);
    describe(&parse, asked->ends_at_a_word, names, letters);
    optind = 0; /* GNU: start again, also with another first letter */
    opterr = 0;
    while (!status && (found = getopt_long(argc, argv, letters, names, NULL)) != -1)
        status = take(&parse, found, argv, diagnostic);
    return status ? status : check_together(&parse, diagnostic);
}
