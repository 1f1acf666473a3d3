/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The process of a session: its host, its command, its ending, and the readings of its resources.
 */
#ifndef MODEL_SESSION_PROCESS_H
#define MODEL_SESSION_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text_list.h"
#include "spec/trace.h"

/* The known ending of the process. */
enum session_ending {
    SESSION_EXITED,    /* exit_status holds */
    SESSION_QUIT,      /* _exit; exit_status holds */
    SESSION_SIGNALLED, /* `signal` holds; only `tprof run` can see this */
    SESSION_EXECUTED,  /* the process became another program */
    SESSION_SANDBOXED, /* the process went on in a sandbox, unrecorded; its ending is unknown */
    SESSION_YIELDED,   /* the process mapped memory over the recording, and went on unrecorded */
    SESSION_UNSEEN     /* killed, crashed, left by a system call of its own, or still running */
};

enum { SESSION_NO_STATUS = -1 };

struct session_process {
    struct text_list command;
    struct text_list environment; /* NAME=VALUE */
    struct text_list options;     /* TPROF_NAME=VALUE in force */
    const char *name;             /* TPROF_NAME, else the program's base name */
    bool is_named;                /* the name is TPROF_NAME */
    const char *program;          /* path of the executable, or NULL */
    const char *imported;         /* the tool whose log was imported; NULL: the trace was
                                     recorded */
    struct text_list thread_names; /* "ID name", of an imported trace */
    const char *directory;        /* its folder at the start, or NULL */
    const char *host;             /* these are NULL if the trace lacks them */
    const char *cpu;
    const char *kernel;                       /* kernel of the operating system */
    uint64_t threads_at_end;                  /* UNKNOWN where all were joined */
    const char *shm_left;                     /* a file in /dev/shm that was there at the end */
    const char *snapshot_obstacle;            /* why snapshots by signal are missing */
    struct text_list unread;                  /* "SOURCE ERRNO FILE", of surroundings */
    const char *conditions[TRACE_CONDITIONS]; /* noted by tprof run, or NULL */
    const char *alloc_mode;      /* "full", "nostack", "sample:BYTES", "count", "off" */
    const char *allocator;       /* path of the library whose malloc the shim calls */
    const char *malloc_owner;    /* path of the library that took malloc before us, or NULL */
    uint64_t cpu_count;          /* processors it may use, or UNKNOWN */
    uint64_t memory_limit_bytes; /* limit of its control group, or UNKNOWN */
    uint64_t memory_total_bytes; /* memory of the machine, or UNKNOWN */
    uint64_t warmup_calls;       /* TPROF_WARMUP, or UNKNOWN */
    uint64_t objects_left_out;   /* loaded objects beyond the limit of hooks */
    uint64_t hooks_left_out;     /* rows of hooks without room */
    uint64_t namespace_objects;  /* in namespaces of dlmopen */
    uint64_t deep_unseen;        /* objects of RTLD_DEEPBIND whose malloc is not recorded */
    uint64_t labels_refused;     /* times that a label had no room */
    uint64_t range_tables_refused; /* tables of NVTX or ITT with another layout */
    uint64_t spans_refused;        /* spans that found no room among the open ones */
    uint64_t device_times;         /* enum trace_device_times */
    uint64_t device_times_unmatched; /* times of commands whose call is not known */
    uint64_t device_times_left_out;  /* commands that found no room to wait for their times */
    uint64_t device_readings;        /* a row of device_readings.def */
    struct text_list device_unread;  /* "DEVICE KEY STATUS", of readings that a device lacks */
    uint64_t python_unread; /* chains whose Python frames were invalid */
    uint64_t python_objects; /* enum trace_python_objects */
    uint64_t codes_refused; /* times that a code object had no room */
    uint64_t page_bytes;         /* size of a page of memory; 0 if the trace lacks it */
    uint64_t own_bytes;          /* the shim's own memory at the ending, or UNKNOWN */
    uint64_t children_ns;        /* processor time of the children it waited for, or UNKNOWN */
    uint32_t pid;
    uint32_t parent_pid;
    uint64_t realtime_start_ns;
    uint64_t monotonic_start_ns; /* the same moment since the host's boot */
    enum session_ending ending;
    int exit_status;   /* SESSION_NO_STATUS: unknown */
    bool goes_on;  /* unrecorded: its end here is the end of recording */
    int signal;
    uint64_t wall_ns; /* from load to ending, or to the last record */
    struct trace_reading first;
    struct trace_reading last;
    bool is_forked; /* it has its parent's memory from the start; false in old traces */
    bool has_last; /* `last` was taken at the ending; otherwise it is the latest reading */
};

/* Returns: the rank of a process in its job, from its launcher; NULL: none. */
const char *session_process_rank(const struct session_process *process);

enum session_reading_kind {
    SESSION_READING_PERIODIC,
    SESSION_READING_SNAPSHOT, /* taken by tprof_snapshot or a signal */
    SESSION_READING_BEGIN,    /* at the border of an outermost region */
    SESSION_READING_END
};

struct session_reading {
    uint64_t time_ns;
    uint32_t thread;
    enum session_reading_kind kind;
    const char *label;     /* label of a snapshot or region; NULL for a periodic reading */
    uint64_t mapped_bytes; /* mapped by the program's own mmap calls, at that time */
    uint64_t shared_bytes; /* resident, of files and of shared memory; UNKNOWN in old traces */
    struct trace_reading values;
    uint64_t delay_ns; /* time that its thread had waited for a processor;
                          UNKNOWN.  The next two are its thread's, too */
    uint64_t voluntary_switches;
    uint64_t involuntary_switches;
    uint64_t live_heap_bytes;   /* live heap at that time; UNKNOWN unless the replay is exact */
    uint64_t usable_heap_bytes; /* all blocks, by the shim's count; UNKNOWN: not counted */
    uint64_t begin_heap_bytes;  /* in the reading at a region's end: heap at its start; UNKNOWN */
};

/* The control group, the network and the processors, behind a reading. */
struct session_surroundings {
    uint64_t time_ns;
    struct trace_surroundings values; /* sums as the system counts them; UNKNOWN */
};

/* A counter of the process and its children, from `tprof run`. */
struct session_counter {
    bool is_known;
    double value;            /* scaled to the whole time, if it ran for a part */
    double running_fraction; /* share of the time */
    const char *reason;      /* why it is unknown; NULL: not counted */
};

struct session_metric {
    const char *name;
    double value; /* the last */
    uint64_t count;
};

#endif
