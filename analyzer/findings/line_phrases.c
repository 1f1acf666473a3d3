/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The interpreter adds lists, searches them, sorts them and matches patterns below a line, and no
 * frame tells which.  The text of the line does, where that line has most of the time.
 *
 * Called by INTERPRETED for its hottest line.
 */
#include "findings/line_phrases.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/wildcard.h"

enum { PATTERNS = 6 };

static const struct {
    const char *advice; /* a name in texts.def */
    const char *patterns[PATTERNS];
    const char *never; /* a pattern of lines that are meant otherwise; NULL: there are none */
} lines[] = {
    {"python_sum_lists", {"sum(*, [])", "sum(*,[])", "sum(*, ())", "sum(*start=[])"}, NULL},
    {"python_flush", {"flush=True", ".flush()"}, NULL},
    {"python_open", {"^with open(", "= open(", "^open("}, NULL},
    {"python_apply", {".apply(", ".applymap(", ".map(lambda"}, NULL},
    {"python_front", {".insert(0,", ".pop(0)"}, NULL},
    {"python_rebuilt", {" in list(", " in set(", " in sorted(", " in tuple("}, "^for "},
    {"python_whole_file",
     {".read()", ".readlines()", ".splitlines()", ".split('\\n')", ".split(\"\\n\")"},
     NULL},
    {"python_count", {".count("}, ".count()"},
    {"python_backwards", {"[::-1]"}, NULL},
    {"python_pattern",
     {".match(", ".search(", ".fullmatch(", ".findall(", ".finditer(", ".sub("},
     NULL},
    {"python_sorting", {"sorted(", ".sort("}, NULL},
    {"python_search", {".index(", ".remove("}, NULL},
    {"python_elements", {"^*[*, *] = *[*]", "^*[*, *] += *[*]"}, "[*:*] ="},
    /* A comprehension is one line, also where its test takes little. */
    {"python_search", {"^if * in ", "^elif * in ", "^while * in "}, NULL},
};

/* "text = text + piece": what follows the second name; NULL: the names differ. */
static const char *find_rest(const char *line)
{
    const char *equals = strstr(line, " = ");
    size_t size = equals ? (size_t)(equals - line) : 0;

    return size > 0 && strncmp(equals + 3, line, size) == 0 ? equals + 3 + size : NULL;
}

static const char *find_advice_on_itself(const char *line)
{
    const char *rest = find_rest(line);

    if (!rest)
        return NULL;
    if (strncmp(rest, " + ", 3) == 0)
        return "python_joining";
    return wildcard_matches("^[*:]$", rest) || wildcard_matches("^[:-*]$", rest) ? "python_rest"
                                                                                 : NULL;
}

static bool matches(const char *const patterns[PATTERNS], const char *line)
{
    for (size_t i = 0; i < PATTERNS && patterns[i]; i++)
        if (wildcard_matches(patterns[i], line))
            return true;
    return false;
}

const char *line_phrases_find_advice(const char *line)
{
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (matches(lines[i].patterns, line) &&
            !(lines[i].never && wildcard_matches(lines[i].never, line)))
            return lines[i].advice;
    return find_advice_on_itself(line);
}
