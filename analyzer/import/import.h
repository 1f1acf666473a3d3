/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Turns other tools' logs into traces, with notes on missing data.
 */
#ifndef IMPORT_IMPORT_H
#define IMPORT_IMPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/attributes.h"
#include "base/status.h"
#include "base/text_list.h"
#include "import/trace.h"

/* A log that is read. */
struct import_reading {
    FILE *log;
    const char *name;  /* name of the log, for people */
    const char *event; /* the event of perf whose samples are used; NULL: tprof chooses */
    struct import_trace *trace;
    struct text_list *notes; /* sentences on what the trace lacks */
    struct diagnostic *diagnostic;
};

struct import_kind {
    const char *name, *tool, *help;
    /* Asks whether a log starts like those of the tool; the bytes end with a 0. */
    bool (*knows)(const char *bytes);
    enum status (*read)(struct import_reading *reading);
};

#define IMPORT_KIND(name, tool, help)                                                              \
    bool name##_knows(const char *bytes);                                                          \
    enum status name##_read(struct import_reading *reading);
#include "import/kinds.def"
#undef IMPORT_KIND

/* Returns: NULL past the last, or of a name that none has. */
const struct import_kind *import_kind_at(size_t index);
const struct import_kind *import_kind_find(const char *name);

/* Write the trace of a log.  A NULL `kind` is recognized from the log, which must then be a file.
 * Errors: STATUS_CORRUPT: the log is of no known tool, or has nothing to import; STATUS_IO;
 * STATUS_USAGE: the log lacks the event. */
enum status import_log(struct import_reading *reading, const struct import_kind *kind,
                       FILE *out) MUST_CHECK;

#endif
