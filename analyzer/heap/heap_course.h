/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The course of the live heap over time: a window as a series of points, and the pattern that a
 * person would see.
 */
#ifndef HEAP_HEAP_COURSE_H
#define HEAP_HEAP_COURSE_H

#include "model/session_heap.h"

/* By size of the changes: see heap_course_classify. */
enum heap_pattern {
    HEAP_UNKNOWN,   /* too few moments */
    HEAP_FLAT,      /* hardly changes */
    HEAP_SAW_TOOTH, /* goes up and down again and again */
    HEAP_STAIRS,    /* rises in few steps */
    HEAP_LINEAR,    /* rises steadily */
    HEAP_IRREGULAR  /* no pattern above */
};

/* Bytes, a page: smaller changes, such as of a line buffer, do not matter. */
enum { HEAP_LEAST_CHANGE = 4096 };

/* A series; x in ns, y in bytes. */
struct heap_course {
    size_t count;
    double x[SESSION_MOMENTS];
    double y[SESSION_MOMENTS];
};

/* A pattern, and the figures that show it. */
struct heap_shape {
    enum heap_pattern pattern;
    double lowest; /* in the window */
    double highest;
    double rises; /* sum of the rises larger than a fifth of the range */
    double falls;
    unsigned teeth; /* falls of that size */
};

/* The name for people: "saw-tooth". */
const char *heap_pattern_name(enum heap_pattern pattern);

/* Take the floor of the heap in a window of time: the lowest value in each of at most `limit` equal
 * stretches.  The floor hides blocks that come and go within a stretch, and shows blocks that
 * stay. */
void heap_course_floor(struct heap_course *course, const struct session_heap *heap,
                       uint64_t from_ns, uint64_t to_ns, size_t limit);

/* Take the troughs between rises and falls that exceed a fifth of the range: one point for each
 * tooth, or the lowest of several if there are more than `limit`. */
void heap_course_troughs(struct heap_course *course, const struct session_heap *heap,
                         uint64_t from_ns, uint64_t to_ns, size_t limit);

/* Take all troughs.  Returns: whether there are at least four troughs and four crests, and each is
 * higher than the one before.  Turns in random order are so in less than one window in 500. */
bool heap_course_rises_by_turns(struct heap_course *troughs, const struct session_heap *heap,
                                uint64_t from_ns, uint64_t to_ns);

/* Name the pattern of a window whose heap is known to rise. */
enum heap_pattern heap_course_classify_rise(const struct session_heap *heap, uint64_t from_ns,
                                            uint64_t to_ns);

/* Returns: how often the heap fell by more than `least` bytes in a window, and rose again by as
 * much. */
unsigned heap_course_count_teeth(const struct session_heap *heap, uint64_t from_ns, uint64_t to_ns,
                                 double least);

/* Recognize the pattern of a window of time. */
struct heap_shape heap_course_classify(const struct session_heap *heap, uint64_t from_ns,
                                       uint64_t to_ns);

#endif
