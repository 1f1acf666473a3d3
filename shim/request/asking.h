/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Draws the requests whose sockets and clocks are asked: all of them at first, and a random part
 * where the questions would take more than one part in a hundred of the time.
 *
 * Safety: any thread.  Budget: two loads, and a comparison.
 */
#ifndef REQUEST_ASKING_H
#define REQUEST_ASKING_H

#include <stdbool.h>
#include <stdint.h>

/* Is the request that begins `now` to be asked?  Units: ticks. */
bool asking_draws(uint64_t now);

/* How long the data lay unread in the kernel.  Returns: microseconds; UINT32_MAX: unknown.
 * *is_socket is false when the descriptor is none. */
uint32_t asking_arrival(int descriptor, bool *is_socket);

/* Returns: the port of this end of a connection; 0: it has none. */
uint16_t asking_port(int descriptor);

/* Returns: the connections that wait behind a listening socket; UINT16_MAX: unknown. */
uint16_t asking_queue(int listener);

#endif
