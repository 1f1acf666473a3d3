/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The trace file: the contract between the shim, which writes it through a shared mapping, and the
 * analyzer, which trusts none of it.
 *
 *     +--------+-------------+-------------+------------- ...
 *     | header | chunk       | chunk       | chunk
 *     +--------+-------------+-------------+------------- ...
 *      4 KiB    n × 4 KiB each, in the order they were claimed
 *
 * A chunk belongs to one lane (one recording thread at a time) and holds one kind of content:
 * events, tallies, facts, or call chains.  Its owner writes with plain stores and then publishes
 * `used` with a release store.  So the page cache holds whole records after a kill.
 *
 * Numbers are in the byte order of the recording machine; the header says which order.  Sizes are
 * asserted here, so a compiler cannot move a field.
 */
#ifndef SPEC_TRACE_H
#define SPEC_TRACE_H

#include <stdint.h>

#define TRACE_MAGIC "tprof\r\n\032"

/* The versions of the format.  A reader of the last one reads all of them. */
enum trace_version {
#define VERSION(number, help) TRACE_VERSION_##number = (number),
#include "versions.def"
#undef VERSION
    TRACE_VERSIONS_END,
    TRACE_VERSION = TRACE_VERSIONS_END - 1, /* version of the shim */
    TRACE_VERSION_OLDEST = TRACE_VERSION_6
};

enum {
    TRACE_BYTE_ORDER = 0x01020304,
    TRACE_HEADER_SIZE = 4096,
    TRACE_CHUNK_ALIGN = 4096,
    TRACE_CHUNK_MAGIC = 0x6b6e6863, /* "chnk" in little-endian order */
    TRACE_WORD_SIZE = 8,            /* events come in words of this size */
    TRACE_SHAPE_MAX = 7,
    TRACE_DIMS_WIDE = 0xffff,   /* the shape is that of the SHAPE fact with the id in its first
                                   word */
    TRACE_WIDE_MAX = 24,        /* values of a SHAPE fact */
    TRACE_OVERHEAD_SCALE = 256, /* parts of a tick, the unit of costs */
    TRACE_TICK_SHIFT = 4,       /* allocation times are kept in steps of 2^4 ticks */
    TRACE_TALLY_CELLS = 512,    /* cells of 128 bytes in a tally chunk */
    TRACE_TALLY_CHUNK_SIZE = 65536,
    TRACE_STACK_CALLS = 4096, /* calls of 16 bytes in a stack chunk */
    TRACE_STACK_CHUNK_SIZE = 65536,
    TRACE_FRAMES_MAX = 256,                 /* innermost calls that a chain always keeps */
    TRACE_CHAIN_MAX = 2 * TRACE_FRAMES_MAX, /* most calls of a chain */
    TRACE_PACKED_MAX = 1 << 20 /* bytes in a chunk that may be packed, without its head */
};

/* One instant on both clocks. */
struct trace_clock_pair {
    uint64_t ticks;        /* rdtsc or cntvct; equal to monotonic_ns if both are forbidden */
    uint64_t monotonic_ns; /* CLOCK_MONOTONIC */
};

/* The operating system's figures of the process; the rows of readings.def. */
struct trace_reading {
#define READING(field, key, unit, sort, help) uint64_t field;
#include "readings.def"
#undef READING
};

/* The surroundings of the process; the rows of surroundings.def. */
struct trace_surroundings {
#define SURROUNDING(field, unit, sort, source, help) uint64_t field;
#include "surroundings.def"
#undef SURROUNDING
};

/* The files that surroundings are read from. */
enum trace_source {
#define SOURCE(source, key, place, file, old_file) TRACE_SOURCE_##source,
#include "surrounding_sources.def"
#undef SOURCE
    TRACE_SOURCES
};

/* The last readings, for those who watch a running process, and of one that was killed.  The writer
 * stores `begun`, the words, and `done`; a watcher reads in the other order, and again when the two
 * differ. */
struct trace_latest {
    uint64_t done; /* ticks of the reading; 0: none was taken */
    struct trace_reading reading;
    struct trace_surroundings surroundings; /* the last ones before it; zeros: none yet */
    uint64_t surroundings_ticks;
    uint64_t begun;
};

enum trace_ending {
    TRACE_RUNNING,  /* no recorded ending: the process still runs, or was killed */
    TRACE_EXITED,   /* exit() or a return from main */
    TRACE_QUIT,     /* _exit(), quick_exit() */
    TRACE_EXECUTED, /* replaced by another program */
    TRACE_SANDBOXED, /* entered a sandbox, and recorded no more */
    TRACE_YIELDED    /* the program mapped its own memory over the recording, which ended then */
};

enum trace_machine { TRACE_X86_64 = 1, TRACE_AARCH64 = 2 };
enum trace_clock { TRACE_CLOCK_COUNTER = 1, TRACE_CLOCK_MONOTONIC = 2 };

/* The cost of recording one event, in fractions of a tick, measured by the shim on itself in this
 * process; and the resolution of its clock. */
struct trace_overhead {
    uint64_t kernel;       /* a wrapped call beyond the bare call */
    uint64_t kernel_inner; /* the part of it within the call's own duration */
    uint64_t entry;        /* the same two for a call through an entry stub */
    uint64_t entry_inner;
    uint64_t counted;    /* a call that is counted and not timed */
    uint64_t left_out;   /* a call that is counted because recording is over its budget */
    uint64_t region;     /* a pair of start and end */
    uint64_t allocation; /* one record of an allocation or a free */
    uint64_t resolution; /* smallest step of the clock that was seen */
};

/* Stages of recording less, to keep a budget. */
enum trace_stage {
#define STAGE(stage, key, help) TRACE_STAGE_##stage,
#include "stages.def"
#undef STAGE
    TRACE_STAGES
};

/* Why processor time is not sampled. */
enum trace_sampling_off {
#define SAMPLING_OFF(off, key, words) TRACE_SAMPLING_##off,
#include "sampling_off.def"
#undef SAMPLING_OFF
    TRACE_SAMPLING_OFFS
};

enum trace_stage_cause {
#define STAGE_CAUSE(cause, key, words) TRACE_STAGE_CAUSE_##cause,
#include "stage_causes.def"
#undef STAGE_CAUSE
    TRACE_STAGE_CAUSES
};

/* An unknown exit_status: musl has no on_exit. */
#define TRACE_STATUS_UNKNOWN INT32_MIN

enum { TRACE_UNTRACED_NAMED = 4 };

/* Forked children, and theirs, that could not make a trace of their own. */
struct trace_untraced {
    uint64_t count;
    int32_t error;                       /* of the last one: an errno */
    uint32_t user;                       /* its effective user */
    uint32_t pids[TRACE_UNTRACED_NAMED]; /* of the first ones */
    uint32_t is_said;                    /* 1: a line on standard error named them */
    uint32_t reserved;
};

struct trace_header {
    char magic[8];
    uint32_t version;
    uint32_t byte_order;
    uint32_t machine; /* enum trace_machine */
    uint32_t clock;   /* enum trace_clock */
    uint32_t pid;
    uint32_t parent_pid;
    struct trace_clock_pair start; /* when the shim was loaded */
    struct trace_clock_pair end;   /* at the ending, 0 before */
    uint64_t realtime_start_ns;    /* CLOCK_REALTIME at `start` */
    uint64_t size;                 /* bytes of the file claimed so far */
    uint32_t ending;               /* enum trace_ending */
    int32_t exit_status;           /* when ending is EXITED or QUIT, or TRACE_STATUS_UNKNOWN */
    uint32_t waited;               /* 1 when `tprof run` stored wait_status */
    int32_t wait_status;           /* in the form of waitpid */
    uint64_t lost_records;         /* records of threads without a lane to count in */
    uint64_t failed_chunks;        /* chunks that could not be claimed */
    int32_t failed_errno;          /* the error of the last of them */
    uint32_t page_size;
    uint64_t capacity;      /* bytes of event chunks; 0 no limit */
    uint64_t reused_chunks; /* event chunks overwritten under a capacity */
    struct trace_overhead overhead;
    uint64_t slow_ticks;        /* spent starting, opening chunks, reading, rescanning */
    uint64_t sample_bytes;      /* mean distance of sampled bytes; 0: every block is recorded */
    uint64_t lost_chains;       /* records without room for their call chain */
    uint64_t lost_samples;      /* sampled blocks that could not be remembered */
    uint64_t lost_shapes;       /* objects whose shape could not be remembered */
    struct trace_reading first; /* at the start */
    struct trace_reading last;  /* at the ending */
    uint64_t packed_size;       /* bytes of a packed copy; 0: not packed.  The
                                   rest of the header is the original's */
    uint64_t packed_from;       /* bytes of the file that was packed */
    uint64_t packed_torn;       /* unreadable chunks of that file */
    uint64_t events_each;       /* first calls of a slot that have a record; 0: all */
    uint64_t own_bytes;         /* size of the shim's own memory at the ending; 0: unknown */
    uint64_t untold;            /* 1: the line with its path was not printed */
    uint64_t reading_ns;        /* cost of reading a thread's clock; 0: none was read */
    uint64_t overhead_ppm;      /* budget of recording, of the processor time; 0: none */
    uint64_t disk_bytes;        /* budget of the trace; 0: none */
    uint64_t stage_ticks[TRACE_STAGES]; /* when each stage started; 0: it did not */
    uint64_t heap_live_bytes;   /* usable bytes of all blocks, at the last change of 64 KiB */
    uint64_t heap_peak_bytes;   /* peak of heap_live_bytes */
    uint64_t heap_peak_ticks;   /* time of the peak; these three are 0 if bytes are not counted */
    uint64_t sparse_cost;       /* like overhead.allocation, for a block without a chain */
    uint64_t undrawn_cost;      /* and for a call that leaves no record */
    uint64_t block_ticks;       /* cost of recording blocks, in addition to slow_ticks; 0:
                                   unknown */
    uint64_t sampling_period_ns;    /* period of a thread's processor time; 0: no samples */
    uint32_t sampling_off;          /* enum trace_sampling_off, the last one */
    uint32_t sampling_signal;       /* the signal of the samples */
    uint64_t sampling_off_ticks;    /* when sampling ended before the process; 0: it did not */
    uint64_t sampling_cost;         /* like overhead.allocation, for a sample; in slow_ticks, too */
    uint64_t sampling_untimed;      /* threads without a timer */
    uint64_t sampling_lost_periods; /* periods without a record, because none could be written */
    uint64_t early_waits;           /* waits of threads that had recorded nothing yet */
    uint64_t early_wait_ticks;      /* in these */
    uint64_t heap_first_bytes;      /* heap_live_bytes of blocks from before the fork; 0: none */
    uint64_t call_bytes; /* that each block has more when sampling points are thrown on it */
    uint64_t exact_cost; /* like overhead.allocation, for a block with its chain and its free */
    uint64_t children_ns; /* processor time of the children that were waited for, at the ending;
                             0: none, or unknown */
    uint64_t is_forked;   /* 1: the process began as a copy of its parent */
    struct trace_latest latest;
    struct trace_untraced untraced;
};

enum trace_chunk_kind {
    TRACE_EVENTS = 1,
    TRACE_TALLIES = 2,
    TRACE_FACTS = 3,
    TRACE_STACKS = 4,
    TRACE_PACKED = 5,  /* any of these, packed by `tprof pack`; never written by the shim */
    TRACE_SYMBOLS = 6, /* facts of the files that ran, packed, too; after header.packed_size */
};

struct trace_chunk {
    uint32_t magic;
    uint32_t kind;                 /* enum trace_chunk_kind */
    uint32_t lane;                 /* counts from 1; 0 for facts */
    uint32_t sequence;             /* order within the lane and kind, from 0 */
    uint64_t offset;               /* position of this chunk in the file */
    uint64_t size;                 /* including this head */
    uint64_t used;                 /* bytes published, with this head */
    struct trace_clock_pair clock; /* when the chunk was opened; events count from its ticks */
    uint64_t reserved;
};

/* Events.
 *
 * An event is one or more words.  The low four bits of the first are its kind (events.def).  Times
 * are differences from the previous record in the chunk; a TIME record precedes a record whose
 * difference does not fit.
 *
 *   block        kind:4  delta:15 (steps of 16 ticks)  address/8:45
 *                size:36  stack:28         of one that was obtained or restored
 *                size:64                   when its size above is all ones
 *   drawn        the two words of a block; then the kind that it had without being
 *                drawn:4  distance:32 (mean, in bytes, of the sampling points)
 *                excess:28 (usable bytes beyond its size, at most all ones); its size
 *                comes behind that when it is large
 *   kernel       kind:4  slot:28  delta:32 (end, in ticks)
 *                duration in ticks:58  it stands for 2^this calls:6
 *   enter leave  kind:4  node:28  delta:32
 *                0 at enter, of an op as in TRACE_OP_BACKWARD; duration as above at leave
 *   time         kind:4  0
 *                absolute ticks:64
 *   extended     kind:4  type:8  words:8  note:12 (0, but of a sample)  delta:32
 *                payload, `words` words
 *   wait         an extended record at its end: chain:28  cell:28  0:8
 *                duration in ticks:64
 *                bytes:64
 *   command      an extended record at the end of its call: chain:28  cell:28  flags:8 (enum
 *                trace_command_flag)
 *                number of the command:64
 *                duration of the call in ticks:64
 *                bytes:64
 *                work-items:64
 *   times        number of the command:56  flags:8 (enum trace_times_flag)
 *                queued, in nanoseconds of the device's clock:64
 *                from there to the submission:64, to the start:64, to the end:64, each from
 *                the time before it
 *   device-alloc chain:28  device:28 (id of its fact)  place:8 (enum trace_device_place)
 *                number of the allocation:64
 *                bytes:64
 *   sample       an extended record whose note is the periods that it stands for:
 *                chain:28  cell:28  flags:8 (enum trace_sample_flag)
 */

enum trace_event_kind {
#define EVENT(kind, name, words, help) TRACE_EVENT_##kind,
#include "events.def"
#undef EVENT
    TRACE_EVENT_KINDS
};

enum trace_extended_type {
#define EXTENDED(type, name, words, help) TRACE_EXTENDED_##type,
#include "extended.def"
#undef EXTENDED
    TRACE_EXTENDED_TYPES
};

/* The kinds of resident memory. */
enum trace_resident {
#define RESIDENT(kind, key, help) TRACE_RESIDENT_##kind,
#include "resident.def"
#undef RESIDENT
    TRACE_RESIDENT_KINDS
};

enum {
    TRACE_KIND_BITS = 4,
    TRACE_ALLOC_DELTA_BITS = 15,
    TRACE_ALLOC_ADDRESS_SHIFT = 3,
    TRACE_SIZE_BITS = 36,
    TRACE_CELL_BITS = 28,
    TRACE_DELTA_BITS = 32,
    TRACE_DISTANCE_BITS = 32,
    TRACE_DURATION_BITS = 58,
    TRACE_NOTE_SHIFT = 20,
    TRACE_NOTE_BITS = 12,
    TRACE_CHAIN_BITS = 28
};

/* The least processor time of a thread before its first sample, in nanoseconds: threads that only
 * start and wait do not matter in a profile, and open no lane. */
enum { TRACE_SAMPLING_FIRST_NS = 500000 };

/* Flags of a sample. */
enum trace_sample_flag {
    TRACE_SAMPLE_SYSCALL = 1,   /* on the way back from a system call: the time belongs to Linux */
    TRACE_SAMPLE_TPROF = 2,     /* it interrupted the shim's own work, and has no chain */
    TRACE_SAMPLE_BLOCKED = 4,   /* the signal was blocked: the periods passed earlier */
    TRACE_SAMPLE_FAULT = 8,     /* most of the time was Linux's, in page faults */
    TRACE_SAMPLE_GARBAGE = 16,  /* Python collected garbage in the thread */
    TRACE_SAMPLE_SUBNORMAL = 32 /* the thread has read subnormal numbers until then, which take
                                   the processor long */
};

#define TRACE_SIZE_LARGE ((UINT64_C(1) << TRACE_SIZE_BITS) - 1)

/* Tallies.
 *
 * A tally chunk is an array of cells; its head takes the first one.  Cell n of a lane is in its
 * tally chunk of sequence n / 512, at place n % 512; so no cell has the number 0, which means none.
 * Cells are never overwritten: totals stay exact even if events do not.
 */
enum trace_cell_kind {
    TRACE_CELL_NONE,
    TRACE_CELL_NODE,
    TRACE_CELL_SLOT,
    TRACE_CELL_WAIT,
    TRACE_CELL_COMMAND
};

/* Flags in the label of a node.  An op is a call of a framework's operation.  Its string has the
 * framework, the op's name, and possibly its inputs, separated by tabs.  A place is the Python code
 * that called the ops below it: the rest of the label is the id of a SITE fact, and the node counts
 * nothing. */
#define TRACE_LABEL_OP (UINT32_C(1) << 31)
#define TRACE_LABEL_SITE (UINT32_C(1) << 30)

/* A range that the program marked for another tool: its string has the interface, the domain and
 * the name, separated by tabs.  Without a further flag it is a region.  A SPAN starts and ends by
 * an id, on any threads, so it is in no region; `unmatched` of its node has the spans that started
 * here, less those that ended here.  A MARK is a moment.  Both are directly below a thread. */
#define TRACE_LABEL_RANGE (UINT32_C(1) << 29)
#define TRACE_LABEL_SPAN (UINT32_C(1) << 28)
#define TRACE_LABEL_MARK (UINT32_C(1) << 27)
#define TRACE_LABEL_FLAGS                                                                          \
    (TRACE_LABEL_OP | TRACE_LABEL_SITE | TRACE_LABEL_RANGE | TRACE_LABEL_SPAN | TRACE_LABEL_MARK)

/* At the start of an op: its sequence number plus one, or 0 without a number.  This flag is set
 * when the framework computes gradients of the earlier op with the number. */
#define TRACE_OP_BACKWARD (UINT64_C(1) << 57)

/* A region or an op under its parents.  A node without a parent is a thread: first/last bound its
 * records. */
struct trace_node {
    uint32_t kind;
    uint32_t parent;
    uint32_t label;       /* string id, with one of the bits above or none; 0 for a thread */
    uint32_t thread;      /* kernel thread id */
    uint64_t calls;       /* completed */
    union {
        uint64_t ticks;   /* in completed calls, with the regions inside */
        uint64_t born_ns; /* for all threads but the first: processor time before its first
                             record */
    };
    union {
        uint64_t inner_ticks; /* part in the outermost inner regions; for an op, in inner ops */
        uint64_t delay_ns;    /* for a thread: runnable without a processor, since its first record;
                                 UINT64_MAX if the kernel does not count */
    };
    union {
        uint64_t next_read; /* the number of the next call that reads the thread's clock */
        uint64_t cpu_ns;    /* for a thread: processor time since its first record */
    };
    uint64_t first_ticks; /* first begin, or first record of the thread */
    uint64_t last_ticks;  /* last end, or end of the thread; 0: not recorded */
    uint64_t allocations; /* blocks obtained while this was the innermost region */
    uint64_t allocated_bytes;
    uint64_t frees;
    uint64_t failed_allocations;
    uint64_t items;
    union {
        uint64_t own_ticks;    /* cost of reading clocks and the system at its borders */
        uint64_t lost_records; /* for a thread: records that could not be written */
    };
    uint64_t unmatched;    /* region ends without a start, kernels left by a jump */
    uint64_t extended;     /* EXTENDED records written */
};

/* Flags in the key of a slot. */
enum trace_slot_flag {
    TRACE_SLOT_NESTED = 1,     /* inside a kernel that owns the FLOPs */
    TRACE_SLOT_OVER_BUDGET = 2 /* made while over the budget: short ones are timed by sample */
};

/* If a kernel's timing is sampled, a random call in this many is timed.  A slot times all its calls
 * until one takes at most TRACE_LONG_TICKS: timing long calls costs nothing, and there are few. */
enum { TRACE_CALLS_PER_TIMED = 128, TRACE_LONG_TICKS = 1 << 17 };

/* A kernel's calls of one shape from one place in one region.  With TRACE_DIMS_WIDE, the kernel and
 * its shape are those of a SHAPE fact, whose id is the first word; id 0 means a call of an unknown
 * object. */
struct trace_slot {
    uint32_t kind;
    uint32_t binding;
    uint32_t node;
    uint16_t flags; /* enum trace_slot_flag */
    uint16_t dims;
    uint64_t site;        /* return address of the call, or TRACE_SITE_PYTHON and the id of a SITE
                             fact; 0 when slots ran out */
    uint64_t calls;       /* timed calls */
    uint64_t ticks;       /* time of the timed calls */
    uint64_t inner_ticks; /* part in inner kernels; may be an estimate */
    uint64_t min_ticks;
    uint64_t max_ticks;
    uint64_t untimed; /* calls that were counted only: kernels whose timing is sampled */
    int64_t shape[TRACE_SHAPE_MAX];
};

/* Calls that may wait. */
enum trace_wait_call {
#define WAIT(call, name, class, object, argument, result, attempt) TRACE_WAIT_##call,
#include "waits.def"
#undef WAIT
    TRACE_WAIT_CALLS
};

enum trace_wait_class {
#define WAIT_CLASS(class, key, help) TRACE_WAIT_CLASS_##class,
#include "wait_classes.def"
#undef WAIT_CLASS
    TRACE_WAIT_CLASSES
};

enum trace_waited_kind {
#define WAITED(kind, key, help) TRACE_WAITED_##kind,
#include "waited.def"
#undef WAITED
    TRACE_WAITED_KINDS
};

enum trace_wait_flag {
    TRACE_WAIT_IN_KERNEL = 1 /* inside a kernel's call, and part of its time */
};

/* The waiting calls of one function, from one place, in one region, for one object, without locks
 * that were free.  While all calls of a place are short, only some are timed.  Long calls have a
 * WAIT record. */
struct trace_wait {
    uint32_t kind;
    uint16_t call;  /* enum trace_wait_call */
    uint16_t flags; /* enum trace_wait_flag */
    uint32_t node;
    uint32_t waited;  /* id of a WAITED fact; 0: no descriptor, or no room for its name */
    uint64_t site;    /* as in a slot */
    uint64_t address; /* address of a lock, a semaphore or a condition variable; else 0 */
    uint32_t owner;   /* thread that held the lock; 0: unknown */
    uint32_t left;    /* calls that are counted before the next is timed */
    uint64_t calls;   /* timed calls */
    uint64_t ticks;   /* time of the timed calls */
    uint64_t untimed; /* calls that were counted only */
    uint64_t bytes;   /* read or written, by all calls */
    uint64_t min_ticks;
    uint64_t max_ticks;
    uint64_t cpu_ns;    /* processor time in some of the timed calls */
    uint64_t cpu_ticks; /* and the ticks of these calls */
    uint64_t short_row;  /* timed short calls since the last longer one */
    uint64_t slow_calls; /* timed calls that were not short */
    uint64_t slow_ticks; /* part of these */
};

/* After this many short calls in a row, one call in TRACE_WAITS_PER_TIMED is timed. */
enum { TRACE_SHORT_WAIT_NS = 20000, TRACE_SHORT_WAITS = 64, TRACE_WAITS_PER_TIMED = 256 };

/* A call at least this long has a record. */
enum { TRACE_LONG_WAIT_NS = 50000 };

/* Replaces the bytes of a wait: it ended without work, for example by a time-out. */
enum { TRACE_WAIT_IN_VAIN = 1 };

/* Devices.
 *
 * A device (a GPU, or a processor behind OpenCL) has queues, and a queue has commands.  A command
 * is asked for by a call of the host and runs later.  Two records tell of it, because another
 * thread may learn its times: COMMAND when the call returns, and COMMAND_TIMES when the times are
 * known.  The number of the command joins them.  The times are on the device's clock, in
 * nanoseconds; DEVICE_CLOCK records join that clock with the host's.
 */
enum trace_device_kind {
#define DEVICE_KIND(kind, key, help) TRACE_DEVICE_##kind,
#include "device_kinds.def"
#undef DEVICE_KIND
    TRACE_DEVICE_KINDS
};

/* The interface that a device is used by. */
enum trace_device_api {
#define DEVICE_API(api, key, title) TRACE_DEVICE_API_##api,
#include "device_apis.def"
#undef DEVICE_API
    TRACE_DEVICE_APIS
};

enum trace_command_kind {
#define COMMAND(kind, key, help) TRACE_COMMAND_##kind,
#include "commands.def"
#undef COMMAND
    TRACE_COMMAND_KINDS
};

/* Where memory of a device lies. */
enum trace_device_place {
#define DEVICE_PLACE(place, key, help) TRACE_DEVICE_PLACE_##place,
#include "device_places.def"
#undef DEVICE_PLACE
    TRACE_DEVICE_PLACES
};

/* Readings of a device. */
enum trace_device_number {
#define DEVICE_NUMBER(number, key, unit, help) TRACE_DEVICE_##number,
#include "device_numbers.def"
#undef DEVICE_NUMBER
    TRACE_DEVICE_NUMBERS
};

/* Flags of a COMMAND record, and of a command's cell. */
enum trace_command_flag {
    TRACE_COMMAND_BLOCKS = 1,  /* the call returned when the command had ended */
    TRACE_COMMAND_UNTIMED = 2, /* its times will not be known */
    TRACE_COMMAND_REFUSED = 4, /* the call failed: there is no command */
    TRACE_COMMAND_PINNED = 8   /* a copy from or to host memory that the device reads itself */
};

/* The number device_times: whether the times of CUDA's commands are known, and why not. */
enum trace_device_times {
    TRACE_TIMES_UNASKED, /* CUPTI is not loaded */
    TRACE_TIMES_HAD,
    TRACE_TIMES_GIVEN_UP,        /* the program uses CUPTI itself */
    TRACE_TIMES_UNKNOWN_VERSION, /* of CUPTI */
    TRACE_TIMES_REFUSED,         /* CUPTI has another user, or not the rights */
    TRACE_TIMES_NOT_RECORDED     /* of HIP: no trace has this number */
};

/* Flags of a COMMAND_TIMES record. */
enum trace_times_flag {
    TRACE_TIMES_FAILED = 1,  /* the command ended with an error */
    TRACE_TIMES_PAGEABLE = 2 /* a copy from or to memory of the host that is not pinned */
};

/* The commands of one kind and name on one queue, from one place in one region.  Totals stay exact
 * if records are left out. */
struct trace_command {
    uint32_t kind;
    uint16_t what;  /* enum trace_command_kind */
    uint16_t flags; /* enum trace_command_flag: BLOCKS, PINNED */
    uint32_t node;
    uint32_t queue;      /* id of a QUEUE fact; 0: none */
    uint64_t site;       /* as in a slot */
    uint32_t name;       /* string id; 0: none */
    uint32_t slot;       /* cell of the innermost kernel of the catalog around the call; 0: none */
    uint64_t calls;      /* asked for, without refused ones */
    uint64_t refused;    /* calls that failed */
    uint64_t host_ticks; /* in the calls that asked */
    uint64_t bytes;
    uint64_t work;    /* work-items or threads of kernels */
    uint64_t timed;   /* commands whose times are known */
    uint64_t failed;  /* commands that ended with an error */
    uint64_t run_ns;  /* from the start to the end, of those with times */
    uint64_t wait_ns; /* from the queueing to the start */
    uint64_t min_ns;  /* least and most from the start to the end */
    uint64_t max_ns;
    uint64_t timed_bytes; /* bytes of the commands with times */
};
/* What the first bytes of a connection are. */
enum trace_protocol {
#define PROTOCOL(protocol, key, is_told, help) TRACE_PROTOCOL_##protocol,
#include "protocols.def"
#undef PROTOCOL
    TRACE_PROTOCOLS
};

enum trace_request_flag {
    TRACE_REQUEST_UNANSWERED = 1, /* the connection ended before any answer */
    TRACE_REQUEST_HANDED = 2,     /* another thread answered than the one that read the request */
    TRACE_REQUEST_PIPELINED = 4,  /* several answers, to requests that were read together */
    TRACE_REQUEST_OPEN = 8,       /* recording ended before its answer */
    TRACE_REQUEST_UNTOLD = 16,    /* a whole connection: its requests are not told apart */
    TRACE_REQUEST_FIRST = 32,     /* the first of its connection */
    TRACE_REQUEST_TLS = 64,       /* encrypted on its way; the library gave its plain bytes */
    TRACE_REQUEST_CALLED = 128,   /* a call of a function that the catalog names a request */
    TRACE_REQUEST_SKEWED = 256    /* the time of its proxy is in the future, or over an hour ago */
};

#define TRACE_REQUEST_KEPT_UNKNOWN INT64_MIN

/* The words of a REQUEST record. */
struct trace_request {
    uint64_t start;       /* its first bytes were read, in ticks */
    uint64_t ticks;       /* from there to its last write */
    uint64_t first_ticks; /* from there to its first write */
    uint64_t cpu_ns;      /* processor time of the thread, up to the last write; UINT64_MAX: not
                             read, or several threads served it */
    uint64_t bytes_in;
    uint64_t bytes_out;
    int64_t kept_bytes;  /* obtained less freed by the thread meanwhile; or the value above */
    uint32_t arrival_us; /* its bytes lay in the kernel so long; UINT32_MAX: not asked */
    uint32_t endpoint;   /* string id of method and path; 0: not named */
    uint32_t connection; /* number of the connection, or of the call, from 1 */
    uint32_t thread;     /* kernel id of the thread that read its first bytes */
    uint16_t port;       /* that accepted the connection; 0: it has none, or is not known */
    uint16_t queue;      /* connections that waited to be accepted behind this one; UINT16_MAX: not
                            asked */
    uint16_t flags;      /* enum trace_request_flag */
    uint16_t protocol;   /* enum trace_protocol */
    uint32_t proxy_us;   /* a proxy had it so long before its first read; UINT32_MAX: unknown */
    uint32_t reserved;
};

_Static_assert(sizeof(struct trace_request) == 88, "a request is eleven words");

/* Latencies are counted in steps that grow: 16 for each doubling, from 2^10 ticks on.  The first
 * counter has the shorter ones, the last the longer ones. */
enum { TRACE_LATENCY_COUNTERS = 496, TRACE_LATENCY_FIRST_BIT = 10, TRACE_LATENCY_STEP_BITS = 4 };

/* REQUESTS: the answered requests of an endpoint that ended in one hour.  The shim updates it in
 * place, so it is exact where records are overwritten or lost. */
struct trace_request_sums {
    uint32_t endpoint; /* string id; 0: not named */
    uint16_t port;
    uint16_t reserved;
    uint64_t hour; /* since 1970, UTC */
    uint64_t calls;
    uint64_t ticks;
    uint64_t max_ticks;
    uint64_t bytes_in;
    uint64_t bytes_out;
    uint64_t others[9]; /* 0 */
    uint64_t latencies[TRACE_LATENCY_COUNTERS];
};

_Static_assert(sizeof(struct trace_request_sums) == 4096, "sums fill a page");

/* The counter of a latency. */
static inline unsigned trace_latency_counter(uint64_t ticks)
{
    unsigned bit = ticks == 0 ? 0 : 63 - (unsigned)__builtin_clzll(ticks);
    unsigned counter;

    if (bit < TRACE_LATENCY_FIRST_BIT)
        return 0;
    counter = (bit - TRACE_LATENCY_FIRST_BIT) << TRACE_LATENCY_STEP_BITS;
    counter += (unsigned)(ticks >> (bit - TRACE_LATENCY_STEP_BITS)) &
               ((1u << TRACE_LATENCY_STEP_BITS) - 1);
    return counter < TRACE_LATENCY_COUNTERS ? counter : TRACE_LATENCY_COUNTERS - 1;
}

/* The least latency of a counter, in ticks. */
static inline uint64_t trace_latency_least(unsigned counter)
{
    unsigned doublings = counter >> TRACE_LATENCY_STEP_BITS;
    uint64_t step = counter & ((1u << TRACE_LATENCY_STEP_BITS) - 1);

    return ((UINT64_C(1) << TRACE_LATENCY_STEP_BITS) + step)
           << (doublings + TRACE_LATENCY_FIRST_BIT - TRACE_LATENCY_STEP_BITS);
}

union trace_cell {
    uint32_t kind; /* enum trace_cell_kind, written last */
    struct trace_node node;
    struct trace_slot slot;
    struct trace_wait wait;
    struct trace_command command;
};

/* The calls that the lane's thread is in, behind the head of the lane's first tally chunk.  Cells
 * change only when their calls end, so this shows calls that last, and those of a killed process.
 * The ticks are stored before their cell.  Zeros in older traces. */
struct trace_open {
    uint64_t call;       /* cell of the outermost timed call of a kernel; 0: none */
    uint64_t call_ticks; /* its start */
    uint64_t wait;       /* cell of the waiting call; 0: none */
    uint64_t wait_ticks; /* its start; 0: it is only counted, and its start is unknown */
    uint64_t node;       /* cell of the innermost region or op, else of the thread */
    uint64_t node_ticks; /* its start */
    uint64_t reserved[2];
};

/* Call chains.
 *
 * The call chains of a lane form a tree, the calling context tree: a call names its outer call, and
 * the innermost call identifies a chain.  A stack chunk is an array of calls; its head takes the
 * first four.  Call n of a lane is in its stack chunk of sequence n / 4096, at place n % 4096; so
 * no call has the number 0, which means no chain.
 *
 * The root of a tree has no parent.  Its address is the epoch of the load map for the addresses
 * below it; its flags say how far the chains reach.
 */
struct trace_call {
    uint64_t address; /* return address; of a root the epoch */
    uint32_t parent;  /* 0: this is a root */
    uint32_t flags;   /* enum trace_call_flag; of a root enum trace_chain_end */
};

enum trace_call_flag {
    TRACE_CALL_EXACT = 1, /* the address is that of an interrupted instruction, not a return
                             address */
    /* A frame of Python code, on a chain of only such frames: the address is the id of its CODE
     * fact << TRACE_CODE_SHIFT, plus the offset of its instruction in bytes; id 0: unknown. */
    TRACE_CALL_PYTHON = 2,
    TRACE_CALL_ENTRY = 4, /* such a frame, called with a new interpreter loop */
    /* Two chains in one.  The parent is the chain of the machine's frames; the address is the
     * number of the chain of Python frames, which replace the interpreter's. */
    TRACE_CALL_MIXED = 8
};

enum { TRACE_CODE_SHIFT = 32 };

/* A chain that is CUT lacks its outer calls.  The further rows are reasons why a frame could not be
 * unwound; LOST is an unknown reason. */
enum trace_chain_end {
    TRACE_CHAIN_NONE,
#define CHAIN_END(end, key, words) TRACE_CHAIN_##end,
#include "chain_ends.def"
#undef CHAIN_END
    TRACE_CHAIN_ENDS
};

/* Facts.
 *
 * A fact is this head and its payload, padded to eight bytes.
 */
struct trace_fact {
    uint32_t kind; /* enum trace_fact_kind */
    uint32_t size; /* size of the payload, without head and padding */
};

enum trace_fact_kind {
#define FACT(kind, name, help) TRACE_FACT_##kind,
#include "facts.def"
#undef FACT
    TRACE_FACT_KINDS
};

/* STRING: this, then the text without a terminator. */
struct trace_string {
    uint32_t id; /* counts from 1 */
    uint32_t reserved;
};

/* CODE: this, then the qualified name and the file in UTF-8, and the table of lines (co_linetable
 * as of PEP 657). */
struct trace_code {
    uint32_t id; /* counts from 1 */
    int32_t first_line;
    uint32_t name_size;
    uint32_t file_size;
    uint32_t lines_size;
    uint32_t reserved;
};

/* SITE: the caller of slots whose site is TRACE_SITE_PYTHON | id. */
struct trace_site {
    uint32_t id;   /* counts from 1 */
    uint32_t code; /* id of its CODE fact */
    uint32_t offset; /* offset of the instruction in the code, in bytes */
    uint32_t layer; /* for ops: id of the LAYER fact of the innermost layer; 0: none */
    uint64_t address; /* return address of the call; 0 for ops */
    uint32_t line; /* for ops: id of the SITE fact in the program's own code; 0: none, or this
                      one */
    uint32_t reserved;
};

/* LAYER: an object whose call runs ops: a torch.nn.Module. */
struct trace_layer {
    uint32_t id;    /* counts from 1 */
    uint32_t outer; /* id of the outer layer, which is lower than its own; 0: none */
    uint32_t name;  /* string id: its class */
    uint32_t path;  /* string id: its attribute path in the outer layer, as
                       "layers.0"; 0: unknown */
};

/* RANGE: what the first range of a name told of itself. */
struct trace_range {
    uint32_t label;         /* its string id */
    uint32_t flags;         /* enum trace_range_flag */
    uint32_t colour;        /* alpha, red, green, blue, from the highest byte */
    uint32_t category;      /* its number; 0: none */
    uint32_t category_name; /* string id; 0: it has no name */
    uint32_t reserved;
};

enum trace_range_flag { TRACE_RANGE_HAS_COLOUR = 1 };

/* Types of the number that a range carries. */
enum trace_payload {
#define PAYLOAD(type, key) TRACE_PAYLOAD_##type,
#include "payloads.def"
#undef PAYLOAD
    TRACE_PAYLOADS
};

/* The first word of SPAN, MARK and PAYLOAD records: cell:28, payload's type:4, calls that it stands
 * for as a power of two:6. */
enum { TRACE_RANGE_PAYLOAD_SHIFT = 28, TRACE_RANGE_DOUBLINGS_SHIFT = 32 };

#define TRACE_SITE_PYTHON (UINT64_C(1) << 62)

/* Why the frames of Python code are not read. */
enum trace_python_off {
#define PYTHON_OFF(off, key, words) TRACE_PYTHON_OFF_##off,
#include "python_off.def"
#undef PYTHON_OFF
    TRACE_PYTHON_OFFS
};

/* Whether Python's objects are blocks of their own. */
enum trace_python_objects {
#define PYTHON_OBJECTS(state, words) TRACE_PYTHON_OBJECTS_##state,
#include "python_objects.def"
#undef PYTHON_OBJECTS
    TRACE_PYTHON_OBJECTS_STATES
};

/* PYTHON: the CPython of the process; the last one counts. */
struct trace_python {
    uint32_t version; /* PY_VERSION_HEX; 0: older than 3.11 */
    uint32_t off;     /* enum trace_python_off */
    uint64_t loop_start; /* _PyEval_EvalFrameDefault; 0: unknown */
    uint64_t loop_end;
    uint32_t module; /* the module with the loop */
    uint32_t reserved;
    uint64_t rest_start; /* start of the loop's other part, see python_loop.h; 0: none */
    uint64_t rest_end;
};

/* MODULE: this, then build_id_size bytes, then the path. */
struct trace_module {
    uint32_t id;    /* counts from 1 */
    uint32_t epoch; /* epoch of the load map that it first appeared in */
    uint64_t base;
    uint64_t start; /* executable addresses */
    uint64_t end;
    uint32_t known_symbols; /* symbols of the catalog that it defines */
    uint32_t build_id_size;
};

/* GONE: a module that left the load map. */
struct trace_gone {
    uint32_t module;
    uint32_t epoch; /* the first without it */
};

/* BINDING: this, then the symbol's name. */
struct trace_binding {
    uint32_t id;      /* counts from 1 */
    uint32_t kernel;  /* index in the catalog of this trace */
    uint64_t target;  /* address of the real function */
    uint64_t wrapper; /* address of the clone in front of it, as in call chains */
};

/* Why the ops of a framework, or their inputs, are not recorded. */
enum trace_ops_off {
#define OPS_OFF(off, key, words) TRACE_OPS_OFF_##off,
#include "ops_off.def"
#undef OPS_OFF
    TRACE_OPS_OFFS
};

/* The cost of recording an op, including PyTorch's part, which the shim cannot measure on itself:
 * doc/decisions/torch-ops. */
enum { TRACE_OP_NS = 400 };

/* OPS: a framework, and whether its ops are recorded; the last one counts. */
struct trace_ops {
    uint32_t module;     /* the module with the framework */
    uint32_t off;        /* enum trace_ops_off */
    uint32_t inputs_off; /* the same for the sizes and types of inputs, and sequence numbers */
    uint32_t refused;    /* ops with only their name, because their inputs found no room */
    uint64_t off_ticks;  /* when the budget ended their recording; 0: it did not */
};

enum trace_hook_outcome {
#define HOOK_OUTCOME(outcome, text) TRACE_HOOK_##outcome,
#include "outcomes.def"
#undef HOOK_OUTCOME
    TRACE_HOOK_OUTCOMES
};

/* HOOK: this, then the symbol's name. */
struct trace_hook {
    uint32_t module;
    uint32_t binding; /* 0 when not hooked */
    uint32_t slots;
    uint32_t outcome; /* enum trace_hook_outcome */
};

enum trace_counter_id {
#define COUNTER(id, key, one, title, help) TRACE_COUNTER_##id,
#include "counters.def"
#undef COUNTER
    TRACE_COUNTERS
};

/* Conditions that can make runs of one program differ on one machine. */
enum trace_condition_id {
#define CONDITION(id, key, title, help) TRACE_CONDITION_##id,
#include "conditions.def"
#undef CONDITION
    TRACE_CONDITIONS
};

/* COUNTER: this, then the reason why it could not be counted, when enabled_ns is 0.  With more
 * events than hardware counters, an event ran for a part of the time. */
struct trace_counter {
    uint32_t counter; /* enum trace_counter_id */
    uint32_t reserved;
    uint64_t value; /* while it ran */
    uint64_t enabled_ns;
    uint64_t running_ns;
};

/* SHAPE: this, then `count` values of eight bytes in the order of the kernel's shape, then the name
 * of the implementation as text.  It describes the execution of an object that was made before (a
 * primitive of oneDNN, a plan of FFTW). */
struct trace_shape {
    uint32_t id;     /* counts from 1 */
    uint32_t kernel; /* index in the catalog of this trace */
    uint32_t count;  /* number of values */
    uint32_t reserved;
};

/* The causes of incidents. */
enum trace_incident_cause {
#define INCIDENT_CAUSE(cause, word, example, help) TRACE_INCIDENT_##cause,
#include "incident_causes.def"
#undef INCIDENT_CAUSE
    TRACE_INCIDENT_CAUSES
};

/* Why a condition cannot be met. */
enum trace_keep_obstacle {
#define KEEP_OBSTACLE(obstacle, words) TRACE_KEEP_##obstacle,
#include "keep_obstacles.def"
#undef KEEP_OBSTACLE
    TRACE_KEEP_OBSTACLES
};

/* Limits of incidents, so that they do not fill the disk: their number, their distance if they have
 * the same cause, and their chunks in multiples of the capacity.  An incident keeps the chunks with
 * records of its time, and of some time before and after. */
enum {
    TRACE_INCIDENTS_MAX = 16,
    TRACE_INCIDENT_CAPACITIES = 4,
    TRACE_INCIDENT_APART_S = 60,
    TRACE_INCIDENT_AROUND_S = 1
};

/* KEEP: a condition.  The shim updates it in place. */
struct trace_keep {
    uint32_t cause;    /* enum trace_incident_cause */
    uint32_t obstacle; /* enum trace_keep_obstacle */
    uint64_t limit;    /* of a request ticks, of the heap bytes, of a step hundredths of the mean;
                          0: there is none */
    uint64_t met;      /* times that it was met; of these without an incident: */
    uint64_t soon;     /* so soon after the last that it has none of its own */
    uint64_t many;     /* there were as many as may be */
    uint64_t full;     /* their chunks had no room */
    uint64_t worst;    /* the highest value, in ticks or bytes; 0: none */
};

/* INCIDENT: a place.  The cause is stored last. */
struct trace_incident {
    uint32_t cause;         /* enum trace_incident_cause, and 1; 0: the place is free */
    uint32_t thread;        /* kernel id of the thread that noticed it */
    uint32_t subject;       /* string id of an endpoint, a region or a snapshot; 0: none */
    uint32_t kept_chunks;   /* of the events, which would have been reused */
    uint64_t start_ticks;   /* of the request or the step; else when it was noticed */
    uint64_t end_ticks;     /* of these */
    uint64_t from_ticks;    /* the first time whose chunks are kept */
    uint64_t to_ticks;      /* the last time whose chunks are kept */
    uint64_t quiet_ticks;   /* and up to then, to compare with */
    uint64_t value;         /* ticks or bytes; 0: it has none */
    uint64_t limit;         /* that the value is beyond; 0: there is none */
    uint64_t missing_ticks; /* the last of the records that were overwritten before it */
    uint64_t kept_bytes;    /* of the kept chunks */
    uint64_t refused_bytes; /* of those that found no room, and were reused */
};

/* WAITED: this, then its name: the path of a file, the address of a socket, or for a pipe
 * TRACE_PIPE_NAME and its inode, which both of its ends share. */
#define TRACE_PIPE_NAME "pipe:"
struct trace_waited {
    uint32_t id;   /* counts from 1 */
    uint32_t kind; /* enum trace_waited_kind */
};

/* DEVICE: this, then four texts with a zero byte each: name, maker, version of the driver, and an
 * identity that other tools know, such as a UUID; empty when unknown. */
struct trace_device {
    uint32_t id;            /* counts from 1 */
    uint16_t kind;          /* enum trace_device_kind */
    uint16_t api;           /* enum trace_device_api */
    uint64_t memory_bytes;  /* its memory; 0: unknown */
    uint32_t units;         /* compute units or multiprocessors; 0: unknown */
    uint32_t clock_mhz;     /* 0: unknown */
    uint32_t flags;         /* enum trace_device_flag */
    uint32_t resolution_ns; /* step of its clock; 0: unknown */
};

enum trace_device_flag {
    TRACE_DEVICE_SHARES_MEMORY = 1, /* its memory is the host's */
    TRACE_DEVICE_UNTIMED = 2,       /* times of its commands are not available */
    TRACE_DEVICE_UNQUEUED = 4       /* when they were queued and submitted is not known */
};

/* DEVICE_MEMORY: memory of a device at a place, kept up to date in the file. */
struct trace_device_memory {
    uint32_t device; /* id of a DEVICE fact */
    uint32_t place;  /* enum trace_device_place */
    uint64_t live_bytes;
    uint64_t peak_bytes;
    uint64_t peak_ticks;
    uint64_t allocations;
    uint64_t allocated_bytes;
    uint64_t frees;
    uint64_t forgotten; /* allocations that found no room, and are not in the other numbers */
};

/* QUEUE: this, then its name, empty if it has none. */
struct trace_queue {
    uint32_t id;     /* counts from 1 */
    uint32_t device; /* id of its DEVICE fact */
    uint32_t flags;  /* enum trace_queue_flag */
    uint32_t reserved;
};

enum trace_queue_flag {
    TRACE_QUEUE_UNORDERED = 1, /* commands may overtake others */
    TRACE_QUEUE_PROFILES = 2,  /* the program itself asked for times */
    TRACE_QUEUE_UNTIMED = 4,   /* the times of its commands are not available */
    TRACE_QUEUE_REST = 8       /* stands for all queues that found no row of their own */
};

/* Symbols.
 *
 * `tprof pack --symbols` stores symbols from the files of the modules, for machines that lack the
 * files.  They are facts in separate chunks after the packed ones; an older reader ends before
 * them.
 */
enum trace_file_flag {
    TRACE_FILE_READ = 1,     /* the file existed, and was the one that ran */
    TRACE_FILE_INNER = 2,    /* the file has functions that it does not export */
    TRACE_FILE_SYMBOLIC = 4, /* its own calls were bound when it was linked */
    TRACE_FILE_OTHER = 8,    /* the existing file is not the one that ran */
    TRACE_FILE_ALONE = 16,   /* read no other file: the trace was made from a log with names */
};

/* FILE: this, then three texts with a zero byte each: build-id in hexadecimal, path, and the reason
 * why it gives no names, empty if it gives some. */
struct trace_file {
    uint32_t id; /* counts from 1 */
    uint32_t flags;
};

enum { TRACE_FRAMES_AT_PLACE = 256 };

/* PLACE: this, then a frame for each function at the address, innermost first, then two texts with
 * a zero byte for each: function and source file, empty when unknown.  All but the last are inlined
 * into the next one. */
struct trace_place {
    uint32_t file;
    uint32_t count;   /* number of frames, at most TRACE_FRAMES_AT_PLACE */
    uint64_t address; /* less the base of the module */
};

struct trace_frame {
    uint32_t line;   /* 0 when unknown */
    uint32_t offset; /* offset of the address in its function, if the line is unknown; 0 if the
                        offset is unknown, too */
};

/* Set in the offset of a frame whose function has no name, but a known start. */
#define TRACE_FRAME_PLACED (UINT32_C(1) << 31)

/* Set in the offset of an innermost frame whose code waits in a loop. */
#define TRACE_FRAME_PAUSING (UINT32_C(1) << 30)

/* FUNCTION: this, then its name: a function of the catalog that a file defines. */
struct trace_function {
    uint32_t file;
    uint32_t is_exported;
};

/* Packed chunks.
 *
 * A packed chunk starts with the head of its original, but with its own kind, offset, size and
 * used; this struct and the payload follow.
 */
struct trace_packed {
    uint32_t kind;   /* kind of the original chunk; so are offset, size and used */
    uint32_t coding; /* enum trace_coding, of the payload */
    uint64_t offset;
    uint64_t size;
    uint64_t used;
    uint64_t kept; /* bytes behind the original's head, in the payload */
};

enum trace_coding {
    TRACE_CODING_STORED = 1, /* unchanged */
    TRACE_CODING_ZSTD = 2,   /* a frame of zstd */
    TRACE_CODING_EVENTS = 3  /* streams.def, a frame of zstd each */
};

/* The streams that the events of a packed chunk are split into. */
enum trace_stream {
#define STREAM(stream, name, help) TRACE_STREAM_##stream,
#include "streams.def"
#undef STREAM
    TRACE_STREAMS
};

/* Before the frames of TRACE_CODING_EVENTS. */
struct trace_streams {
    uint32_t sizes[TRACE_STREAMS]; /* sizes of the frames, in bytes */
};

_Static_assert(sizeof(struct trace_reading) == 120, "a reading is fifteen words");
_Static_assert(sizeof(struct trace_header) <= TRACE_HEADER_SIZE, "the header fits its page");
_Static_assert(sizeof(struct trace_surroundings) == 208, "surroundings are 26 words");
_Static_assert(sizeof(struct trace_header) == 1152, "the header has no padding to wander");
_Static_assert(sizeof(struct trace_chunk) == 64, "a chunk head is one cache line");
_Static_assert(sizeof(struct trace_chunk) + sizeof(struct trace_open) == sizeof(union trace_cell),
               "a head and what is open take a cell");
_Static_assert(sizeof(struct trace_node) == 128, "a node is two cache lines");
_Static_assert(sizeof(struct trace_slot) == 128, "a slot is two cache lines");
_Static_assert(sizeof(struct trace_wait) == 128, "a wait is two cache lines");
_Static_assert(sizeof(struct trace_command) == 128, "a command's cell is two cache lines");
_Static_assert(sizeof(struct trace_device) == 32, "a device has no padding");
_Static_assert(sizeof(struct trace_device_memory) == 64, "a device's memory has no padding");
_Static_assert(sizeof(struct trace_queue) == 16, "a queue has no padding");
_Static_assert(sizeof(union trace_cell) * TRACE_TALLY_CELLS == TRACE_TALLY_CHUNK_SIZE,
               "a tally chunk is an array of cells");
_Static_assert(sizeof(struct trace_call) == 16, "a call is two words");
_Static_assert(sizeof(struct trace_call) * TRACE_STACK_CALLS == TRACE_STACK_CHUNK_SIZE,
               "a stack chunk is an array of calls");
_Static_assert(sizeof(struct trace_gone) == 8, "a departure has no padding");
_Static_assert(sizeof(struct trace_fact) == 8, "facts stay aligned");
_Static_assert(sizeof(struct trace_module) == 40, "a module has no padding");
_Static_assert(sizeof(struct trace_code) == 24, "a code object has no padding");
_Static_assert(sizeof(struct trace_site) == 32, "a place has no padding");
_Static_assert(sizeof(struct trace_layer) == 16, "a layer has no padding");
_Static_assert(sizeof(struct trace_range) == 24, "what a range tells has no padding");
_Static_assert(sizeof(struct trace_python) == 48, "what is known of Python has no padding");
_Static_assert(sizeof(struct trace_ops) == 24, "what is known of ops has no padding");
_Static_assert(sizeof(struct trace_counter) == 32, "a counter has no padding");
_Static_assert(sizeof(struct trace_shape) == 16, "the values of a shape stay aligned");
_Static_assert(sizeof(struct trace_waited) == 8, "the name of a descriptor stays aligned");
_Static_assert(sizeof(struct trace_keep) == 56, "a condition has no padding");
_Static_assert(sizeof(struct trace_incident) == 96, "an incident has no padding");
_Static_assert(sizeof(struct trace_place) == 16, "a place has no padding");
_Static_assert(sizeof(struct trace_packed) == 40, "a packed head has no padding");
_Static_assert((int)TRACE_EVENT_KINDS <= 1 << TRACE_KIND_BITS, "a kind fits its bits");

#endif
