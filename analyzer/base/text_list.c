/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A growable list of strings that it owns.
 *
 * Each list belongs to one thread at a time.
 */
#include "base/text_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns: STATUS_OK when the list has taken the string over. */
static enum status take(struct text_list *list, char *string)
{
    char **place = string ? array_add(&list->strings) : NULL;

    if (!place) {
        free(string);
        return STATUS_OUT_OF_MEMORY;
    }
    *place = string;
    return STATUS_OK;
}

void text_list_init(struct text_list *list)
{
    array_init(&list->strings, sizeof(char *));
}

void text_list_fini(struct text_list *list)
{
    char **strings = list->strings.items;

    for (size_t i = 0; i < list->strings.count; i++)
        free(strings[i]);
    array_fini(&list->strings);
}

enum status text_list_add(struct text_list *list, const char *string)
{
    return take(list, strdup(string));
}

enum status text_list_addf(struct text_list *list, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    enum status status = text_list_add_formatted(list, format, arguments);
    va_end(arguments);
    return status;
}

enum status text_list_take(struct text_list *list, struct text *text)
{
    enum status status = text_status(text);

    if (!status && text->size > 0)
        status = text_list_add(list, text->bytes);
    text_fini(text);
    return status;
}

enum status text_list_say_all(struct text_list *list, const struct said *said)
{
    struct text text;

    text_init(&text);
    say_all(&text, said);
    return text_list_take(list, &text);
}

enum status text_list_add_formatted(struct text_list *list, const char *format, va_list arguments)
{
    va_list again;

    va_copy(again, arguments);
    int size = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *string = size < 0 ? NULL : malloc((size_t)size + 1);
    if (string)
        vsnprintf(string, (size_t)size + 1, format, arguments);
    return take(list, string);
}

size_t text_list_count(const struct text_list *list)
{
    return list->strings.count;
}

const char *text_list_at(const struct text_list *list, size_t index)
{
    return *(char **)array_at(&list->strings, index);
}
