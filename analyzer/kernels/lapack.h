/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LAPACK: its routines, and their calls of BLAS.
 *
 * A trace does not show the nesting of kernels.  A call from a library's file is attributed to its
 * LAPACK routines, if any of these was called.
 */
#ifndef KERNELS_LAPACK_H
#define KERNELS_LAPACK_H

#include "base/array.h"
#include "model/session_kernels.h"

struct session;

struct lapack {
    const struct session *session;
    struct array modules; /* const struct session_module *, whose LAPACK was called */
};

/* Find the libraries. */
void lapack_init(struct lapack *lapack, const struct session *session);
/* Ask whether a kernel is a routine of LAPACK. */
bool lapack_has(const struct catalog_kernel *kernel);

/* Ask whether a slot's calls are of such a routine or come from such a library. */
bool lapack_makes(const struct lapack *lapack, const struct session_slot *slot);

#endif
