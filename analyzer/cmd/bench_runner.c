/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a point of a benchmark to a sample.
 */
#include "cmd/bench_runner.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/units.h"
#include "bench/metric.h"
#include "launch/execute.h"
#include "launch/launch.h"
#include "launch/run_values.h"
#include "launch/status_line.h"
#include "launch/target.h"
#include "model/session.h"
#include "model/session_open.h"
#include "runs/run_session.h"

enum { PREFIX_SIZE = 100, BAR_WIDTH = 12 };

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Only the shell knows its commands. */
static enum status check_target(const struct plan_command *command, struct diagnostic *diagnostic)
{
    const char *name = *(const char **)array_at(&command->words, 0);
    struct target target = {0};
    char program[PATH_MAX];

    if (command->is_plain || command->is_shell)
        return STATUS_OK;
    if (launch_find_program(name, program, sizeof program))
        target = target_examine(program);
    if (!target.obstacle)
        return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_UNSUPPORTED,
                          "bench: %.200s cannot be recorded: %s; --plain times it without", name,
                          target.obstacle);
}

static enum status check_targets(const struct plan *plan, bool *needs_shim,
                                 struct diagnostic *diagnostic)
{
    const struct plan_command *command = plan->commands.items;
    enum status status = STATUS_OK;

    *needs_shim = false;
    for (size_t i = 0; i < plan->commands.count && !status; i++) {
        *needs_shim = *needs_shim || !command[i].is_plain;
        status = check_target(&command[i], diagnostic);
    }
    return status;
}

/* Traces that are already in the folder would be mistaken for those of a run. */
static enum status check_folder(const char *path, struct diagnostic *diagnostic)
{
    DIR *folder = opendir(path);
    enum status status = STATUS_OK;
    struct dirent *entry;

    if (!folder)
        return diagnostic_set(diagnostic, STATUS_IO, "bench: cannot read %.200s: %s", path,
                              strerror(errno));
    while (!status && (entry = readdir(folder)))
        if (strstr(entry->d_name, ".tprof"))
            status = diagnostic_set(diagnostic, STATUS_IO,
                                    "bench --keep %.200s: there are traces already; name another "
                                    "folder",
                                    path);
    closedir(folder);
    return status;
}

static enum status refuse_folder(const char *path, struct diagnostic *diagnostic)
{
    return diagnostic_set(diagnostic, STATUS_IO, "bench: cannot make %.200s: %s", path,
                          strerror(errno));
}

static enum status make_folder(struct bench_runner *runner, const char *keep,
                               struct diagnostic *diagnostic)
{
    const char *place = getenv("TMPDIR");

    runner->keeps_traces = keep != NULL;
    if (keep) {
        if ((mkdir(keep, 0777) != 0 && errno != EEXIST) || !realpath(keep, runner->folder))
            return refuse_folder(keep, diagnostic);
        return check_folder(keep, diagnostic);
    }
    snprintf(runner->folder, sizeof runner->folder, "%.1000s/tprof-bench.XXXXXX",
             place && place[0] ? place : "/tmp");
    return mkdtemp(runner->folder) ? STATUS_OK : refuse_folder(runner->folder, diagnostic);
}

enum status bench_runner_init(struct bench_runner *runner, const struct plan *plan,
                              const char *keep, struct diagnostic *diagnostic)
{
    bool needs_shim;
    enum status status = check_targets(plan, &needs_shim, diagnostic);
    const char *obstacle;

    if (status)
        return status;
    obstacle = needs_shim ? launch_find_shim(runner->shim, sizeof runner->shim) : NULL;
    if (obstacle)
        return diagnostic_set(diagnostic, STATUS_IO,
                              "bench: libtprof.so: %s; --plain times without it", obstacle);
    run_values_pin_paths();
    runner->start_ns = now_ns();
    return make_folder(runner, keep, diagnostic);
}

void bench_runner_fini(struct bench_runner *runner)
{
    if (!runner->keeps_traces && runner->folder[0])
        rmdir(runner->folder);
}

/* "1.seq=128.r03.": unique to one run, without characters of patterns and paths. */
static void make_prefix(char prefix[PREFIX_SIZE], const struct plan_point *point,
                        const struct sample *sample)
{
    snprintf(prefix, PREFIX_SIZE, "%zu.%.60s.%c%02u.", sample->point + 1, point->label,
             sample->is_warmup ? 'w' : 'r', sample->round);
    for (char *byte = prefix; *byte; byte++)
        if (!isalnum((unsigned char)*byte) && !strchr("._=-+", *byte))
            *byte = '_';
}

static void make_pattern(struct text *pattern, const struct bench_runner *runner,
                         const char *prefix)
{
    run_value_append_folder(pattern, runner->folder);
    text_appendf(pattern, "%s%%p.tprof", prefix);
}

/* More time in kernels; without any, the longer wall time. */
static bool is_better(const struct run *run, const struct run *than)
{
    double more = run_whole_value(run, RUN_TOTAL) - run_whole_value(than, RUN_TOTAL);

    return than->rows.count == 0 || more > 0 ||
           (more >= 0 && run_whole_value(run, RUN_WALL) > run_whole_value(than, RUN_WALL));
}

/* Single calls serve to compare single runs; here they would only use memory. */
static void drop_calls(struct run *run)
{
    struct run_row *row = run->rows.items;

    for (size_t i = 0; i < run->rows.count; i++) {
        array_fini(&row[i].samples_ns);
        array_init(&row[i].samples_ns, sizeof(double));
    }
}

/* Keep a trace's results if they are better than the earlier ones. */
static enum status take_trace(const char *path, struct sample *sample,
                              struct diagnostic *diagnostic)
{
    struct analysis_options options = analysis_defaults();
    const struct session_options how = session_defaults();
    struct session session;
    struct run run;
    bool has_kernels;
    enum status status = session_open(&session, path, &how, diagnostic);

    if (status)
        return status;
    analysis_take_warmup(&options, &session);
    run_of_session(&run, &session, &options);
    status = STATUS_OK;
    has_kernels = run_whole_value(&run, RUN_CALLS) > 0;
    sample->traces += has_kernels;
    drop_calls(&run);
    if (is_better(&run, &sample->run)) {
        run_fini(&sample->run);
        sample->run = run;
        sample->overhead = session.overhead.fraction;
    } else {
        run_fini(&run);
    }
    session_close(&session);
    return STATUS_OK;
}

/* Read the traces of this run, and remove them unless the user keeps them. */
static enum status take_traces(const struct bench_runner *runner, const char *prefix,
                               struct sample *sample, struct diagnostic *diagnostic)
{
    DIR *folder = opendir(runner->folder);
    enum status status = STATUS_OK;
    struct dirent *entry;

    if (!folder)
        return diagnostic_set(diagnostic, STATUS_IO, "bench: cannot read %.200s: %s",
                              runner->folder, strerror(errno));
    while ((entry = readdir(folder))) {
        char path[PATH_MAX + NAME_MAX + 2];

        if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", runner->folder, entry->d_name);
        if (!sample->is_warmup && !status)
            status = take_trace(path, sample, diagnostic);
        if (!runner->keeps_traces || sample->is_warmup)
            unlink(path);
    }
    closedir(folder);
    return status;
}

static enum status prepare(const struct bench_runner *runner, const struct plan_point *point,
                           struct sample *sample, struct diagnostic *diagnostic)
{
    const char *const words[] = {"/bin/sh", "-c", point->prepare, NULL};
    const struct execution execution = {.words = words, .shows_output = runner->shows_output};
    struct execution_result result;
    struct sample own;
    enum status status;

    if (!point->prepare)
        return STATUS_OK;
    sample_init(&own, 0);
    status = execute_program(&execution, &own, &result, diagnostic);
    execution_result_fini(&result);
    sample->end = own.end == SAMPLE_INTERRUPTED ? SAMPLE_INTERRUPTED : SAMPLE_DONE;
    sample->code = own.code;
    if (status || own.end == SAMPLE_DONE || own.end == SAMPLE_INTERRUPTED)
        return status;
    return diagnostic_set(diagnostic, STATUS_POLICY_FAILED,
                          "bench: --prepare '%.100s' ended with %s %d", point->prepare,
                          own.end == SAMPLE_FAILED ? "status" : "signal", own.code);
}

/* The last line that is not empty. */
static void take_words(struct sample *sample, const struct text *errors)
{
    size_t end = errors->size, start;

    while (end > 0 && isspace((unsigned char)errors->bytes[end - 1]))
        end--;
    for (start = end; start > 0 && errors->bytes[start - 1] != '\n'; start--)
        continue;
    if (sample->end == SAMPLE_FAILED || sample->end == SAMPLE_SIGNALLED)
        snprintf(sample->words, sizeof sample->words, "%.*s", (int)(end - start),
                 errors->bytes + start);
}

/* Without a trace, only the system's figures exist. */
static void make_plain_run(struct sample *sample, const struct plan_point *point)
{
    struct run_row *whole;

    if (sample->run.rows.count > 0)
        return;
    run_init(&sample->run, point->label, NULL);
    whole = run_add_row(&sample->run, RUN_WHOLE, "", "");
    whole->values[RUN_WALL] = sample->wall_ns;
    whole->values[RUN_CPU] = sample->user_ns + sample->system_ns;
    whole->values[RUN_PEAK_RSS] = sample->peak_rss_bytes;
}

static void add_items(struct sample *sample, const struct plan_point *point)
{
    struct run_row *whole = run_find_row(&sample->run, RUN_WHOLE, "", "");

    if (!whole || isnan(point->items))
        return;
    whole->values[RUN_ITEMS] = point->items;
    whole->values[RUN_ITEM_RATE] = 1e9 * point->items / sample->wall_ns;
}

static enum status add_metrics(struct sample *sample, const struct plan_point *point,
                               const char *output, struct diagnostic *diagnostic)
{
    const struct metric *metric = point->command->metrics.items;
    enum status status = STATUS_OK;

    for (size_t i = 0; i < point->command->metrics.count && !status; i++) {
        double value;

        status = metric_find(&metric[i], output, &value, diagnostic);
        if (!status && !isnan(value))
            run_add_value(&sample->run, metric[i].name, value);
    }
    return status;
}

/* Adds all results but the times. */
static enum status describe(struct sample *sample, const struct plan_point *point,
                            const struct execution_result *result, struct diagnostic *diagnostic)
{
    make_plain_run(sample, point);
    add_items(sample, point);
    return add_metrics(sample, point, result->output.bytes, diagnostic);
}

static enum status execute(const struct bench_runner *runner, const struct plan_point *point,
                           struct sample *sample, struct diagnostic *diagnostic)
{
    char prefix[PREFIX_SIZE];
    struct text pattern;
    struct execution execution = {.words = point->words.items,
                                  .shim = point->command->is_plain ? NULL : runner->shim,
                                  .timeout_ns = point->command->timeout_ns,
                                  .keeps_output = point->command->metrics.count > 0,
                                  .shows_output = runner->shows_output};
    struct execution_result result;
    enum status status;

    make_prefix(prefix, point, sample);
    text_init(&pattern);
    make_pattern(&pattern, runner, prefix);
    execution.trace = pattern.bytes;
    status = execute_program(&execution, sample, &result, diagnostic);
    text_fini(&pattern);
    take_words(sample, &result.errors);
    if (!status && execution.shim)
        status = take_traces(runner, prefix, sample, diagnostic);
    if (!status && !sample->is_warmup)
        status = describe(sample, point, &result, diagnostic);
    execution_result_fini(&result);
    return status;
}

enum status bench_runner_run(void *of, const struct plan_point *point, struct sample *sample,
                             struct diagnostic *diagnostic)
{
    enum status status = prepare(of, point, sample, diagnostic);

    return status || sample->end == SAMPLE_INTERRUPTED ? status
                                                       : execute(of, point, sample, diagnostic);
}

static void append_bar(struct text *line, double fraction)
{
    int full = (int)(fraction * BAR_WIDTH);

    text_append(line, "[");
    for (int i = 0; i < BAR_WIDTH; i++)
        text_append(line, i < full ? "#" : " ");
    text_append(line, "]");
}

/* Some time passes between the runs, too: traces are read, and runs prepared. */
static double time_left_ns(const struct bench_runner *runner,
                           const struct schedule_progress *progress)
{
    double stretch = (double)(now_ns() - runner->start_ns) / progress->ran_ns;

    return progress->left_ns * fmax(1, stretch);
}

static void append_progress(struct text *line, const struct bench_runner *runner,
                            const struct schedule_progress *progress)
{
    double left_ns = time_left_ns(runner, progress);
    char left[UNITS_SIZE];

    append_bar(line, (double)progress->done / (double)progress->whole);
    text_appendf(line, " %zu of %zu", progress->done, progress->whole);
    if (isfinite(left_ns))
        text_appendf(line, ", %s left", units_format_time(left, left_ns));
    text_appendf(line, "  %s", progress->point->label);
}

void bench_runner_show(void *of, const struct schedule_progress *progress)
{
    struct text line;

    if (!progress->point) {
        status_line_erase();
        return;
    }
    text_init(&line);
    append_progress(&line, of, progress);
    status_line_show(&line);
    text_fini(&line);
}
