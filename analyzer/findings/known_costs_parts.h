/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What known_costs_meet.c hands to known_costs.c: the costs below each line of the program.
 */
#ifndef FINDINGS_KNOWN_COSTS_PARTS_H
#define FINDINGS_KNOWN_COSTS_PARTS_H

#include <stdint.h>

#include "base/array.h"
#include "places/places.h"

struct cost;
struct cost_catalog;
struct cpu_time;
struct session;

/* Samples of a cost at a line of the program, with all that it calls. */
struct met {
    const struct cost *cost;    /* NULL: the line's other samples */
    const struct cost *instead; /* if the cost is not proven there; or NULL */
    struct place place;
    double ns;
    double main_ns; /* the part of it in the main thread */
    double sign_ns; /* the part of it inside of the cost's signs */
    double self_ns; /* the part of it in the functions of the cost themselves */
    uint64_t samples;
    double wait_ns;   /* of the main thread, at calls that the cost makes */
    double others_ns; /* of other threads */
    uint64_t calls;
    uint64_t blocks;                 /* that it allocates */
    double large_bytes, freed_bytes; /* of sites with blocks as large as the cost asks for */
};

struct meeting {
    const struct cost_catalog *catalog;
    const struct cpu_time *time;
    const char *program; /* places_own_module */
    struct array asked;  /* by the id of a function */
    struct array met;
    double lost_ns; /* samples without a chain, which may be of any line */
    double main_ns; /* all samples of the main thread */
};

/* The time of a line with all its costs and the rest of it. */
struct line_time {
    double ns;
    double main_ns; /* the part of it in the main thread */
};

/* Find the costs below the lines, in samples, in waiting and in blocks; costs that lack their proof
 * are left out. */
void known_costs_meet(struct meeting *meeting, const struct cpu_time *time);

/* Returns: the time of a line, of all costs that were met there. */
struct line_time known_costs_line(const struct array *all, const struct met *of);

#endif
