/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A name's first word is its verb: get_vocab, GetVocab and getVocab get.
 */
#include "findings/call_kinds.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "findings/texts.h"

enum { WORD_SIZE = 32, NAME_SIZE = 128 };

static const struct verb {
    const char *word;
    const struct said *hint;
    bool is_alone;
} verbs[] = {
#define VERB(word, sentence, alone) {word, &(sentence), alone},
#include "findings/call_kinds.def"
#undef VERB
};

enum { VERB_COUNT = sizeof verbs / sizeof *verbs };

/* Copies the first word of a name in small letters.  Returns: what follows it. */
static const char *copy_verb(char verb[WORD_SIZE], const char *name)
{
    size_t size = 0;

    while (*name == '_')
        name++;
    while (size < WORD_SIZE - 1 && isalpha((unsigned char)*name) &&
           (size == 0 || islower((unsigned char)*name)))
        verb[size++] = (char)tolower((unsigned char)*name++);
    verb[size] = '\0';
    return name;
}

/* Is it a class, whose call makes an object?  "SSLContext"; not "GetVocab", which has a verb, and
 * not "SSL_accept", which has a prefix. */
static bool is_class(const char *name)
{
    return isupper((unsigned char)name[0]) && strpbrk(name, "abcdefghijklmnopqrstuvwxyz") &&
           !strchr(name, '_');
}

static const struct said *find_hint(const char *name)
{
    char word[WORD_SIZE];
    const char *rest = copy_verb(word, name);

    for (size_t i = 0; i < VERB_COUNT; i++)
        if (strcmp(verbs[i].word, word) == 0)
            return verbs[i].is_alone || *rest ? verbs[i].hint : NULL;
    return is_class(name) ? &call_kind_make_text : NULL;
}

void call_kinds_append_hint(struct text *text, const char *name)
{
    const struct said *hint = find_hint(name);

    if (hint)
        say(text, *hint, said_words(name));
}

static bool is_of_name(char letter)
{
    return isalnum((unsigned char)letter) || letter == '_';
}

/* Copies the name before a bracket.  Returns: false: there is none, or it is too long. */
static bool copy_name(char name[NAME_SIZE], const char *line, const char *bracket)
{
    const char *start = bracket;
    size_t size;

    while (start > line && is_of_name(start[-1]))
        start--;
    size = (size_t)(bracket - start);
    if (size == 0 || size >= NAME_SIZE || isdigit((unsigned char)*start))
        return false;
    memcpy(name, start, size);
    name[size] = '\0';
    return true;
}

void call_kinds_append_line_hint(struct text *text, const char *line)
{
    char only[NAME_SIZE] = "", name[NAME_SIZE];

    for (const char *bracket = strchr(line, '('); bracket; bracket = strchr(bracket + 1, '(')) {
        if (!copy_name(name, line, bracket) || !find_hint(name) || strcmp(name, only) == 0)
            continue;
        if (only[0])
            return;
        strcpy(only, name);
    }
    if (only[0])
        call_kinds_append_hint(text, only);
}
