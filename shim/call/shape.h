/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Letters and flags of a shape: options that decide the work of a call.
 */
#ifndef CALL_SHAPE_H
#define CALL_SHAPE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "platform/attributes.h"
#include "spec/catalog.h"

/* Upper case, as LAPACK's lsame compares. */
static ALWAYS_INLINE int64_t shape_letter(char letter)
{
    return letter & ~0x20;
}

/* CblasLeft and CblasRight of cblas.h, converted to Fortran's letters. */
static ALWAYS_INLINE int64_t shape_cblas_letter(int32_t value)
{
    return value == 142 ? 'R' : value == 141 ? 'L' : '?';
}

/* Ask whether any bit except the sign is set.  A NaN is not zero. */
static ALWAYS_INLINE bool shape_float_is_nonzero(const void *at)
{
    uint32_t bits;

    memcpy(&bits, at, sizeof bits);
    return bits << 1 != 0;
}

static ALWAYS_INLINE bool shape_double_is_nonzero(const void *at)
{
    uint64_t bits;

    memcpy(&bits, at, sizeof bits);
    return bits << 1 != 0;
}

/* Ask whether the argument at this place is not zero. */
static ALWAYS_INLINE bool shape_is_nonzero(enum catalog_access access, const void *at)
{
    switch (access) {
    case CATALOG_FLOAT: return shape_float_is_nonzero(at);
    case CATALOG_DOUBLE: return shape_double_is_nonzero(at);
    case CATALOG_FLOAT_COMPLEX:
        return shape_float_is_nonzero(at) || shape_float_is_nonzero((const char *)at + 4);
    case CATALOG_DOUBLE_COMPLEX:
        return shape_double_is_nonzero(at) || shape_double_is_nonzero((const char *)at + 8);
    case CATALOG_INT64:
    case CATALOG_UINT64: return *(const int64_t *)at != 0;
    case CATALOG_INT16:
    case CATALOG_UINT16: return *(const int16_t *)at != 0;
    case CATALOG_INT8:
    case CATALOG_UINT8:
    case CATALOG_LETTER: return *(const char *)at != 0;
    case CATALOG_NONE:
    case CATALOG_INT32:
    case CATALOG_UINT32:
    case CATALOG_INTEGER:
    case CATALOG_CBLAS: break;
    }
    return *(const int32_t *)at != 0;
}

#endif
