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
                 {"repair-in-c", &cost->repair_in_c},
                 {"unless", &cost->unless},
                 {"otherwise", &cost->otherwise},
                 {"source", &cost->source}};

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
    text_init(&cost->repair_in_c);
    text_init(&cost->unless);
    text_init(&cost->otherwise);
    text_init(&cost->source);
    cost->of = catalog->of;
    cost->language = catalog->language;
    array_init(&cost->frames, sizeof(const char *));
    array_init(&cost->signs, sizeof(const char *));
    array_init(&cost->waiters, sizeof(const char *));
    array_init(&cost->never_line, sizeof(const char *));
    return cost;
}

/* Patterns in quotes.  Returns: false: a quote is missing. */
static bool read_patterns(struct array *patterns, const char *at, const char *end)
{
    while (at < end) {
        const char *close = *at == '"' ? memchr(at + 1, '"', (size_t)(end - at - 1)) : NULL;
        struct text pattern;

        if (!close)
            return false;
        text_init(&pattern);
        text_append_bytes(&pattern, at + 1, (size_t)(close - at - 1));
        *(const char **)array_add(patterns) = pattern.bytes;
        for (at = close + 1; at < end && *at == ' '; at++)
            continue;
    }
    return patterns->count > 0;
}

static void set_owner(struct cost_catalog *catalog, const char *words, const char *end)
{
    struct text of;

    text_init(&of);
    text_append_bytes(&of, words, (size_t)(end - words));
    catalog->of = of.bytes;
}

static bool set_language(struct cost_catalog *catalog, const char *word, const char *end)
{
    static const char *const languages[COST_LANGUAGES] = {"any", "native", "Python"};

    for (int i = 0; i < COST_LANGUAGES; i++)
        if (is_word(languages[i], word, (size_t)(end - word))) {
            catalog->language = (enum cost_language)i;
            return true;
        }
    return false;
}

/* The words of a paragraph with a number, and its unit. */
static double *number_of(struct cost *cost, const char *word, size_t size, double *unit)
{
    const struct {
        const char *word;
        double *number;
        double unit;
    } numbers[] = {{"least-part", &cost->least_part, 0.01},
                   {"least-sign", &cost->least_sign, 0.01},
                   {"least-self", &cost->least_self, 0.01},
                   {"least-ms", &cost->least_ns, 1e6},
                   {"most-each-us", &cost->most_each_ns, 1e3},
                   {"least-block-mib", &cost->least_block_bytes, 1024 * 1024},
                   {"least-blocks", &cost->least_blocks, 1},
                   {"least-threads", &cost->least_threads, 1},
                   {"least-resident-mib", &cost->least_resident_bytes, 1024 * 1024}};

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (is_word(numbers[i].word, word, size)) {
            *unit = numbers[i].unit;
            return numbers[i].number;
        }
    return NULL;
}

/* The words of a paragraph that take yes alone. */
static bool *answer_of(struct cost *cost, const char *word, size_t size)
{
    if (is_word("direct", word, size))
        return &cost->is_direct;
    if (is_word("callbacks", word, size))
        return &cost->calls_back;
    if (is_word("deferred", word, size))
        return &cost->is_deferred;
    if (is_word("faults", word, size))
        return &cost->brings_faults;
    if (is_word("locks", word, size))
        return &cost->waits_for_locks;
    if (is_word("unseen", word, size))
        return &cost->waits_unseen;
    return is_word("waits", word, size) ? &cost->waits_for_others : NULL;
}

/* Parts are percent of a whole. */
static bool read_number(double *number, double unit, const char *words)
{
    *number = strtod(words, NULL) * unit;
    return *number > 0 && (unit >= 1 || *number <= 1);
}

static struct array *patterns_of(struct cost *cost, const char *word, size_t size)
{
    if (is_word("frames", word, size))
        return &cost->frames;
    if (is_word("waiters", word, size))
        return &cost->waiters;
    if (is_word("never-line", word, size))
        return &cost->never_line;
    return is_word("signs", word, size) ? &cost->signs : NULL;
}

/* Read the words of a cost.  Returns: false at a mistake, which is stated. */
static bool read_words(struct cost *cost, const char *line, size_t size, const char *end,
                       struct said *mistake)
{
    const char *words = line + size + 1;
    struct array *patterns = patterns_of(cost, line, size);
    bool *answer = answer_of(cost, line, size);
    struct text *text = text_of(cost, line, size);
    double unit, *number = number_of(cost, line, size, &unit);

    *mistake = cost_quotes_text;
    if (patterns)
        return read_patterns(patterns, words, end);
    *mistake = cost_number_text;
    if (number)
        return read_number(number, unit, words);
    *mistake = cost_yes_text;
    if (answer)
        return *answer = is_word("yes", words, (size_t)(end - words));
    *mistake = cost_words_text;
    if (text)
        text_append_bytes(text, words, (size_t)(end - words));
    return text != NULL;
}

/* Returns: false at a mistake, which is stated. */
static bool read_line(struct cost_catalog *catalog, const char *line, const char *end,
                      struct said *mistake)
{
    const char *space = memchr(line, ' ', (size_t)(end - line));
    size_t size = space ? (size_t)(space - line) : 0;

    if (is_word("of", line, size)) {
        set_owner(catalog, space + 1, end);
        return true;
    }
    *mistake = cost_language_text;
    if (is_word("language", line, size))
        return set_language(catalog, space + 1, end);
    if (is_word("cost", line, size))
        add_cost(catalog);
    *mistake = size == 0 ? cost_word_text : cost_begin_text;
    if (size == 0 || catalog->costs.count == 0)
        return false;
    return read_words(array_at(&catalog->costs, catalog->costs.count - 1), line, size, end,
                      mistake);
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

static void init_empty(struct cost_catalog *catalog)
{
    *catalog = (struct cost_catalog){.of = NULL};
    array_init(&catalog->costs, sizeof(struct cost));
    text_init(&catalog->mistake);
}

/* Returns: false: the file cannot be read. */
static bool read_file(struct cost_catalog *catalog, const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    ssize_t length;
    bool is_read;

    if (!file)
        return false;
    errno = 0;
    length = getdelim(&text, &size, '\0', file);
    is_read = length >= 0 || errno == 0; /* an empty file has no text */
    if (is_read)
        cost_catalog_read(catalog, length >= 0 ? text : "");
    free(text);
    fclose(file);
    return is_read;
}

bool cost_catalog_read_file(struct cost_catalog *catalog, const char *path)
{
    init_empty(catalog);
    return read_file(catalog, path);
}

static bool is_literal(char letter)
{
    return letter != '\0' && letter != '*' && letter != '$';
}

/* Is it a pattern of names of Python code, as "copy.py:deepcopy" or "<frozen os>:walk"? */
static bool is_of_python(const char *pattern)
{
    return strstr(pattern, ".py:") || strstr(pattern, "<frozen");
}

static void index_pattern(struct cost_index *index, const char *text, size_t cost)
{
    bool is_anchored = text[0] == '^' && is_literal(text[1]);
    struct array *patterns =
        is_anchored ? &index->anchored[(unsigned char)text[1] % COST_LETTERS] : &index->anywhere;

    *(struct cost_pattern *)array_add(patterns) = (struct cost_pattern){text, cost};
}

static void index_cost(struct cost_catalog *catalog, size_t number)
{
    struct cost *cost = array_at(&catalog->costs, number);

    if (cost->signs.count > 0 && catalog->signed_count < COST_SIGNS)
        cost->sign = (cost_signs)1 << catalog->signed_count++;

    for (size_t i = 0; i < cost->frames.count; i++) {
        const char *text = *(const char *const *)array_at(&cost->frames, i);

        index_pattern(&catalog->index[cost->language][is_of_python(text)], text, number);
    }
}

static void init_index(struct cost_index *index)
{
    for (size_t i = 0; i < COST_LETTERS; i++)
        array_init(&index->anchored[i], sizeof(struct cost_pattern));
    array_init(&index->anywhere, sizeof(struct cost_pattern));
}

static const struct cost *find_named(const struct cost_catalog *catalog, const char *name)
{
    for (size_t i = 0; i < catalog->costs.count; i++) {
        const struct cost *cost = array_at(&catalog->costs, i);

        if (strcmp(cost->name.bytes, name) == 0)
            return cost;
    }
    return NULL;
}

static void index_all(struct cost_catalog *catalog)
{
    for (int i = 0; i < COST_LANGUAGES; i++) {
        init_index(&catalog->index[i][false]);
        init_index(&catalog->index[i][true]);
    }
    for (size_t i = 0; i < catalog->costs.count; i++) {
        struct cost *cost = array_at(&catalog->costs, i);

        cost->other = find_named(catalog, cost->otherwise.bytes);
        index_cost(catalog, i);
    }
}

void cost_catalog_init(struct cost_catalog *catalog)
{
    const char *users = getenv("TPROF_COSTS");

    init_empty(catalog);
    if (users && *users && !read_file(catalog, users))
        text_append(&catalog->mistake, strerror(errno != 0 ? errno : EINVAL));
    if (catalog->mistake.size > 0)
        catalog->costs.count = 0;
    catalog->of = NULL;
    catalog->language = COST_ANY;
    if (!cost_catalog_read(catalog, built_in))
        abort(); /* a test reads it */
    index_all(catalog);
}

/* ---- finding a cost --------------------------------------------------------------------- */

/* Most names lack the pattern's first letters, which are found faster than the pattern. */
static bool may_match(const char *pattern, const char *name)
{
    size_t size = 0;

    while (is_literal(pattern[size]))
        size++;
    return size == 0 || memmem(name, strlen(name), pattern, size);
}

/* Returns: the end of the arguments of a template that begins at `<`; NULL: there is none. */
static const char *skip_arguments(const char *name)
{
    int depth = 0;

    for (; *name; name++) {
        depth += *name == '<' ? 1 : *name == '>' && name[-1] != '-' ? -1 : 0;
        if (depth == 0)
            return name + 1;
    }
    return NULL;
}

/* Does it match with `<*>` as the whole arguments of a template?  Otherwise
 * std::vector<*>::_M_erase( would match the erasing of a tree of vectors. */
static bool matches_from(const char *pattern, const char *name)
{
    for (;; pattern++, name++) {
        while (strncmp(pattern, "<*>", 3) == 0) {
            name = *name == '<' ? skip_arguments(name) : NULL;
            pattern += 3;
            if (!name)
                return false;
        }
        if (*pattern == '*')
            return wildcard_matches(pattern, name);
        if (*pattern == '\0' || (strcmp(pattern, "$") == 0 && *name == '\0'))
            return true;
        if (*pattern != *name)
            return false;
    }
}

static bool matches_template(const char *pattern, const char *name)
{
    if (*pattern == '^')
        return matches_from(pattern + 1, name);
    for (; *name; name++)
        if (matches_from(pattern, name))
            return true;
    return false;
}

/* The stars of a pattern whose first arguments are more than a star match anything. */
static bool has_template(const char *pattern)
{
    const char *open = strchr(pattern, '<');

    return open && strncmp(open, "<*>", 3) == 0;
}

static bool matches(const char *pattern, const char *name)
{
    return (pattern[0] == '^' || may_match(pattern, name)) && wildcard_matches(pattern, name) &&
           (!has_template(pattern) || matches_template(pattern, name));
}

/* Returns: the first of `first` and the costs of these patterns that match. */
static size_t find_first(const struct array *patterns, const char *name, size_t first)
{
    const struct cost_pattern *pattern = patterns->items;

    for (size_t i = 0; i < patterns->count && pattern[i].cost < first; i++)
        if (matches(pattern[i].text, name))
            return pattern[i].cost;
    return first;
}

static size_t find_name(const struct cost_index *index, const char *name, size_t first)
{
    first = find_first(&index->anchored[(unsigned char)name[0] % COST_LETTERS], name, first);
    return find_first(&index->anywhere, name, first);
}

const struct cost *cost_catalog_find_native(const struct cost_catalog *catalog,
                                            const char *function, enum cost_language language)
{
    size_t count = catalog->costs.count;
    size_t first = find_name(&catalog->index[language][false], function, count);

    return first < count ? array_at(&catalog->costs, first) : NULL;
}

/* "copy.py:deepcopy" */
static void append_name(struct text *name, const struct places_function *function)
{
    if (function->is_python)
        text_appendf(name, "%s:", function->module ? function->module : "");
    text_append(name, function->name);
}

static bool matches_any(const struct array *patterns, const char *name)
{
    for (size_t i = 0; i < patterns->count; i++)
        if (matches(*(const char *const *)array_at(patterns, i), name))
            return true;
    return false;
}

cost_signs cost_catalog_find_signs(const struct cost_catalog *catalog, const struct place *place)
{
    cost_signs signs = 0;
    struct text name;

    if (!place->function->has_name)
        return 0;
    text_init(&name);
    append_name(&name, place->function);
    for (size_t i = 0; i < catalog->costs.count; i++) {
        const struct cost *cost = array_at(&catalog->costs, i);

        if (cost->sign != 0 && matches_any(&cost->signs, name.bytes))
            signs |= cost->sign;
    }
    text_fini(&name);
    return signs;
}

bool cost_catalog_is_waiter(const struct cost *cost, const struct place *place)
{
    struct text name;
    bool is;

    if (cost->waiters.count == 0 || !place->function->has_name)
        return false;
    text_init(&name);
    append_name(&name, place->function);
    is = matches_any(&cost->waiters, name.bytes);
    text_fini(&name);
    return is;
}

const struct cost *cost_catalog_find(const struct cost_catalog *catalog, const struct place *place,
                                     enum cost_language language)
{
    const struct places_function *function = place->function;
    const struct cost_index *index = &catalog->index[language][function->is_python];
    size_t count = catalog->costs.count, first;
    struct text name;

    if (!function->has_name)
        return NULL;
    text_init(&name);
    append_name(&name, function);
    first = find_name(index, name.bytes, count);
    if (first == count && strncmp(name.bytes, "Python: ", 8) == 0 && function->module) {
        text_appendf(&name, " of %s", function->module); /* many modules have such a name */
        first = find_name(index, name.bytes, count);
    }
    text_fini(&name);
    return first < count ? array_at(&catalog->costs, first) : NULL;
}
