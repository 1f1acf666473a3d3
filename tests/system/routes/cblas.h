/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The part of cblas.h that the test programs use, for machines without CBLAS; routes/blas.c
 * implements it.
 */
#ifndef ROUTES_CBLAS_H
#define ROUTES_CBLAS_H

#include "blas.h"

enum { CblasRowMajor = 101, CblasNoTrans = 111 };

#endif
