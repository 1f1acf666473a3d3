/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The whole that shares of thread time are of.
 */
#ifndef KERNELS_TOP_H
#define KERNELS_TOP_H

#include "base/attributes.h"
#include "base/status.h"

struct session;
struct table;

/* Say in a table of what its shares are.  Errors: STATUS_OUT_OF_MEMORY. */
enum status top_say_whole(struct table *table, const struct session *session) MUST_CHECK;

#endif
