/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the waits of all threads cost the program: those of the main thread, and those of threads
 * that it waits for meanwhile.
 *
 * While the main thread joins others, or waits for their signal, it waits for what they do: they
 * compute, wait for a processor, or wait themselves.  Its waiting is split like their time.
 *
 * Decision: doc/decisions/waits-of-others.
 */
#ifndef FINDINGS_MAIN_WAITS_H
#define FINDINGS_MAIN_WAITS_H

#include "places/places.h"
#include "waits/wait_rows.h"

struct findings_context;

struct main_waits {
    struct wait_rows rows; /* apart by the program's own lines */
    double awaiting_ns;    /* the main thread waits for other threads */
    double others_ns;      /* these compute, want a processor, or wait for something else */
    struct places *places;
    const struct session *session;
    struct wait_lines lines;
};

/* Gather them, in the pool in use. */
void main_waits_init(struct main_waits *waits, const struct findings_context *context);

/* The time of a row that the program's main thread waits, itself or for others.  Other threads'
 * waiting for work, or for clients, is not in it. */
double main_waits_ns(const struct main_waits *waits, const struct wait_row *row);

/* The same for a row that is known to be no waiting for work, whatever its kind. */
double main_waits_known_ns(const struct main_waits *waits, const struct wait_row *row);

/* The most of that time: all of a row's waiting may be of the thread that ends last. */
double main_waits_bound_ns(const struct main_waits *waits, const struct wait_row *row);

/* Is most of that the waiting of other threads? */
bool main_waits_is_others(const struct main_waits *waits, const struct wait_row *row);

/* The chain of the longest call of those; SESSION_NONE: none has one. */
uint32_t main_waits_chain(const struct main_waits *waits, const struct wait_row *row);

#endif
