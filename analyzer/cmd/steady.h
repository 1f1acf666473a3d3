/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A session's steps without the rest, if it has steps.
 */
#ifndef CMD_STEADY_H
#define CMD_STEADY_H

#include <stdbool.h>

#include "cmd/cmd.h"
#include "model/session.h"

/* Read the trace of a session again, only its steps and without blocks.
 * Returns: whether steps are known and could be opened; if so, `steady` must be closed. */
bool steady_open(struct session *steady, const struct session *session,
                 const struct cmd_options *options);

#endif
