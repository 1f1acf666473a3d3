/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether the heap leaks, with the start-up from the phases of the run.
 */
#ifndef HEAP_HEAP_LEAK_H
#define HEAP_HEAP_LEAK_H

#include "base/text.h"
#include "heap/leak_verdict.h"
#include "places/places.h"

/* Judge a session's heap, and again where it grew while the run started up. */
void heap_leak_judge(struct leak_judgement *judgement, const struct session *session,
                     const struct analysis_options *options);

/* Is growth that the program frees when it ends large enough to speak of? */
bool heap_leak_is_much(const struct leak_judgement *judgement,
                       const struct analysis_options *options);

/* Find the line that owns most of the growth.  Returns: false: none has a quarter. */
bool heap_leak_find_place(struct place *owner, const struct leak_judgement *judgement,
                          const struct session *session, places_finder find) MUST_CHECK;

/* The bytes that a place mapped in all, and those that calls of munmap took away of them. */
struct heap_leak_unmapped {
    uint64_t mapped_bytes;
    uint64_t unmapped_bytes;
    uint64_t ranges; /* that are left */
    bool is_in_part; /* next to all mappings are left, each shorter than it was */
};

/* Find these of the place that leaks mappings.  Returns: whether the judgement has one. */
bool heap_leak_find_unmapped(struct heap_leak_unmapped *unmapped,
                             const struct leak_judgement *judgement, const struct session *session,
                             places_finder find) MUST_CHECK;

/* Append that line, if there is one. */
void heap_leak_append_place(struct text *text, const struct leak_judgement *judgement,
                            const struct session *session, places_finder find);

#endif
