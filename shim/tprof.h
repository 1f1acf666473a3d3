/* SPDX-License-Identifier: 0BSD
 *
 * tprof.h: annotations of a program for the profiler.
 *
 * Copyright (C) 2026 the tprof authors
 *
 * Permission to use, copy, modify, and/or distribute this file for any
 * purpose with or without fee is hereby granted.  THE FILE IS PROVIDED "AS
 * IS" AND THE AUTHORS DISCLAIM ALL WARRANTIES WITH REGARD TO IT.
 *
 * Every function is a weak reference: a program that includes this header
 * needs no library of ours to link or to run, and pays one load and one
 * branch a call when the shim is absent.  With LD_PRELOAD=libtprof.so the
 * calls are recorded in the trace of the process.
 *
 *     tprof_region_begin("attention");
 *     ...
 *     tprof_region_end("attention");
 *
 * Safety: every function may be called from any thread.  Labels are copied; the caller keeps its
 * own.  errno is preserved.
 */
#ifndef TPROF_H
#define TPROF_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The recorded side; call the inline functions below instead. */
extern void tprof_record_region_begin(const char *label) __attribute__((weak));
extern void tprof_record_region_end(const char *label) __attribute__((weak));
extern void tprof_record_snapshot(const char *label) __attribute__((weak));
extern void tprof_record_metric(const char *name, double value) __attribute__((weak));
extern void tprof_record_items(uint64_t count) __attribute__((weak));
extern void tprof_record_request_begin(uint64_t id) __attribute__((weak));
extern void tprof_record_request_end(uint64_t id) __attribute__((weak));
extern const char *tprof_record_trace(void) __attribute__((weak));

/* Open a region on this thread, inside the region that is open now. */
static inline void tprof_region_begin(const char *label)
{
    if (tprof_record_region_begin)
        tprof_record_region_begin(label);
}

/* Close the innermost open region of this label, and with it the open regions
 * inside.  NULL closes the innermost region of any label.  A label that is not
 * open is ignored, and counted. */
static inline void tprof_region_end(const char *label)
{
    if (tprof_record_region_end)
        tprof_record_region_end(label);
}

/* Read the memory of the process now, under this label. */
static inline void tprof_snapshot(const char *label)
{
    if (tprof_record_snapshot)
        tprof_record_snapshot(label);
}

/* State a number that the program knows about itself: accuracy, loss, parameters.  The last value
 * for a name is reported. */
static inline void tprof_metric(const char *name, double value)
{
    if (tprof_record_metric)
        tprof_record_metric(name, value);
}

/* Count items done (samples, tokens, images), for rates by item. */
static inline void tprof_items(uint64_t count)
{
    if (tprof_record_items)
        tprof_record_items(count);
}

/* Mark the start and the end of serving one request. */
static inline void tprof_request_begin(uint64_t id)
{
    if (tprof_record_request_begin)
        tprof_record_request_begin(id);
}

static inline void tprof_request_end(uint64_t id)
{
    if (tprof_record_request_end)
        tprof_record_request_end(id);
}

/* Give the path of this process's trace, which a forked child has of its own.  NULL when nothing is
 * recorded.  The text lasts until the process forks. */
static inline const char *tprof_trace(void)
{
    return tprof_record_trace ? tprof_record_trace() : 0;
}

#ifdef __cplusplus
}

namespace tprof
{
/* A region as long as the scope: tprof::region r("forward"); */
class region
{
  public:
    explicit region(const char *label) : label_(label)
    {
        tprof_region_begin(label_);
    }
    ~region()
    {
        tprof_region_end(label_);
    }

  private:
    const char *label_;
    region(const region &);
    region &operator=(const region &);
};
} // namespace tprof
#endif

#endif
