/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * End of recording in a process, for good or for a while.
 */
#ifndef RECORD_PROCESS_END_H
#define RECORD_PROCESS_END_H

#include <stdbool.h>

#include "platform/attributes.h"
#include "spec/trace.h"

/* Store the ending of the process, close the books and print one line.  `status`:
 * TRACE_STATUS_UNKNOWN if unknown. */
REALIGNED void process_end(enum trace_ending ending, int status);

/* Say that another program cut the trace: process_is_cut(). */
void process_tell_cut(void);

/* The program changes memory at our addresses: close the books, and stop recording for good. */
void process_yield(void);

/* The shim's memory is about to be unmapped: it is not read from now on.  Recording has ended;
 * children that are forked later record nothing, either. */
void process_leave_memory(void);

/* Take back an ending: exec failed. */
void process_resume(void);

/* Close the books, here and in children that are forked from now on, because the sandbox may forbid
 * our system calls.  `is_for_all`: all threads enter it, and have ended their present records on
 * return.
 * Returns: false when there is nothing to close: the process is in a sandbox already, or a vfork
 * child. */
bool process_enter_sandbox(bool is_for_all);

/* The sandbox was refused: go on. */
void process_leave_sandbox(void);

#endif
