/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Leaks that the user knows, in the syntax of LeakSanitizer's suppressions: a line `leak:PATTERN`
 * for each, `#` before comments, patterns as in wildcard.h.
 */
#ifndef HEAP_SUPPRESSIONS_H
#define HEAP_SUPPRESSIONS_H

#include <stdint.h>
#include <stdio.h>

#include "base/array.h"
#include "base/status.h"

struct suppression {
    char *pattern;
    uint64_t sites;        /* number of sites that it matched */
    uint64_t bytes;        /* live at exit in these */
    uint64_t mappings;     /* call chains of mmap and mremap that it matched */
    uint64_t mapped_bytes; /* mapped at exit by these */
};

struct suppressions {
    struct array rows; /* of struct suppression, as in the file */
};

/* Read a file that is open; `path` is for messages.
 * Errors: STATUS_USAGE for a line of another form, with path and line number;
 * STATUS_IO.  Needs no suppressions_fini then. */
enum status suppressions_init(struct suppressions *suppressions, FILE *file, const char *path,
                              struct diagnostic *diagnostic) MUST_CHECK;
void suppressions_fini(struct suppressions *suppressions);

#endif
