/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof list --completion: a shell's rules for the words after tprof, made from the tables of
 * commands and options.  make installs them; a user may source them too.
 */
#ifndef CMD_COMPLETION_H
#define CMD_COMPLETION_H

#include "base/status.h"
#include "base/text.h"

/* Write the rules of a shell: bash, zsh or fish.
 * Errors: STATUS_USAGE: the shell is none of these. */
enum status completion_write(struct text *script, const char *shell,
                             struct diagnostic *diagnostic) MUST_CHECK;

#endif
