/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The unfinished report of tprof steps.
 */
#ifndef STEPS_STEPS_REPORT_H
#define STEPS_STEPS_REPORT_H

#include "analysis/analysis.h"
#include "document/document.h"
#include "statistics/summary.h"
#include "steps/step_devices.h"
#include "steps/step_functions.h"
#include "steps/step_memory.h"
#include "steps/step_parts.h"

struct steps_report {
    const struct session *session;
    const struct analysis_options *options;
    struct steps steps;
    struct step_parts parts;
    struct step_parts steady; /* the same for the steps after the first ones */
    struct step_functions functions;
    struct step_memory memory;
    struct step_devices devices;
    struct summary time; /* time of the steps with a known whole time, after the first ones */
};

/* Returns: the path of the region whose calls are the steps, or NULL if the steps come from no
 * region. */
const char *steps_region_path(const struct steps_report *report);

/* Returns: the number of the steps' thread.  There must be at least one step. */
uint32_t steps_thread_id(const struct steps_report *report);

/* Append the op or the module that defines the steps; nothing if none does. */
void steps_append_teller(struct text *text, const struct steps_report *report);

/* Add the lines for people. */
void steps_add_head(struct document *document, const struct steps_report *report);

#endif
