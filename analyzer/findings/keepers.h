/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of a source file that may keep what another line makes.
 */
#ifndef FINDINGS_KEEPERS_H
#define FINDINGS_KEEPERS_H

#include "base/text.h"

struct place;
struct session;

/* Append advice about a cache without a limit in the Python file of `owner`, which made the blocks;
 * nothing if the file has none, is absent, or was changed since the run. */
void keepers_append(struct text *action, const struct session *session, const struct place *owner);

#endif
