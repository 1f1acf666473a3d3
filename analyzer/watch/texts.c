/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sentences of texts.def.
 */
#include "watch/texts.h"

#define TEXT(name, row) SAID_DEFINE(name, row)
#include "watch/texts.def"
#undef TEXT
