/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The first screen: five questions answered in forty lines of a hundred columns.
 *
 * Each block names the next command next to its heading.  `tprof report --full` prints the whole
 * report, in report_screen.c.
 */
#include "screen/first_screen.h"

#include "screen/first_parts.h"
#include "steps/phases.h"

void first_screen_add(struct document *document, const struct report_sums *sums,
                      const struct analysis_options *options)
{
    struct phases found;
    struct report_sums kin;
    bool are;

    phases_find(&found, sums->session, options->find_frames, &are);
    const struct phases *phases = are ? &found : NULL;

    first_add_head(document, sums);
    first_add_wall(document, sums, phases, options->kin_count);
    first_add_requests(document, sums, options);
    first_add_time(document, sums, phases, options);
    first_add_devices(document, sums, options);
    if (options->kin)
        report_sums_init(&kin, options->kin->session, options);
    first_add_advice(document, sums, options->kin, &kin);
    first_add_memory(document, sums, &kin, options);
    if (options->kin)
        report_sums_fini(&kin);
    first_add_unknown(document, sums, options);
}
