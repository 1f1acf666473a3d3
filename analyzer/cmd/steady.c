/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * People see the processor time of only the steps, if the program has steps.
 */
#include "cmd/steady.h"

#include "steps/phases.h"

bool steady_open(struct session *steady, const struct session *session,
                 const struct cmd_options *options)
{
    struct cmd_options of_steps = *options;
    struct diagnostic unused;
    bool is_worth = false;

    phases_find_steady(&of_steps.window, session, options->analysis.find_frames, &is_worth);
    of_steps.leaves_heap = true;
    of_steps.symbols = session->symbols;
    return is_worth && cmd_open_session(steady, session->path, &of_steps, &unused) == STATUS_OK;
}
