/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What to type instead of what cannot be done.
 */
#ifndef CMD_ADVICE_H
#define CMD_ADVICE_H

#include <stdbool.h>

#include "base/text.h"

/* Give the command of tprof that does what a word means in other tools: "run" for "record".
 * Returns: NULL when there is none. */
const char *advice_translate(const char *word);

/* Append how to start a file that stands here and was not found or cannot be started as a
 * program: "./hello.py", or "python3 hello.py" where it may not be executed.
 * Returns: whether there is such a file, and a way. */
bool advice_append_start(struct text *advice, const char *name);

#endif
