/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A growable list of strings that it owns.
 *
 * For the notes under a table, the words of a command, the lines of a section.
 */
#ifndef BASE_TEXT_LIST_H
#define BASE_TEXT_LIST_H

#include <stdarg.h>
#include <stddef.h>

#include "base/array.h"
#include "base/attributes.h"
#include "base/say.h"
#include "base/status.h"

struct text_list {
    struct array strings; /* char * */
    struct array ranks;   /* unsigned char, by string; those behind the last have none */
};

/* Start an empty list in the pool in use, if there is one. */
void text_list_init(struct text_list *list);

/* The same in no pool: the list outlives the work that fills it. */
void text_list_init_owned(struct text_list *list);

/* Free the list and its strings.  Those of a pool go with the pool. */
void text_list_fini(struct text_list *list);

/* Add a copy of a string.
 */
void text_list_add(struct text_list *list, const char *string);

/* Add a text as printf prints it.
 */
void text_list_addf(struct text_list *list, const char *format, ...) PRINTF_LIKE(2, 3);

/* Add a composed text, unless it is empty, and finish the text. */
void text_list_take(struct text_list *list, struct text *text);

/* Add a sentence: see say.
 */
#define text_list_say(list, ...) text_list_say_all(list, SAID_LIST(__VA_ARGS__))
void text_list_say_all(struct text_list *list, const struct said *said);

/* Add a text as vprintf prints it.
 */
void text_list_add_formatted(struct text_list *list, const char *format, va_list arguments)
    PRINTF_LIKE(2, 0);

/* Let a page without room for all leave out the strings from `first` on.  Those of the highest rank
 * go first; those without a rank, or of rank 0, stay. */
void text_list_rank(struct text_list *list, size_t first, unsigned char rank);

/* Give the rank of string `index`; 0: it has none. */
unsigned char text_list_rank_at(const struct text_list *list, size_t index);

/* Count the strings. */
size_t text_list_count(const struct text_list *list);

/* Give string `index`, which must exist; the list keeps owning it. */
const char *text_list_at(const struct text_list *list, size_t index);

#endif
