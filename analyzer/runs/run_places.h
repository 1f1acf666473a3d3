/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The places of a run's rows: lines of the program's own source.
 */
#ifndef RUNS_RUN_PLACES_H
#define RUNS_RUN_PLACES_H

#include <stddef.h>
#include <stdint.h>

struct cpu_time;
struct group;
struct groups;
struct places;
struct run;
struct run_row;
struct session;

struct run_places {
    struct run *run;
    const struct session *session;
    struct places *places;
};

/* Set the place of a kernel: its call with the most time from a line of the program. */
void run_place_kernel(const struct run_places *places, struct run_row *row,
                      const struct groups *groups, const struct group *group);

/* Set the place of an op, from the return address of its call. */
void run_place_op(const struct run_places *places, struct run_row *row, uint64_t site);

/* Set the place of a function: the line of the program with most of its samples' time.
 * `index` is its row in the processor time. */
void run_place_function(const struct run_places *places, struct run_row *row,
                        const struct cpu_time *time, size_t index);

#endif
