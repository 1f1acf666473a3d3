/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The wrappers for the rows of waits.
 */
#ifndef CALL_WAIT_POOLS_H
#define CALL_WAIT_POOLS_H

#include <stdbool.h>

struct wait_pool;

/* The wrappers that fit a row. */
const struct wait_pool *wait_pool_of(unsigned call);

/* Is this the entry of a wrapper? */
bool wait_owns(const void *address);

#endif
