/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The slow side of a call whose shape an object has.
 */
#include "call/adapter_call.h"

#include <errno.h>
#include <stddef.h>

#include "record/lane.h"

/* A thread that records nothing skips the question to the adapter. */
const struct object_shape *adapter_describe(const struct adapter_call *call,
                                            const struct binding *binding, const word *integers)
{
    const struct object_shape *shape = NULL;
    int saved_errno = errno;

    if (call->describe && lane_ready())
        shape = call->describe(binding, integers);
    errno = saved_errno;
    return shape ? shape : &object_unknown;
}
