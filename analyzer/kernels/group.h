/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A row that people read: kernel calls with their times and their work.
 */
#ifndef KERNELS_GROUP_H
#define KERNELS_GROUP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "spec/catalog.h"

enum { GROUPS_SHAPE_SIZE = 400, GROUPS_CLASSES = CATALOG_MOVEMENT + 1 };

/* Sums over calls; nested ones own no FLOPs, and add none. */
struct group_work {
    uint64_t known_calls; /* calls that own their FLOPs, which are known */
    uint64_t known_ns;    /* total time of these, less the cost of recording the kernels inside */
    uint64_t inside_ns;   /* part of it in these kernels */
    uint64_t unknown_ns;  /* self time of calls that own unknown FLOPs */
    long double flops;    /* FLOPs of the known calls */
    long double executed_flops; /* the same by padding.h: for rates */
    long double class_flops[GROUPS_CLASSES];
    bool is_on_device; /* some of it ran on a device: the time of the calls gives no rate */
};

struct group {
    const char *label;  /* label of rows that are no kernels; else NULL, and the next four apply */
    const char *name;   /* the symbol, or the kernel behind the given object */
    const char *symbol; /* called symbol; NULL if there were several */
    const char *implementation; /* in the library's words; NULL if there is none, and by kernel */
    const char *library;        /* base name of the file that holds the function, or NULL */
    const struct catalog_kernel *kernel; /* NULL when the trace does not say */
    const char *shape;                   /* "m=64 n=64 k=64"; empty by kernel */
    size_t slot, last_slot;              /* first and last of its slots in the session:
                                            groups_next_slot */
    uint64_t calls;
    uint64_t timed_calls;  /* fewer if other calls were only counted: total and self are then
                              estimates */
    uint64_t total_ns;     /* tprof's own cost is subtracted */
    uint64_t self_ns;      /* the same, without the kernels inside */
    bool has_estimated_calls; /* estimated for some slots, in a window */
    bool is_on_device;        /* as in a slot, for some of its calls */
    bool is_drawn; /* not every call was timed or recorded: statistics use drawn ones */
    double total_variance; /* variance of the total's error: 0 when exact, NAN when unknown */
    double most_variance;  /* the same, if an estimate from a single call may be entirely wrong */
    uint64_t min_ns;       /* tprof's own cost is subtracted from these, too */
    uint64_t max_ns;
    long double flops;          /* FLOPs of the calls that own theirs; NAN when one is unknown */
    long double executed_flops; /* the same by padding.h; judgements use these */
    long double bytes;
    long double done_flops; /* executed by all calls, nested ones included */
    uint64_t inner_calls;   /* calls nested in others of the same routine: their own time is in the
                               row of these (inner.h) */
    uint64_t owning_calls;
    uint64_t owning_ns;           /* total time of these */
    uint64_t owning_warmup_calls; /* warm-up calls among these, and their time */
    uint64_t owning_warmup_ns;
    enum catalog_precision precision; /* from the catalog, for all calls; for kernels only */
    struct group_work work;
    struct array series; /* of struct group_series, for statistics: group_samples.h */
    uint64_t warmup_calls;
    uint64_t sample_calls; /* calls after the warm-up */
    uint64_t first_ns;     /* the first call of the first series; UNKNOWN when its record was
                              overwritten */
};

/* The calls of one slot in the order of time; the first calls are warm-up. */
struct group_series {
    uint32_t slot;                /* index in the session */
    const uint64_t *durations_ns; /* from the session; includes tprof's own cost */
    uint64_t cost_ns;             /* tprof's own cost in each */
    size_t warmup;
    size_t count;  /* number of calls with these */
    bool is_whole; /* the first is the first that there was */
};

/* A call of a series, warm-up included, our own cost taken out. */
static inline uint64_t group_series_at(const struct group_series *series, size_t index)
{
    uint64_t duration_ns = series->durations_ns[index];

    return duration_ns > series->cost_ns ? duration_ns - series->cost_ns : 0;
}

/* Calls of rows after the first ones: these include one-time work (pages, threads, caches) that
 * would dominate some means.  Every mean time of a call uses these; totals and shares use all
 * calls. */
struct groups_steady {
    long double ns; /* including inner kernels */
    uint64_t calls;
};

/* Add those of a row. */
void groups_steady_add(struct groups_steady *steady, const struct group *group);

/* Returns: the mean time of a call, NAN without calls. */
double groups_steady_mean_ns(const struct groups_steady *steady);

/* The same for one row. */
double group_mean_ns(const struct group *group);

/* Returns: the extra time of a row's first calls over as many later calls: the cost of starting.  0
 * if they were not slower, NAN if it is unknown. */
double group_first_cost_ns(const struct group *group);

/* Ask whether a row occurs only inside others of the same routine. */
bool group_is_inner(const struct group *group);

/* Ask whether times of a row are estimates: some of its calls were only counted. */
bool group_is_estimate(const struct group *group);

/* The name of a row. */
const char *group_name(const struct group *group);

/* Ask whether the error of a row's total exceeds a quarter of the total: the time then says little,
 * and a ranking by it less. */
bool group_is_rough(const struct group *group);

/* Returns: the time of calls, each counted once.  Calls with known FLOPs include inner kernels that
 * own none; other calls exclude inner kernels that own FLOPs. */
uint64_t group_work_ns(const struct group_work *work);

/* Known FLOPs; NAN if some calls do FLOPs, but none of these is known. */
long double group_work_flops(const struct group_work *work);
long double group_work_executed_flops(const struct group_work *work);

/* Known FLOPs divided by the time of the calls that own them, inner kernels included.
 * Returns: FLOP/s; 0 for calls without FLOPs, NAN when unknown. */
long double group_work_rate(const struct group_work *work);

/* The same for a row.  For a kernel it is the rate of all its calls, nested ones included, and
 * unknown if the FLOPs of one call are.  For other rows it is the rate of the calls with known
 * FLOPs. */
long double group_rate(const struct group *group);

/* The word for a class of kernels. */
const char *group_class_name(enum catalog_class class);

/* Ask whether a row is a kernel that multiplies matrices. */
bool group_is_product(const struct group *group);

/* FLOPs that are multiply-adds of matmul-class kernels, in pairs. */
long double group_macs(const struct group *group);

#endif
