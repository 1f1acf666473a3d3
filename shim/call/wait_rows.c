/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of spec/waits.def.
 */
#include "call/wait_row.h"

#include <stddef.h>

const struct wait_row wait_rows[TRACE_WAIT_CALLS] = {
#define WAIT(call, name, class, object, argument, result, attempt)                                 \
    [TRACE_WAIT_##call] = {name,          attempt,  TRACE_WAIT_CLASS_##class,                      \
                           WAIT_##object, argument, WAIT_RESULT_##result},
#include "spec/waits.def"
#undef WAIT
};
