/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The session: everything a trace tells, in the terms of its reports.
 *
 * The model turns records into this; analyses read it and change nothing.
 * Times are nanoseconds since the start of recording, unless they are
 * lengths.  What is not known is NAN, UNKNOWN or NULL, never 0.
 */
#ifndef MODEL_SESSION_H
#define MODEL_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "base/status.h"
#include "base/text_list.h"
#include "spec/catalog.h"
#include "spec/trace.h"
#include "statistics/partial.h"

#define SESSION_UNKNOWN UINT64_MAX

/* How the process ended, as far as anyone saw. */
enum session_ending {
    SESSION_EXITED,    /* exit_status holds */
    SESSION_QUIT,      /* _exit; exit_status holds */
    SESSION_SIGNALLED, /* `signal` holds; only `tprof run` can see this */
    SESSION_EXECUTED,  /* it became another program */
    SESSION_SANDBOXED, /* it went on in a sandbox, unrecorded; how it ended is not known */
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
    const char *directory;        /* in which it was started, or NULL */
    const char *host;             /* of these, NULL when the trace lacks them */
    const char *cpu;
    const char *kernel;                       /* of the operating system */
    const char *snapshot_obstacle;            /* why snapshots by signal are missing */
    const char *conditions[TRACE_CONDITIONS]; /* as tprof run noted them, or NULL */
    const char *alloc_mode;      /* "full", "nostack", "sample:BYTES", "count", "off" */
    const char *allocator;       /* path of the library whose malloc is behind ours */
    const char *malloc_owner;    /* path of who took malloc before us, or NULL */
    uint64_t cpu_count;          /* processors it may use, or UNKNOWN */
    uint64_t memory_limit_bytes; /* of its control group, or UNKNOWN */
    uint64_t warmup_calls;       /* TPROF_WARMUP, or UNKNOWN */
    double overhead_budget;      /* TPROF_OVERHEAD, a share of thread time; 0: none */
    uint64_t objects_left_out;   /* loaded objects that were too many to be hooked */
    uint64_t hooks_left_out;     /* rows of hooks that found no room */
    uint64_t namespace_objects;  /* in namespaces of dlmopen */
    uint64_t deep_unseen;        /* objects of RTLD_DEEPBIND whose malloc is not recorded */
    uint64_t labels_refused;     /* times that a label found no room */
    uint64_t page_bytes;         /* of a page of memory; 0 when the trace does not say */
    uint64_t own_bytes;          /* of the shim's own memory at the ending, or UNKNOWN */
    uint32_t pid;
    uint32_t parent_pid;
    uint64_t realtime_start_ns;
    enum session_ending ending;
    int exit_status;   /* SESSION_NO_STATUS: not told */
    bool is_sandboxed; /* its end is where it entered a sandbox */
    int signal;
    uint64_t wall_ns; /* from load to ending, or to the last record */
    struct trace_reading first;
    struct trace_reading last;
    bool has_last; /* `last` was taken at the ending; else it is the latest reading */
};

struct session_module {
    struct trace_module fact;
    uint32_t gone_epoch; /* from which on it was not there; UINT32_MAX while it was */
    const char *path;
    char build_id[72]; /* in hexadecimal; empty when there is none */
};

struct session_binding {
    const struct catalog_kernel *kernel;
    const char *symbol;
    const struct session_module *module; /* that holds the real function, or NULL */
    uint64_t target;
    uint64_t wrapper; /* address of the shim's code that calls it; 0 when unknown */
    uint64_t calls;   /* of all slots */
    uint64_t timed_calls;
};

struct session_hook {
    const char *symbol;
    const struct session_module *module;   /* whose slots these are */
    const struct session_binding *binding; /* NULL when not hooked */
    uint32_t slots;
    enum trace_hook_outcome outcome;
};

struct session_thread {
    uint32_t id; /* kernel thread id */
    uint32_t lane;
    uint64_t first_ns;
    uint64_t last_ns;   /* its end, or the last that is known of it */
    bool has_ended;     /* last_ns is its end */
    uint64_t cpu_ns;    /* UNKNOWN when its end was not seen */
    uint64_t delay_ns;  /* for which it wanted a processor and had none; UNKNOWN */
    uint64_t kernel_ns; /* inside kernels, nested ones not twice */
    uint64_t allocations;
    uint64_t allocated_bytes;
    uint64_t frees;
    uint64_t failed_allocations;
    uint64_t lost_records;
    uint64_t unmatched;
    uint64_t records; /* that its tallies say were written or tried */
};

/* The processor time of a region, by calls whose clock was read: model/region_cpu.h. */
struct session_region_cpu {
    const char *unknown; /* why, or NULL: the rest holds */
    struct partial partial;
    double border_ns; /* by which the borders of its calls are not known */
    double own_ns;    /* of recording, which the thread's clock has and the region has not */
};

/* A region, merged over the threads that ran it; the path tells it apart.
 * Region 0 is the root: what ran in no region. */
struct session_region {
    const char *label;
    const char *path; /* "model/layer0/attention"; "" for the root */
    uint32_t parent;
    uint32_t depth; /* of the root 0 */
    uint64_t calls;
    uint64_t inclusive_ns; /* completed calls, summed over threads */
    uint64_t exclusive_ns; /* without the regions inside */
    uint64_t cpu_ns;       /* inclusive; UNKNOWN */
    struct session_region_cpu cpu; /* of cpu_ns; not of the root */
    uint64_t kernel_ns;    /* exclusive: kernels called right here, nested not twice */
    uint64_t allocations;  /* these are exclusive too */
    uint64_t allocated_bytes;
    uint64_t frees;
    uint64_t freed_bytes;      /* UNKNOWN when not every record is there */
    uint64_t begin_heap_bytes; /* live heap when it began first: its baseline; UNKNOWN */
    uint64_t end_heap_bytes;   /* live heap when it ended last; UNKNOWN */
    uint64_t peak_heap_bytes;  /* highest live heap while it was open in any thread; UNKNOWN */
    uint64_t items;
    uint32_t threads;
};

/* A call of a region that was seen to begin and end. */
struct session_lap {
    uint64_t start_ns;
    uint64_t end_ns;
    uint32_t region;
    uint32_t thread;
};

/* The thread's clock at the end of a lap. */
struct session_clock {
    size_t lap;       /* index in laps */
    double drawn_of;  /* the call was drawn of so many; 0: it was not */
    double passed_ns; /* processor time since the reading before it */
    double before_ns; /* from that reading to the call's begin */
};

/* The calls of one kernel with one shape from one place, region and thread.
 * What the function that was called does may be told by an object that it was
 * given: then the kernel is not that of its binding. */
struct session_slot {
    uint32_t binding;                    /* index in bindings */
    const struct catalog_kernel *kernel; /* whose shape, FLOPs and bytes these are, or NULL */
    const char *implementation;          /* as its library names it, or NULL */
    uint32_t thread;
    uint32_t region;
    bool nested;    /* inside a kernel that owns the FLOPs */
    bool is_sequel; /* its calls follow those of a like slot, where the warm-up is */
    uint64_t site;
    unsigned dims; /* values of the shape, in the order of the kernel's terms */
    int64_t shape[CATALOG_SHAPE_MAX];
    uint64_t calls;
    uint64_t recorded_calls;    /* had a record; those that are missing of these were the first */
    uint64_t timed_calls;       /* fewer than calls where the timing is sampled; total and self are
                             then estimates */
    uint64_t interrupted_calls; /* timed ones, where others were not, that stand for themselves
                                   alone as the first does */
    uint64_t total_ns;
    uint64_t self_ns;      /* without the kernels inside */
    uint64_t estimated_ns; /* of the total, that of calls that were not timed */
    double total_error_ns; /* standard error of the total; 0 when exact, NAN when it is not known:
                              too few calls were timed, or their records are gone */
    uint64_t min_ns;
    uint64_t max_ns;
    long double flops_each; /* NAN when unknown */
    long double bytes_each;
    struct array durations_ns; /* uint64_t, of the events that are left, in order */
    struct array around;       /* of struct session_around, of a nested slot, by its events */
};

/* A slot of as much work whose calls those of a nested one were inside of, next to them. */
struct session_around {
    uint32_t slot; /* SESSION_NONE: any of other work */
    uint64_t ns; /* of the nested calls */
};

enum session_reading_kind {
    SESSION_READING_PERIODIC,
    SESSION_READING_SNAPSHOT, /* by tprof_snapshot or a signal */
    SESSION_READING_BEGIN,    /* at the border of an outermost region */
    SESSION_READING_END
};

struct session_reading {
    uint64_t time_ns;
    uint32_t thread;
    enum session_reading_kind kind;
    const char *label;     /* of a snapshot or region; NULL for a periodic reading */
    uint64_t mapped_bytes; /* by the program's own mmap calls, at that time */
    struct trace_reading values;
    uint64_t delay_ns;         /* for which its thread had wanted a processor and had none;
                                  UNKNOWN, as the next two, which are its own */
    uint64_t voluntary_switches;
    uint64_t involuntary_switches;
    uint64_t live_heap_bytes;  /* at that time; UNKNOWN when the replay is not exact */
    uint64_t begin_heap_bytes; /* when the region began, of the reading at its end; UNKNOWN */
};

/* What `tprof run` counted of the process and those it started. */
struct session_counter {
    bool is_known;
    double value;            /* scaled to the whole time, where it ran for a part */
    double running_fraction; /* of the time */
    const char *reason;      /* why it is not known; NULL: nobody counted */
};

struct session_metric {
    const char *name;
    double value; /* the last */
    uint64_t count;
};

/* ---- call chains and allocation sites ---------------------------------- */

enum session_call_kind {
    SESSION_CALL_ROOT, /* call 0 alone */
    SESSION_CALL_PLAIN,
    SESSION_CALL_CUT, /* stands for the outer calls that chains of too many calls lack */
    SESSION_CALL_LOST /* stands for the outer calls that could not be unwound; its address is
                         enum trace_chain_end */
};

enum { SESSION_NONE = UINT32_MAX }; /* an index of nothing */

/* A call in the calling context tree, merged over threads and epochs: two
 * calls are one when their parents, modules and addresses are. */
struct session_call {
    uint64_t address; /* inside the calling instruction, so that its line is the call's */
    uint32_t parent;  /* index in calls, below its own; of call 0 itself */
    uint32_t depth;   /* of call 0: 0 */
    uint32_t module;  /* index in modules, or SESSION_NONE */
    uint32_t binding; /* index in bindings: this frame is the wrapper of that kernel; else
                         SESSION_NONE */
    enum session_call_kind kind;
    uint8_t end;  /* of its chain: enum trace_chain_end */
    bool is_shim; /* a frame of the shim: that wrapper, or what it calls on the way */
};

/* Where blocks were obtained: a call chain.  Without call chains there is one
 * site, of call 0.  Counts and bytes are exact, or estimates when the heap is
 * sampled, with standard errors; what stands between two records a sample
 * cannot tell: temporary, moved and grown_bytes are then UNKNOWN.  When records
 * are missing, those that are there are counted, and what was live is UNKNOWN. */
struct session_site {
    uint32_t call;    /* innermost of the chain; index in calls */
    uint32_t binding; /* the innermost kernel that was running, index in bindings, or NONE */
    uint64_t records; /* allocation records it rests on */
    uint64_t allocations;
    uint64_t allocated_bytes;
    uint64_t frees;
    uint64_t freed_bytes;
    uint64_t live_blocks; /* at the end */
    uint64_t live_bytes;
    uint64_t peak_blocks; /* live when the whole heap was at its peak */
    uint64_t peak_bytes;
    uint64_t temporary;     /* freed by its thread before the next allocation of that thread */
    uint64_t short_lived;   /* freed within session_options.short_ns */
    uint64_t moved;         /* allocations of a realloc to another address than its block's */
    uint64_t grown_bytes;   /* what those added */
    uint64_t strange_frees; /* by another thread than the one that obtained the block */
    uint64_t lifetime_ns;   /* summed over the freed blocks */
    uint64_t min_size;
    uint64_t max_size;
    double allocations_error; /* standard errors; 0 when exact */
    double allocated_error;
    double live_error;
    double peak_error;
};

/* Counts by powers of two: bin i is for values from 2^i on, bin 0 for 0 too. */
enum { SESSION_BINS = 64 };
struct session_histogram {
    uint64_t counts[SESSION_BINS];
    uint64_t bytes[SESSION_BINS];
};

/* The live heap during a stretch of time; stretches follow one another without
 * a gap and have one length, but for the last. */
struct session_moment {
    uint64_t time_ns; /* of its start */
    uint64_t min_bytes;
    uint64_t max_bytes;
    uint64_t last_bytes;
    uint64_t last_blocks;
    uint64_t mapped_bytes; /* by the program's own mmap calls, at its end */
};

/* At most so many moments, and every so many of them a mark, the first at the start. */
enum { SESSION_MOMENTS = 2048, SESSION_MARKS = 32 };

/* What a site had live at each mark. */
struct session_mark {
    uint64_t live_bytes[SESSION_MARKS];
};

/* Where a program mapped memory by its own calls of mmap and mremap: a call chain.  What
 * mremap gave is of its call.  Ranges are what is left in one piece of a call's memory; bytes
 * are whole pages, touched or not. */
struct session_mapping {
    uint32_t call;           /* innermost of the chain; index in calls */
    uint64_t calls;          /* that gave memory */
    uint64_t bytes;          /* that they gave */
    uint64_t file_bytes;     /* of these: of files, shared memory and devices */
    uint64_t reserved_bytes; /* without access when they were mapped */
    uint64_t live_ranges;    /* at the end */
    uint64_t live_bytes;
    uint64_t peak_ranges; /* when all that was mapped was at its peak */
    uint64_t peak_bytes;
    struct session_mark mark; /* at the times of the heap's marks */
};

/* The live heap by replay of every allocation and free, or of the sampled ones.
 * It is estimated when sample_bytes is not 0 and peak_bytes is known; what
 * neither an exact nor a sampled replay gives is UNKNOWN. */
struct session_heap {
    bool is_exact;         /* false: records are missing, sampled, or were not asked for */
    const char *reason;    /* why not; NULL when exact */
    bool has_chains;       /* sites are told apart */
    uint64_t sample_bytes; /* 0: every block; else what follows is estimated, but for the
                              totals of the tallies */
    double peak_error;     /* standard errors of estimates; 0 when exact */
    double live_error;
    uint64_t peak_bytes;
    uint64_t peak_time_ns;
    uint32_t peak_site;   /* of the allocation that made the peak; SESSION_NONE */
    uint32_t peak_region; /* in which its thread was then */
    uint32_t peak_thread;
    uint64_t peak_blocks;
    uint64_t temporary; /* sums over the sites */
    uint64_t short_lived;
    uint64_t moved;
    uint64_t grown_bytes;
    uint64_t strange_frees;
    uint64_t lost_chains;  /* records whose chain found no room */
    uint64_t lost_samples; /* sampled blocks that found no room */
    uint64_t maps;         /* calls of mmap that succeeded; mremap not */
    uint64_t unmaps;
    uint64_t mapped_bytes; /* at the end, by the program's own mmap calls */
    uint64_t peak_mapped_bytes;
    uint64_t peak_mapped_file_bytes;     /* of these: of files, shared memory and devices */
    uint64_t peak_mapped_reserved_bytes; /* without access when they were mapped */
    uint64_t peak_mapped_time_ns;
    struct session_histogram sizes;     /* of all blocks obtained */
    struct session_histogram lifetimes; /* in ns, of the blocks freed */
    struct array moments; /* of struct session_moment, at most SESSION_MOMENTS, in order */
    struct array marks;   /* of struct session_mark, one a site; none when not known */
    uint64_t mark_ns[SESSION_MARKS];
    unsigned mark_count;
    uint64_t live_bytes; /* at the end */
    uint64_t live_blocks;
    uint64_t unknown_frees; /* of blocks from before recording, or missing */
    uint64_t allocations;   /* from the tallies: exact even when records are lost */
    uint64_t allocated_bytes;
    uint64_t frees;
    uint64_t failed_allocations;
};

/* What a name reads that stood in a part of the file that is not there. */
#define SESSION_NAME_LOST "(name lost)"

/* A file that is shorter than its header says, as a copy that was broken off. */
struct session_cut {
    bool is_cut;
    uint64_t bytes; /* that are there */
    uint64_t whole_bytes;
    uint64_t until_ns; /* when the last record was made that is there; UNKNOWN: none is */
};

struct session_losses {
    uint64_t lost_records;        /* that could not be written */
    uint64_t overwritten_records; /* under a capacity; UNKNOWN of sampled blocks */
    uint64_t reused_chunks;
    uint64_t failed_chunks;
    int failed_errno;
    uint64_t torn_chunks; /* claimed but unreadable */
    bool lacks_totals;    /* tallies are among these: calls and allocations are not known */
    uint64_t unmatched;   /* region ends without a begin, kernels left by a jump */
    uint64_t lost_shapes; /* objects whose shape could not be remembered */
    uint64_t bad_records; /* that made no sense */
    uint64_t chains;      /* of the records of allocations, also those that ended early */
    uint64_t chain_ends[TRACE_CHAIN_ENDS]; /* of these by enum trace_chain_end; UNKNOWN where the
                                              trace tells no reasons */
};

struct session_overhead {
    double kernel_ns; /* for one event, as the shim measured on itself */
    double kernel_inner_ns;
    double entry_ns; /* the same two of kernels without a compiled wrapper */
    double entry_inner_ns;
    double counted_ns;  /* for a call that was counted and not timed */
    double left_out_ns; /* the same since recording is over its budget */
    double region_ns;
    double allocation_ns;
    double resolution_ns;    /* smallest step of the clock */
    double slow_ns;          /* in all: starting, opening chunks, readings, rescans */
    uint64_t left_out_calls; /* of these */
    double kernels_ns;       /* of all calls */
    double regions_ns;
    double blocks_ns;  /* of all records of allocations and frees */
    double events;     /* that these three are of: calls, regions that ended, blocks */
    uint64_t total_ns; /* of these three and slow_ns, over all threads */
    double fraction;   /* of thread time */
};

struct session {
    const char *path;    /* of the trace */
    bool is_packed;      /* the file is a packed copy */
    uint64_t file_bytes; /* of the trace as it was recorded; the process wrote them */
    struct session_process process;
    struct catalog catalog;
    struct array modules;    /* of struct session_module */
    struct array bindings;   /* of struct session_binding */
    struct array hooks;      /* of struct session_hook */
    struct array threads;    /* of struct session_thread */
    struct array regions;    /* of struct session_region, parents first */
    struct array laps;       /* of struct session_lap, by their end */
    struct array clocks;     /* of struct session_clock, in the order of the laps */
    struct array slots;      /* of struct session_slot */
    struct array courses;    /* of struct session_course, one a thread: model/course.h */
    struct array readings;   /* of struct session_reading, by time */
    struct array metrics;    /* of struct session_metric */
    struct array calls;      /* of struct session_call, parents first */
    struct array sites;      /* of struct session_site */
    struct array mappings;   /* of struct session_mapping; none when not known */
    struct symbols *symbols; /* of the calls; filled in as they are asked for */
    uint64_t items;
    uint64_t requests;        /* ended */
    struct array requests_ns; /* uint64_t: how long each took whose begin was seen */
    struct session_heap heap;
    struct session_losses losses;
    struct session_counter counters[TRACE_COUNTERS]; /* by enum trace_counter_id */
    struct session_overhead overhead;
    uint64_t thread_ns; /* lifetimes of all threads that recorded, summed */
    double ns_per_tick;
    uint64_t records_read;
    struct session_cut cut;
    bool has_holes;          /* parts of the file cannot be read, and names may be in them */
    struct text_list doubts; /* sentences for the reader of the report */
    void *storage;           /* what owns the strings above */
};

/* How a trace is to be read. */
struct session_options {
    uint64_t short_ns; /* blocks that live no longer are short-lived */
    /* Told now and then how many bytes of the file's events were read, of how
     * many; NULL: nobody asks. */
    void (*on_progress)(void *of, uint64_t done, uint64_t whole);
    void *progress_of;
    const char *root; /* of the system that it was recorded on: see symbols_set_root; or NULL */
};

/* 1 ms, nobody asks. */
struct session_options session_defaults(void);

/* Read a trace whole.
 * Errors: STATUS_IO, STATUS_CORRUPT, STATUS_UNSUPPORTED with a diagnostic
 * that names the file and the byte; the session is then empty.  A trace that
 * is damaged behind its head opens, with doubts and losses.
 * Units: memory grows with what is alive and distinct, and by 24 bytes a
 * kernel call or call of a region. */
enum status session_open(struct session *session, const char *path,
                         const struct session_options *options,
                         struct diagnostic *diagnostic) MUST_CHECK;

void session_close(struct session *session);

/* Returns: nanoseconds of our own cost that each call of a slot has in its time. */
double session_inner_cost_ns(const struct session *session, const struct session_slot *slot);

/* Take the cost of all calls of a slot out of a time of theirs, which it may exceed by
 * chance. */
uint64_t session_without_cost(const struct session *session, const struct session_slot *slot,
                              uint64_t ns);

/* Returns: nanoseconds of a slot's total that its timed calls took, our own cost left in. */
double session_timed_ns(const struct session *session, const struct session_slot *slot);

/* Where a call stands in the source: see symbols_find.  Frames that were
 * inlined into one another come innermost first.
 * Errors: STATUS_OUT_OF_MEMORY. */
struct symbols_frame;
enum status session_find_frames(const struct session *session, uint32_t call,
                                const struct symbols_frame **frames, size_t *count) MUST_CHECK;

/* The same of a return address.  Shape: no frames when the session has no symbols.
 * Errors: STATUS_OUT_OF_MEMORY. */
enum status session_find_site_frames(const struct session *session, uint64_t site,
                                     const struct symbols_frame **frames, size_t *count) MUST_CHECK;

/* What a slot's kernel is called: the symbol that was called, or the kernel
 * that the object stands for. */
const char *session_name_slot(const struct session *session, const struct session_slot *slot);

/* The module that holds an address, or NULL. */
const struct session_module *session_find_module(const struct session *session, uint64_t address);

#endif
