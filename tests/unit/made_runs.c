/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Made-up runs.
 */
#include "made_runs.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static size_t count_values(const char *list)
{
    size_t count = 1;

    for (; *list; list++)
        count += *list == ',';
    return count;
}

/* Returns: the quantity of "KEY=VALUES", and where its values begin. */
static enum run_quantity read_key(const char *word, const char **values)
{
    const char *equals = strchr(word, '=');
    char key[64];

    if (!equals || equals - word >= (int)sizeof key)
        return RUN_QUANTITIES;
    snprintf(key, sizeof key, "%.*s", (int)(equals - word), word);
    *values = equals + 1;
    return run_quantity_find(key);
}

static const char *text_at(const char *list, size_t run)
{
    if (count_values(list) == 1)
        run = 0;
    for (; run > 0; run--) {
        list = strchr(list, ',');
        ck_assert_ptr_nonnull(list);
        list++;
    }
    return list;
}

static double value_at(const char *list, size_t run)
{
    const char *text = text_at(list, run);

    return text[0] == '-' && (text[1] == ',' || text[1] == '\0') ? (double)NAN : strtod(text, NULL);
}

static double error_at(const char *list, size_t run)
{
    const char *text = text_at(list, run);
    size_t end = strcspn(text, "~,");

    if (text[end] != '~')
        return 0;
    return text[end + 1] == '-' ? (double)INFINITY : strtod(text + end + 1, NULL);
}

static size_t count_runs(const char *lines)
{
    char *copy = strdup(lines), *rest = copy, *word;
    size_t most = 1;

    while ((word = strsep(&rest, " \n"))) {
        const char *values;

        if (read_key(word, &values) != RUN_QUANTITIES && count_values(values) > most)
            most = count_values(values);
    }
    free(copy);
    return most;
}

/* A line without its subject: name, shape and quantities. */
struct line {
    char name[128];
    char shape[128];
    double values[RUN_QUANTITIES];
    double errors[RUN_QUANTITIES];
    bool is_there;
    char file[128];
    unsigned number; /* of the line in the file */
};

/* "at=FILE:LINE" */
static bool read_place(struct line *line, const char *word)
{
    const char *number = strrchr(word, ':');

    if (strncmp(word, "at=", 3) != 0 || !number)
        return false;
    snprintf(line->file, sizeof line->file, "%.*s", (int)(number - word - 3), word + 3);
    line->number = (unsigned)atoi(number + 1);
    return true;
}

static void read_word(struct line *line, const char *word, size_t run)
{
    const char *values;
    enum run_quantity quantity = read_key(word, &values);
    size_t size = strlen(line->shape);

    if (read_place(line, word))
        return;
    if (quantity == RUN_QUANTITIES && line->name[0] == '\0') {
        snprintf(line->name, sizeof line->name, "%s", word);
    } else if (quantity == RUN_QUANTITIES) {
        snprintf(line->shape + size, sizeof line->shape - size, "%s%s", size ? " " : "", word);
    } else {
        line->values[quantity] = value_at(values, run);
        line->errors[quantity] = error_at(values, run);
        line->is_there |= !isnan(line->values[quantity]);
    }
}

static void add_row(struct run *run, enum run_subject subject, char *rest, size_t index)
{
    struct line line = {.name = ""};
    struct run_row *row;
    char *word;

    for (int i = 0; i < RUN_QUANTITIES; i++)
        line.values[i] = (double)NAN;
    while ((word = strsep(&rest, " ")))
        if (word[0] != '\0')
            read_word(&line, word, index);
    if (!line.is_there)
        return;
    row = run_add_row(run, subject, line.name, line.shape);
    ck_assert_ptr_nonnull(row);
    memcpy(row->values, line.values, sizeof row->values);
    memcpy(row->errors, line.errors, sizeof row->errors);
    if (line.number > 0)
        run_set_place(run, row, line.file, line.number);
    run->is_drawn |= line.errors[RUN_PEAK_HEAP] > 0;
}

/* "NAME VALUE", or "A NAME OF SEVERAL WORDS = VALUE" */
static void add_fact(struct run *run, char *rest)
{
    char *equals = strstr(rest, " = "), *name = rest;

    if (equals) {
        *equals = '\0';
        rest = equals + 3;
    } else {
        name = strsep(&rest, " ");
    }
    run_add_fact(run, name, rest);
}

static void add_line(struct run *run, char *line, size_t index)
{
    char *rest = line, *word = strsep(&rest, " ");
    enum run_subject subject;

    if (word[0] == '\0')
        return;
    if (strcmp(word, "fact") == 0) {
        add_fact(run, rest);
        return;
    }
    ck_assert_msg(run_subject_find(word, &subject), "made runs: %s", word);
    if (rest)
        add_row(run, subject, rest, index);
}

static void add_run(struct run_side *side, const char *lines, size_t index)
{
    struct run *run = array_add(&side->runs);
    char *copy = strdup(lines), *rest = copy, *line;

    ck_assert_ptr_nonnull(run);
    run_init(run, "made", NULL);
    while ((line = strsep(&rest, "\n")))
        add_line(run, line, index);
    free(copy);
}

void made_runs_init(struct run_side *side, const char *label, const char *lines)
{
    size_t count = count_runs(lines);

    run_side_init(side, label);
    for (size_t i = 0; i < count; i++)
        add_run(side, lines, i);
}

void made_runs_add_calls(struct run_side *side, const char *kernel, const double *ns, size_t count)
{
    struct run_row *row = run_find_row(array_at(&side->runs, 0), RUN_KERNEL, kernel, "");

    ck_assert_ptr_nonnull(row);
    for (size_t i = 0; i < count; i++) {
        double *sample = array_add(&row->samples_ns);

        ck_assert_ptr_nonnull(sample);
        *sample = ns[i];
    }
}
