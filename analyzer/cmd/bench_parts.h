/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of tprof bench, one a file.
 */
#ifndef CMD_BENCH_PARTS_H
#define CMD_BENCH_PARTS_H

#include "bench/plan.h"
#include "bench/results.h"
#include "bench/sweep.h"
#include "cmd/cmd.h"

#define BENCH_KEPT "bench.json" /* the results beside the traces of --keep */

/* The user's request; the texts are the arguments. */
struct bench {
    struct cmd_options shared;
    struct plan plan;
    struct results_options results;
    struct bench_sweep_limits limits;
    struct array parameters; /* const char *: the typed texts, for every command */
    struct array metrics;    /* the same */
    struct array labels;     /* the same, one a command */
    struct array commands;   /* const char *: the shell's commands */
    const char *suite;
    const char *items;
    const char *batches;
    const char *prepare;
    const char *keep;
    const char *export;
    const char *page; /* a file; NULL: no page was requested */
    double runs;   /* NAN: not given */
    double warmup; /* the same */
    uint64_t timeout_ns;
    uint64_t seed;
    bool is_plain;
    bool ignores_failures;
    bool shows_output;
};

/* Read the options, up to the first --.
 * Errors: STATUS_USAGE with a diagnostic. */
enum status bench_parse(struct bench *bench, int argc, char **argv,
                        struct diagnostic *diagnostic) MUST_CHECK;

void bench_print_help(void);

/* Make the plan from the options and the commands; `words` starts with the first --, or is empty.
 * Errors: STATUS_USAGE with a diagnostic, and those of suite_read. */
enum status bench_make_plan(struct bench *bench, char **words,
                            struct diagnostic *diagnostic) MUST_CHECK;

/* Check before anything runs that --export can work: no two points write the same file, and no file
 * exists already.  Errors: STATUS_USAGE, STATUS_IO with a diagnostic. */
enum status bench_check_export(const struct bench *bench, struct diagnostic *diagnostic) MUST_CHECK;

/* Write the runs of each point for tprof compare and tprof gate, if --export asks for it.
 * Errors: STATUS_IO with a diagnostic. */
enum status bench_export(const struct bench *bench, const struct results *results,
                         struct diagnostic *diagnostic) MUST_CHECK;

#endif
