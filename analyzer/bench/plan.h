/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a benchmark is to run: commands, their parameters, and the points that
 * follow from them.  Filled by the command line or by a suite's file, then
 * expanded once; what runs it changes nothing.
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
    struct array words; /* of const char *; for the shell, the one word it gets */
    bool is_shell;
    bool is_plain;           /* without the shim */
    const char *prepare;     /* for the shell, before each run; NULL: nothing */
    const char *items;       /* expression: what a run goes through; NULL: the program tells */
    const char *batches;     /* expression: in how many steps; NULL: one */
    unsigned warmup;         /* runs that are not counted */
    unsigned runs;           /* PLAN_ENOUGH: see schedule.h */
    uint64_t timeout_ns;     /* 0: none */
    struct array parameters; /* of struct parameter */
    struct array metrics;    /* of struct metric */
};

/* A command with one value of each of its parameters. */
struct plan_point {
    const struct plan_command *command;
    const char *label;  /* "mlp batch=16", as far as it tells points apart */
    struct array words; /* of const char *, ended by NULL: what is executed */
    const char *prepare;
    struct array values; /* of struct parameter_value */
    double items;        /* NAN: not told */
    double batches;
};

struct plan {
    struct array commands;     /* of struct plan_command; add none once expanded */
    struct array names;        /* of const char *: parameters of all commands */
    struct array metric_names; /* of const char * */
    struct array points;       /* of struct plan_point */
    struct storage *texts;
};

void plan_init(struct plan *plan);
void plan_fini(struct plan *plan);

/* Add a command without words, with 3 runs to warm up.
 * Returns: it, until the next is added. */
struct plan_command *plan_add_command(struct plan *plan) MUST_CHECK;

/* Keep a text as long as the plan. */
const char *plan_keep(struct plan *plan, const char *text) MUST_CHECK;

/* Add a word to a command. */
void plan_add_word(struct plan *plan, struct plan_command *command, const char *word);

/* Make the points.
 * Errors: STATUS_USAGE with a diagnostic: no command, a parameter that nothing uses,
 * too many points, an expression that is none. */
enum status plan_expand(struct plan *plan, struct diagnostic *diagnostic) MUST_CHECK;

/* Ask whether a parameter stands in the words of a command or in what prepares it. */
bool plan_command_uses(const struct plan_command *command, const char *name);

/* The value of a parameter at a point.  Returns: NULL when its command has none such. */
const struct parameter_value *plan_value(const struct plan_point *point, const char *name);

/* The fewest and the most runs to warm up of a command. */
void plan_find_warmup(const struct plan *plan, unsigned *least, unsigned *most);

/* The one parameter by which all points of all commands differ, if its values are
 * numbers: what a sweep is over.  Returns: its name, or NULL. */
const char *plan_swept(const struct plan *plan);

#endif
