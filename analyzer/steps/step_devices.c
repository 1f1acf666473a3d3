/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each step less the gaps without a command in it.  Steps and gaps are both in the order of time.
 */
#include "steps/step_devices.h"

#include <math.h>

#include "model/busy.h"
#include "model/session_unknown.h"

/* A walk through the gaps. */
struct walk {
    const struct array *gaps;
    size_t next;
};

static double find_idle(struct walk *walk, const struct step *step)
{
    const struct busy_span *gaps = walk->gaps->items;
    double idle_ns = 0;

    while (walk->next < walk->gaps->count && gaps[walk->next].end_ns <= step->start_ns)
        walk->next++;
    for (size_t i = walk->next; i < walk->gaps->count && gaps[i].start_ns < step->end_ns; i++) {
        uint64_t start_ns = gaps[i].start_ns > step->start_ns ? gaps[i].start_ns : step->start_ns;
        uint64_t end_ns = gaps[i].end_ns < step->end_ns ? gaps[i].end_ns : step->end_ns;

        idle_ns += (double)(end_ns - start_ns);
    }
    return idle_ns;
}

static void fill(struct array *busy_ns, const struct steps *steps, const struct array *gaps)
{
    const struct step *step = steps->steps.items;
    size_t count = steps_count_whole(steps);
    struct walk walk = {gaps, 0};

    for (size_t i = 0; i < count; i++) {
        double *ns = array_add(busy_ns);

        *ns = (double)(step[i].end_ns - step[i].start_ns) - find_idle(&walk, &step[i]);
    }
}

void step_devices_find(struct step_devices *devices, const struct steps *steps,
                       const struct session *session)
{
    const struct step *step = steps->steps.items;
    size_t count = steps_count_whole(steps);
    struct busy busy = {0};

    *devices = (struct step_devices){0};
    array_init(&devices->busy_ns, sizeof(double));
    if (count == 0)
        return;
    busy.from_ns = step[0].start_ns;
    busy.to_ns = step[count - 1].end_ns;
    busy_measure(&busy, session, SESSION_NONE);
    devices->untimed = busy.untimed;
    if (busy.is_timed)
        fill(&devices->busy_ns, steps, &busy.gaps);
    array_fini(&busy.gaps);
}

double step_devices_sum(const struct step_devices *devices, size_t first)
{
    double sum = devices->busy_ns.count > 0 ? 0 : (double)NAN;

    for (size_t i = first; i < devices->busy_ns.count; i++)
        sum += *(const double *)array_at(&devices->busy_ns, i);
    return sum;
}
