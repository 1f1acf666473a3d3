/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The plan of a benchmark: commands, their parameters, and the resulting
 * points.  The command line or a suite's file fills the plan; it is expanded
 * once and then constant.
 */
#ifndef BENCH_PLAN_H
#define BENCH_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "base/status.h"
#include "bench/parameter.h"

enum { PLAN_MAX_POINTS = 10000, PLAN_ENOUGH = 0 /* runs: until there are enough */ };

/* A command before its parameters are replaced; the texts are the plan's. */
struct plan_command {
    const char *label;  /* NULL: made from the words */
    struct array words; /* const char *; for the shell, its single word */
    bool is_shell;
    bool is_plain;           /* the run has no shim */
    const char *prepare;     /* a shell command before each run; NULL: none */
    const char *items;       /* expression: the items of a run; NULL: the program reports them */
    const char *batches;     /* expression: the steps of a run; NULL: one */
    unsigned warmup;         /* runs that are not counted */
    unsigned runs;           /* PLAN_ENOUGH: see schedule.h */
    uint64_t timeout_ns;     /* 0: none */
    struct array parameters; /* of struct parameter */
    struct array metrics;    /* of struct metric */
};

/* A command with one value of each of its parameters. */
struct plan_point {
    const struct plan_command *command;
    const char *label;  /* "mlp batch=16", the parts that differ between points */
    struct array words; /* const char *, ended by NULL: the command to execute */
    const char *prepare;
    struct array values; /* of struct parameter_value */
    double items;        /* NAN: unknown */
    double batches;
};

struct plan {
    struct array commands;     /* of struct plan_command; add none once expanded */
    struct array names;        /* const char *: parameters of all commands */
    struct array metric_names; /* const char * */
    struct array points;       /* of struct plan_point */
    struct storage *texts;
};

void plan_init(struct plan *plan);
void plan_fini(struct plan *plan);

/* Add a command without words, with 3 warm-up runs.  Returns: it, until the next is added. */
struct plan_command *plan_add_command(struct plan *plan) MUST_CHECK;

/* Keep a text as long as the plan. */
const char *plan_keep(struct plan *plan, const char *text) MUST_CHECK;

/* Add a word to a command. */
void plan_add_word(struct plan *plan, struct plan_command *command, const char *word);

/* Make the points.
 * Errors: STATUS_USAGE with a diagnostic: no command, a parameter that nothing uses,
 * too many points, an invalid expression. */
enum status plan_expand(struct plan *plan, struct diagnostic *diagnostic) MUST_CHECK;

/* Ask whether a command uses a parameter in its words or in its preparation. */
bool plan_command_uses(const struct plan_command *command, const char *name);

/* Give the value of a parameter at a point.
 * Returns: NULL when its command lacks the parameter. */
const struct parameter_value *plan_value(const struct plan_point *point, const char *name);

/* Find the fewest and the most warm-up runs of a command. */
void plan_find_warmup(const struct plan *plan, unsigned *least, unsigned *most);

/* Find the parameter of a sweep: the one difference between all points of all commands, with
 * numbers as values.
 * Returns: its name, or NULL. */
const char *plan_swept(const struct plan *plan);

#endif
