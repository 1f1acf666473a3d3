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
    uint64_t known_calls; /* that own their FLOPs, which are known */
    uint64_t known_ns;    /* total time of these, less the cost of recording the kernels inside */
    uint64_t inside_ns;   /* of it, these kernels */
    uint64_t unknown_ns;  /* self time of those that own theirs, which are not known */
    long double flops;    /* of the known ones */
    long double executed_flops; /* of these, by padding.h: for rates */
    long double class_flops[GROUPS_CLASSES];
};

struct group {
    const char *label;  /* of rows that are no kernels; else NULL, and the next four apply */
    const char *name;   /* the symbol, or the kernel behind the object it was given */
    const char *symbol; /* that was called; NULL when several were */
    const char *implementation; /* as the library names it; NULL when none, or by kernel */
    const char *library;        /* base name of the file that holds the function, or NULL */
    const struct catalog_kernel *kernel; /* NULL when the trace does not say */
    const char *shape;                   /* "m=64 n=64 k=64"; empty by kernel */
    size_t slot, last_slot;              /* of its slots in the session: groups_next_slot */
    uint64_t calls;
    uint64_t timed_calls;  /* fewer where the others were only counted: total and self are then
                              estimates */
    uint64_t total_ns;     /* our own cost in it taken out */
    uint64_t self_ns;      /* the same, without the kernels inside */
    bool has_estimated_calls; /* of some slots, in a window */
    bool is_drawn; /* not every call was timed, or had a record: statistics are of drawn ones */
    double total_variance; /* of the error of the total: 0 when exact, NAN when not known */
    double most_variance;  /* the same, where an estimate by a single call may be wrong
                              altogether */
    uint64_t min_ns;       /* our own cost taken out of these, too */
    uint64_t max_ns;
    long double flops;          /* of the calls that own theirs; NAN when one is unknown */
    long double executed_flops; /* the same by padding.h; judgements use these */
    long double bytes;
    long double done_flops; /* executed by all calls, those inside others too */
    uint64_t inner_calls;   /* inside others of the same routine: their own time is in the row of
                             these (inner.h) */
    uint64_t owning_calls;
    uint64_t owning_ns;           /* total time of these */
    uint64_t owning_warmup_calls; /* of these, and the time of them */
    uint64_t owning_warmup_ns;
    enum catalog_precision precision; /* by the catalog, of all calls; of kernels alone */
    struct group_work work;
    struct array series; /* of struct group_series, for statistics: group_samples.h */
    uint64_t warmup_calls;
    uint64_t sample_calls; /* after the warm-up */
    uint64_t first_ns;     /* the first call of the first series; UNKNOWN when it was overwritten */
};

/* The calls of one slot in the order of time; the first are warm-up. */
struct group_series {
    uint32_t slot;                /* of the session */
    const uint64_t *durations_ns; /* of the session; our own cost left in */
    uint64_t cost_ns;             /* of it, in each */
    size_t warmup;
    size_t count;  /* with these */
    bool is_whole; /* the first is the first that there was */
};

/* A call of a series, warm-up included, our own cost taken out. */
static inline uint64_t group_series_at(const struct group_series *series, size_t index)
{
    uint64_t duration_ns = series->durations_ns[index];

    return duration_ns > series->cost_ns ? duration_ns - series->cost_ns : 0;
}

/* Calls of rows after the first ones, which hold one-time work (pages, threads, caches) and would
 * dominate some means.  Every mean time of a call is of these; totals and shares are of all
 * calls. */
struct groups_steady {
    long double ns; /* with the kernels inside */
    uint64_t calls;
};

/* Add those of a row. */
void groups_steady_add(struct groups_steady *steady, const struct group *group);

/* Returns: the mean time of a call, NAN of none. */
double groups_steady_mean_ns(const struct groups_steady *steady);

/* The same of one row. */
double group_mean_ns(const struct group *group);

/* Returns: the extra time of a row's first calls over as many others: the cost of starting. 0 where
 * they were not slower, NAN where it is not known. */
double group_first_cost_ns(const struct group *group);

/* Ask whether a row is inside others of the same routine alone. */
bool group_is_inner(const struct group *group);

/* Ask whether times of a row are estimates: some of its calls were only counted. */
bool group_is_estimate(const struct group *group);

/* The name of a row. */
const char *group_name(const struct group *group);

/* Ask whether the error of a row's total is above a quarter of it: then the time says little, and a
 * ranking by it less. */
bool group_is_rough(const struct group *group);

/* Returns: the time of calls, each counted once: calls with known FLOPs include the kernels inside,
 * which own none; the others exclude kernels inside that own theirs. */
uint64_t group_work_ns(const struct group_work *work);

/* Known FLOPs; NAN when of none of its calls that do any they are known. */
long double group_work_flops(const struct group_work *work);
long double group_work_executed_flops(const struct group_work *work);

/* Known FLOPs by the time of the calls that own them, the kernels inside these included.
 * Returns: FLOP/s; 0 of calls that do none, NAN when not known. */
long double group_work_rate(const struct group_work *work);

/* The same for a row.  For a kernel it is the rate of all its calls, those inside others too, and
 * unknown if the FLOPs of one are.  For other rows it is the rate of the calls with known FLOPs. */
long double group_rate(const struct group *group);

/* The word for a class of kernels. */
const char *group_class_name(enum catalog_class class);

/* Ask whether a row is a kernel that multiplies matrices. */
bool group_is_product(const struct group *group);

/* FLOPs that are multiply-adds of matmul-class kernels, in pairs. */
long double group_macs(const struct group *group);

#endif
