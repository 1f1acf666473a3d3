/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Questions about a slot's calls: their times, and their sizes if they are products of matrices.
 */
#ifndef MODEL_SLOTS_H
#define MODEL_SLOTS_H

#include "model/session_kernels.h"

struct session;

/* Times of a slot without our own cost in durations. */
struct slots_times {
    uint64_t total_ns;
    uint64_t self_ns; /* without inner kernels */
};
struct slots_times slots_times(const struct session *session, const struct session_slot *slot);

/* Returns: how many calls of a slot one timed call represents; 1 if all or none were timed. */
double slots_stands_for(const struct session_slot *slot);

/* Returns: the estimated time of the untimed calls of a slot, from the timed ones.  Interrupted
 * calls represent only themselves, as in the estimate. */
double slots_estimated_by_timed(const struct session *session, const struct session_slot *slot);

/* Ask whether the calls in courses, with the calls that they represent, are nearly all calls.  The
 * records of the other calls are gone.  `thread`: SESSION_NONE for all threads. */
bool slots_are_in_courses(const struct session *session, uint32_t thread);

/* Returns: nanoseconds of recording outside of a timed call of a slot, including the calls that it
 * represents. */
double slots_outer_cost_ns(const struct session *session, const struct session_slot *slot);

/* Ask whether `seen` calls of a slot, in order of time, are its first, second and so on: no call
 * was overwritten, only counted, or left out. */
bool slots_is_numbered(const struct session_slot *slot, uint64_t seen);

/* Subtract a cost from a time; by chance the cost may be larger. */
uint64_t slots_without_cost(double ns, double cost_ns);

/* Returns: a term of a slot's shape by its name; 0 when there is none. */
int64_t slots_find_term(const struct session_slot *slot, const char *name);

/* Returns: the precision of the calls in the catalog; CATALOG_PRECISIONS if it has none for their
 * shape. */
enum catalog_precision slots_said_precision(const struct session_slot *slot);

/* `count` products of m by k with k by n in one call. */
struct slots_product {
    int64_t m, n, k;
    uint64_t count;
    bool is_complex; /* the numbers have two parts */
};

/* Recognize a product of matrices by the names of its shape's terms.
 * Returns: whether it is one, with sizes above 0. */
bool slots_find_product(const struct session_slot *slot, struct slots_product *product);

/* Recognizes a matrix of `outputs` by `inputs`, in either order, times a single vector: gemv, or a
 * product with one row or column.
 * Returns: whether it is one, with sizes above 1. */
struct slots_vector_product {
    int64_t outputs, inputs;
};
bool slots_find_vector_product(const struct session_slot *slot,
                               struct slots_vector_product *product);

#endif
