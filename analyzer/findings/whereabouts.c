/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the wall time of a program is.
 */
#include "findings/whereabouts.h"

#include <math.h>
#include <string.h>

#include "analysis/runtimes.h"
#include "findings/outside.h"
#include "findings/targets.h"
#include "findings/texts.h"
#include "model/course.h"
#include "model/session.h"

/* From the first kernel of any thread to the last.  Very short calls do not count, such as those of
 * libraries that are being loaded. */
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

/* A few short calls, as of libraries that are tried while they are loaded, end no work. */
static const double least_kernels = 0.02; /* share of the wall time */

struct whereabouts whereabouts_find(const struct findings_context *context)
{
    double outside_ns = context->wall.ns - context->kernel_ns, from_ns = 0, to_ns = 0;
    bool is_known = find_span(context->session, &from_ns, &to_ns);
    struct whereabouts of = {{0}};

    of.ns[WHEREABOUTS_KERNELS] = context->kernel_ns;
    of.ns[WHEREABOUTS_IDLE] = outside_idle_ns(context);
    of.ns[WHEREABOUTS_BEFORE] = fmin(from_ns, outside_ns);
    if (is_known && context->kernel_ns >= least_kernels * context->wall.ns)
        of.ns[WHEREABOUTS_AFTER] = fmin(fmax(0, (double)context->session->process.wall_ns - to_ns),
                                        outside_ns - of.ns[WHEREABOUTS_BEFORE]);
    of.ns[WHEREABOUTS_BETWEEN] = outside_ns - of.ns[WHEREABOUTS_BEFORE] - of.ns[WHEREABOUTS_AFTER];
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

enum whereabouts_part whereabouts_first_outside(const struct whereabouts *of)
{
    return find_largest(of, WHEREABOUTS_KERNELS);
}

static const struct {
    const struct said *where, *command;
    const struct said *in_python; /* replaces the command for Python; NULL: the same command */
} parts[] = {
    [WHEREABOUTS_BEFORE] = {&where_before_text, &where_perf_text, &where_imports_text},
    [WHEREABOUTS_BETWEEN] = {&where_between_text, &where_perf_text, &where_py_spy_text},
    [WHEREABOUTS_AFTER] = {&where_after_text, &where_perf_text, &where_py_spy_text},
    [WHEREABOUTS_KERNELS] = {&where_kernels_text, &where_roofline_text, NULL},
    [WHEREABOUTS_IDLE] = {&where_idle_text, &where_waits_text, NULL},
};

static const double least_named = 0.5; /* share of the processor time; less says too little */

/* Sampled functions need no other tool to name them, but their symbols may be missing. */
static const struct said *name_functions(const struct findings_context *context,
                                         const struct said *command)
{
    const struct session *session = context->session;

    if (session->sampling.count == 0)
        return command;
    if (command == &where_perf_text || command == &where_py_spy_text)
        return context->time.named < least_named ? &where_symbols_text : &where_lines_text;
    if (command != &where_imports_text)
        return command;
    return session->python.codes ? &where_imports_known_text : &where_imports_lines_text;
}

const struct said *whereabouts_command(const struct findings_context *context,
                                       enum whereabouts_part part)
{
    const char *language = runtimes_find_language(context->session);
    bool is_python = language && strcmp(language, "Python") == 0;

    if (part == WHEREABOUTS_KERNELS && !context->judge.machine)
        return &where_uncalibrated_text;
    return name_functions(context, is_python && parts[part].in_python
                                                ? parts[part].in_python
                                                : parts[part].command);
}

static void say_first_kernel(struct text *text, const struct findings_context *context)
{
    const struct group *first = findings_group(context, 0);
    double fraction = findings_fraction(context, (double)first->self_ns);
    bool is_most = fraction > context->kernel_ns / context->wall.ns / 2;
    struct text name;

    text_init(&name);
    findings_append_name(&name, first);
    say(text, is_most ? where_most_text : where_first_text, said_words(name.bytes),
        said_share(fraction));
}

void whereabouts_append(struct text *text, const struct findings_context *context)
{
    struct whereabouts of = whereabouts_find(context);
    enum whereabouts_part part = find_largest(&of, WHEREABOUTS_KERNELS + 1);

    if (!(context->wall.ns > 0)) {
        say(text, where_unknown_text);
        return;
    }
    say(text, *parts[part].where, said_time(of.ns[part]), said_time(context->wall.ns),
        said_share(of.ns[part] / context->wall.ns));
    if (part == WHEREABOUTS_KERNELS && context->groups.rows.count > 0)
        say_first_kernel(text, context);
    say(text, *whereabouts_command(context, part));
}
