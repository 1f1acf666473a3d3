/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Letters of a shape: options that decide how much work a call is.
 */
#ifndef HOT_SHAPE_H
#define HOT_SHAPE_H

#include "hot/attributes.h"

#include <stdint.h>

/* Upper case, as LAPACK's lsame compares. */
static ALWAYS_INLINE int64_t shape_letter(char letter)
{
    return letter & ~0x20;
}

/* CblasLeft and CblasRight of cblas.h, as Fortran has them. */
static ALWAYS_INLINE int64_t shape_cblas_letter(int32_t value)
{
    return value == 142 ? 'R' : value == 141 ? 'L' : '?';
}

#endif
