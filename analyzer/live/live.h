/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A running process, by the totals in its trace: rates over the last frame and over the last 60.
 *
 * Each frame adds up the cells of a row, and with the time of a call that is open now.  A rate is
 * the difference of two sums by the time between them, so a call of many seconds counts while it
 * lasts and not all at its end.
 */
#ifndef LIVE_LIVE_H
#define LIVE_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "alerts/alert_rules.h"
#include "alerts/alert_samples.h"
#include "base/array.h"
#include "base/attributes.h"
#include "base/status.h"
#include "base/text_index.h"
#include "live/live_file.h"
#include "model/outline.h"
#include "model/session.h"

enum { LIVE_SPAN = 60, LIVE_RING = LIVE_SPAN + 1 };

enum live_kind { LIVE_KERNEL, LIVE_OP, LIVE_WAIT, LIVE_IDLE, LIVE_REGION, LIVE_REQUEST };

/* What only grows. */
struct live_sums {
    double ns;
    double calls;
    double flops; /* of known kernels */
    double bytes; /* read or written; of a region obtained, of a request answered */
};

struct live_row {
    const char *name; /* owned */
    enum live_kind kind;
    bool is_step; /* a region directly in its thread, or the step of an optimizer */
    struct live_sums ring[LIVE_RING];
};

/* Sums of the process, and states. */
struct live_totals {
    uint64_t taken_ns;
    double cpu_ns; /* NAN: unknown */
    double flops;
    double kernel_ns;
    double waiting_ns; /* not of idle workers */
    double blocks;
    double block_bytes;
    double recording_ns; /* estimated cost of recording */
    double heap_bytes;   /* live; NAN: not counted */
    double resident_bytes;
    double requests; /* answered */
};

/* The latencies of all requests until a frame. */
struct live_latencies {
    uint64_t counts[TRACE_LATENCY_COUNTERS];
};

enum live_state {
    LIVE_RUNS,
    LIVE_ENDED, /* its ending is in the trace */
    LIVE_UNSEEN /* no process has its number here: it was killed, or runs elsewhere */
};

/* A cell of a lane. */
struct live_info {
    uint32_t row; /* LIVE_NO_ROW: none, or not yet known */
    bool is_known;
    uint32_t op; /* of a kernel: cell of the innermost op around it, whose row has its FLOPs; 0 */
    bool is_nested; /* in a kernel that owns the FLOPs */
    double flops_each;
};

enum { LIVE_NO_ROW = UINT32_MAX };

struct live_lane_infos {
    uint32_t lane;
    struct array infos; /* of struct live_info, by cell */
};

/* A thread that has not ended. */
struct live_thread {
    uint32_t id;
    const char *call;     /* of a kernel; NULL: none.  These texts are of the frame. */
    const char *wait;     /* call that waits, by itself or in the kernel; NULL: none */
    const char *region;   /* innermost, or op; NULL: none */
    double call_since_ns; /* how long; NAN: unknown */
    double wait_since_ns;
    double region_since_ns;
};

/* An alert that is raised now, or was. */
struct live_alert {
    struct alert alert;
    bool is_on;
};

struct live {
    struct live_file file;
    struct live_frame frames[2];
    int shown;              /* the frame that counts */
    size_t count;           /* frames so far */
    struct session session; /* names: facts and totals as of the last look */
    struct outline outline;
    bool has_names;
    uint64_t fact_bytes; /* as of then */
    uint64_t names_due_ns;
    struct array lanes;     /* of struct live_lane_infos */
    struct text_index keys; /* of rows */
    struct array rows;      /* of struct live_row */
    struct live_totals ring[LIVE_RING];
    struct live_latencies *latencies; /* by frame, as the ring; NULL: no request was answered */
    struct array threads; /* of struct live_thread */
    struct text texts;    /* words of threads, with a zero byte behind each */
    struct alert_samples samples;
    struct alert_state states[ALERTS];
    struct array alerts;   /* of struct live_alert, the latest last */
    uint64_t latest_ticks; /* of the last sample */
    uint64_t stall_ns;     /* when a step was last seen to end */
    enum live_state state;
    bool is_local;     /* the process runs on this machine */
    double own_ns;     /* processor time of the watcher */
    uint64_t first_ns; /* when it began to watch */
};

/* Start to watch a trace.  Errors: those of reading it. */
enum status live_open(struct live *live, const char *path,
                      struct diagnostic *diagnostic) MUST_CHECK;
void live_close(struct live *live);

/* Read the next frame.  Returns: false when there is none: the file is gone, or was torn. */
bool live_read(struct live *live);

/* Times of the shown frames: the last one, the span of `frames` before it. */
const struct live_totals *live_now(const struct live *live);
const struct live_totals *live_before(const struct live *live, size_t frames);

/* Returns: how many frames a span has: 1, or up to LIVE_SPAN; 0: there is only one frame. */
size_t live_span(const struct live *live, size_t frames);

/* Returns: a percentile of the latencies over so many frames, in ns; NAN: no request ended. */
double live_percentile(const struct live *live, size_t frames, double fraction);

/* Returns: the growth of a sum of a row by the second, over so many frames; NAN: unknown. */
struct live_sums live_rate(const struct live *live, const struct live_row *row, size_t frames);

/* Returns: the row of the steps; NULL: no region repeats. */
const struct live_row *live_find_steps(const struct live *live);

/* Returns: processors that the process may use; NAN: unknown. */
double live_allowed(const struct live *live);

/* Returns: the name of a device, of the frame's facts; "a device" while it is not known. */
const char *live_device_name(const struct live *live, const struct live_device *device);

/* Seconds that it has run. */
double live_age_s(const struct live *live);

#endif
