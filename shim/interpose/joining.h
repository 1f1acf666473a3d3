/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads that a program may join.  One that has ended keeps its stack until somebody joins or
 * detaches it, so the trace has those that were created, and those that are gone.
 */
#ifndef INTERPOSE_JOINING_H
#define INTERPOSE_JOINING_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "chain/callchain.h"

/* Older C libraries do not declare it. */
int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock,
                         const struct timespec *until);

/* Record a new thread, unless its attributes say that nobody joins it.
 * Units: stack_size: bytes; 0 when it is unknown. */
void joining_note_created(uint64_t thread, const pthread_attr_t *attributes, size_t stack_size,
                          const struct unwind_state *caller);

/* Rows of start/rooms.c: the process ends, and its fact. */
void joining_end(void);
bool joining_write_facts(unsigned *written);

#endif
