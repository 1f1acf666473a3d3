/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of the leak report, for leaks.c alone.
 */
#ifndef ANALYSIS_LEAKS_PARTS_H
#define ANALYSIS_LEAKS_PARTS_H

#include "analysis/memory/leak_verdict.h"
#include "analysis/memory/suppressions.h"

/* A site with blocks live at the end. */
struct leak_site {
    const struct session_site *site;
    double posterior;                /* that a block of it is never freed */
    bool is_suspect;                 /* at or above what the user asks */
    struct suppression *suppression; /* or NULL */
};

/* Sites with live blocks, the most bytes first, and sums of them. */
struct leak_sites {
    struct array sites; /* of struct leak_site */
    uint64_t suspect_bytes;
    uint64_t other_bytes;
    uint64_t suppressed_bytes;
    uint64_t suspects;
    uint64_t others;
    uint64_t suppressed;
};

/* Errors: STATUS_OUT_OF_MEMORY; leak_sites_fini may be called all the same. */
enum status leak_sites_init(struct leak_sites *sites, struct memory_work *work) MUST_CHECK;
void leak_sites_fini(struct leak_sites *sites);

/* Add a table of the suspects, or of the others; suppressed sites are in none. */
enum status leak_sites_add_table(struct document *document, struct memory_work *work,
                                 const struct leak_sites *sites, bool of_suspects) MUST_CHECK;

/* Fill a table of the growth by step: calls of regions, and snapshots. */
enum status leak_build_steps(const struct session *session, const struct analysis_options *options,
                             struct table *table) MUST_CHECK;

#endif
