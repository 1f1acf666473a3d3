/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs with one fault each, and the same without it, for the findings: the work and the result
 * are the same.  The fault is described above each.
 */
#ifndef PLANTS_H
#define PLANTS_H

#include <stdbool.h>
#include <stddef.h>

struct plant {
    const char *name;
    double (*run)(bool is_planted, int rounds); /* returns its result, one number */
};

/* Until a row without a name. */
extern const struct plant plants_of_products[], plants_of_systems[], plants_of_memory[],
    plants_of_waits[], plants_of_kept[];

/* End the program with the status of a test that is skipped: a library lacks a function. */
_Noreturn void plants_skip(const char *what);

/* Numbers between 0.5 and 1, already touched; ends the program without memory. */
float *plants_floats(size_t count);
double *plants_doubles(size_t count);
void plants_fill(double *numbers, size_t count);

double plants_sum_floats(const float *numbers, size_t count);
double plants_sum_doubles(const double *numbers, size_t count);

#endif
