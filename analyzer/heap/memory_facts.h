/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Facts on memory that several reports use: the known figures, the window of time for patterns, and
 * memory that is resident but not heap.
 */
#ifndef HEAP_MEMORY_FACTS_H
#define HEAP_MEMORY_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/analysis.h"
#include "base/array.h"
#include "base/say.h"
#include "base/text.h"
#include "base/text_list.h"
#include "heap/heap_course.h"
#include "model/session_heap.h"

struct session;
struct session_process;

/* Whether a file is the C library; none is not. */
bool memory_is_c_library(const char *path);

/* Ask whether peak, live heap and sites are known, if only as estimates. */
bool memory_is_known(const struct session_heap *heap);

/* Ask whether a number for the whole heap is an estimate, by its standard error; samples that the
 * user requested always are. */
bool memory_is_estimate(const struct session_heap *heap, double error);

/* Ask whether the live heap was an estimate at a time. */
bool memory_is_estimate_at(const struct session *session, uint64_t time_ns);

/* Ask whether the sites' bytes at the peak are an estimate. */
bool memory_peak_is_estimate(const struct session *session);

/* Returns: a number of the heap; UNKNOWN where the heap is. */
uint64_t memory_if_known(const struct session_heap *heap, uint64_t number);

/* Returns: why the live heap, or the obtained bytes, are unknown, as a clause. */
const char *memory_why_unknown(const struct session_heap *heap);
const char *memory_why_unrecorded(const struct session_heap *heap);

/* Returns: the sentence that the live heap is unknown; memory_why_unknown is its value. */
struct said memory_unknown_sentence(void);

/* Returns: when the heap was highest; UNKNOWN when its peak is unknown, or when there was no
 * block. */
uint64_t memory_peak_time_ns(const struct session_heap *heap);

/* Returns: the first mark at or after a time; mark_count when there is none. */
unsigned memory_find_mark(const struct session_heap *heap, uint64_t time_ns);

/* The window for a pattern and a trend: after the warm-up, and before the teardown at the end. */
struct memory_window {
    uint64_t from_ns;
    uint64_t to_ns;
};
struct memory_window memory_find_window(const struct session *session,
                                        const struct analysis_options *options);

/* The fall of the heap that lasts to the end, as of a program that frees all at exit. */
struct memory_teardown {
    uint64_t from_ns;
    uint64_t height_bytes; /* height of the heap when the fall started */
    uint64_t floor_bytes;  /* lowest value for a while before; for memory_find_fall */
};

/* Find the final fall.  Returns: whether the lasting heap fell by a tenth or more. */
bool memory_find_fall(struct memory_teardown *fall, const struct session *session,
                      places_finder find);

/* Resident memory beside the live heap at one reading. */
struct memory_gap {
    uint64_t time_ns;
    uint64_t resident_bytes;
    uint64_t live_bytes;
    uint64_t mapped_bytes; /* mapped by the program's own mmap calls */
    uint64_t shared_bytes; /* bytes of files and shared memory; 0 when unknown */
    uint64_t gap_bytes;    /* resident without live */
    double fraction;       /* share of the resident memory */
    bool is_before_teardown;
};

/* Ask whether much memory dates from before the recording, as in a forked process: its heap part is
 * then unknown.  Frees of unrecorded blocks show this only if no record is missing. */
bool memory_is_inherited(const struct session *session);

/* Append the sentence that says so. */
void memory_append_inherited(struct text *text, const struct session *session);

/* Returns: false when no reading is usable, or memory was inherited.  The last gap is that of the
 * end, if the end was recorded. */
bool memory_find_last_gap(struct memory_gap *gap, const struct session *session);
bool memory_find_peak_gap(struct memory_gap *gap, const struct session *session);

/* Find the gap while the program worked.  This is usually the last one.  If most of the heap was
 * freed in the fall that lasts to the end, or in several falls in the last tenth of the time, it is
 * the last one before these: later resident memory is kept by malloc from a freed heap.
 *
 * Returns: false when no reading has it, or memory was inherited. */
bool memory_find_gap(struct memory_gap *gap, const struct session *session);

/* Ask whether a gap is ordinary: it is no larger than code, libraries, stacks and tprof's own part,
 * and little of it can be the program's mappings or freed blocks. */
bool memory_gap_is_ordinary(const struct memory_gap *gap, const struct session *session);

/* Returns: the words that say when that was. */
const char *memory_gap_when(const struct memory_gap *gap, const struct session *session);

/* Say the share of resident memory that is not live heap. */
void memory_say_gap(struct text *text, const struct memory_gap *gap, const char *when);

/* Find fragmentation: the part of a gap that belongs neither to files, nor to the program's
 * mappings, nor to tprof.
 * Returns: 0 unless it is at least 30 % of resident memory, and 256 MiB; 64 MiB where the parts of
 * resident memory are known. */
uint64_t memory_find_fragments(const struct memory_gap *gap, const struct session *session);

/* Ask whether the parts are known then: all fragments are memory that malloc keeps. */
bool memory_knows_kept(const struct memory_gap *gap, const struct session *session);

/* Say how much of the resident memory belongs to files, and so not to the fragments, if known. */
void memory_say_shared(struct text *text, const struct memory_gap *gap);

/* Ask whether resident memory peaked above 16 GB, or above 90 % of the control group's limit. */
bool memory_is_high(const struct session_process *process);

/* Say the advice for that, without a full stop. */
void memory_say_advice(struct text *text);

/* Say the peak of resident memory, and the limit. */
void memory_say_peak(struct text *text, const struct session_process *process);

/* Append " (52.3 MiB of files, 510 MiB reserved without access)": the parts of the program's
 * mappings at their peak that are not its own memory. */
void memory_append_mapped_kinds(struct text *text, const struct session_heap *heap);

/* A rule that holds, and the sentence for the reader. */
struct memory_finding {
    const char *id;
    char *text;
};

/* Add the findings on memory to an array of struct memory_finding. */
void memory_find_problems(struct array *findings, const struct session *session);

/* Add a sentence on each runtime in the process that is known to allocate from its own arenas; no
 * sentence is added twice. */
void memory_add_hiding(struct text_list *sentences, const struct session *session);

/* Append "saw-tooth", with the figures that show it. */
void memory_append_shape(struct text *text, const struct heap_shape *shape,
                         const struct memory_window *window);

/* The same for a session after its warm-up. */
void memory_append_pattern(struct text *text, const struct session *session,
                           const struct analysis_options *options);

#endif
