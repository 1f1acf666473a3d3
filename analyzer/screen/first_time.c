/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the time of the threads went: the five rows that took most, and the rest.
 */
#include "base/text.h"
#include "model/session.h"
#include "screen/first_parts.h"
#include "screen/texts.h"

enum { FIRST_ROWS = 5 };

enum status first_add_time(struct document *document, const struct report_sums *sums)
{
    const struct session *session = sums->session;
    struct table *table = document_add_table(document, "time", SECTION_IN_TEXT);
    enum status status;
    struct text heading;

    if (!table)
        return STATUS_OUT_OF_MEMORY;
    text_init(&heading);
    say(&heading, first_thread_time_text, said_time((double)session->thread_ns),
        said_count(session->threads.count));
    status = document_head(document, &heading, "tprof top");
    text_fini(&heading);
    return status ? status : report_fill_time(table, sums, FIRST_ROWS);
}
