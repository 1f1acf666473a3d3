/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading the catalog of well-known costs.
 */
#include "findings/cost_catalog.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/wildcard.h"
#include "findings/texts.h"

static const char built_in[] =
#include "findings/costs_spec.h"
    ;

static bool is_word(const char *word, const char *line, size_t size)
{
    return strlen(word) == size && strncmp(word, line, size) == 0;
}

/* The words of a paragraph, each a text of struct cost. */
static struct text *text_of(struct cost *cost, const char *word, size_t size)
{
    const struct {
        const char *word;
        struct text *text;
    } texts[] = {{"cost", &cost->name},
                 {"what", &cost->what},
                 {"why", &cost->why},
                 {"repair", &cost->repair},
                 {"unless", &cost->unless}};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (is_word(texts[i].word, word, size))
            return texts[i].text;
    return NULL;
}

static struct cost *add_cost(struct cost_catalog *catalog)
{
    struct cost *cost = array_add(&catalog->costs);

    *cost = (struct cost){.name = {.size = 0}};
    text_init(&cost->name);
    text_init(&cost->what);
    text_init(&cost->why);
    text_init(&cost->repair);
    text_init(&cost->unless);
    array_init(&cost->frames, sizeof(const char *));
    return cost;
}

/* Patterns in quotes.  Returns: false: a quote is missing. */
static bool read_frames(struct cost *cost, const char *at, const char *end)
{
    while (at < end) {
        const char *close = *at == '"' ? memchr(at + 1, '"', (size_t)(end - at - 1)) : NULL;
        struct text pattern;

        if (!close)
            return false;
        text_init(&pattern);
        text_append_bytes(&pattern, at + 1, (size_t)(close - at - 1));
        *(const char **)array_add(&cost->frames) = pattern.bytes;
        for (at = close + 1; at < end && *at == ' '; at++)
            continue;
    }
    return cost->frames.count > 0;
}

/* Returns: false at a mistake, which is stated. */
static bool read_line(struct cost_catalog *catalog, const char *line, const char *end,
                      struct said *mistake)
{
    const char *space = memchr(line, ' ', (size_t)(end - line));
    size_t size = space ? (size_t)(space - line) : 0;
    struct cost *cost;
    struct text *text;

    if (is_word("cost", line, size))
        add_cost(catalog);
    *mistake = size == 0 ? cost_word_text : cost_begin_text;
    if (size == 0 || catalog->costs.count == 0)
        return false;
    cost = array_at(&catalog->costs, catalog->costs.count - 1);
    *mistake = cost_quotes_text;
    if (is_word("frames", line, size))
        return read_frames(cost, space + 1, end);
    text = text_of(cost, line, size);
    *mistake = cost_words_text;
    if (text)
        text_append_bytes(text, space + 1, (size_t)(end - space - 1));
    return text != NULL;
}

static bool is_empty(const char *line, const char *end)
{
    while (line < end && isspace((unsigned char)*line))
        line++;
    return line == end || *line == '#';
}

static const struct cost *find_unfinished(const struct cost_catalog *catalog)
{
    for (size_t i = 0; i < catalog->costs.count; i++) {
        const struct cost *cost = array_at(&catalog->costs, i);

        if (cost->frames.count == 0 || cost->what.size == 0 || cost->why.size == 0 ||
            cost->repair.size == 0)
            return cost;
    }
    return NULL;
}

bool cost_catalog_read(struct cost_catalog *catalog, const char *text)
{
    const struct cost *unfinished;
    unsigned number = 1;

    for (const char *line = text, *end; *line != '\0'; line = *end ? end + 1 : end, number++) {
        struct said mistake;
        struct text words;

        end = strchrnul(line, '\n');
        if (is_empty(line, end) || read_line(catalog, line, end, &mistake))
            continue;
        text_init(&words);
        say(&words, mistake);
        say(&catalog->mistake, cost_line_text, said_count(number), said_words(words.bytes));
        text_fini(&words);
        return false;
    }
    unfinished = find_unfinished(catalog);
    if (unfinished)
        say(&catalog->mistake, cost_unfinished_text, said_words(unfinished->name.bytes));
    return !unfinished;
}

static void read_file(struct cost_catalog *catalog, const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;

    if (!file || getdelim(&text, &size, '\0', file) < 0)
        text_append(&catalog->mistake, strerror(errno != 0 ? errno : EINVAL));
    else
        cost_catalog_read(catalog, text);
    free(text);
    if (file)
        fclose(file);
}

void cost_catalog_init(struct cost_catalog *catalog)
{
    const char *users = getenv("TPROF_COSTS");

    array_init(&catalog->costs, sizeof(struct cost));
    text_init(&catalog->mistake);
    errno = 0;
    if (users && *users)
        read_file(catalog, users);
    if (catalog->mistake.size > 0)
        catalog->costs.count = 0;
    if (!cost_catalog_read(catalog, built_in))
        abort(); /* a test reads it */
}

static bool matches(const struct cost *cost, const char *name)
{
    for (size_t i = 0; i < cost->frames.count; i++)
        if (wildcard_matches(*(const char *const *)array_at(&cost->frames, i), name))
            return true;
    return false;
}

static const struct cost *find_name(const struct cost_catalog *catalog, const char *name)
{
    for (size_t i = 0; i < catalog->costs.count; i++) {
        const struct cost *cost = array_at(&catalog->costs, i);

        if (matches(cost, name))
            return cost;
    }
    return NULL;
}

const struct cost *cost_catalog_find(const struct cost_catalog *catalog, const struct place *place)
{
    const struct places_function *function = place->function;
    const struct cost *cost;
    struct text name;

    if (!function->has_name)
        return NULL;
    if (!function->is_python)
        return find_name(catalog, function->name);
    text_init(&name);
    text_appendf(&name, "%s:%s", function->module ? function->module : "", function->name);
    cost = find_name(catalog, name.bytes);
    text_fini(&name);
    return cost;
}
