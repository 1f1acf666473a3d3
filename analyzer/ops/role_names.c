/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The roles, and the words in names that show them.
 */
#include "ops/role_names.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *name;
    enum role_block block;
} rows[] = {
#define ROLE(name, word, block) {word, ROLE_BLOCK_##block},
#include "ops/roles.def"
#undef ROLE
};

static const struct {
    enum role role;
    const char *const *words; /* NULL after the last */
} role_words[] = {
#define ROLE_WORDS(role, ...) {ROLE_##role, (const char *const[]){__VA_ARGS__, NULL}},
#include "ops/role_words.def"
#undef ROLE_WORDS
};

const char *role_name(enum role role)
{
    return rows[role].name;
}

enum role_block role_block_of(enum role role)
{
    return role == ROLES ? ROLE_BLOCK_NONE : rows[role].block;
}

/* A position where a word may start: the start of the name, after a character that is no letter, or
 * a capital after a small letter. */
static bool may_begin(const char *name, const char *at)
{
    return at == name || !isalpha((unsigned char)at[-1]) ||
           (isupper((unsigned char)*at) && islower((unsigned char)at[-1]));
}

static bool may_end(const char *last, const char *behind)
{
    return !isalpha((unsigned char)*behind) ||
           (isupper((unsigned char)*behind) && islower((unsigned char)*last));
}

static bool has_word(const char *name, const char *word)
{
    size_t length = strlen(word);

    /* Asked for each word of each name around each slot: most places have another letter. */
    for (const char *at = name; *at; at++)
        if (tolower((unsigned char)*at) == tolower((unsigned char)*word) &&
            strncasecmp(at, word, length) == 0 && may_begin(name, at) &&
            may_end(at + length - 1, at + length))
            return true;
    return false;
}

bool role_name_has_any(const char *name, const char *const *words)
{
    for (; *words; words++)
        if (has_word(name, *words))
            return true;
    return false;
}

enum role role_of_name(const char *name)
{
    for (size_t i = 0; i < sizeof role_words / sizeof *role_words; i++)
        if (role_name_has_any(name, role_words[i].words))
            return role_words[i].role;
    return ROLES;
}
