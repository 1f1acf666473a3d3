/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * As much of cblas.h as the test programs use, for machines whose CBLAS is
 * not at hand; routes/blas.c stands behind it.
 */
#ifndef ROUTES_CBLAS_H
#define ROUTES_CBLAS_H

#include "blas.h"

enum { CblasRowMajor = 101, CblasNoTrans = 111 };

#endif
