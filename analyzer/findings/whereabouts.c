/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the wall time of a program is.
 */
#include "findings/whereabouts.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "figures/runtimes.h"
#include "findings/outside.h"
#include "findings/targets.h"
#include "model/course.h"
#include "model/session.h"

/* ---- the parts ------------------------------------------------------------------------ */

/* From the first kernel of any thread to the last; calls that take next to nothing do not
 * count, such as those that libraries make when they are loaded. */
static bool find_span(const struct session *session, double *from_ns, double *to_ns)
{
    bool is_known = false;

    for (uint32_t i = 0; i < session->courses.count; i++) {
        uint64_t from, to;

        if (!course_find_span(course_of(session, i), &from, &to))
            continue;
        *from_ns = is_known ? fmin(*from_ns, (double)from) : (double)from;
        *to_ns = is_known ? fmax(*to_ns, (double)to) : (double)to;
        is_known = true;
    }
    return is_known;
}

struct whereabouts whereabouts_find(const struct findings_context *context)
{
    double outside_ns = context->wall.ns - context->kernel_ns, from_ns = 0, to_ns = 0;
    bool is_known = find_span(context->session, &from_ns, &to_ns);
    struct whereabouts of = {{0}};

    of.ns[WHEREABOUTS_KERNELS] = context->kernel_ns;
    of.ns[WHEREABOUTS_IDLE] = outside_idle_ns(context);
    of.ns[WHEREABOUTS_BEFORE] = fmin(from_ns, outside_ns);
    if (is_known)
        of.ns[WHEREABOUTS_AFTER] =
            fmin(fmax(0, (double)context->session->process.wall_ns - to_ns),
                 outside_ns - of.ns[WHEREABOUTS_BEFORE]);
    of.ns[WHEREABOUTS_BETWEEN] =
        outside_ns - of.ns[WHEREABOUTS_BEFORE] - of.ns[WHEREABOUTS_AFTER];
    return of;
}

static enum whereabouts_part find_largest(const struct whereabouts *of, int count)
{
    int largest = 0;

    if (!isnan(of->ns[WHEREABOUTS_IDLE]))
        return WHEREABOUTS_IDLE;
    for (int i = 1; i < count; i++)
        if (of->ns[i] > of->ns[largest])
            largest = i;
    return (enum whereabouts_part)largest;
}

enum whereabouts_part whereabouts_first(const struct whereabouts *of)
{
    return find_largest(of, WHEREABOUTS_KERNELS + 1);
}

enum whereabouts_part whereabouts_first_outside(const struct whereabouts *of)
{
    return find_largest(of, WHEREABOUTS_KERNELS);
}

/* ---- the words ------------------------------------------------------------------------ */

static const struct {
    const char *words;
    const char *command;
    const char *in_python; /* in place of the command; NULL: the same */
} parts[] = {
    [WHEREABOUTS_BEFORE] = {"passes before its kernels begin", "perf record names the functions",
                            "python3 -X importtime names the imports, py-spy record the functions"},
    [WHEREABOUTS_BETWEEN] = {"passes outside of known kernels", "perf record names the functions",
                             "py-spy record names the functions"},
    [WHEREABOUTS_AFTER] = {"passes after its last kernel", "perf record names the functions",
                           "py-spy record names the functions"},
    [WHEREABOUTS_KERNELS] = {"is in known kernels",
                             "tprof roofline tells what this machine allows for them", NULL},
    [WHEREABOUTS_IDLE] = {"at least is spent waiting", "strace -f -c tells what it waits for",
                          NULL},
};

const char *whereabouts_command(const struct findings_context *context, enum whereabouts_part part)
{
    const char *language = runtimes_find_language(context->session);
    bool is_python = language && strcmp(language, "Python") == 0;

    if (part == WHEREABOUTS_KERNELS && !context->judge.machine)
        return "without tprof calibrate (10 s, once) several rules cannot judge them";
    return is_python && parts[part].in_python ? parts[part].in_python : parts[part].command;
}

/* ", most of it cblas_sgemm m=64 n=64 k=64 (43.0 %)" */
static void append_kernel(struct text *text, const struct findings_context *context)
{
    const struct group *first = findings_group(context, 0);
    double fraction = findings_fraction(context, (double)first->self_ns);
    char share[UNITS_SIZE];

    text_append(text, fraction > context->kernel_ns / context->wall.ns / 2 ? ", most of it in "
                                                                           : ", first in ");
    findings_append_name(text, first);
    text_appendf(text, " (%s)", units_format_percent(share, fraction));
}

void whereabouts_append(struct text *text, const struct findings_context *context)
{
    struct whereabouts of = whereabouts_find(context);
    enum whereabouts_part part = whereabouts_first(&of);
    char time[UNITS_SIZE], wall[UNITS_SIZE], share[UNITS_SIZE];

    if (!(context->wall.ns > 0)) {
        text_append(text, "The run is too short to tell where its time is.");
        return;
    }
    text_appendf(text, "%s of %s (%s) %s", units_format_time(time, of.ns[part]),
                 units_format_time(wall, context->wall.ns),
                 units_format_percent(share, of.ns[part] / context->wall.ns), parts[part].words);
    if (part == WHEREABOUTS_KERNELS && context->groups.rows.count > 0)
        append_kernel(text, context);
    text_appendf(text, "; %s.", whereabouts_command(context, part));
}
