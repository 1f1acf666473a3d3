/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sentences of texts.def.
 */
#include "incidents/texts.h"

#define TEXT(name, row) SAID_DEFINE(name, row)
#include "incidents/texts.def"
#undef TEXT
