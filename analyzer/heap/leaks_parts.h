/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of the leak report.
 */
#ifndef HEAP_LEAKS_PARTS_H
#define HEAP_LEAKS_PARTS_H

#include "heap/leak_verdict.h"
#include "heap/memory_parts.h"
#include "model/session_heap.h"

struct session;

/* A site with blocks live at the end, or before the final fall of the heap. */
struct leak_site {
    const struct session_site *site;
    uint64_t kept_bytes; /* live before the final fall, or at the end where there is none */
    double growth_bytes; /* kept bytes beyond those live after the warm-up; NAN */
    double growth_error; /* upper bound of the growth's standard error; 0 when exact */
    struct trend trend;  /* bytes by nanosecond, at the marks in the window; NAN */
    double posterior;    /* probability that a block of the site is kept so long; NAN when
                            unknown */
    bool is_suspect;
    struct suppression *suppression; /* or NULL */
};

/* Sites with such blocks, and sums of their kept bytes.  Suspects come first, by growth, then the
 * others, by kept bytes. */
struct leak_sites {
    struct array sites;       /* of struct leak_site */
    bool has_fall;            /* the heap fell at last */
    double suspect_growth;    /* kept bytes if the growth is unknown */
    double suppressed_growth; /* 0 if it is unknown */
    uint64_t suspect_bytes;
    uint64_t other_bytes;
    uint64_t suppressed_bytes;
    uint64_t suspects;
    uint64_t suppressed;
};

/* Find the sites, and mark the suspects.  A suspect keeps more than was live after the warm-up, and
 * either has a twentieth of the growth of such sites or keeps its blocks. */
void leak_sites_init(struct leak_sites *sites, struct memory_work *work,
                     const struct leak_judgement *judgement);
/* The suppressed mappings, and the others. */
struct leak_mappings {
    uint64_t suppressed; /* call chains of mmap and mremap */
    uint64_t suppressed_bytes;
    struct leak_outside_rest rest; /* at the marks in the window; empty when unknown */
};

/* Find the memory that suppressed chains have mapped at the end. */
void leak_mappings_find(struct leak_mappings *mappings, struct memory_work *work,
                        const struct memory_window *window);

/* Without growth no site is suspect. */
void leak_sites_clear_suspects(struct leak_sites *sites);

/* Take the live bytes of all sites, except suppressed ones, at each mark in a window; no point when
 * unknown. */
void leak_sites_fill_rest(struct heap_course *rest, const struct leak_sites *sites,
                          const struct session *session, const struct memory_window *window);

/* The sites of a table: suspects; other sites that kept blocks until the final fall; other sites
 * with blocks that were never freed. */
enum leak_table { LEAK_SUSPECTS, LEAK_HOLDERS, LEAK_NEVER_FREED };

/* Add a table of sites; suppressed ones are in none. */
void leak_sites_add_table(struct document *document, struct memory_work *work,
                          const struct leak_sites *sites, enum leak_table of);

/* Returns: the site with most live bytes at the end, or that kept most; NULL when none has any. */
const struct leak_site *leak_sites_find_most(const struct leak_sites *sites, bool at_end);

struct leak_report {
    struct memory_work work;
    struct leak_judgement judgement;
    struct leak_sites sites;
    struct leak_mappings mappings;
    struct leak_outside rest; /* outside of malloc, without suppressed mappings */
    struct text_list doubts;
};

/* Words for programs and people; severity and confidence are NULL if no leak was seen. */
const char *leak_verdict_name(const struct leak_report *report);
const char *leak_severity(const struct leak_report *report);
const char *leak_confidence(const struct leak_report *report);

/* Give the reason for the verdict. */
void leak_say_reason(struct text *text, const struct leak_report *report);

/* Add a line a fact, for people. */
void leak_add_lines(struct document *document, const struct leak_report *report);

/* Fill a table of the growth by step: calls of regions, and snapshots. */
void leak_build_steps(const struct session *session, const struct analysis_options *options,
                      struct table *table);

/* Fill a table of kept bytes, by line or by function of Python code. */
void leak_build_groups(const struct session *session, const struct analysis_options *options,
                       struct table *table);

#endif
