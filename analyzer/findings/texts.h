/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sentences of texts.def, to be said by name.
 */
#ifndef FINDINGS_TEXTS_H
#define FINDINGS_TEXTS_H

#include "base/say.h"

#define ADVICE(rule, field, words)
#define TEXT(name, row) SAID_DECLARE(name)
#include "findings/texts.def"
#undef TEXT
#undef ADVICE

#endif
