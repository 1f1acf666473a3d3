/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The steps alone of a session that has some.
 */
#ifndef CMD_STEADY_H
#define CMD_STEADY_H

#include <stdbool.h>

#include "cmd/cmd.h"
#include "model/session.h"

/* Read the trace of a session again, only its steps and without blocks.
 * Returns: whether that makes sense and went well; then `steady` is to be closed. */
bool steady_open(struct session *steady, const struct session *session,
                 const struct cmd_options *options);

#endif
