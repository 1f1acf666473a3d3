/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sentences of texts.def, to be said by name.
 */
#ifndef LIVE_TEXTS_H
#define LIVE_TEXTS_H

#include "base/say.h"

#define TEXT(name, row) SAID_DECLARE(name)
#include "live/texts.def"
#undef TEXT

#endif
