/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The unknown values in a session.
 */
#ifndef MODEL_SESSION_UNKNOWN_H
#define MODEL_SESSION_UNKNOWN_H

#include <stdint.h>

/* Unknown count, bytes or time; an unknown real is NAN, an unknown pointer NULL. */
#define SESSION_UNKNOWN UINT64_MAX

/* An index of nothing. */
enum { SESSION_NONE = UINT32_MAX };

/* The text for a name in a missing part of the file. */
#define SESSION_NAME_LOST "(name lost)"

#endif
