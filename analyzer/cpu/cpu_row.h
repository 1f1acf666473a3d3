/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The processor time of a process, as rows; cpu_time.c makes them.
 */
#ifndef CPU_CPU_ROW_H
#define CPU_CPU_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "statistics/interval.h"

struct places;
struct session;
struct storage;

enum cpu_kind {
#define CPU_KIND(kind, word, help) CPU_##kind,
#include "cpu/cpu_kinds.def"
#undef CPU_KIND
    CPU_KINDS
};

/* The word of a kind: "function". */
const char *cpu_kind_word(enum cpu_kind kind);

/* The kind of a row. */
enum cpu_by {
    CPU_BY_FUNCTION,
    CPU_BY_LIBRARY,
    CPU_BY_LINE,
    CPU_BY_THREAD,
    CPU_BY_REGION,
    CPU_BY_KIND,
    CPU_BY_FILE,
    CPU_BY_MODULE, /* modules of torch.nn */
    CPU_BY_PYTHON, /* functions of Python code, with their callees */
    CPU_BY_OP      /* ops of a framework, with their callees; the rest is as by Python */
};

/* Texts belong to the cpu_time. */
struct cpu_row {
    const char *name;    /* "parse", "in Linux: read", "libR+0x5a30, called by Rf_eval" */
    const char *library; /* base name of the file; NULL: none, or several */
    const char *place;   /* "file.c:12", for rows by line with a known line; else NULL */
    enum cpu_kind kind;
    bool is_placed;      /* within one function */
    bool is_named;       /* the name comes from a symbol, from a named caller, or better */
    double self_ns;
    double total_ns;   /* including all callees */
    double clocked_ns; /* part of self_ns that clocks measured: exact */
    struct statistics_interval self; /* interval of self_ns, for this run; NAN without samples */
    uint64_t samples;
    uint32_t threads;
};

/* How far samples and clocks disagree: the kernel with the largest difference. */
struct cpu_check {
    const char *name;   /* the kernel's name; NULL: nothing could be compared */
    double clock_share; /* share of the processor time of sampled threads */
    double sample_share;
    struct statistics_interval interval; /* interval of sample_share */
    size_t kernels;                      /* number of compared kernels */
    bool is_in_step; /* the samples are wrong beyond chance: the program runs in step with them */
};

struct cpu_time {
    const struct session *session;
    struct places *places; /* places of the calls on chains of samples */
    struct array rows;     /* of struct cpu_row, by self_ns */
    const char *unknown;   /* why there are no samples; NULL: there are some */
    double cpu_ns;         /* the whole: processor time of the process; the sum of self_ns */
    double kernel_ns;      /* part in kernels, by their clocks */
    double worker_ns;      /* part in kernels that another thread called, by samples */
    double placed;         /* placed share of the whole, if rows are functions or lines; NAN
                              otherwise, and without samples */
    double named;
    double unplaced_ns; /* part of the whole without a sample or a clock */
    double syscall_ns;  /* in Linux, in system calls */
    double fault_ns;    /* in Linux, in page faults outside of kernels */
    double system_ns;   /* part in Linux by its own count, including faults and copies; NAN:
                           unknown */
    struct cpu_check check;
    double *sample_ns;    /* by sample of the session: the processor time that it adds to its
                             callers; 0 if its chain ends inside a kernel whose other samples show
                             its callers */
    double *sample_self_ns; /* in the sampled function; of a kernel its part of the clock */
    uint32_t *sample_row; /* by sample: its row */
    uint32_t *call_kernel; /* by call of a sample's chain: the binding of the kernel that contains
                              the call or is the call; else SESSION_NONE */
    struct storage *texts;
};

/* Returns: the share of a row in the whole; NAN when it is unknown. */
double cpu_time_share(const struct cpu_time *time, double ns);

#endif
