/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A growable list of strings that it owns.
 *
 * Each list belongs to one thread at a time.
 */
#include "base/text_list.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/pool.h"

/* Returns: the place of a new string of a size, with its zero. */
static char *add(struct text_list *list, size_t size)
{
    char **place = array_add(&list->strings);

    return *place = pool_resize(list->strings.pool, NULL, size);
}

void text_list_init(struct text_list *list)
{
    array_init(&list->strings, sizeof(char *));
    array_init(&list->ranks, sizeof(unsigned char));
}

void text_list_init_owned(struct text_list *list)
{
    array_init_owned(&list->strings, sizeof(char *));
    array_init_owned(&list->ranks, sizeof(unsigned char));
}

void text_list_fini(struct text_list *list)
{
    char **strings = list->strings.items;

    for (size_t i = 0; i < list->strings.count; i++)
        pool_free(list->strings.pool, strings[i]);
    array_fini(&list->strings);
    array_fini(&list->ranks);
}

void text_list_add(struct text_list *list, const char *string)
{
    size_t size = strlen(string) + 1;

    memcpy(add(list, size), string, size);
}

void text_list_addf(struct text_list *list, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    text_list_add_formatted(list, format, arguments);
    va_end(arguments);
}

void text_list_take(struct text_list *list, struct text *text)
{
    if (text->size > 0)
        text_list_add(list, text->bytes);
    text_fini(text);
}

void text_list_say_all(struct text_list *list, const struct said *said)
{
    struct text text;

    text_init(&text);
    say_all(&text, said);
    text_list_take(list, &text);
}

void text_list_add_formatted(struct text_list *list, const char *format, va_list arguments)
{
    va_list again;

    va_copy(again, arguments);
    int size = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (size < 0) /* longer than INT_MAX */
        memory_ran_out();
    vsnprintf(add(list, (size_t)size + 1), (size_t)size + 1, format, arguments);
}

void text_list_rank(struct text_list *list, size_t first, unsigned char rank)
{
    while (list->ranks.count < list->strings.count)
        array_add(&list->ranks);
    for (size_t i = first; i < list->ranks.count; i++)
        *(unsigned char *)array_at(&list->ranks, i) = rank;
}

unsigned char text_list_rank_at(const struct text_list *list, size_t index)
{
    return index < list->ranks.count ? *(unsigned char *)array_at(&list->ranks, index) : 0;
}

size_t text_list_count(const struct text_list *list)
{
    return list->strings.count;
}

const char *text_list_at(const struct text_list *list, size_t index)
{
    return *(char **)array_at(&list->strings, index);
}
