/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cost of page faults, for ALLOC-CHURN and FAULT.
 */
#ifndef FINDINGS_PAGE_FAULTS_H
#define FINDINGS_PAGE_FAULTS_H

#include "findings/context.h"
#include "model/session_process.h"

/* Faults of the whole process while it calls kernels.
 * Units: wall time, as if one thread had all faults while one thread calls kernels. */
struct page_faults {
    const struct said *unknown; /* why the rest is unknown, or NULL */
    double faults;              /* faults without a disk */
    double major;               /* faults that waited for a disk */
    double needed;              /* first touches of pages that were never resident before */
    double excess;              /* the others */
    double each_ns;             /* processor time */
    double filling_ns; /* processor time of `needed` for zeros, whatever the pages' size */
    double other_ns;   /* processor time of the system that faults cannot have cost */
    bool is_bounded;   /* other_ns is large, so each_ns is an upper bound */
    double excess_ns;  /* wall time */
    double needed_ns;  /* wall time */
};

struct page_faults page_faults_find(const struct findings_context *context);

/* Give the bytes of a page; 4096 if the trace has no page size. */
double page_faults_page_bytes(const struct session_process *process);

/* Count the pages of all rises of resident memory to a new peak, in the whole run. */
double page_faults_needed_pages(const struct session_process *process);

/* Say where most page faults occur, if enough samples fell into one. */
void page_faults_say_place(struct text *text, const struct findings_context *context);

/* Name the system's other work, if it used much processor time. */
void page_faults_say_other(struct text *text, const struct findings_context *context,
                           const struct page_faults *of);

#endif
