/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Logs of oneDNN (DNNL_VERBOSE=1 or ONEDNN_VERBOSE=profile_exec) as traces.
 */
#ifndef IMPORT_ONEDNN_H
#define IMPORT_ONEDNN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/attributes.h"
#include "base/status.h"

/* What came of a log. */
struct onednn_outcome {
    uint64_t calls;
    uint64_t unknown_calls; /* whose work is not known here */
    uint64_t bad_lines;     /* of the log, that were cut or of another version */
    bool has_times;         /* lines tell when they were printed */
};

/* Write the trace of a log.
 * Errors: STATUS_CORRUPT: it has no line of an execution; STATUS_OUT_OF_MEMORY. */
enum status onednn_import(FILE *log, const char *name, FILE *out, struct onednn_outcome *outcome,
                          struct diagnostic *diagnostic) MUST_CHECK;

/* The paragraphs of the kernel catalog on oneDNN. */
extern const char onednn_catalog[];

#endif
