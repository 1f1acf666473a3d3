/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The symbols of a trace's modules, for tprof pack --symbols.
 */
#ifndef CMD_PACK_SYMBOLS_H
#define CMD_PACK_SYMBOLS_H

#include "base/attributes.h"
#include "base/status.h"
#include "base/text.h"

/* Find the functions, source files and lines of every address of a trace, and the kernels that its
 * modules define, and write them as facts.  `root`: see symbols_set_root.
 *
 * Errors: those of session_open.
 */
enum status pack_symbols_gather(const char *path, const char *root, struct text *facts,
                                struct diagnostic *diagnostic) MUST_CHECK;

#endif
