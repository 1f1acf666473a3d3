/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kinds of waits by their calls, and by the names of their sockets.
 */
#include "waits/answers.h"

#include <string.h>

#include "model/session_waits.h"

/* A server's end of a connection waits for questions. */
static bool is_server_end(const struct session_wait *wait)
{
    return wait->name && strncmp(wait->name, WAIT_SERVER_END, sizeof WAIT_SERVER_END - 1) == 0;
}

bool wait_is_client(const struct session_wait *wait)
{
    return wait->kind == TRACE_WAITED_SOCKET && !is_server_end(wait);
}

bool wait_is_poll(const struct session_wait *wait)
{
    return wait->class == TRACE_WAIT_CLASS_IDLE &&
           (strstr(wait->function, "poll") || strstr(wait->function, "select"));
}

bool wait_is_answer(const struct session_wait *wait)
{
    return wait_is_client(wait) &&
           ((session_wait_is_network(wait) && wait->is_input) || wait_is_poll(wait));
}

bool wait_is_name_lookup(const struct session_wait *wait)
{
    return wait->call >= TRACE_WAIT_GETADDRINFO && wait->call <= TRACE_WAIT_GETHOSTBYNAME_R;
}
