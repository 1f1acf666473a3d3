/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands in a session where nothing is known.
 */
#ifndef MODEL_SESSION_UNKNOWN_H
#define MODEL_SESSION_UNKNOWN_H

#include <stdint.h>

/* Of counts, bytes and times; of reals it is NAN, of pointers NULL. */
#define SESSION_UNKNOWN UINT64_MAX

/* An index of nothing. */
enum { SESSION_NONE = UINT32_MAX };

/* What a name reads that stood in a part of the file that is not there. */
#define SESSION_NAME_LOST "(name lost)"

#endif
