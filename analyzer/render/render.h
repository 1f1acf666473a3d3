/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables and documents as bytes of some format.
 *
 * A renderer prints the results of an analysis and computes nothing.  Each format is one file,
 * which ends with the constant that registers it; renderers.def lists the names.  All renderers may
 * be called on any thread.
 */
#ifndef RENDER_RENDER_H
#define RENDER_RENDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/attributes.h"
#include "base/status.h"
#include "document/document.h"
#include "document/table.h"

/* The version of the JSON contract; changing or removing a key raises it. */
enum { RENDER_SCHEMA_VERSION = 1 };

/* The kind of a line, for a viewer that moves through the rows of the text. */
enum render_mark_kind {
    RENDER_HEADING,
    RENDER_TITLES, /* the titles of a table */
    RENDER_ROW     /* a row, or a line below a row */
};

struct render_mark {
    size_t line; /* line number from 0 on */
    enum render_mark_kind kind;
    const struct table *table; /* table of the titles and rows */
    size_t row;
};

/* How to print for people; the formats for machines use only `full_precision`.
 * terminal.h finds the options for an output. */
struct render_options {
    size_t width;        /* in terminal columns; 0 has no limit */
    bool colour;         /* may use escape sequences */
    bool unicode;        /* may use characters beyond ASCII */
    bool full_precision; /* all digits, in the unit of the data */
    /* Is a table with this name also a command?  NULL: all are. */
    bool (*is_command)(const char *name);
    struct array *marks; /* of struct render_mark, by line, filled by the text; or NULL */
};

/* Both functions end with render_finish, so a success has reached the file. */
struct renderer {
    const char *name; /* name for --format */
    const char *help; /* one sentence for the manual */
    bool is_for_programs;
    bool is_for_checks; /* as those of tprof gate, and for nothing else */
    enum status (*table)(const struct table *table, const struct render_options *options, FILE *out,
                         struct diagnostic *diagnostic);
    enum status (*document)(const struct document *document, const struct render_options *options,
                            FILE *out, struct diagnostic *diagnostic);
};

#define RENDERER(name) extern const struct renderer renderer_##name;
#include "render/renderers.def"
#undef RENDERER

/* Give the renderers one by one.
 *
 * Returns: NULL past the last.
 */
const struct renderer *render_at(size_t index);

/* Find a renderer by its name.
 *
 * Errors: STATUS_USAGE: the name is unknown; the diagnostic lists the names.
 */
enum status render_find(const char *name, const struct renderer **renderer,
                        struct diagnostic *diagnostic) MUST_CHECK;

/* End an output: flush it, and check that all of it was written.
 *
 * Errors: STATUS_IO: a full disk, a closed pipe.
 */
enum status render_finish(FILE *out, struct diagnostic *diagnostic) MUST_CHECK;

#endif
