/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of the leak report, for leaks.c alone.
 */
#ifndef ANALYSIS_LEAKS_PARTS_H
#define ANALYSIS_LEAKS_PARTS_H

#include "analysis/memory/leak_verdict.h"
#include "analysis/memory/memory_parts.h"

/* A site with blocks live at the end. */
struct leak_site {
    const struct session_site *site;
    double growth_bytes; /* live at the end above what was live after the warm-up; NAN */
    double posterior;    /* that a block of it is never freed */
    bool is_suspect;
    struct suppression *suppression; /* or NULL */
};

/* Sites with live blocks and sums of them: suspects first, by their growth, then the
 * others, by their live bytes. */
struct leak_sites {
    struct array sites;       /* of struct leak_site */
    double suspect_growth;    /* live bytes where the growth is not known */
    double suppressed_growth; /* 0 where it is not known */
    uint64_t suspect_bytes;
    uint64_t other_bytes;
    uint64_t suppressed_bytes;
    uint64_t suspects;
    uint64_t others;
    uint64_t suppressed;
};

/* Find the sites, and which of them are suspect: those that have more live at the end than
 * after the warm-up, which ended at `from_ns`, and either have a twentieth of what such
 * sites grew by or keep their blocks.
 *
 * Errors: STATUS_OUT_OF_MEMORY; leak_sites_fini may be called all the same. */
enum status leak_sites_init(struct leak_sites *sites, struct memory_work *work,
                            uint64_t from_ns) MUST_CHECK;
void leak_sites_fini(struct leak_sites *sites);

/* The mappings that are suppressed, and what there is beside them. */
struct leak_mappings {
    uint64_t suppressed; /* call chains of mmap and mremap */
    uint64_t suppressed_bytes;
    struct leak_outside_rest rest; /* at the marks in the window; no times when unknown */
};

/* Find what is mapped at the end by chains that are suppressed.  Errors: STATUS_OUT_OF_MEMORY. */
enum status leak_mappings_find(struct leak_mappings *mappings, struct memory_work *work,
                               const struct memory_window *window) MUST_CHECK;

/* Where nothing grows nobody is suspect. */
void leak_sites_clear_suspects(struct leak_sites *sites);

/* Take what all sites but the suppressed ones had live at each mark in a window; no point
 * when that is not known. */
void leak_sites_fill_rest(struct heap_course *rest, const struct leak_sites *sites,
                          const struct session *session, const struct memory_window *window);

/* Add a table of the suspects, or of the others; suppressed sites are in none. */
enum status leak_sites_add_table(struct document *document, struct memory_work *work,
                                 const struct leak_sites *sites, bool of_suspects) MUST_CHECK;

/* Fill a table of the growth by step: calls of regions, and snapshots. */
enum status leak_build_steps(const struct session *session, const struct analysis_options *options,
                             struct table *table) MUST_CHECK;

#endif
