/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sentences of texts.def, to be said by name.
 */
#ifndef BENCH_TEXTS_H
#define BENCH_TEXTS_H

#include "base/say.h"

#define TEXT(name, row) SAID_DECLARE(name)
#include "bench/texts.def"
#undef TEXT

#endif
