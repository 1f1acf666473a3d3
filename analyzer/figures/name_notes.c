/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the names of a table's places come from, and why some are missing.
 */
#include "figures/name_notes.h"

#include "base/text.h"
#include "figures/texts.h"
#include "model/session.h"
#include "model/symbols.h"

/* Files that are not here, or not those that ran. */
static enum status note_stored(struct table *table, const struct session *session)
{
    enum status status;
    struct text files;

    if (!session->symbols)
        return STATUS_OK;
    text_init(&files);
    symbols_append_stored(&files, session->symbols);
    status = text_status(&files);
    if (!status && files.size > 0)
        status = table_say(table, names_stored_text, said_words(files.bytes));
    text_fini(&files);
    return status;
}

/* Who brought a trace from another system can bring its files, too. */
static enum status note_elsewhere(struct table *table, const struct session *session)
{
    if (!session->symbols || !symbols_lacks_files(session->symbols) ||
        symbols_root(session->symbols))
        return STATUS_OK;
    return table_say(table, names_elsewhere_text);
}

/* Of the files without names those that were asked for first, which are those of
 * the largest rows. */
enum status name_notes_add(struct table *table, const struct session *session)
{
    enum { SHOWN = 3 };
    enum status status = note_stored(table, session);

    for (size_t i = 0; session->symbols && i < SHOWN && !status; i++) {
        const char *problem = symbols_problem(session->symbols, i);

        if (!problem)
            break;
        status = table_say(table, names_missing_text, said_words(problem));
    }
    return status ? status : note_elsewhere(table, session);
}

enum status name_notes_add_for(struct table *table, const struct session *session,
                               enum analysis_by by)
{
    return by == ANALYSIS_BY_SITE ? name_notes_add(table, session) : STATUS_OK;
}
