/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LISTEN-QUEUE: Linux drops the connections of clients, because the queue of a socket that listens
 * is full.  Its clients try again by timers of TCP.
 *
 * The count is one of the network namespace, so it counts only where the program accepts.
 */
#include <string.h>

#include "findings/context.h"
#include "findings/texts.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_unknown.h"
#include "waits/wait_rows.h"

static const double least_drops = 3; /* fewer are chance */

static const struct session_surroundings *surroundings_at(const struct session *session,
                                                          size_t index)
{
    return array_at(&session->surroundings, index);
}

/* Returns: SESSION_UNKNOWN where the kernel did not say. */
static uint64_t count_drops(const struct session *session)
{
    size_t count = session->surroundings.count;
    uint64_t first, last;

    if (count < 2)
        return SESSION_UNKNOWN;
    first = surroundings_at(session, 0)->values.listen_overflows;
    last = surroundings_at(session, count - 1)->values.listen_overflows;
    if (first == SESSION_UNKNOWN || last == SESSION_UNKNOWN || last < first)
        return SESSION_UNKNOWN;
    return last - first;
}

/* Returns: the row of accept() with the most calls; NULL: the program accepts nothing. */
static const struct wait_row *find_accepting(const struct wait_rows *rows)
{
    static const char name[] = "accept";
    const struct wait_row *most = NULL;

    for (size_t i = 0; i < rows->rows.count; i++) {
        const struct wait_row *row = array_at(&rows->rows, i);

        if (strncmp(row->name, name, sizeof name - 1) == 0 && (!most || row->calls > most->calls))
            most = row;
    }
    return most;
}

void rule_listen_queue(const struct findings_context *context, struct findings *findings)
{
    uint64_t drops = count_drops(context->session);
    const struct wait_row *accepting;
    struct wait_rows rows;
    struct finding *finding;

    wait_rows_init(&rows, context->session, ANALYSIS_BY_DEFAULT);
    accepting = find_accepting(&rows);
    if (!accepting || drops == SESSION_UNKNOWN) {
        findings_skip(findings, accepting ? listen_queue_unknown_text : listen_queue_none_text);
        return;
    }
    if ((double)drops < least_drops) {
        findings_pass(findings, listen_queue_passed_text, said_count(drops));
        return;
    }
    finding = findings_add_doubt(findings, false, FINDING_CONFIDENCE_HIGH);
    say(&finding->title, listen_queue_title_text, said_count(drops));
    if (accepting->place)
        text_append(&finding->place, accepting->place);
    say(&finding->evidence, listen_queue_rows_text, said_words(accepting->name),
        said_count(accepting->calls));
    finding_add_number(finding, "drops", (double)drops);
}
