/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds the purpose of a LAPACK routine by its name.
 */
#ifndef FINDINGS_ROUTINES_H
#define FINDINGS_ROUTINES_H

enum routine {
    ROUTINE_SOLVES, /* factors, and solves with the factors */
    ROUTINE_FACTORS,
    ROUTINE_SOLVES_BY_FACTORS,
    ROUTINE_INVERTS,
    ROUTINE_EIGENVALUES,
    ROUTINE_SINGULAR, /* values, and vectors */
    ROUTINE_OTHER
};

/* Find a routine: "dgesv_", "scipy_dgesv_64_", "LAPACKE_dgesv_work".  `name`: may be NULL. */
enum routine routine_of(const char *name);

/* The values whose vectors a routine computes on request. */
enum routine_vectors { VECTORS_SINGULAR, VECTORS_SYMMETRIC, VECTORS_GENERAL, VECTORS_NONE };

struct routine_values {
    enum routine_vectors vectors;
    double share; /* the least share of only the values in the time with vectors */
};

/* Find the vectors by the name and a shape such as "jobz=V n=100".
 * Returns: VECTORS_NONE for other routines, and if the call asked for no vectors. */
struct routine_values routine_find_values(const char *name, const char *shape);

#endif
