/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The matrix product of a BLAS library, if there is one: the share of the peak that tuned code
 * reaches.
 */
#ifndef MACHINE_GEMM_H
#define MACHINE_GEMM_H

#include <stdbool.h>

#include "model/machine.h"

struct gemm;

/* Open a library, or for NULL the first known one.  The machine's texts get its
 * name, or why there is none.
 * Returns: NULL when there is none. */
struct gemm *gemm_open(const char *library, struct machine *machine);

void gemm_close(struct gemm *gemm);

/* Set the threads of a product.
 * Returns: false if the library has no way to do this. */
bool gemm_set_threads(const struct gemm *gemm, unsigned threads);

/* Ask whether the library has products of a precision. */
bool gemm_has(const struct gemm *gemm, enum machine_precision precision);

/* Measure products of two matrices that are large enough to take some milliseconds.
 * Returns: the best FLOP/s within the given seconds; NAN for a precision that the library lacks. */
double gemm_measure(const struct gemm *gemm, enum machine_precision precision, double seconds);

#endif
