/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The processor time of regions, estimated from calls with a reading of the thread's clock.
 */
#ifndef MODEL_REGION_CPU_H
#define MODEL_REGION_CPU_H

#include "model/session_threads.h"

struct reader;
struct session;

/* Fill the processor time of each region from the laps and the readings among them. */
void region_cpu_fill(struct session *session, const struct reader *reader);

/* Returns: the bounds of a call's processor time by its reading. */
struct partial_reading region_cpu_read(const struct session_clock *clock, double wall_ns,
                                       double reading_ns);

/* Returns: the uncertainty due to the borders of all calls. */
double region_cpu_border_ns(const struct partial *partial, double reading_ns);

/* Returns: the interval of a region's known processor time. */
struct statistics_interval region_cpu_interval(const struct session_region_cpu *cpu,
                                               double confidence);

#endif
