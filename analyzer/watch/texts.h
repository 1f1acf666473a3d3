/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sentences of texts.def, to be said by name.
 */
#ifndef WATCH_TEXTS_H
#define WATCH_TEXTS_H

#include "base/say.h"

#define TEXT(name, row) SAID_DECLARE(name)
#include "watch/texts.def"
#undef TEXT

#endif
