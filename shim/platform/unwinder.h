/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The unwinder of the code that throws: libgcc_s, or another one.
 */
#ifndef PLATFORM_UNWINDER_H
#define PLATFORM_UNWINDER_H

#include <stdbool.h>

/* Find next._Unwind_Resume, next._Unwind_GetGR and next._Unwind_GetIP.  Returns: false when no
 * object offers them.  Safety: any thread; the linker's lock is not taken. */
bool unwinder_find(void);

#endif
