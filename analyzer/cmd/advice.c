/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Suggests another command.  Looks at the file that was named, and starts nothing.
 */
#include "cmd/advice.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launch/target.h"
#include "platform/quote.h"

struct pair {
    const char *from;
    const char *to;
};

static const struct pair words[] = {
#define WORD(of_others, ours) {of_others, ours},
#include "cmd/other_words.def"
#undef WORD
};

/* Endings of scripts whose first line names no interpreter. */
static const struct pair interpreters[] = {
    {".py", "python3"}, {".sh", "sh"},       {".pl", "perl"}, {".R", "Rscript"},
    {".jl", "julia"},   {".js", "node"},     {".rb", "ruby"}, {".lua", "lua"},
    {".m", "octave"},   {".bash", "bash"},
};

const char *advice_translate(const char *word)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].from, word) == 0)
            return words[i].to;
    return NULL;
}

static const char *find_by_ending(const char *name)
{
    const char *dot = strrchr(name, '.');

    for (size_t i = 0; dot && i < sizeof interpreters / sizeof *interpreters; i++)
        if (strcmp(interpreters[i].from, dot) == 0)
            return interpreters[i].to;
    return NULL;
}

/* The ending before the first line: that may be a path of another machine. */
static void append_interpreted(struct text *advice, const char *name, const char *quoted)
{
    char named[PATH_MAX];
    const char *interpreter = find_by_ending(name);

    if (!interpreter && target_find_interpreter(name, named, sizeof named))
        interpreter = named;
    if (interpreter)
        text_appendf(advice, "%s %s", interpreter, quoted);
}

bool advice_append_start(struct text *advice, const char *name)
{
    char quoted[PATH_MAX];
    size_t before = advice->size;
    struct stat file;

    if (stat(name, &file) != 0 || !S_ISREG(file.st_mode))
        return false;
    quote_path(name, quoted, sizeof quoted);
    if (access(name, X_OK) != 0)
        append_interpreted(advice, name, quoted);
    else
        text_appendf(advice, "%s%s", strchr(name, '/') ? "" : "./", quoted);
    return advice->size > before;
}
