/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The text of source lines, if the file is here and unchanged since the run.
 */
#ifndef PLACES_SOURCE_TEXT_H
#define PLACES_SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"

struct session;
struct source_file;

struct source_text {
    const struct session *session;
    struct source_file *files; /* by path, each read once */
    size_t changed;            /* files written since the program started */
    struct pool *pool;         /* of the files */
};

enum source_state {
    SOURCE_HERE,
    SOURCE_MISSING, /* absent, or no text of a plausible size */
    SOURCE_CHANGED  /* written since the program started */
};

/* Start without files, in the pool in use. */
void source_text_init(struct source_text *source, const struct session *session);

/* Returns: the rest of a path after the prefix that the session's paths lose; else the whole
 * path. */
const char *source_text_path(const struct source_text *source, const char *path);

/* Find the state of a file. */
void source_text_find(struct source_text *source, const char *path, enum source_state *state);

/* Append a line with the spaces at its start.  Returns: whether the file has the line. */
bool source_text_append_whole(struct source_text *source, struct text *text, const char *path,
                              uint32_t line);

/* Append a line without blanks at its ends.  Nothing is appended if the file is absent, is no text
 * of a plausible size, was changed since the program ran, or must not be shown.
 *
 * Units: lines count from 1. */
void source_text_append(struct source_text *source, struct text *text, const char *path,
                        uint32_t line);

#endif
