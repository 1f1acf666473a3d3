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

#include "record/lane.h"

/* Older C libraries do not declare it. */
int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock,
                         const struct timespec *until);

/* Ask whether a thread with these attributes (NULL: the usual ones) can be joined. */
bool joining_is_possible(const pthread_attr_t *attributes);

/* Write the record of a new thread that can be joined.  The lane is BUSY.
 * Units: stack_size: bytes; 0 when it is unknown. */
void joining_write_created(struct lane *lane, uint64_t thread, size_t stack_size, uint64_t chain);

/* Rows of start/rooms.c: the process ends, and its fact. */
void joining_end(void);
bool joining_write_facts(unsigned *written);

#endif
