/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The processor that a BLAS has chosen its code for, according to the calibration.
 */
#ifndef FINDINGS_BLAS_CODE_H
#define FINDINGS_BLAS_CODE_H

#include "model/machine.h"

enum blas_code {
    BLAS_CODE_UNKNOWN,
    BLAS_CODE_LESSER, /* its vectors are narrower than those of the processor */
    BLAS_CODE_FITTING
};

enum { BLAS_CODE_NAME_SIZE = 32 };

/* Compare the code that the calibration's BLAS chose with the vectors of the processor.  Gives the
 * name of the code, "Haswell", or the empty string. */
enum blas_code blas_code_find(const struct machine *machine, char name[BLAS_CODE_NAME_SIZE]);

#endif
