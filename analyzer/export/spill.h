/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts that grow side by side, as columns of a table do, and may exceed memory.
 *
 * Their pieces wait in one temporary file without a name; if the file fails, they stay in memory.
 * A text that got bytes is never empty, so callers may rely on its size.
 */
#ifndef EXPORT_SPILL_H
#define EXPORT_SPILL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/array.h"
#include "base/text.h"

/* A zeroed one is empty. */
struct spill {
    FILE *file; /* NULL: not needed yet, or not available */
    uint64_t size;
    bool has_failed;
};

struct spill_text {
    struct text rest;    /* the latest bytes */
    struct array pieces; /* of struct spill_piece, the earlier bytes */
};

void spill_fini(struct spill *spill);

void spill_text_init(struct spill_text *text);
void spill_text_fini(struct spill_text *text);

/* Move the latest bytes of a text to the file, once there are enough. */
void spill_move(struct spill *spill, struct spill_text *text);

/* Write a whole text.  Returns: false: a part of it is missing. */
bool spill_write(const struct spill *spill, const struct spill_text *text, FILE *out);

#endif
