/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The processor time of a process in rows: cpu_time.c makes them.
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
    CPU_BY_MODULE, /* of torch.nn */
    CPU_BY_PYTHON, /* functions of Python code, with their callees */
    CPU_BY_OP      /* ops of a framework, with their callees; the rest is as by Python */
};

/* Texts belong to the cpu_time. */
struct cpu_row {
    const char *name;    /* "parse", "in Linux: read", "libR+0x5a30, called by Rf_eval" */
    const char *library; /* base name of the file; NULL: none, or several */
    const char *place;   /* "file.c:12", by line alone, where it is known; else NULL */
    enum cpu_kind kind;
    bool is_placed;      /* within one function */
    bool is_named;       /* by a symbol, a caller that has one, or better */
    double self_ns;
    double total_ns;   /* with all that it called */
    double clocked_ns; /* of self_ns: exact */
    struct statistics_interval self; /* of self_ns, for this run; NAN without samples */
    uint64_t samples;
    uint32_t threads;
};

/* How far samples and clocks disagree: the kernel with the largest difference. */
struct cpu_check {
    const char *name;   /* of the kernel; NULL: nothing could be compared */
    double clock_share; /* of the processor time of sampled threads */
    double sample_share;
    struct statistics_interval interval; /* of sample_share */
    size_t kernels;                      /* that were compared */
    bool is_in_step; /* the samples are wrong beyond chance: the program runs in step with them */
};

struct cpu_time {
    const struct session *session;
    struct places *places; /* of the calls on chains of samples */
    struct array rows;     /* of struct cpu_row, by self_ns */
    const char *unknown;   /* why there are no samples; NULL: there are */
    double cpu_ns;         /* the whole: processor time of the process; the sum of self_ns */
    double kernel_ns;      /* of it, in kernels, by their clocks */
    double worker_ns;      /* of it, in kernels that another thread called, by samples */
    double placed;         /* shares of the whole, where rows are functions or lines; else NAN, as
                              without samples */
    double named;
    double unplaced_ns; /* of the whole, the time without a sample or a clock */
    double syscall_ns;  /* in Linux, in system calls */
    double fault_ns;    /* in Linux, in page faults outside of kernels */
    double system_ns;   /* in Linux by its own count, in faults and copies too; NAN: unknown */
    struct cpu_check check;
    double *sample_ns;    /* by sample of the session: processor time that it stands for on the
                             way to its callers; 0 where its chain ends inside a kernel, and
                             other samples of the kernel show its callers */
    double *sample_self_ns; /* in the sampled function; of a kernel its part of the clock */
    uint32_t *sample_row; /* by sample: its row */
    uint32_t *call_kernel; /* by call of a sample's chain: the binding of the kernel that it is
                              inside of or that it is itself, else SESSION_NONE */
    struct storage *texts;
};

/* Returns: the share of a row of the whole; NAN when that is not known. */
double cpu_time_share(const struct cpu_time *time, double ns);

#endif
