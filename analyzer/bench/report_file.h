/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads the JSON of tprof bench or tprof scaling and makes their report again.
 *
 * Fits are computed again, from the medians in the file.
 */
#ifndef BENCH_REPORT_FILE_H
#define BENCH_REPORT_FILE_H

#include "bench/report.h"

struct report_file {
    const struct document *document; /* the report, for people */
    const char *title;               /* "tprof bench" */
    struct plan plan;
    struct results results; /* its samples are not in the file */
    struct array samples;
    struct text_list warnings;
    struct bench_report report;
    struct scaling scaling;   /* the result of tprof scaling */
    struct document of_scaling;
};

/* Ask whether a JSON file has such results; a file that cannot be read has none. */
bool report_file_is_at(const char *path);

/* Read a file.  The file may be closed even after a failure.
 * Errors: STATUS_IO, STATUS_CORRUPT, STATUS_UNSUPPORTED with a diagnostic that names the file and
 * its actual contents. */
enum status report_file_open(struct report_file *file, const char *path,
                             struct diagnostic *diagnostic) MUST_CHECK;
void report_file_close(struct report_file *file);

#endif
