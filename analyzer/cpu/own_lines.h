/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Processor time by the lines of a program's own files, including all callees.  In Python this is
 * the chain's innermost line outside of installed modules.  Otherwise it is the innermost line of
 * the executable outside of system headers.  The lines do not overlap.
 *
 * Decision: doc/decisions/first-screen-lines.
 */
#ifndef CPU_OWN_LINES_H
#define CPU_OWN_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "rows/fold.h"

struct cpu_time;
struct place;
struct places;
struct session;

struct own_line {
    const struct place *place; /* belongs to the cpu_time */
    double ns;
    uint64_t samples;
    double gradients_ns; /* part of ns, in ops that compute gradients */
};

struct own_lines {
    struct array rows; /* of struct own_line, by ns */
    struct fold fold;
    double ns;       /* the sum of the rows */
    double moved_ns; /* part of that, for gradients that count for another line than the one that
                        ran them */
};

/* Find the lines in processor time. */
void own_lines_init(struct own_lines *lines, const struct cpu_time *time);

/* The same, but gradients count for the lines whose ops caused them, if these lines have rows: a
 * single line that calls backward() explains little. */
void own_lines_init_with_gradients(struct own_lines *lines, const struct cpu_time *time);

/* Ask whether a sample of the processor time is wanted. */
typedef bool (*own_lines_wanted)(const struct cpu_time *time, size_t sample, const void *of);

/* The same for the wanted samples only. */
void own_lines_init_of(struct own_lines *lines, const struct cpu_time *time,
                       own_lines_wanted wanted, const void *of);

/* Returns: the time of a line, with all that it calls. */
double own_lines_time_at(const struct own_lines *lines, const struct place *place);

/* Find the innermost place of the program's own files on any chain, looking up no more names than
 * needed.  Returns: NULL when there is none; else a place that the next search may move. */
const struct place *own_lines_find(const struct session *session, struct places *places,
                                   uint32_t call);

/* Find the program's own line of a return address outside of chains.  Returns: NULL: the line is
 * unknown, or not the program's. */
const struct place *own_lines_of_site(const struct session *session, struct places *places,
                                      uint64_t site);

#endif
