/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sentences of texts.def.
 */
#include "findings/texts.h"

#define ADVICE(rule, field, words)
#define TEXT(name, row) SAID_DEFINE(name, row)
#include "findings/texts.def"
#undef TEXT
#undef ADVICE
