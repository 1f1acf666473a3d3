/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a line of Python has its time in: the function of a library that it calls, and the innermost
 * one below with half of that time.
 */
#ifndef FINDINGS_LIBRARY_PATH_H
#define FINDINGS_LIBRARY_PATH_H

#include <stdbool.h>

#include "cpu/cpu_row.h"
#include "places/places.h"

struct library_path {
    const struct place *entry; /* NULL: the line calls no library */
    const struct place *inner; /* the same where none below has half */
    double inner_ns;
};

/* Ask whether a line of the program's own is meant. */
typedef bool library_path_filter(const struct place *own, const void *of);

/* Find the path with most of the samples whose innermost own line is meant.  The places belong to
 * `time`. */
void library_path_find(struct library_path *path, const struct cpu_time *time,
                       library_path_filter *is_meant, const void *of);

/* Find the path with most of the samples that no own line of Python is above. */
void library_path_find_unowned(struct library_path *path, const struct cpu_time *time);

/* Append the name of a library's function: "chardet.universaldetector UniversalDetector.feed". */
void library_path_append(struct text *text, const struct place *place);

#endif
