/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of an interface with streams, from the rows of its .def files:
 * CALL(name, arguments, action, what, size, rows, stream, wait).
 *
 * `real`: the interface's struct of real functions.  Only for the file with its tables.
 */
#ifndef DEVICE_STREAMS_TABLE_H
#define DEVICE_STREAMS_TABLE_H

#include "device/streams.h"
#include "unwind/machine.h"

/* Words of the rows. */
enum {
    NOWHERE = STREAMS_NOWHERE,
    PITCH = STREAMS_PITCH,
    PAIRS = STREAMS_PAIRS,
    FOURS = STREAMS_FOURS,
    TRACE_WAIT_NONE = STREAMS_NO_WAIT
};

/* A row as struct streams_row. */
#define STREAMS_ROW(real, name, arguments, action, what, size, rows, stream, wait)                 \
    {&(real).name, STREAMS_##action,          arguments,        size, rows,                        \
     stream,       STREAMS_##action##_##what, TRACE_WAIT_##wait},

/* The wrapper of a row's function. */
#define STREAMS_WRAPPER(streams, row, name, arguments)                                             \
    static int32_t call_##name(WORDS_TAKEN(arguments))                                             \
    {                                                                                              \
        const struct unwind_state caller = unwind_caller();                                        \
        const word words[STREAMS_WORDS] = {WORDS_GIVEN(arguments)};                                \
                                                                                                   \
        return streams_pass(&(streams), row, words, &caller);                                      \
    }

#endif
