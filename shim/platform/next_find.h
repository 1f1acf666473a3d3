/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding the functions behind ours.
 */
#ifndef PLATFORM_NEXT_FIND_H
#define PLATFORM_NEXT_FIND_H

#include "platform/attributes.h"

/* Find the functions now.  Functions that no library has stay unchanged, and may be found later. */
REALIGNED void next_find(void);

#endif
