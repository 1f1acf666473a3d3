/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of socket_calls.def.
 */
#include "request/connections.h"

const struct connections_row connections_rows[TRACE_WAIT_CALLS] = {
#define SOCKET_CALL(call, role, flags) [TRACE_WAIT_##call] = {CONNECTIONS_##role, (flags)},
#include "request/socket_calls.def"
#undef SOCKET_CALL
};
