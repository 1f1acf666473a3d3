/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sessions made by hand, for the tests of memory reports: calls with names,
 * sites, and a course of the heap.
 */
#ifndef UNIT_MADE_SESSION_H
#define UNIT_MADE_SESSION_H

#include "analysis/analysis.h"
#include "model/session_heap.h"
#include "model/session_process.h"
#include "model/session_stages.h"

struct session;
struct session_wait;
struct session_wait_call;

/* An exact heap without blocks, one thread, the root region, one module. */
void made_init(struct session *session);
void made_fini(struct session *session);

/* Options whose names are those of made_add_call. */
struct analysis_options made_options(void);

/* Add a call under another (0: the root).  Names are kept, not copied.
 * Returns: its index. */
void made_set_file(uint32_t call, const char *file);
void made_set_line(uint32_t call, uint32_t line);
uint32_t made_add_call(struct session *session, uint32_t parent, const char *function,
                       const char *file, uint32_t line);

/* Add a site of blocks of one size, with the numbers of obtained and of freed
 * ones.  The sums of the heap follow.  Valid until the next one is added. */
struct session_site *made_add_site(struct session *session, uint32_t call, uint64_t size,
                                   uint64_t allocations, uint64_t frees);

/* Add mappings of one size by one chain, with the number of calls of mmap, and of those unmapped
 * after the peak.  The sums of the heap follow; no mark has them.  Valid as above. */
struct session_mapping *made_add_mapping(struct session *session, uint32_t call, uint64_t size,
                                         uint64_t maps, uint64_t unmaps);

/* Let a stage of recording start, or continue at another rate. */
void made_add_stage(struct session *session, const struct session_stage *stage);

/* Add a stretch of time of 1 ms with a lowest and a highest live heap. */
void made_add_moment(struct session *session, double low, double high);

/* Add a thread that calls nothing.  Returns: its index. */
uint32_t made_add_thread(struct session *session);

/* Add a call to the course of a slot's thread; calls come in the order of time. */
void made_add_course_call(struct session *session, uint32_t slot, uint64_t start_ns, uint64_t ns);

/* Add an op of PyTorch in another (0: in none).  Returns: its index. */
uint32_t made_add_op(struct session *session, uint32_t parent, const char *name);

/* Add calls that waited like this one, of class idle and without a chain.  Returns: their index. */
uint32_t made_add_wait(struct session *session, const struct session_wait *of);

/* Add one of these calls.  Valid until the next one is added. */
struct session_wait_call *made_add_wait_call(struct session *session, uint32_t wait,
                                             uint64_t start_ns, uint64_t end_ns);

/* Add a module of torch.nn in another (0: in none).  Returns: its index. */
uint32_t made_add_layer(struct session *session, uint32_t outer, const char *name);

/* Add a region whose path is its label.  Returns: its index. */
uint32_t made_add_region(struct session *session, uint32_t parent, const char *label);

/* Add a call of a region in the first thread; calls come in the order of their ends. */
void made_add_lap(struct session *session, uint32_t region, uint64_t start_ns, uint64_t end_ns);

/* Add a reading. */
struct session_reading *made_add_reading(struct session *session, enum session_reading_kind kind,
                                         const char *label, uint64_t live_bytes);

#endif
