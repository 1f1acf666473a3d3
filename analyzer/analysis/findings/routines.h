/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a routine of LAPACK does, by its name.
 */
#ifndef ANALYSIS_FINDINGS_ROUTINES_H
#define ANALYSIS_FINDINGS_ROUTINES_H

enum routine {
    ROUTINE_SOLVES, /* factors, and solves with the factors */
    ROUTINE_FACTORS,
    ROUTINE_SOLVES_BY_FACTORS,
    ROUTINE_INVERTS,
    ROUTINE_EIGENVALUES,
    ROUTINE_SINGULAR, /* values, and vectors */
    ROUTINE_OTHER
};

/* Tell by a name: "dgesv_", "scipy_dgesv_64_", "LAPACKE_dgesv_work".  `name`: may be NULL. */
enum routine routine_of(const char *name);

#endif
