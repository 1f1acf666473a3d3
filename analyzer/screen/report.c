/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The report: what ran, where the time went, how much arithmetic, how much
 * memory, what was not seen and what we cost.
 */
#include "screen/report.h"

#include "screen/report_parts.h"

enum status report_build(const struct session *session, const struct analysis_options *options,
                         struct document *document)
{
    struct report_sums sums = {.session = session};
    enum status status = report_sums_init(&sums, session, options);

    document_init(document);
    if (!status)
        status = report_add_screen(document, &sums);
    if (!status)
        status = report_add_facts(document, &sums, options);
    report_sums_fini(&sums);
    return status;
}
