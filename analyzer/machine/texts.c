/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sentences of texts.def.
 */
#include "machine/texts.h"

#define TEXT(name, row) SAID_DEFINE(name, row)
#include "machine/texts.def"
#undef TEXT
