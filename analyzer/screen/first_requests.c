/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The requests of a service, in one line.
 */
#include "base/text.h"
#include "requests/service_line.h"
#include "screen/first_parts.h"
#include "screen/texts.h"

void first_add_requests(struct document *document, const struct report_sums *sums,
                        const struct analysis_options *options)
{
    struct text line, heading;

    text_init(&line);
    text_init(&heading);
    service_line_append(&line, sums->session, options->confidence);
    if (line.size == 0)
        return;
    say(&heading, first_requests_line_text, said_words(line.bytes));
    document_add_lines(document, NULL);
    document_head(document, &heading, "tprof requests");
}
