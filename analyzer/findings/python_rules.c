/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Time of a Python program outside its own code: GARBAGE, TASKS, IMPORTS and BYTECODE.
 */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "cpu/cpu_row.h"
#include "cpu/python_split.h"
#include "cpu/task_cost.h"
#include "findings/context.h"
#include "findings/hot_places.h"
#include "findings/known_costs.h"
#include "findings/texts.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_samples.h"
#include "spec/trace.h"

static const double least_garbage = 0.05, least_imports = 0.2; /* share of the processor time */
static const double mostly_imports = 0.75; /* below this share the imports are needed */
static const double least_compiled = 0.05;
static const double least_imports_ns = 2e8; /* shorter ones are not noticed */
static const uint64_t least_samples = 10;

bool findings_has_python_time(const struct findings_context *context, struct findings *findings)
{
    if (context->time.unknown)
        findings_skip(findings, time_not_sampled_text, said_words(context->time.unknown));
    else if (!context->has_python)
        findings_skip(findings, no_python_text);
    return context->has_python;
}

static double share_of(const struct findings_context *context, double ns)
{
    return context->time.cpu_ns > 0 ? ns / context->time.cpu_ns : 0;
}

/* The repair may save all of this processor time. */
static struct finding *claim(const struct findings_context *context, struct findings *findings,
                             double cpu_ns)
{
    double ns = findings_elapsed_ns(context, cpu_ns);

    return findings_add_freeing(findings,
                                &(struct finding_claim){ns, ns, FINDING_CONFIDENCE_MEDIUM}, cpu_ns);
}

/* ---- garbage ----------------------------------------------------------------------- */

static bool is_end(const struct place *place)
{
    return place->function->has_name && strncmp(place->function->name, "Py_Finalize", 11) == 0;
}

/* Collections during an import, and when the interpreter ends, are no fault of the program's
 * objects. */
static bool is_garbage(const struct cpu_time *time, const struct session_sample *sample)
{
    return sample->flags & TRACE_SAMPLE_GARBAGE && !python_split_is_import(time, sample->call) &&
           places_find_known(time->places, sample->call, is_end) == NULL;
}

/* Returns: its processor time. */
static double sum_garbage(const struct cpu_time *time, uint64_t *samples)
{
    const struct session *session = time->session;
    double ns = 0;

    *samples = 0;
    for (size_t i = 0; i < session->samples.count; i++) {
        const struct session_sample *sample = session_sample_at(session, i);

        if (!is_garbage(time, sample))
            continue;
        ns += time->sample_self_ns[i];
        *samples += sample->count;
    }
    return ns;
}

/* Returns: the line of Python code below which most samples of garbage collection are; NULL: none
 * is known.  Samples of one chain are counted once, because there are so few lines. */
static const struct place *find_maker(const struct cpu_time *time)
{
    const struct session *session = time->session;
    const struct place *most = NULL;
    double most_ns = 0;

    for (size_t i = 0; i < session->samples.count; i++) {
        const struct session_sample *sample = session_sample_at(session, i);
        const struct place *place =
            is_garbage(time, sample)
                ? places_find_known(time->places, sample->call, place_is_python)
                : NULL;

        if (!place || time->sample_ns[i] <= most_ns)
            continue;
        most = place;
        most_ns = time->sample_ns[i];
    }
    return most;
}

static void add_garbage(const struct findings_context *context, struct findings *findings,
                        double garbage_ns, uint64_t samples)
{
    struct finding *finding = claim(context, findings, garbage_ns);
    const struct place *maker = find_maker(&context->time);

    say(&finding->title, gc_title_text, said_share(share_of(context, garbage_ns)));
    say(&finding->evidence, gc_time_text, said_time(garbage_ns), said_time(context->time.cpu_ns),
        said_count(samples));
    if (maker) {
        place_append_short(&finding->place, maker);
        say(&finding->evidence, gc_most_text, said_words(finding->place.bytes));
    }
    finding_add_number(finding, "garbage_ns", garbage_ns);
    finding_add_number(finding, "samples", (double)samples);
}

void rule_gc(const struct findings_context *context, struct findings *findings)
{
    uint64_t samples;
    double ns;

    if (!findings_has_python_time(context, findings))
        return;
    ns = sum_garbage(&context->time, &samples);
    if (share_of(context, ns) >= least_garbage && samples >= least_samples)
        add_garbage(context, findings, ns, samples);
    else
        findings_pass(findings, gc_passed_text, said_share(share_of(context, ns)));
}

/* ---- tasks ------------------------------------------------------------------------- */

static const double least_tasks = 0.2; /* share of the processor time */
static const uint64_t least_task_samples = 30;

static bool is_of_loader(const struct task_cost *cost)
{
    return cost->loader_ns >= cost->ns / 2;
}

/* What the time goes to decides about the repair. */
static void advise_tasks(struct finding *finding, const struct task_cost *cost)
{
    const char *kind = is_of_loader(cost)                ? "tasks_loader"
                       : cost->copied_ns >= cost->ns / 2 ? "tasks_data"
                                                         : NULL;

    if (!kind)
        return;
    text_clear(&finding->action);
    text_clear(&finding->refute);
    finding_advise(finding, kind);
}

/* The main thread waits at the line while tasks are handed over, and while others work for it. */
static double find_tasks_bound(const struct findings_context *context, const struct task_cost *cost,
                               const char *place)
{
    double others_ns = context->time.cpu_ns - cost->ns;
    double wait_ns = fmax(0, hot_places_wait_ns(context, place) - others_ns);

    return fmin(context->wall.ns, findings_elapsed_ns(context, cost->ns) + wait_ns);
}

/* The line that waits for the tasks is the one that hands them over. */
static void append_tasks_place(struct text *place, const struct findings_context *context,
                               const struct task_cost *cost)
{
    text_init(place);
    hot_places_append_any_wait(place, context);
    if (place->size > 0)
        return;
    if (cost->most)
        place_append_short(place, cost->most);
    else
        hot_places_append_wait(place, context); /* threads of the pool have it */
}

/* The finding of LOADER has the waiting for the workers: it tells this repair in place of more
 * workers.  Returns: whether it saves as much. */
static bool advise_loader(struct finding *loader, const struct finding *tasks)
{
    bool saves_more = loader->saved_ns >= tasks->saved_ns;

    if (saves_more) {
        text_clear(&loader->action);
        text_clear(&loader->refute);
        finding_advise(loader, "tasks_loader");
    } else
        finding_weaken(loader, FINDING_POINTS);
    return saves_more;
}

/* More workers read ahead no better where handing over takes the time. */
static void unite_with_loader(struct findings *findings, struct finding *tasks)
{
    for (size_t i = 0; i < findings->found.count; i++) {
        struct finding *finding = *(struct finding **)array_at(&findings->found, i);

        if (finding->rule == FINDING_RULE_input)
            finding_weaken(finding, FINDING_POINTS);
        if (finding->rule == FINDING_RULE_op_data && !isnan(finding->ceiling) &&
            advise_loader(finding, tasks))
            finding_weaken(tasks, FINDING_POINTS);
    }
}

static void add_tasks(const struct findings_context *context, struct findings *findings,
                      const struct task_cost *cost)
{
    struct finding_claim tasks = {.confidence = FINDING_CONFIDENCE_MEDIUM};
    struct finding *finding;
    struct text place;

    append_tasks_place(&place, context, cost);
    tasks.target_ns = tasks.saved_ns = find_tasks_bound(context, cost, place.bytes);
    finding = findings_add_freeing(findings, &tasks, cost->ns);
    text_append(&finding->place, place.bytes);
    text_fini(&place);
    say(&finding->title, tasks_title_text, said_share(share_of(context, cost->ns)));
    say(&finding->evidence, tasks_time_text, said_time(cost->ns),
        said_time(context->time.cpu_ns), said_count(cost->samples));
    advise_tasks(finding, cost);
    known_costs_withdraw(findings, finding->place.bytes, "sending objects");
    if (is_of_loader(cost))
        unite_with_loader(findings, finding);
    finding_add_number(finding, "tasks_ns", cost->ns);
    finding_add_number(finding, "samples", (double)cost->samples);
}

void rule_tasks(const struct findings_context *context, struct findings *findings)
{
    struct task_cost cost;

    if (!findings_has_python_time(context, findings))
        return;
    cost = task_cost_find(&context->time);
    if (share_of(context, cost.ns) >= least_tasks && cost.samples >= least_task_samples)
        add_tasks(context, findings, &cost);
    else
        findings_pass(findings, tasks_passed_text, said_share(share_of(context, cost.ns)));
}

/* ---- imports ------------------------------------------------------------------------- */

static void add_imports(const struct findings_context *context, struct findings *findings,
                        double import_ns)
{
    struct finding *finding = claim(context, findings, import_ns);

    if (share_of(context, import_ns) < mostly_imports)
        finding_weaken(finding, FINDING_POINTS);
    say(&finding->title, imports_title_text, said_share(share_of(context, import_ns)));
    say(&finding->evidence, imports_time_text, said_time(import_ns),
        said_time(context->time.cpu_ns));
    finding_add_number(finding, "import_ns", import_ns);
}

void rule_imports(const struct findings_context *context, struct findings *findings)
{
    double ns = context->python.import_ns;

    if (!findings_has_python_time(context, findings))
        return;
    if (share_of(context, ns) >= least_imports && ns >= least_imports_ns)
        add_imports(context, findings, ns);
    else
        findings_pass(findings, imports_passed_text, said_time(ns),
                      said_share(share_of(context, ns)));
}

/* ---- source files that are compiled ---------------------------------------------------- */

static bool is_compiler(const struct place *place)
{
    return place_is_importlib(place) &&
           text_ends_with(place->function->name, strlen(place->function->name), "source_to_code");
}

static double sum_compiled(const struct cpu_time *time, uint64_t *samples)
{
    double ns = 0;

    for (size_t i = 0; i < time->session->samples.count; i++) {
        const struct session_sample *sample = session_sample_at(time->session, i);

        if (sample->flags & TRACE_SAMPLE_GARBAGE ||
            !places_find_known(time->places, sample->call, is_compiler))
            continue;
        ns += time->sample_self_ns[i];
        *samples += sample->count;
    }
    return ns;
}

static void add_bytecode(const struct findings_context *context, struct findings *findings,
                         double compiled_ns, uint64_t samples)
{
    struct finding *finding = claim(context, findings, compiled_ns);

    say(&finding->title, bytecode_title_text, said_share(share_of(context, compiled_ns)));
    say(&finding->evidence, bytecode_time_text, said_time(compiled_ns),
        said_time(context->time.cpu_ns), said_count(samples));
    finding_add_number(finding, "compiled_ns", compiled_ns);
    finding_add_number(finding, "samples", (double)samples);
}

void rule_bytecode(const struct findings_context *context, struct findings *findings)
{
    uint64_t samples = 0;
    double ns;

    if (!findings_has_python_time(context, findings))
        return;
    ns = sum_compiled(&context->time, &samples);
    if (share_of(context, ns) >= least_compiled && ns >= least_imports_ns)
        add_bytecode(context, findings, ns, samples);
    else
        findings_pass(findings, bytecode_passed_text, said_time(ns),
                      said_share(share_of(context, ns)));
}
