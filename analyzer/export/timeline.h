/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run over time: the calls of its threads, which nest, the commands of its devices, and numbers
 * that change.
 *
 * Calls of kernels, ops, regions and long waits come from the events, read one by one and never
 * kept, so memory does not grow with them.  A call is passed at its end, after the calls inside it.
 */
#ifndef EXPORT_TIMELINE_H
#define EXPORT_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/attributes.h"
#include "base/status.h"
#include "base/text.h"
#include "devices/queue_tracks.h"
#include "model/outline.h"
#include "model/session.h"

struct places;
struct storage;

enum timeline_kind {
#define TIMELINE(id, name, detail) TIMELINE_##id,
#include "export/timeline_kinds.def"
#undef TIMELINE
    TIMELINE_KINDS
};

/* The label that the calls of a row of the session share.  Texts are valid UTF-8. */
struct timeline_label {
    const char *name;
    const char *detail;  /* its shape, its inputs, its file: timeline_kinds.def; NULL: none */
    const char *library; /* base name; NULL: none, or unknown */
    const char *domain;  /* of a range that the program marked for another tool; NULL: none */
    const char *category; /* the same; NULL: none */
    const char *colour;   /* "#76b900"; NULL: none */
};

struct timeline_call {
    enum timeline_kind kind;
    uint32_t label;
    uint32_t thread; /* index in the session's threads */
    uint64_t start_ns;
    uint64_t end_ns;
    uint64_t calls; /* how many calls it represents: more than one if calls were drawn */
    uint64_t bytes; /* bytes that a wait read or wrote; else 0 */
    uint64_t payload;      /* the number that the program gave the call */
    uint32_t payload_type; /* enum trace_payload */
    bool is_cut;    /* its end was not seen */

    /* Of a command of a device alone, which is on no thread: `thread` asked for it. */
    uint32_t track;     /* index in the timeline's tracks */
    uint64_t work;      /* work-items, or threads; 0: none */
    uint64_t queued_ns; /* from its queueing to its start; SESSION_UNKNOWN */
    uint64_t asked_ns;  /* from the start of the call that asked to its start; SESSION_UNKNOWN */
};

struct timeline_number {
    const char *name;
    const char *unit; /* "bytes", "ns", "count" */
    uint64_t time_ns;
    int64_t value;
};

struct timeline_sample {
    uint32_t thread;
    uint64_t time_ns;
    uint32_t call;    /* index in the session's calls; 0: no chain */
    uint32_t periods; /* periods of processor time that it represents */
};

struct timeline {
    struct session session;
    struct outline outline;
    struct places *places;
    struct storage *texts;
    struct queue_tracks queues; /* the commands of devices, and their tracks */
    struct timeline_label *labels[TIMELINE_KINDS];
    size_t label_count[TIMELINE_KINDS];
};

/* The part of it that is written. */
struct timeline_choice {
    struct session_window window;
    const char *root;     /* as in session_options */
    uint64_t thread;      /* number in the operating system; 0: all */
    uint64_t least_ns;    /* calls that took less are left out */
};

/* The calls that are left out, for users who asked for all. */
struct timeline_gaps {
    uint64_t short_calls; /* left out by their length */
    uint64_t drawn_calls; /* calls represented by the recorded ones */
    uint64_t lost;        /* records that made no sense here */
    uint64_t untimed;     /* commands of devices without times */
    uint64_t requests;    /* requests of the program; they start and end on any thread */
    bool has_thread;      /* the thread was there */
};

/* A format; `own` is the result of `open`.  Failures of `out` are checked at the end. */
struct timeline_writer {
    /* Start a file. */
    void *(*open)(FILE *out);
    /* A process starts: the next calls are its own, up to the next process. */
    void (*process)(void *own, const struct timeline *timeline);
    void (*call)(void *own, const struct timeline_call *call);
    void (*number)(void *own, const struct timeline_number *number); /* NULL: it has none */
    void (*sample)(void *own, const struct timeline_sample *sample); /* before it is closed; NULL:
                                                                        no work */
    void (*end_process)(void *own); /* called before the process is closed; NULL: no work */
    /* End the file. */
    void (*close)(void *own);
};

/* Open a trace.  Errors: those of session_open; the timeline is then closed. */
enum status timeline_open(struct timeline *timeline, const char *path,
                          const struct timeline_choice *choice,
                          struct diagnostic *diagnostic) MUST_CHECK;

void timeline_close(struct timeline *timeline);

static inline const struct timeline_label *timeline_label(const struct timeline *timeline,
                                                          const struct timeline_call *call)
{
    return &timeline->labels[call->kind][call->label];
}

/* A writer's text for each label; empty: not written yet. */
struct timeline_texts {
    struct text *of[TIMELINE_KINDS];
};

void timeline_texts_init(struct timeline_texts *texts, const struct timeline *timeline);
void timeline_texts_fini(struct timeline_texts *texts, const struct timeline *timeline);

static inline struct text *timeline_text(const struct timeline_texts *texts,
                                         const struct timeline_call *call)
{
    return &texts->of[call->kind][call->label];
}

/* Write the number that the program gave a call, as in JSON.  Returns: false when there is none. */
enum { TIMELINE_PAYLOAD_SIZE = 32 };
bool timeline_write_payload(const struct timeline_call *call, char text[TIMELINE_PAYLOAD_SIZE]);

/* Returns: "kernel", "op" ...; the second, the name of such a call's detail. */
const char *timeline_kind_name(enum timeline_kind kind);
const char *timeline_kind_detail(enum timeline_kind kind);

/* Returns: nanoseconds of the process's start since 1970, or of the window's. */
uint64_t timeline_start_ns(const struct timeline *timeline);

/* Name a thread: "main", or "thread 4711". */
enum { TIMELINE_THREAD_NAME = 48, TIMELINE_THREAD_SIZE = 64 };
void timeline_name_thread(const struct timeline *timeline, uint32_t thread,
                          char name[TIMELINE_THREAD_SIZE]);

/* Returns: the number of tracks of queues. */
static inline size_t timeline_track_count(const struct timeline *timeline)
{
    return timeline->queues.tracks.count;
}

/* Append the name of a queue's track: "queue 1, DEVICE". */
void timeline_append_track(struct text *name, const struct timeline *timeline, uint32_t track);

/* The number of a track, where a format has a thread's: no thread of Linux has such a number. */
enum { TIMELINE_FIRST_TRACK = 1 << 22 };

/* Pass the whole timeline to a writer. */
void timeline_tell(const struct timeline *timeline, const struct timeline_choice *choice,
                   const struct timeline_writer *writer, void *own, struct timeline_gaps *gaps);

/* The formats. */
#define STACKS_FORMAT(id, is_packed, has_all, has_labels, weights, help)
#define METRICS_FORMAT(id, is_open, help)
#define TIMELINE_FORMAT(id, is_binary, help) extern const struct timeline_writer export_##id;
#define SHAPES_FORMAT(id, name, help)
#include "export/formats.def"
#undef SHAPES_FORMAT
#undef STACKS_FORMAT
#undef METRICS_FORMAT
#undef TIMELINE_FORMAT

#endif
