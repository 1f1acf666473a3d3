/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A thread's registers, the inner part of its stack and its frames of Python code, copied at one
 * moment.
 *
 * A waiting thread need not be stopped: Linux shows its place in Linux, its stack pointer, and
 * whether it waited all the time.  Its other registers are then unknown.  A running thread is
 * stopped by ptrace, copied and released at once.
 */
#ifndef WHERE_CAPTURE_H
#define WHERE_CAPTURE_H

#include <sys/types.h>

#include "base/attributes.h"

struct capture;
struct task;

enum capture_result {
    CAPTURE_TAKEN,
    CAPTURE_MOVED,   /* the thread did not wait all the time */
    CAPTURE_GONE,    /* the thread has ended */
    CAPTURE_REFUSED, /* Linux does not allow it; errno says why */
    CAPTURE_BUSY,    /* the thread did not stop in time; it is released when the asking thread
                        ends */
};

/* Returns: the memory for a copy.  Its pages are resident, so that a copy has
 * no page fault. */
struct capture *capture_new(void) MUST_CHECK;

void capture_free(struct capture *capture);

/* Copy a thread that was looked at and waits, without stopping it.  Errors: CAPTURE_MOVED,
 * CAPTURE_REFUSED. */
enum capture_result capture_peek(struct capture *capture, const struct task *task) MUST_CHECK;

/* Stop a thread, copy it, release it.  A signal that comes at this moment still reaches it.
 *
 * A runnable thread waits for a processor before it stops.  From then on tprof's thread is
 * runnable, so the stop lasts for its own wait for a processor and the time of the copy: no longer
 * than stopped_ns.
 *
 * Errors: all but CAPTURE_MOVED.
 * Safety: the thread that calls has SIGCHLD blocked, and no child. */
enum capture_result capture_stop(struct capture *capture, pid_t pid, pid_t tid) MUST_CHECK;

#endif
