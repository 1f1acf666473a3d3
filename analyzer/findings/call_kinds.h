/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What to try with a function that takes most of a line, by the verb in its name: for costs that no
 * catalog knows.
 */
#ifndef FINDINGS_CALL_KINDS_H
#define FINDINGS_CALL_KINDS_H

#include "base/text.h"

/* Append a sentence that says what may be spared: "If get_vocab() returns the same each time, ...".
 * `name`: without its class and arguments.  Appends nothing for a name without a known verb. */
void call_kinds_append_hint(struct text *text, const char *name);

/* Append the hint for the only call on a line of code whose name has a known verb. */
void call_kinds_append_line_hint(struct text *text, const char *line);

#endif
