/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by all parts of a report on memory.
 */
#ifndef HEAP_MEMORY_WORK_H
#define HEAP_MEMORY_WORK_H

#include "analysis/analysis.h"
#include "base/status.h"
#include "base/text.h"
#include "document/table.h"
#include "heap/heap_rows.h"
#include "places/places.h"

struct chain_rows;
struct session;
struct session_site;
struct suppressor;

/* A session while a report on its memory is made. */
struct memory_work {
    const struct session *session;
    const struct analysis_options *options;
    struct places *places;
    struct chain_rows *chains;
    struct suppressor *suppressor; /* NULL without suppressions */
};

void memory_work_init(struct memory_work *work, const struct session *session,
                      const struct analysis_options *options);
void memory_work_fini(struct memory_work *work);

/* Returns: the common part of all rows of one measure. */
struct heap_view heap_view_of(const struct memory_work *work);

/* Set the columns of a call chain and of its owner, PLACE_CHAIN_COLUMNS cells, by its call. */
void memory_set_chain(struct value *cells, struct memory_work *work, uint32_t call);

/* Returns: the symbol of the kernel that a site was in, or NULL. */
const char *site_kernel(const struct session *session, const struct session_site *site);

/* Append ", most by keep leak.c:65 (200 KiB)". */
void memory_append_most(struct text *text, const struct memory_work *work,
                        const struct session_site *site, uint64_t bytes);

/* The same for the site with the most live blocks at the end; nothing if no block is live. */
void memory_append_most_live(struct text *text, const struct memory_work *work);

/* Append the place of the allocation that made the peak; nothing when unknown. */
void memory_append_peak_site(struct text *text, const struct memory_work *work,
                             place_appender append);

#endif
