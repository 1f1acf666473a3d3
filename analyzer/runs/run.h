/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The measurements of one run of a program, as rows of numbers for comparison with other runs.  A
 * run outlives its session, so many traces can be read in turn with little memory.
 */
#ifndef RUNS_RUN_H
#define RUNS_RUN_H

#include "analysis/analysis.h"
#include "base/array.h"

enum run_quantity {
#define QUANTITY(id, key, title, unit, kind, better, help) RUN_##id,
#include "runs/quantities.def"
#undef QUANTITY
    RUN_QUANTITIES
};

enum run_kind { RUN_EXACT, RUN_MEASURED };
enum run_better { RUN_LOWER, RUN_HIGHER, RUN_NEITHER };

/* The row of quantities.def. */
struct run_quantity_row {
    const char *key;
    const char *title;
    enum unit unit;
    enum run_kind kind;
    enum run_better better;
    const char *help;
};
const struct run_quantity_row *run_quantity_at(enum run_quantity quantity);

/* Returns: RUN_QUANTITIES when the key is unknown. */
enum run_quantity run_quantity_find(const char *key);

/* Functions have their time from samples outside kernels; Linux and spinning count as functions,
 * too.  Ops are those of PyTorch.  Commands are those of devices, by the name of their kernel or
 * their kind: their time is the device's.  An operation is a name in a minimal baseline that is not
 * yet matched to a whole, a kernel or a region. */
enum run_subject {
    RUN_WHOLE,
    RUN_KERNEL,
    RUN_REGION,
    RUN_FUNCTION,
    RUN_OP,
    RUN_COMMAND,
    RUN_METRIC,
    RUN_OPERATION
};

/* "whole", "kernel", "region", "function", "op", "command", "metric", "operation". */
const char *run_subject_name(enum run_subject subject);

/* Returns: whether rows of a file may have a subject of this name. */
bool run_subject_find(const char *name, enum run_subject *subject);

/* Single calls kept in a row, spread over all calls. */
enum { RUN_SAMPLES = 1000 };

/* A part of a run; it owns the texts. */
struct run_row {
    enum run_subject subject;
    const char *name;              /* "" of the whole */
    const char *shape;             /* "" unless it is a kernel's */
    const char *file;              /* of the program's own line that it is from; NULL: unknown */
    uint32_t line;
    double values[RUN_QUANTITIES]; /* NAN: unknown, or not applicable */
    double errors[RUN_QUANTITIES]; /* standard errors of estimates; 0: no
                                      estimate, INFINITY: the error is
                                      unknown */
    struct array
        samples_ns; /* double, for kernels and commands: at most RUN_SAMPLES calls in the order of
                                      time, after warm-up; used to compare two single runs */
};

/* A condition of a run, which may explain a difference: "cpu", "OMP_NUM_THREADS",
 * "libopenblas.so.0" with its build-id. */
struct run_fact {
    const char *name;
    const char *value;
};

/* The fact of the run's end, and its value for a program that ended by itself with exit status 0.
 * The fact is missing if the end is unknown. */
extern const char run_ending[];
extern const char run_ended_well[];

struct session;
struct storage;

struct run {
    const char *label;         /* name of the program, for people */
    const char *path;          /* path of the trace, or NULL */
    struct array rows;         /* of struct run_row; the first is the whole, once there is one */
    struct array facts;        /* of struct run_fact, in a fixed order */
    int64_t realtime_start_ns; /* -1 when unknown */
    uint32_t pid;              /* 0 when unknown */
    bool is_whole;             /* no record was lost, so EXACT values are exact */
    bool is_drawn;             /* drawn blocks represent others: its heap is estimated */
    bool is_cut;               /* its end is missing in the trace: counts are partial */
    struct storage *texts;
};

/* The runs of one side of a comparison. */
struct run_side {
    const char *label;
    struct array runs; /* of struct run */
};

/* Start a run without rows. */
void run_init(struct run *run, const char *label, const char *path);
void run_fini(struct run *run);

/* Add a row of unknown values.  Bytes of its texts that are not UTF-8 become escapes such as \xff,
 * in a run as in a baseline.
 * Returns: the row, valid until the next is added. */
struct run_row *run_add_row(struct run *run, enum run_subject subject, const char *name,
                            const char *shape) MUST_CHECK;

/* Set the place of a row. */
void run_set_place(struct run *run, struct run_row *row, const char *file, uint32_t line);

/* Returns: the row, or NULL. */
struct run_row *run_find_row(const struct run *run, enum run_subject subject, const char *name,
                             const char *shape);

/* Set a metric, in place of the program's own value. */
void run_add_value(struct run *run, const char *metric, double value);

/* Add a fact. */
void run_add_fact(struct run *run, const char *name, const char *value);

/* Returns: the value of a fact, or NULL. */
const char *run_fact_value(const struct run *run, const char *name);

/* Returns: the fact of how many first calls were left out, or NULL. */
const char *run_warmup(const struct run *run);

/* Ask whether two runs are the same process with the same start. */
bool run_is_same(const struct run *a, const struct run *b);

/* Give a value of the whole run; NAN. */
double run_whole_value(const struct run *run, enum run_quantity quantity);

/* Give a metric; NAN. */
double run_metric_value(const struct run *run, const char *metric);

/* Describe calls by one number: their Winsorized mean.  The slowest and the fastest tenth count as
 * much as the calls next to them.  A few disturbed calls do not move this mean.  If every third
 * call is slow, the mean shows their full cost, which a median or a trimmed mean hides.  The
 * samples are sorted and their ends changed.
 * Returns: NAN without samples.
 * Source: Tukey, Ann. Math. Stat. 33 (1962) 1. */
double run_call_mean(double *samples, size_t count);

/* Keep samples of a row's calls, and describe all of them.  `samples`, of double in nanoseconds,
 * are in the order of time; they are sorted and their ends changed. */
void run_row_set_calls(struct run_row *row, struct array *samples);

void run_side_init(struct run_side *side, const char *label);
void run_side_fini(struct run_side *side);

#endif
