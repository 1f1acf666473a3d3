/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of the coverage report: functions that were found, hooked or called, and those out of
 * reach.  For coverage.c and its neighbours, the report, and tprof kernels.
 */
#ifndef KERNELS_COVERAGE_H
#define KERNELS_COVERAGE_H

#include "model/session_kernels.h"
#include "places/places.h"

struct session;

enum coverage_state {
    COVERAGE_CALLED,
    COVERAGE_NOT_USED,      /* slots lead to it, but without calls */
    COVERAGE_NOT_HOOKED,    /* slots exist, but could not be hooked */
    COVERAGE_NOT_REACHABLE, /* no slot leads to the function */
    COVERAGE_NOT_MEANT      /* the name is the catalog's, the library is not */
};

/* A row of libraries.def on a library, or on code that computes under any file name. */
struct coverage_known {
    const char *kind;
    const char *hint;       /* empty: nothing */
    const char *other_hint; /* hint for a library that calls others, or for an engine whose calls
                               have no slot */
    bool is_entered;        /* all its work is in calls through slots */
    bool is_engine;
    const char *const *names; /* globs of files, or the function of an engine; NULL at the end */
};

/* A file that was loaded, however often. */
struct coverage_library {
    const struct session_module *module; /* the first of this file */
    const char *name;                    /* name of the file, without folders */
    const char *kind;                    /* from libraries.def, or NULL */
    const struct coverage_known *engine; /* the engine in the file, or NULL */
    const char *hint;                    /* from libraries.def, too; NULL when there is none */
    bool is_caller;  /* it computes by itself, and its slots also lead to kernels of other files */
    bool is_entered; /* all its computing is in calls through slots */
    bool is_program;
    bool is_read;   /* the file is there and is the one that ran */
    bool has_inner; /* the library has symbols that it does not export */
    bool is_symbolic;
    bool exports_engine;
    uint64_t exported; /* known functions that others can be bound to */
    uint64_t inner;    /* known functions that are not exported; UNKNOWN */
    uint64_t hooked;   /* functions with slots */
    uint64_t called;   /* functions */
    uint64_t calls;
    uint64_t time_ns; /* in calls, without kernels inside them */
};

/* A kernel's symbol in the library that defines it. */
struct coverage_row {
    uint32_t library; /* index in libraries; SESSION_NONE: not defined */
    const char *symbol;
    const struct catalog_kernel *kernel; /* or NULL */
    const struct session_module *caller; /* the only object that calls it, or NULL */
    uint32_t callers;                    /* objects with slots */
    uint64_t slots;
    uint64_t hooked;
    uint64_t calls;
    uint64_t time_ns;
    enum coverage_state state;
    const char *reason;
};

struct coverage {
    const struct session *session;
    struct array libraries;       /* of struct coverage_library */
    struct array rows;            /* of struct coverage_row, by library and symbol */
    struct array names;           /* char *, owned */
    uint64_t unread;              /* missing files that might contain more */
    uint64_t slots;               /* hooked, of all rows */
    uint64_t missed;              /* slots that could not be hooked */
    uint64_t kernel_ns;           /* wall-clock time */
    uint64_t least_kernel_cpu_ns; /* lower bound of the threads' processor time in kernels */
    uint64_t most_kernel_cpu_ns;  /* upper bound of it */
    uint64_t cpu_ns;              /* CPU time of the process; UNKNOWN */
    uint64_t silent_cpu_ns;       /* CPU time of threads that recorded nothing; UNKNOWN */
    double placed, named;         /* shares of the CPU time, by kernels and samples: see cpu_time.h;
                                     NAN until coverage_find_named */
};

/* Gather the facts of the trace and of the files on disk.
 * `reads_files`: search the files, too, which takes a moment for large ones. */
void coverage_init(struct coverage *coverage, const struct session *session, bool reads_files);

/* Find the placed and the named parts of the CPU time. */
void coverage_find_named(struct coverage *coverage, places_finder find);

/* Find a library by its file's name, and an engine by a function that it exports.
 * Returns: NULL when it is unknown. */
const struct coverage_known *coverage_find_library(const char *file);
const struct coverage_known *coverage_find_engine(const char *function);

/* A library's kind: "BLAS, LAPACK"; its hint; and its own work besides the kernels that it calls.
 * Returns: NULL when there is nothing to say, or when the library is unknown. */
const char *coverage_find_kind(const char *file);
const char *coverage_find_hint(const char *file);
const char *coverage_find_caller_hint(const char *file);

/* The word for a state: "called". */
const char *coverage_state_name(enum coverage_state state);

/* Sum up the times, once the libraries and the rows are complete. */
void coverage_sum_times(struct coverage *coverage);

/* The part of the process's CPU time in kernels, from 0 to 1: at least and at most, as a thread may
 * wait inside of kernels or outside.  NAN when unknown. */
struct coverage_share {
    double least, most;
};
struct coverage_share coverage_share(const struct coverage *coverage);

/* The same if both are close; else NAN. */
double coverage_fraction(const struct coverage *coverage);

/* Returns: the CPU time that was in no kernel at least; UNKNOWN. */
uint64_t coverage_least_outside_ns(const struct coverage *coverage);

/* The most CPU time of kernels, including threads that called no kernel but may have worked for
 * one, as the workers of a BLAS do: from 0 to 1, NAN when unknown.
 * `threads`: of a call, with the caller; 0 when none are set. */
double coverage_most_with_workers(const struct coverage *coverage, uint64_t threads);

/* The library of a row, or NULL. */
const struct coverage_library *coverage_library_of(const struct coverage *coverage,
                                                   const struct coverage_row *row);

/* The symbols of a catalog by name. */
struct coverage_names {
    struct array plain; /* of struct coverage_name, sorted */
    struct array globs;
};

struct coverage_name {
    const struct catalog_symbol *symbol;
    const struct catalog_kernel *kernel;
};

void coverage_names_init(struct coverage_names *names, const struct catalog *catalog);
/* Find a function of a library by name; `is_meant`: whether the catalog is about this library.
 * Returns: NULL when no name matches. */
const struct coverage_name *coverage_names_find(const struct coverage_names *names,
                                                const char *function, const char *library,
                                                bool *is_meant);

#endif
