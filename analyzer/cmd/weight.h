/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads the weight of call stacks.
 */
#ifndef CMD_WEIGHT_H
#define CMD_WEIGHT_H

#include "base/attributes.h"
#include "base/status.h"
#include "export/stacks.h"

/* Read the name of a weight, for a command.  Errors: STATUS_USAGE with all names. */
enum status weight_read(const char *command, const char *text, enum export_weight *weight,
                        struct diagnostic *diagnostic) MUST_CHECK;

#endif
