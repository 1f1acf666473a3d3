/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Suggests a command instead of one that does not work.
 */
#ifndef CMD_ADVICE_H
#define CMD_ADVICE_H

#include <stdbool.h>

#include "base/text.h"

/* Give the command of tprof for a word of other tools: "run" for "record".
 * Returns: NULL when there is none. */
const char *advice_translate(const char *word);

/* Append how to start a file that exists here but is not in PATH or cannot be started as a program:
 * "./hello.py", or "python3 hello.py" if it is not executable.
 * Returns: whether the file exists and can be started somehow. */
bool advice_append_start(struct text *advice, const char *name);

#endif
