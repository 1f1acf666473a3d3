/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a slot's calls are: how long they took, and their sizes when they are products
 * of matrices.
 */
#ifndef MODEL_SLOTS_H
#define MODEL_SLOTS_H

#include "model/session_kernels.h"

struct session;

/* Times of a slot without the part of our own cost that durations contain. */
struct slots_times {
    uint64_t total_ns;
    uint64_t self_ns; /* without the kernels inside */
};
struct slots_times slots_times(const struct session *session, const struct session_slot *slot);

/* Returns: how many calls of a slot one stands for that was timed; 1 where all were or none. */
double slots_stands_for(const struct session_slot *slot);

/* Returns: what the untimed calls of a slot are estimated to have taken, by the time of the timed
 * ones.  Interrupted calls stand for themselves in the estimate, and so they do here. */
double slots_estimated_by_timed(const struct session *session, const struct session_slot *slot);

/* Ask whether the calls in courses, with those that they stand for, are nearly all that there
 * were: `thread` SESSION_NONE for all threads.  Of others the records are gone. */
bool slots_are_in_courses(const struct session *session, uint32_t thread);

/* Returns: nanoseconds that recording takes outside of a timed call of a slot, with those of
 * the calls that it stands for. */
double slots_outer_cost_ns(const struct session *session, const struct session_slot *slot);

/* Ask whether `seen` calls of a slot, in order of time, are its first, second and so
 * on: none was overwritten, only counted, or left out of what was seen. */
bool slots_is_numbered(const struct session_slot *slot, uint64_t seen);

/* Take a cost out of a time, which it may exceed by chance. */
uint64_t slots_without_cost(double ns, double cost_ns);

/* Returns: a term of a slot's shape by its name; 0 when there is none. */
int64_t slots_find_term(const struct session_slot *slot, const char *name);

/* Returns: what the catalog says that the calls compute in; CATALOG_PRECISIONS where it says
 * nothing of calls of their shape. */
enum catalog_precision slots_said_precision(const struct session_slot *slot);

/* `count` products of m by k with k by n in one call. */
struct slots_product {
    int64_t m, n, k;
    uint64_t count;
    bool is_complex; /* of numbers of two parts */
};

/* Tell a product of matrices by the names of its shape's terms.
 * Returns: whether it is one, with sizes above 0. */
bool slots_find_product(const struct session_slot *slot, struct slots_product *product);

/* Tell a matrix of `outputs` by `inputs`, in either order, times a single vector: gemv, or a
 * product with one row or column.  Returns: whether it is one, with sizes above 1. */
struct slots_vector_product {
    int64_t outputs, inputs;
};
bool slots_find_vector_product(const struct session_slot *slot,
                               struct slots_vector_product *product);

#endif
