/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sentences of texts.def.
 */
#include "devices/texts.h"

#define TEXT(name, row) SAID_DEFINE(name, row)
#include "devices/texts.def"
#undef TEXT
