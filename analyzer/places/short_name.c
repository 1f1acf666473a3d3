/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shortens names of functions for rows, in one pass over the demangled name.
 *
 * Names may have any length and files may contain anything: an unclosed bracket reaches to the end.
 */
#include "places/short_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/text.h"

enum {
    NAME_MOST = 60,      /* characters in a column, before outer namespaces are left out */
    ARGUMENTS_MOST = 12, /* length of template arguments that stay: "<float>", "<double, 8>" */
};

static const char operator_word[] = "operator";
static const char left_out[] = "...";

static bool starts_with(const char *name, const char *start)
{
    return strncmp(name, start, strlen(start)) == 0;
}

static bool is_in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Returns: the text behind the bracket that closes the one here. */
static const char *skip_brackets(const char *at, char open, char close)
{
    unsigned depth = 0;

    for (; *at; at++) {
        bool is_arrow = at[0] == '-' && at[1] == '>';

        at += is_arrow;
        depth += !is_arrow && *at == open;
        depth -= !is_arrow && *at == close && depth > 0;
        if (depth == 0)
            return at + 1;
    }
    return at;
}

/* Returns: whether the word "operator" is here, and not "operators". */
static bool is_operator(const char *name, const char *at)
{
    return starts_with(at, operator_word) && !is_in_word(at[strlen(operator_word)]) &&
           (at == name || !is_in_word(at[-1]));
}

/* Types of results may have parentheses.
 * Returns: the text after "decltype (...)" or "__vector(2)"; else `at`. */
static const char *skip_type(const char *at)
{
    static const char *const words[] = {"decltype", "__vector"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *end = at + strlen(words[i]);

        if (!starts_with(at, words[i]))
            continue;
        end += *end == ' ';
        return *end == '(' ? skip_brackets(end, '(', ')') : at;
    }
    return at;
}

const char *short_name_find_own(const char *name)
{
    const char *start = name;
    int depth = 0;

    for (const char *at = name; *at && !(depth == 0 && *at == '('); at++) {
        at = depth == 0 ? skip_type(at) : at;
        if (*at == '\0' || (depth == 0 && is_operator(name, at)))
            break; /* the type may contain blanks, brackets and parentheses */
        depth += (*at == '<') - (*at == '>');
        if (depth == 0 && *at == ' ')
            start = at + 1;
    }
    return start;
}

/* Append "operator<<" and its kin: all up to the arguments, or to a conversion's type.
 * Returns: the rest. */
static const char *append_operator(struct text *text, const char *at)
{
    const char *end = at + strlen(operator_word);

    if (starts_with(end, "()"))
        end += 2;
    else
        end += strcspn(end, "(");
    text_append_bytes(text, at, (size_t)(end - at));
    return end;
}

/* Append template arguments if they are few.  Returns: the rest. */
static const char *append_arguments(struct text *text, const char *at)
{
    const char *end = skip_brackets(at, '<', '>');
    size_t size = (size_t)(end - at);

    if (size <= ARGUMENTS_MOST + 2 && !memchr(at, ':', size))
        text_append_bytes(text, at, size);
    else
        text_appendf(text, "<%s>", left_out);
    return end;
}

/* Rust: "<alloc::vec::Vec<T> as core::ops::Drop>::drop" is "<Vec<T> as Drop>::drop".
 * Returns: the text behind the bracket. */
static const char *append_trait(struct text *text, const char *at)
{
    const char *end = skip_brackets(at, '<', '>');
    size_t word = text->size + 1; /* where the last word started */

    text_append_bytes(text, at++, 1);
    while (at < end) {
        if (*at == '<') {
            at = append_arguments(text, at);
        } else if (starts_with(at, "::")) {
            text_truncate(text, word);
            at += 2;
        } else {
            if (!is_in_word(*at) || !is_in_word(at[-1]))
                word = text->size + !is_in_word(*at);
            text_append_bytes(text, at++, 1);
        }
    }
    return end;
}

/* Qualifiers of a function come after its arguments: " const", " &&", "[abi:cxx11]". */
static const char *skip_arguments(const char *at)
{
    at = skip_brackets(at, '(', ')');
    while (*at && !starts_with(at, "::") && *at != '#' && *at != '}')
        at++;
    return at;
}

/* Returns: the length of the noise at the start of a name. */
static size_t measure_noise(const char *at)
{
    static const char *const noise[] = {"(anonymous namespace)::", "__cxx11::", "__1::",
                                        "[abi:cxx11]"};

    for (size_t i = 0; i < sizeof noise / sizeof *noise; i++)
        if (starts_with(at, noise[i]))
            return strlen(noise[i]);
    return 0;
}

static const char *append_next(struct text *text, const char *name, const char *at)
{
    size_t noise = measure_noise(at);

    if (noise > 0)
        return at + noise;
    if (is_operator(name, at))
        return append_operator(text, at);
    if (*at == '<' && at == name)
        return append_trait(text, at);
    if (*at == '<')
        return append_arguments(text, at);
    if (*at == '(')
        return skip_arguments(at);
    text_append_bytes(text, at, 1);
    return at + 1;
}

/* Returns: the start of the name inside the outermost namespace; NULL when there is none. */
static const char *find_inner(const char *name)
{
    const char *at = name;

    if (*at == '<')
        return NULL;
    for (; *at && !starts_with(at, "::"); at++)
        if (*at == '<')
            at = skip_brackets(at, '<', '>') - 1;
    return *at ? at + 2 : NULL;
}

static void leave_out_namespaces(struct text *text, size_t begin)
{
    struct text whole;

    text_init(&whole);
    text_append(&whole, text->bytes + begin);
    const char *name = whole.bytes;
    const char *inner = find_inner(name);
    while (inner && strlen(name) > NAME_MOST - strlen(left_out)) {
        name = inner;
        inner = find_inner(name);
    }
    if (name > whole.bytes) {
        text_truncate(text, begin);
        text_appendf(text, "%s::%s", left_out, name);
    }
    text_fini(&whole);
}

void short_name_append(struct text *text, const char *name)
{
    const char *last = name + strlen(name);
    size_t begin = text->size;

    if (!strstr(name, "::") && (last == name || last[-1] != ')')) {
        text_append(text, name);
        return;
    }
    name = short_name_find_own(name);
    for (const char *at = name; *at;)
        at = append_next(text, name, at);
    if (text->size - begin > NAME_MOST)
        leave_out_namespaces(text, begin);
}
