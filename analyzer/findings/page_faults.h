/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What page faults cost a program, for ALLOC-CHURN and FAULT.
 */
#ifndef FINDINGS_PAGE_FAULTS_H
#define FINDINGS_PAGE_FAULTS_H

#include "findings/context.h"
#include "model/session_process.h"

/* Of the whole process, while it calls kernels.  Units: wall time, as if one thread had all
 * faults at a time where one calls kernels. */
struct page_faults {
    const struct said *unknown; /* why the rest is not known, or NULL */
    double faults;              /* without a disk */
    double major;               /* that waited for one */
    double needed;              /* first touches of pages that were never resident before */
    double excess;              /* the others */
    double each_ns;             /* processor time */
    double filling_ns; /* of the processor time of those needed: zeros, whatever the pages' size */
    double other_ns;   /* processor time of the system that faults cannot have cost */
    bool is_bounded;   /* there is such, so each_ns is what a fault costs at most */
    double excess_ns;  /* wall time */
    double needed_ns;  /* wall time */
};

struct page_faults page_faults_find(const struct findings_context *context);

/* Bytes of a page; 4096 where the trace does not say. */
double page_faults_page_bytes(const struct session_process *process);

/* The pages by which resident memory rose to a new peak, in the whole run. */
double page_faults_needed_pages(const struct session_process *process);

/* Say where most of them come, if enough samples came during one. */
void page_faults_say_place(struct text *text, const struct findings_context *context);

/* Say what else the system's processor time was spent on, if it is much. */
void page_faults_say_other(struct text *text, const struct findings_context *context,
                           const struct page_faults *of);

#endif
