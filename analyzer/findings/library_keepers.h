/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Libraries that are known to keep what they make: the rows of library_keepers.def.
 */
#ifndef FINDINGS_LIBRARY_KEEPERS_H
#define FINDINGS_LIBRARY_KEEPERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "places/places.h"

struct leak_judgement;
struct session;

/* Append who keeps the blocks that grow in number.  Returns: whether a row matches. */
bool library_keepers_append(struct text *action, const struct session *session,
                            struct places *places, const struct leak_judgement *judgement);

#endif
