/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running a program once to measure it: with a time limit, its output kept or discarded, and the
 * system's counts.
 *
 * The program leads a process group of its own.  The whole group ends with it:
 * by the time limit, by Ctrl-C, or when we die.
 */
#ifndef LAUNCH_EXECUTE_H
#define LAUNCH_EXECUTE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"
#include "base/text.h"
#include "bench/sample.h"

struct execution {
    const char *const *words; /* ended by NULL */
    const char *shim;         /* shim to preload; NULL: none */
    const char *trace;        /* TPROF_OUTPUT, with a shim */
    uint64_t timeout_ns;      /* 0: none */
    bool keeps_output;        /* the output is kept for metrics */
    bool shows_output;        /* the output goes to our standard error */
};

/* The program's outputs.  Texts of more than EXECUTE_KEEP bytes lack their beginning. */
enum { EXECUTE_KEEP = 4 << 20, EXECUTE_KEEP_ERRORS = 4096 };
struct execution_result {
    pid_t pid;
    struct text output; /* standard output, if it was kept */
    struct text errors; /* the last of standard error */
};

/* Take over SIGINT, SIGTERM, SIGHUP and SIGCHLD; the second gives them back.  In between they take
 * effect only while a program runs. */
void execute_start(void);
void execute_stop(void);

/* Run a program and fill the sample's times, memory and end.
 * Errors: STATUS_NOT_FOUND, STATUS_IO: it cannot be started. */
enum status execute_program(const struct execution *execution, struct sample *sample,
                            struct execution_result *result,
                            struct diagnostic *diagnostic) MUST_CHECK;

void execution_result_fini(struct execution_result *result);

#endif
