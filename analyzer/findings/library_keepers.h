/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Libraries that keep blocks: the rows of library_keepers.def.
 */
#ifndef FINDINGS_LIBRARY_KEEPERS_H
#define FINDINGS_LIBRARY_KEEPERS_H

#include "places/places.h"

struct leak_judgement;
struct session;

/* Find who keeps the blocks that grow in number.
 * Returns: the sentence about it, NULL if no row matches; `repair` is then the text of a source
 * file that has the repair, "" if none tells. */
const char *library_keepers_find(const char **repair, const struct session *session,
                                 struct places *places, const struct leak_judgement *judgement);

#endif
