/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Measures this machine, for `tprof calibrate`.
 */
#ifndef MACHINE_CALIBRATE_H
#define MACHINE_CALIBRATE_H

#include <stdbool.h>

#include "model/machine.h"

struct calibrate_plan {
    double seconds;   /* about so long in all */
    unsigned threads; /* the most threads; 0: as many as allowed processors */
    bool wants_gemm;
    const char *blas; /* the library to measure; NULL: the first one found */
    void (*on_progress)(void *of, const char *what, double fraction); /* or NULL */
    void *progress_of;
};

/* Fill a machine that is already initialized.  Trials are repeated until the best ones agree or
 * their time is over.  The best counts, as in STREAM: nothing makes a machine faster than it is,
 * but much slows it down.
 * Errors: STATUS_IO. */
enum status calibrate_machine(struct machine *machine, const struct calibrate_plan *plan,
                              struct diagnostic *diagnostic) MUST_CHECK;

#endif
