/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums over allocation sites, and the measure that a user chose.
 */
#ifndef HEAP_HEAP_SUMS_H
#define HEAP_HEAP_SUMS_H

#include "analysis/analysis.h"
#include "model/session_heap.h"

struct session;

/* Each number may be SESSION_UNKNOWN. */
struct heap_sums {
    uint64_t sites;
#define SUM(name) uint64_t name;
#define SIZE(name, order) uint64_t name;
#define VARIANCE(name, error) double name;
#include "heap/heap_sums.def"
    uint64_t drawn[SESSION_SHARES]; /* drawn blocks that an amount is based on */
    struct session_share shares[SESSION_SHARES];
};

/* Returns: the sum of two numbers; SESSION_UNKNOWN if one of them is unknown. */
uint64_t heap_add(uint64_t sum, uint64_t part);

/* Add sums to sums. */
void heap_sums_merge(struct heap_sums *sums, const struct heap_sums *more);

/* Add a site. */
void heap_sums_add(struct heap_sums *sums, const struct session_site *site);

/* Ask whether records of blocks were requested and exist: without them there are no sites, and only
 * the totals are known. */
bool heap_sums_are_recorded(const struct session *session);

/* The sums over all sites of a session; without records its totals, and UNKNOWN for the rest. */
struct heap_sums heap_sums_of(const struct session *session);

/* Bytes, or a count; SESSION_UNKNOWN when the sum is. */
uint64_t heap_sums_measure(const struct heap_sums *sums, enum analysis_measure measure);

/* The measure's standard error, as a sum over some sites of a heap; 0 when exact.  Sites share
 * known totals, so the error is smaller than for independent sites. */
double heap_sums_error(const struct heap_sums *sums, const struct session *session,
                       enum analysis_measure measure);

/* The same for one amount of a row.  NAN: unknown, because no drawn block tells of it. */
double heap_sums_row_error(const struct heap_sums *sums, const struct session *session,
                           enum session_share_of of);

/* The error of a sum over all sites. */
double heap_sums_share_error(const struct heap_sums *sums, const struct session_heap *heap,
                             enum session_share_of of);

/* Ask whether a measure counts blocks; other measures are bytes. */
bool heap_measure_is_count(enum analysis_measure measure);

/* Ask whether sums of a measure over some of the sites are estimates. */
bool heap_measure_is_estimate(const struct session *session, enum analysis_measure measure);

/* The words behind a sum: "allocated", "live at the peak". */
const char *heap_measure_whole(enum analysis_measure measure);

/* The help on a measure: "bytes live at the end". */
const char *heap_measure_help(enum analysis_measure measure);

enum { HEAP_OTHERS_SIZE = 64 };

/* Write the name of a row that sums up others: "(3 others)".  Returns: the buffer. */
const char *heap_name_others(char buffer[HEAP_OTHERS_SIZE], size_t count);

#endif
