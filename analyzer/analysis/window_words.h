/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window of a session, for tables and documents.
 */
#ifndef ANALYSIS_WINDOW_WORDS_H
#define ANALYSIS_WINDOW_WORDS_H

#include "document/document.h"

struct session;

/* Say below a table which part of the run it covers; nothing for a whole run. */
void window_words_add_note(struct table *table, const struct session *session);

/* Add the record "window" of the JSON contract; of a whole run nothing. */
void window_words_add_record(struct document *document, const struct session *session);

/* Add the note to a document: in the record, and for people below the main table or in a line. */
void window_words_add(struct document *document, const struct session *session);

#endif
