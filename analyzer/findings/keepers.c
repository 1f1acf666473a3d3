/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A call chain shows who made a block, and not who keeps it.  The source may: a decorator that
 * caches without a limit holds all arguments and results of its function, also `self`.  Whether it
 * is the one stays open, so the advice is conditional.
 *
 * Source: Python documentation, functools.lru_cache; the faq of Python's programming, on caching
 * methods.
 */
#include "findings/keepers.h"

#include <stdbool.h>

#include "base/wildcard.h"
#include "findings/texts.h"
#include "places/places.h"
#include "places/source_text.h"

static const char *const unlimited[] = {
    "^@lru_cache(None)",
    "^@lru_cache(maxsize=None)",
    "^@functools.lru_cache(None)",
    "^@functools.lru_cache(maxsize=None)",
    "^@cache$",
    "^@functools.cache$",
};

static bool is_unlimited(const char *line)
{
    while (*line == ' ' || *line == '\t')
        line++;
    for (size_t i = 0; *line == '@' && i < sizeof unlimited / sizeof *unlimited; i++)
        if (wildcard_matches(unlimited[i], line))
            return true;
    return false;
}

/* Returns: the first such line; 0: none. */
static uint32_t find_unlimited(struct source_text *source, const char *path)
{
    for (uint32_t line = 1;; line++) {
        struct text text;
        bool is_there, is_found;

        text_init(&text);
        is_there = source_text_append_whole(source, &text, path, line);
        is_found = is_there && text.size > 0 && is_unlimited(text.bytes);
        text_fini(&text);
        if (!is_there || is_found)
            return is_found ? line : 0;
    }
}

void keepers_append(struct text *action, const struct session *session, const struct place *owner)
{
    struct source_text source;
    enum source_state state;
    uint32_t line;

    if (!owner->function || !owner->function->is_python || !owner->file)
        return;
    source_text_init(&source, session);
    source_text_find(&source, owner->file, &state);
    line = state == SOURCE_HERE ? find_unlimited(&source, owner->file) : 0;
    if (line > 0)
        say(action, leak_held_cache_text, said_words(text_base_name(owner->file)),
            said_count(line));
}
