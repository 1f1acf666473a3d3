/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sentences of texts.def.
 */
#include "places/texts.h"

#define TEXT(name, row) SAID_DEFINE(name, row)
#include "places/texts.def"
#undef TEXT
