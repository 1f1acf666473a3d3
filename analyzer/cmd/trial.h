/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A trial of catalog files: a program runs under the shim with them, and their hooked symbols
 * are listed.
 */
#ifndef CMD_TRIAL_H
#define CMD_TRIAL_H

#include "cmd/cmd.h"
#include "spec/catalog.h"

/* Run a program with the catalog files, and print which symbols of `catalog`, read from them, were
 * hooked.  The program's output goes to standard error.
 * Shape: `paths` and `command` end with NULL.
 * Errors: with a diagnostic: STATUS_NOT_FOUND and STATUS_IO when the program cannot be run,
 * STATUS_UNSUPPORTED when nothing can be preloaded into it. */
enum status trial_run(char **paths, const struct catalog *catalog, char **command,
                      struct cmd_outcome *outcome) MUST_CHECK;

#endif
