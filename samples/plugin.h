/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The function of a plugin of the sample tworoutes: found by name with dlsym.
 */
#ifndef SAMPLES_PLUGIN_H
#define SAMPLES_PLUGIN_H

#include <stdint.h>

struct plugin_report {
    uint64_t calls; /* that this plugin's cblas_sgemm has got, as it counts */
    float result;   /* an element of the last product */
};

/* Multiply `count` times and say what came of it. */
typedef struct plugin_report (*plugin_run_function)(unsigned count);

struct plugin_report plugin_run(unsigned count);

#endif
