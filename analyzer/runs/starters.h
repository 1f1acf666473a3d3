/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Processes of a job that spend most of their time in imports of Python.
 */
#ifndef RUNS_STARTERS_H
#define RUNS_STARTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct cpu_time;
struct session;

/* Those of one kind. */
struct starters_kind {
    size_t count;
    double import_ns;
    double cpu_ns;
    uint64_t first_end_ns; /* on the clock of the host, as the next */
    uint64_t last_start_ns;
};

struct starters {
    struct starters_kind workers; /* of multiprocessing or joblib, with an interpreter each */
    struct starters_kind programs;
    size_t read;   /* processes, with all others */
    double cpu_ns; /* of these */
};

/* Count a process. */
void starters_take(struct starters *starters, const struct cpu_time *time);

/* The same, and find its processor time; nothing if that is unknown. */
void starters_take_session(struct starters *starters, const struct session *session);

/* Returns: whether a process mostly imports. */
static inline bool starters_has_any(const struct starters *starters)
{
    return starters->workers.count + starters->programs.count > 0;
}

/* Append advice; nothing if the imports of such processes take little of the time. */
void starters_say(struct text *text, const struct starters *starters);

#endif
