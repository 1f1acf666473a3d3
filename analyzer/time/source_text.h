/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The text of source lines, where the file is here and is as it was when the program ran.
 */
#ifndef TIME_SOURCE_TEXT_H
#define TIME_SOURCE_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"
#include "base/status.h"
#include "base/text.h"

struct source_file;

struct source_text {
    const char *root;          /* a folder that is looked below first; NULL: none */
    uint64_t run_ns;           /* when the program started, since 1970 */
    struct source_file *files; /* by path, each read once */
    size_t changed;            /* of them that were written since */
};

void source_text_init(struct source_text *source, const char *root, uint64_t run_ns);

void source_text_fini(struct source_text *source);

/* Append a line without the blanks at its ends; nothing where the file is not here, is no
 * text of a size that people write, or was changed since the program ran.
 *
 * Units: lines count from 1.
 * Errors: STATUS_OUT_OF_MEMORY. */
enum status source_text_append(struct source_text *source, struct text *text, const char *path,
                               uint32_t line) MUST_CHECK;

#endif
