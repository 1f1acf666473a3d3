/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of the memory reports, for memory.c and leaks.c.
 */
#ifndef HEAP_MEMORY_PARTS_H
#define HEAP_MEMORY_PARTS_H

#include "heap/heap_rows.h"
#include "heap/memory_facts.h"
#include "heap/memory_work.h"
#include "model/session_heap.h"

struct session;

/* Tables.  Each function fills a table and its notes.  One row for each site, sorted by the
 * measure; `limit` rows, or all for 0. */
void memory_build_sites(struct memory_work *work, struct table *table, size_t limit);

/* One row for each call chain that mapped memory, sorted by the measure: at its peak, at the end,
 * or the number of calls; `limit` rows, or all for 0. */
void memory_build_mappings(struct memory_work *work, struct table *table, size_t limit);

/* One row for each call chain whose mappings are larger at the end than at `from_ns`, and that has
 * a twentieth of the growth of such chains, sorted by growth; at most `limit` rows.  Suppressed
 * chains are left out. */
void memory_build_mapping_suspects(struct memory_work *work, struct table *table, uint64_t from_ns,
                                   size_t limit);

/* Rows that are sites gathered by a place or a kernel: a bit 1 << ANALYSIS_BY_... each. */
enum {
    MEMORY_GROUPS = 1 << ANALYSIS_BY_FUNCTION | 1 << ANALYSIS_BY_PYTHON | 1 << ANALYSIS_BY_LINE |
                    1 << ANALYSIS_BY_OWNER | 1 << ANALYSIS_BY_LIBRARY | 1 << ANALYSIS_BY_FILE |
                    1 << ANALYSIS_BY_KERNEL
};

/* One row for each group, sorted by the measure; `limit` rows, or all for 0. */
void memory_build_groups(struct memory_work *work, struct table *table, size_t limit);

/* Append the name of a site's row, which is also its key; `place` is the site's place, without a
 * function if it has none. */
void memory_append_group(struct text *name, const struct memory_work *work,
                         const struct session_site *site, struct place *place);

/* Functions under their callers, or above them. */
void memory_build_tree(struct memory_work *work, struct table *table);

/* One row a step or an epoch of the program, in their order. */
void memory_build_steps(struct memory_work *work, struct table *table);

void memory_build_regions(struct memory_work *work, struct table *table);
void memory_build_threads(struct memory_work *work, struct table *table);

/* The histograms with all their bins, or `limit` rows of them. */
void memory_build_sizes(struct memory_work *work, struct table *table, size_t limit);
void memory_build_lifetimes(struct memory_work *work, struct table *table, size_t limit);

/* Resident memory by part: one row a part when it was highest, and one row a moment. */
void memory_build_resident(struct memory_work *work, struct table *table);
void memory_build_resident_moments(struct memory_work *work, struct table *table);

/* The known totals: a record for programs, lines for people. */
void memory_add_head(struct document *document, struct memory_work *work);

/* Add the lines for people. */
void memory_add_lines(struct record *record, const struct memory_work *work);

/* Returns: the region that was open at the peak, or NULL; for the thread, its number or UNKNOWN. */
const char *memory_peak_region(const struct session *session);
uint64_t memory_peak_thread(const struct session *session);

/* Returns: the share of a part in a whole; NAN when one of them is unknown. */
double memory_share(const struct session_heap *heap, uint64_t part, uint64_t whole);

/* The heap over time: the plot, the readings, the moments. */
void memory_add_timeline(struct document *document, struct memory_work *work);

/* Add the changes since another session. */
void memory_add_difference(struct document *document, struct memory_work *work);

#endif
