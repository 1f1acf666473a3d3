/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products of matrices by a reference BLAS, for DISPATCH.
 */
#ifndef FINDINGS_REFERENCE_BLAS_H
#define FINDINGS_REFERENCE_BLAS_H

#include "findings/targets.h"

/* Products computed by one file.  Other files may be slow for other reasons. */
struct reference_blas {
    struct targets rows;
    const char *library; /* NULL: none was found */
    const struct said *action;
    enum machine_precision precision; /* precision of the first row */
    double fastest;                   /* FLOP/s of the fastest call */
    bool has_large;                   /* some product is large enough to judge the code by its
                                         rate */
    bool is_calibrated;               /* the calibration gives the saving */
    bool is_guessed;                  /* only the rate suggests a reference BLAS */
};

/* Find the products of the first such file.  A name that other libraries share counts only if none
 * of them was loaded, and the products are far slower than in the calibration or in any other
 * library. */
struct reference_blas reference_blas_find(const struct findings_context *context);

/* Ask whether a row is by that file. */
bool reference_blas_has(const struct reference_blas *blas, const struct group *group);

/* Claim that another library saves the time. */
void reference_blas_add(const struct findings_context *context, struct findings *findings,
                        const struct reference_blas *blas);

#endif
