/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All calls of the models to the profiler.  Compiled with
 * -DWITH_TPROF the functions call tprof.h; without it they are empty and the
 * program knows nothing of tprof.  Neither build computes anything else.
 *
 * Safety: every function may be called from any thread.
 */
#ifndef SAMPLES_ANNOTATE_H
#define SAMPLES_ANNOTATE_H

#include <stdint.h>

#ifdef WITH_TPROF
#include <tprof.h>

static inline void annotate_begin(const char *label)
{
    tprof_region_begin(label);
}

static inline void annotate_end(const char *label)
{
    tprof_region_end(label);
}

static inline void annotate_snapshot(const char *label)
{
    tprof_snapshot(label);
}

static inline void annotate_metric(const char *name, double value)
{
    tprof_metric(name, value);
}

static inline void annotate_items(uint64_t count)
{
    tprof_items(count);
}

#else

static inline void annotate_begin(const char *label)
{
    (void)label;
}

static inline void annotate_end(const char *label)
{
    (void)label;
}

static inline void annotate_snapshot(const char *label)
{
    (void)label;
}

static inline void annotate_metric(const char *name, double value)
{
    (void)name;
    (void)value;
}

static inline void annotate_items(uint64_t count)
{
    (void)count;
}

#endif

#endif
