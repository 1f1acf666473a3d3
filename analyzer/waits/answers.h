/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Waits for the answers of other programs: on sockets that the process connected, and for the
 * addresses of host names.
 */
#ifndef WAITS_ANSWERS_H
#define WAITS_ANSWERS_H

#include <stdbool.h>

struct session_wait;

/* How the name of a socket begins that the process accepted, or that has the server's end. */
#define WAIT_SERVER_END "socket of port "

/* Ask whether a wait is on a socket that the process connected, and did not accept. */
bool wait_is_client(const struct session_wait *wait);

/* Ask whether a wait is for one of several descriptors. */
bool wait_is_poll(const struct session_wait *wait);

/* Ask whether a wait is for bytes from a socket that the process connected. */
bool wait_is_answer(const struct session_wait *wait);

/* Ask whether a wait is for the address of a host name. */
bool wait_is_name_lookup(const struct session_wait *wait);

#endif
