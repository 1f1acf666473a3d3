/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What known_costs_meet.c hands to known_costs.c: the costs below each line of the program.
 */
#ifndef FINDINGS_KNOWN_COSTS_PARTS_H
#define FINDINGS_KNOWN_COSTS_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "places/places.h"
#include "places/source_text.h"

struct cost;
struct cost_catalog;
struct cpu_time;
struct session;

enum { MET_COSTS = 4 }; /* costs of one chain; more are rare */

/* Samples of a cost at a line of the program, with all that it calls. */
struct met {
    const struct cost *cost; /* NULL: the line's other samples; set when all are met */
    const struct cost *candidates[MET_COSTS]; /* the outermost first: the first proven one counts */
    cost_signs signs;                         /* the candidates that have their signs */
    const struct cost *self; /* the candidate whose function is the innermost; or NULL */
    struct place place;
    double ns;
    double main_ns;                 /* the part of it in the main thread */
    double fault_ns, fault_main_ns; /* the parts of these in page faults */
    uint64_t samples;
    double wait_ns;   /* of the main thread, at calls that the cost makes */
    double others_ns; /* of other threads */
    uint64_t calls;
    uint64_t blocks;                 /* that it allocates */
    double block_bytes;              /* of all of these */
    double largest_bytes;            /* of the largest */
    double large_bytes, freed_bytes; /* of sites with blocks as large as a candidate asks for */
};

struct meeting {
    const struct cost_catalog *catalog;
    const struct cpu_time *time;
    const char *program; /* places_own_module */
    struct array asked;  /* by the id of a function */
    struct array met;
    struct source_text source; /* for costs that ask what a line says */
    bool is_at_lock;           /* the walk is that of a wait for a lock */
    double lost_ns;    /* samples without a readable chain, which may be of any line */
    double main_ns;    /* all samples of the main thread */
    double life_ns;    /* of threads beside the main one, on average; the least that is known */
    double work_share; /* of the waiting for them: what they compute remains */
    double crowding;   /* how many times as long as alone the process took on its processors */
};

/* The time of a line with all its costs and the rest of it. */
struct line_time {
    double ns;
    double main_ns;                 /* the part of it in the main thread */
    double fault_ns, fault_main_ns; /* page faults outside of the cost that asks */
    double all_fault_ns;
    bool is_function; /* it is the time of all lines of a function */
};

/* Find the costs below the lines, in samples, in waiting and in blocks; costs that lack their proof
 * are left out. */
void known_costs_meet(struct meeting *meeting, const struct cpu_time *time);

/* Returns: the time of a function, in all of its lines. */
struct line_time known_costs_function(const struct array *all, const struct met *of);

/* Returns: the time of a line, of all costs that were met there. */
struct line_time known_costs_line(const struct array *all, const struct met *of);

#endif
