/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products of matrices by a reference BLAS, for DISPATCH.
 */
#ifndef FINDINGS_REFERENCE_BLAS_H
#define FINDINGS_REFERENCE_BLAS_H

#include "findings/targets.h"

/* Products of one file, of which others may be slow for another reason. */
struct reference_blas {
    struct targets rows;
    const char *library; /* NULL: none was found */
    const struct said *action;
    enum machine_precision precision; /* of the first row */
    double fastest;                   /* FLOP/s of any call of these */
    bool has_large;                   /* one of these says by its rate what the code is */
    bool is_calibrated;               /* what is saved is told by the calibration */
    bool is_guessed;                  /* what it is, too, is not: the rate alone says it */
};

/* Find the products of the first such file.  A name that stands for other libraries too is
 * believed where none of them was loaded and its products are far below the calibration's, or
 * below what any other does. */
struct reference_blas reference_blas_find(const struct findings_context *context);

/* Ask whether a row is by that file. */
bool reference_blas_has(const struct reference_blas *blas, const struct group *group);

/* Claim that another library saves the time. */
void reference_blas_add(const struct findings_context *context, struct findings *findings,
                        const struct reference_blas *blas);

#endif
