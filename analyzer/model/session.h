/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The session: all data of a trace, in the terms of its reports.
 *
 * The model turns records into this struct; analyses read it and change nothing.  Times are
 * nanoseconds since the start of recording, or of the window, unless they are lengths.  Unknown
 * values are NAN, UNKNOWN or NULL, never 0.
 */
#ifndef MODEL_SESSION_H
#define MODEL_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "base/text_list.h"
#include "model/op_laps.h"
#include "model/python.h"
#include "model/session_devices.h"
#include "model/session_heap.h"
#include "model/session_losses.h"
#include "model/session_ops.h"
#include "model/session_process.h"
#include "model/session_samples.h"
#include "model/session_stages.h"
#include "model/session_window.h"
#include "spec/catalog.h"
#include "spec/trace.h"

struct outline;
struct session_binding;
struct session_call;
struct session_hook;
struct session_lap;
struct session_memo;
struct session_module;
struct session_region;
struct session_request;
struct session_slot;
struct session_span;
struct session_span_row;
struct session_thread;
struct session_wait;
struct session_wait_call;
struct session_wake;

/* Whether texts of source files may be shown, and their folder. */
struct session_sources {
    bool is_hidden;
    const char *folder; /* searched first; NULL: none */
    const char *prefix; /* removed from paths before that; NULL: none */
};

struct session {
    const char *path;    /* path of the trace */
    bool is_packed;      /* the file is a packed copy */
    uint64_t file_bytes; /* size of the recorded trace, which the process wrote */
    struct session_process process;
    struct catalog catalog;
    struct array modules;    /* of struct session_module */
    struct array bindings;   /* of struct session_binding */
    struct array hooks;      /* of struct session_hook */
    struct array threads;    /* of struct session_thread */
    struct array unjoined;   /* of struct session_unjoined */
    struct array regions;    /* of struct session_region, parents first */
    struct array ops;        /* of struct session_op, outer ones first */
    struct array op_ties;    /* struct session_op_tie; the first means none */
    struct array layers;     /* struct session_layer; the first means none */
    struct session_framework framework;
    struct array laps;       /* of struct session_lap, by their end */
    struct array span_rows;  /* of struct session_span_row */
    struct array spans;      /* of struct session_span, by the time of their records */
    bool has_spans_left_out; /* too many spans: spans are the first ones */
    struct array clocks;     /* of struct session_clock, in the order of the laps */
    struct array beats;      /* of struct session_beat, by time */
    struct array growths;    /* of struct session_growth */
    struct op_laps op_laps;
    struct array slots;      /* of struct session_slot */
    struct array waits;      /* of struct session_wait */
    struct array wait_calls; /* of struct session_wait_call, by their end */
    struct array wakes;      /* of struct session_wake, by time */
    struct array opened;     /* of struct session_opened: see session_opened.h */
    struct array courses;    /* of struct session_course, one a thread: model/course.h */
    struct array samples;    /* of struct session_sample */
    struct array ticks;      /* of struct session_tick, by time */
    struct session_sampling sampling;
    struct session_devices devices;
    struct session_python python;
    struct array readings;   /* of struct session_reading, by time */
    struct array surroundings; /* of struct session_surroundings, by time */
    struct array residents;  /* of struct session_resident, by time */
    struct array resident_sites; /* of struct session_resident_site, by resident */
    struct array metrics;    /* of struct session_metric */
    struct array calls;      /* of struct session_call, parents first */
    size_t calls_read;       /* number before unused ones were removed; 0: none were */
    struct array sites;      /* of struct session_site */
    struct array mappings;   /* of struct session_mapping; empty when unknown */
    struct symbols *symbols; /* symbols of the calls; filled in on demand */
    uint64_t items;
    uint64_t requests;        /* marked ones that ended */
    struct array requests_ns; /* uint64_t: durations of requests whose start was recorded */
    struct array served;      /* of struct session_request, marked or of connections */
    struct array request_sums; /* of struct session_request_sums */
    struct array keeps;        /* of struct session_keep */
    struct array incidents;    /* of struct session_incident, by number */
    struct session_heap heap;
    struct session_losses losses;
    struct array holes; /* of struct session_hole, by thread and time */
    struct session_stages stages;
    struct session_window window;
    struct session_counter counters[TRACE_COUNTERS]; /* by enum trace_counter_id */
    struct session_overhead overhead;
    uint64_t thread_ns; /* lifetimes of all threads that recorded, summed */
    double ns_per_tick;
    uint64_t records_read;
    struct session_cut cut;
    struct session_sources sources;
    bool has_drawn_calls;    /* too many calls: durations and courses have drawn ones */
    bool has_drawn_ops;      /* too many ops: beats come from drawn ones */
    bool has_beats_left_out; /* too many beats */
    bool has_holes;          /* parts of the file are unreadable, and may have had names */
    struct text_list doubts; /* sentences for the reader of the report */
    struct session_memo *memo; /* results stored for analyses; NULL: none are stored */
    void *storage;           /* owner of the strings above */
};

/* The items of a session by their index, which must exist. */
static inline const struct session_slot *session_slot_at(const struct session *session,
                                                         size_t index)
{
    return array_at(&session->slots, index);
}

static inline const struct session_wait *session_wait_at(const struct session *session,
                                                         size_t index)
{
    return array_at(&session->waits, index);
}

static inline const struct session_wait_call *session_wait_call_at(const struct session *session,
                                                                   size_t index)
{
    return array_at(&session->wait_calls, index);
}

static inline const struct session_wake *session_wake_at(const struct session *session,
                                                         size_t index)
{
    return array_at(&session->wakes, index);
}

static inline const struct session_request *session_request_at(const struct session *session,
                                                               size_t index)
{
    return array_at(&session->served, index);
}

static inline const struct session_binding *session_binding_at(const struct session *session,
                                                               size_t index)
{
    return array_at(&session->bindings, index);
}

static inline const struct session_module *session_module_at(const struct session *session,
                                                             size_t index)
{
    return array_at(&session->modules, index);
}

static inline const struct session_hook *session_hook_at(const struct session *session,
                                                         size_t index)
{
    return array_at(&session->hooks, index);
}

static inline const struct session_thread *session_thread_at(const struct session *session,
                                                             size_t index)
{
    return array_at(&session->threads, index);
}

static inline const struct session_region *session_region_at(const struct session *session,
                                                             size_t index)
{
    return array_at(&session->regions, index);
}

static inline const struct session_op *session_op_at(const struct session *session, size_t index)
{
    return array_at(&session->ops, index);
}

static inline const struct session_lap *session_lap_at(const struct session *session, size_t index)
{
    return array_at(&session->laps, index);
}

static inline const struct session_span_row *session_span_row_at(const struct session *session,
                                                                 size_t index)
{
    return array_at(&session->span_rows, index);
}

static inline const struct session_span *session_span_at(const struct session *session,
                                                         size_t index)
{
    return array_at(&session->spans, index);
}

static inline const struct session_reading *session_reading_at(const struct session *session,
                                                               size_t index)
{
    return array_at(&session->readings, index);
}

static inline const struct session_metric *session_metric_at(const struct session *session,
                                                             size_t index)
{
    return array_at(&session->metrics, index);
}

static inline const struct session_call *session_call_at(const struct session *session,
                                                         size_t index)
{
    return array_at(&session->calls, index);
}

static inline const struct session_site *session_site_at(const struct session *session,
                                                         size_t index)
{
    return array_at(&session->sites, index);
}

static inline const struct session_sample *session_sample_at(const struct session *session,
                                                             size_t index)
{
    return array_at(&session->samples, index);
}

/* Options for reading a trace. */
struct session_options {
    uint64_t short_ns; /* longest life of a short-lived block */
    /* Called from time to time with the bytes of events read, and of all events; may be NULL. */
    void (*on_progress)(void *of, uint64_t done, uint64_t whole);
    void *progress_of;
    const char *root; /* root of the system where the trace was recorded: see symbols_set_root; or
                         NULL */
    uint64_t calls_most; /* kernel calls to keep; of more calls some are drawn */
    struct session_window window; /* the only part to read; UINT64_MAX: to the end */
    bool leaves_heap; /* leave out blocks, and calls that only blocks refer to */
    struct symbols *symbols; /* of a session of the same trace, which stays open; or NULL */
};

enum { SESSION_SHORT_NS = 1000000, SESSION_CALLS_MOST = 10000000 };

#endif
