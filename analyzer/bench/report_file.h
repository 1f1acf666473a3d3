/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The results that tprof bench or tprof scaling wrote as JSON, and from them their report again.
 *
 * What is fitted is fitted anew, from the medians in the file.
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
    struct scaling scaling;   /* of tprof scaling */
    struct document of_scaling;
};

/* Ask whether a file of JSON has such results; a file that cannot be read has none. */
bool report_file_is_at(const char *path);

/* Read it.  It may be closed all the same after a failure.
 * Errors: STATUS_IO, STATUS_CORRUPT, STATUS_UNSUPPORTED with a diagnostic that names the file and
 * what it holds instead. */
enum status report_file_open(struct report_file *file, const char *path,
                             struct diagnostic *diagnostic) MUST_CHECK;
void report_file_close(struct report_file *file);

#endif
