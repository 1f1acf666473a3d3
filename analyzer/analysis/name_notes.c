/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sources of the names of a table's places, and why some names are missing.
 */
#include "analysis/name_notes.h"

#include "analysis/texts.h"
#include "base/text.h"
#include "model/session.h"
#include "symbols/symbols.h"

/* Files that are not here, or not those that ran. */
static void note_stored(struct table *table, const struct session *session)
{
    struct text files;

    if (!session->symbols)
        return;
    text_init(&files);
    symbols_append_stored(&files, session->symbols);
    if (files.size > 0)
        table_say(table, names_stored_text, said_words(files.bytes));
    text_fini(&files);
}

/* A user who brought a trace from another system can bring its files, too. */
static void note_elsewhere(struct table *table, const struct session *session)
{
    if (!session->symbols || !symbols_lacks_files(session->symbols) ||
        symbols_root(session->symbols))
        return;
    table_say(table, names_elsewhere_text);
}

/* Shows the files without names in the order of the requests, so those of the largest rows come
 * first. */
void name_notes_add(struct table *table, const struct session *session)
{
    enum { SHOWN = 3 };

    note_stored(table, session);
    for (size_t i = 0; session->symbols && i < SHOWN; i++) {
        const char *problem = symbols_problem(session->symbols, i);

        if (!problem)
            break;
        table_say(table, names_missing_text, said_words(problem));
    }
    note_elsewhere(table, session);
}

void name_notes_add_for(struct table *table, const struct session *session, enum analysis_by by)
{
    if (by == ANALYSIS_BY_SITE || by == ANALYSIS_BY_LINE || by == ANALYSIS_BY_FUNCTION ||
        by == ANALYSIS_BY_FILE)
        name_notes_add(table, session);
}
