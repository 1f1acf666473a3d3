/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The descriptor, the address and the bytes of a timed call, from its arguments and its result.
 */
#ifndef CALL_WAIT_ARGUMENTS_H
#define CALL_WAIT_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "call/wait_row.h"
#include "platform/attributes.h"
#include "platform/next.h"

/* The fields below are those of glibc; musl has others. */
static ALWAYS_INLINE bool wait_is_glibc(void)
{
    return next.gnu_get_libc_version != NULL;
}

static inline uint64_t wait_stream_descriptor(uint64_t stream)
{
#if defined(__GLIBC__)
    if (wait_is_glibc() && stream)
        return (uint64_t)(int64_t)((const FILE *)stream)->_fileno;
#endif
    (void)stream;
    return UINT64_MAX;
}

/* Returns: UINT64_MAX when the call has no descriptor. */
static ALWAYS_INLINE uint64_t wait_descriptor(const struct wait_row *row, uint64_t argument)
{
    if (row->object == WAIT_DESCRIPTOR || row->object == WAIT_FILE_LOCK)
        return (uint32_t)argument;
    return row->object == WAIT_STREAM ? wait_stream_descriptor(argument) : UINT64_MAX;
}

static ALWAYS_INLINE uint64_t wait_address(const struct wait_row *row, uint64_t argument)
{
    return row->object == WAIT_ADDRESS ? argument : 0;
}

/* Returns 0 bytes without items, such as for a stream at its end. */
static ALWAYS_INLINE uint64_t wait_bytes(const struct wait_row *row, uint64_t result,
                                         uint64_t item_size)
{
    if (row->result == WAIT_RESULT_BYTES)
        return (int64_t)result > 0 ? result : 0;
    if (row->result == WAIT_RESULT_ITEMS || row->result == WAIT_RESULT_CHECKED_ITEMS)
        return result * item_size;
    return 0;
}

static ALWAYS_INLINE uint64_t wait_item_size(const struct wait_row *row, const uint64_t *words)
{
    if (row->result == WAIT_RESULT_CHECKED_ITEMS)
        return words[2];
    return row->result == WAIT_RESULT_ITEMS ? words[1] : 0;
}

#endif
