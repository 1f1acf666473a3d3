/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls nested in others of the same routine: cblas_dgemm of netlib and of BLIS calls dgemm_,
 * LAPACKE_dgesv calls dgesv_.  Both are one product of the program, with one time.
 */
#ifndef KERNELS_NESTING_H
#define KERNELS_NESTING_H

#include "model/session_kernels.h"

struct session;

/* Ask whether all calls of a slot are nested in others of the same routine and work, so that its
 * own time belongs to those of session_slot's `around`, by their shares. */
bool nesting_is_same(const struct session *session, const struct session_slot *slot);

#endif
