/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The limits of a machine, measured by `tprof calibrate` or given by the user, and the roofline
 * model: no call is faster than its FLOPs at peak, or than its bytes at the bandwidth of their
 * memory level.
 *
 * Source: S. Williams, A. Waterman, D. Patterson, Roofline: An Insightful
 * Visual Performance Model for Multicore Architectures, CACM 52(4), 2009.
 *
 * Unknown numbers are NAN; 0 threads mean any number.
 */
#ifndef MODEL_MACHINE_H
#define MODEL_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "base/text_list.h"

enum machine_precision {
#define PRECISION(id, name, bytes, reason) MACHINE_##id,
#include "spec/precisions.def"
#undef PRECISION
    MACHINE_PRECISIONS
};

enum machine_stream {
#define MACHINE_STREAM(id, name, words, help) MACHINE_##id,
#include "model/machine_streams.def"
#undef MACHINE_STREAM
    MACHINE_STREAMS
};

/* The memory levels, the nearest first. */
enum machine_level { MACHINE_L1, MACHINE_L2, MACHINE_L3, MACHINE_DRAM, MACHINE_LEVELS };

struct machine_cache {
    enum machine_level level;
    uint64_t size_bytes; /* size of a single cache */
    uint32_t sharers;    /* processors that share one */
};

/* Multiply-adds in registers, and the best measured product of matrices. */
struct machine_peak {
    enum machine_precision precision;
    uint32_t threads; /* 0: any number */
    double flops_per_second;
    double spread; /* (best - median) / best of the trials */
    double gemm_flops_per_second;
    char instruction_set[16];
};

struct machine_bandwidth {
    enum machine_level level;
    uint32_t threads;
    uint64_t working_set_bytes; /* working set of all threads */
    double bytes_per_second[MACHINE_STREAMS];
    double spread; /* the largest of the streams' */
};

enum { MACHINE_TEXT_SIZE = 256 };

struct machine {
#define MACHINE_TEXT(field, title, help) char field[MACHINE_TEXT_SIZE];
#define MACHINE_NUMBER(field, title, unit, help) double field;
#include "model/machine_facts.def"
#undef MACHINE_TEXT
#undef MACHINE_NUMBER
    char source[MACHINE_TEXT_SIZE]; /* path of the file, or "the command line" */
    struct array caches;            /* of struct machine_cache, the nearest first */
    struct array peaks;             /* of struct machine_peak, by precision and threads */
    struct array bandwidths;        /* of struct machine_bandwidth, by level and threads */
    struct text_list warnings;      /* doubts about the figures */
};

/* Start with nothing known. */
void machine_init(struct machine *machine);
void machine_fini(struct machine *machine);

/* Make a machine of two numbers: one peak for all precisions, one bandwidth. */
void machine_init_given(struct machine *machine, double flops_per_second, double bytes_per_second);

const char *machine_precision_name(enum machine_precision precision);

/* Give the reason why calibration measured no peak of a precision; NULL if it measured one. */
const char *machine_no_peak_reason(const struct machine *machine, enum machine_precision precision);

/* Bytes of a number; NAN for an unknown precision. */
double machine_precision_bytes(enum machine_precision precision);

const char *machine_level_name(enum machine_level level);
const char *machine_stream_name(enum machine_stream stream);

/* Find by name.  Returns: the number of all when there is none. */
enum machine_precision machine_find_precision(const char *name);
enum machine_level machine_find_level(const char *name);

/* Give the peak of `threads` threads together.  Between two measured numbers of threads it is
 * interpolated; above the largest, it is that of the largest.
 * Returns: NAN when it was not measured. */
double machine_peak(const struct machine *machine, enum machine_precision precision,
                    unsigned threads);
/* Give the spread of the trials: (best - median) / best; NAN. */
double machine_peak_spread(const struct machine *machine, enum machine_precision precision,
                           unsigned threads);
double machine_bandwidth_spread(const struct machine *machine, enum machine_level level,
                                unsigned threads);
double machine_gemm(const struct machine *machine, enum machine_precision precision,
                    unsigned threads);

/* The highest bandwidth of the streams that do not update in place; the second gives only STREAM's
 * triad. */
double machine_bandwidth(const struct machine *machine, enum machine_level level, unsigned threads);
double machine_triad(const struct machine *machine, enum machine_level level, unsigned threads);

/* Give the bandwidth of one loop.  Returns: NAN, also if the calibration is older than the loop. */
double machine_stream(const struct machine *machine, enum machine_stream stream,
                      enum machine_level level, unsigned threads);

/* Give the largest working set for a level's bandwidths; 0 when unknown. */
double machine_working_set(const struct machine *machine, enum machine_level level);

/* Find the level of a call's operands: the nearest level that holds all its bytes, with the caches
 * of `threads` threads added up.
 * Returns: MACHINE_DRAM when sizes are unknown. */
enum machine_level machine_find_home(const struct machine *machine, double bytes, unsigned threads);

/* Give the bytes that a level holds for `threads` threads; NAN when unknown. */
double machine_capacity(const struct machine *machine, enum machine_level level, unsigned threads);

struct machine_roof {
    double peak;      /* FLOP/s */
    double bandwidth; /* bytes/s */
    enum machine_level level;
};

/* Find the roof of calls of `bytes` bytes each. */
struct machine_roof machine_find_roof(const struct machine *machine,
                                      enum machine_precision precision, double bytes,
                                      unsigned threads);

/* Give the ridge in FLOPs per byte: above it the peak limits. */
double machine_ridge(const struct machine_roof *roof);

/* Give the most FLOP/s that calls of an intensity may reach. */
double machine_attainable(const struct machine_roof *roof, double flops_per_byte);

/* The least time for an amount of work.  Units: seconds. */
double machine_least_seconds(const struct machine_roof *roof, long double flops, long double bytes);

/* Ask whether the calibration is of the machine with these names. */
bool machine_is(const struct machine *machine, const char *host, const char *cpu);

#endif
