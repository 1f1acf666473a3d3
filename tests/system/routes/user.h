/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A library that calls cblas_sgemm, as numpy's extension modules do.
 */
#ifndef ROUTES_USER_H
#define ROUTES_USER_H

#include "blas.h"

/* Call it so often through the PLT. */
float user_run(int count);

sgemm_function user_pointer(void);
sgemm_function user_pointer_in_data(void);

#endif
