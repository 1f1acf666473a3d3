/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof export: a run in the formats of other tools.
 */
#include "export/export.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/units.h"
#include "cmd/cmd.h"
#include "cmd/cut.h"
#include "cmd/destination.h"
#include "cmd/run_traces.h"
#include "cmd/weight.h"
#include "export/gzip.h"
#include "export/metrics.h"
#include "model/session.h"
#include "model/session_open.h"
#include "options/help.h"
#include "options/readers.h"

static const char help[] =
    "A run in a format that another tool opens: call stacks with their weights, what threads did "
    "when, sums, or shapes to call again.  Stacks and shapes are of one TRACE; the other formats "
    "take all of a run, or of a DIRECTORY.";

/* Files beyond this open slowly in browsers. */
enum { LARGE_BYTES = 200 * 1000 * 1000 };

/* Formats of sums need no single calls, which would take most of the memory. */
enum { CALLS_KEPT = 1000000 };

struct request {
    const struct export_format *format; /* NULL: not named */
    enum export_weight weight;
    bool has_weight;
    bool is_plain;                 /* not compressed */
    struct timeline_choice choice; /* the choice for timelines */
    struct cmd_options options;
};

/* ---- options ------------------------------------------------------------------------------ */

/* Appends "folded, speedscope, ... or csv". */
static void append_formats(struct text *text)
{
    const struct export_format *format;

    for (size_t i = 0; (format = export_format_at(i)); i++)
        text_append_choice(text, format->name, i, !export_format_at(i + 1));
}

static enum status refuse_format(const char *begin, const char *named,
                                 struct diagnostic *diagnostic)
{
    enum status status;
    struct text text;

    text_init(&text);
    append_formats(&text);
    status =
        diagnostic_set(diagnostic, STATUS_USAGE, "export: %s%.60s: %s", begin, named, text.bytes);
    text_fini(&text);
    return status;
}

static enum status find_format(const char *name, const struct export_format **format,
                               struct diagnostic *diagnostic)
{
    for (size_t i = 0; (*format = export_format_at(i)); i++)
        if (strcmp((*format)->name, name) == 0)
            return STATUS_OK;
    return refuse_format("no such format as ", name, diagnostic);
}

static enum status read_format(const struct option_value *value, struct diagnostic *diagnostic)
{
    return find_format(value->text, value->field, diagnostic);
}

/* --benchdnn is --format benchdnn. */
static enum status read_named_format(const struct option_value *value,
                                     struct diagnostic *diagnostic)
{
    return find_format(value->row->name, value->field, diagnostic);
}

static enum status read_thread(const struct option_value *value, struct diagnostic *diagnostic)
{
    uint64_t *thread = value->field;
    const char *text = value->text;
    char *end;

    errno = 0;
    *thread = strtoull(text, &end, 10);
    if (errno == 0 && end != text && *end == 0 && *thread > 0)
        return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_USAGE,
                          "export: --thread %.60s: expected the number of a thread, as tprof "
                          "threads shows it",
                          text);
}

static enum status read_weight(const struct option_value *value, struct diagnostic *diagnostic)
{
    struct request *request = value->fields;

    request->has_weight = true;
    return weight_read("export", value->text, value->field, diagnostic);
}

static const struct option_row rows[] = {
#define OPTION(field, ...) OPTION_ROW(struct request, field, __VA_ARGS__),
#include "cmd/export_options.def"
#undef OPTION
};

static enum status refuse_weight(const struct request *request, struct diagnostic *diagnostic)
{
    const struct export_weights *weights = request->format->weights;
    enum status status;
    struct text text;

    text_init(&text);
    for (enum export_weight i = weights->first; i <= weights->last; i++)
        text_append_choice(&text, export_weight_at(i)->name, i - weights->first,
                           i == weights->last);
    status =
        diagnostic_set(diagnostic, STATUS_USAGE, "export: %s has no weight %s: expected %s",
                       request->format->name, export_weight_at(request->weight)->name, text.bytes);
    text_fini(&text);
    return status;
}

static enum status choose_weight(struct request *request, struct diagnostic *diagnostic)
{
    const struct export_weights *weights = request->format->weights;

    if (!weights)
        return STATUS_OK;
    if (request->has_weight &&
        (request->weight < weights->first || request->weight > weights->last))
        return refuse_weight(request, diagnostic);
    /* Processor time may be unknown: the stacks choose. */
    if (!request->has_weight && weights->shown != EXPORT_CPU)
        request->weight = weights->shown;
    return STATUS_OK;
}

/* An option that a format has no use for would be taken for one that works. */
static enum status check_use(const struct request *request, struct diagnostic *diagnostic)
{
    const struct export_format *format = request->format;
    const char *unused = NULL;

    if (request->has_weight && format->source != EXPORT_STACKS)
        unused = "--weight";
    if (request->is_plain && !format->is_packed)
        unused = "--uncompressed";
    if (format->source != EXPORT_TIMELINE && request->choice.thread > 0)
        unused = "--thread";
    if (format->source != EXPORT_TIMELINE && request->choice.least_ns > 0)
        unused = "--min-duration";
    if (unused)
        return diagnostic_set(diagnostic, STATUS_USAGE, "export: %s has no %s", format->name,
                              unused);
    if ((format->source == EXPORT_STACKS || format->source == EXPORT_SHAPES) &&
        request->options.trace_count > 1)
        return diagnostic_set(diagnostic, STATUS_USAGE, "export: %s is of one trace", format->name);
    return STATUS_OK;
}

static enum status check(const struct request *request, struct diagnostic *diagnostic)
{
    if (!request->format)
        return refuse_format("name a format with --format", "", diagnostic);
    if (request->format->is_binary && destination_is_standard(request->options.output) &&
        isatty(STDOUT_FILENO))
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "export: %s is not for a terminal: name a file with -o FILE",
                              request->format->name);
    return check_use(request, diagnostic);
}

/* ---- gaps ---------------------------------------------------------------------------------- */

static void tell_count(uint64_t count, const char *words)
{
    struct text line;

    if (count == 0)
        return;
    text_init(&line);
    text_appendf(&line, "%" PRIu64 " %s", count, words);
    cmd_tell(line.bytes);
    text_fini(&line);
}

/* A program without a device misses nothing of one. */
static bool is_missed(const struct request *request, const struct export_stacks *stacks,
                      enum export_weight weight)
{
    if (stacks->has[weight])
        return false;
    if (weight == export_stacks_choose(stacks, request->weight))
        return true;
    return request->format->has_all &&
           (weight != EXPORT_DEVICE || stacks->session->devices.devices.count > 0);
}

static void tell_stacks_gaps(const struct request *request, const struct export_stacks *stacks)
{
    const enum export_weight weight = export_stacks_choose(stacks, request->weight);

    if (stacks->has[EXPORT_FLOPS] && (request->format->has_all || weight == EXPORT_FLOPS))
        tell_count(stacks->unknown_calls,
                   "calls have no FLOPs: those of their kernels are unknown");
    if (stacks->has[EXPORT_CPU] && stacks->no_samples) {
        struct text line;

        text_init(&line);
        text_appendf(&line, "kernels alone have processor time, and no stacks: %s",
                     stacks->no_samples);
        cmd_tell(line.bytes);
        text_fini(&line);
    }
    for (enum export_weight i = 0; i < EXPORT_WEIGHTS; i++)
        if (is_missed(request, stacks, i)) {
            struct text line;

            text_init(&line);
            text_appendf(&line, "%s is not there: the trace does not tell %s",
                         export_weight_at(i)->name, export_weight_at(i)->help);
            cmd_tell(line.bytes);
            text_fini(&line);
        }
}

static void tell_timeline_gaps(const struct timeline_gaps *gaps)
{
    tell_count(gaps->short_calls, "calls took less than --min-duration, and are left out");
    tell_count(gaps->drawn_calls, "calls have no record of their own: others stand for them");
    tell_count(gaps->lost, "records made no sense, and are left out");
    tell_count(gaps->untimed, "commands of devices have no times, and are left out");
    tell_count(gaps->requests, "requests are left out: this format has no place for them");
}

static void tell_size(FILE *out, const char *options)
{
    char size[UNITS_SIZE];
    off_t bytes = ftello(out);
    struct text line;

    if (bytes < LARGE_BYTES)
        return;
    text_init(&line);
    text_appendf(&line, "the file has %s, which opens slowly: %s it smaller",
                 units_format_bytes(size, (double)bytes), options);
    cmd_tell(line.bytes);
    text_fini(&line);
}

/* ---- writing --------------------------------------------------------------------------------- */

static enum status write_stacks(const struct request *request, FILE *out,
                                struct diagnostic *diagnostic)
{
    struct export_stacks stacks;
    struct session session;
    enum status status =
        cmd_open_session(&session, request->options.trace, &request->options, diagnostic);

    if (status)
        return status;
    export_stacks_make(&stacks, &session,
                       request->format->has_labels ? EXPORT_BY_LABELS : EXPORT_BY_FUNCTION);
    request->format->write_stacks(&stacks, export_stacks_choose(&stacks, request->weight), out);
    tell_stacks_gaps(request, &stacks);
    tell_size(out, "--window makes");
    session_close(&session);
    return status;
}

/* A timeline that is written, trace by trace. */
struct telling {
    const struct request *request;
    void *own; /* the writer's own data */
    struct timeline_gaps gaps;
};

static enum status tell_trace(void *of, const char *path, struct diagnostic *diagnostic)
{
    struct telling *telling = of;
    const struct timeline_choice *choice = &telling->request->choice;
    struct timeline timeline;
    enum status status;

    destination_note_input(path);
    status = timeline_open(&timeline, path, choice, diagnostic);
    if (status)
        return status;
    timeline_tell(&timeline, choice, telling->request->format->timeline, telling->own,
                  &telling->gaps);
    cut_note(path, &timeline.session.cut);
    timeline_close(&timeline);
    return status;
}

static enum status write_timeline(const struct request *request, FILE *out,
                                  struct diagnostic *diagnostic)
{
    const struct timeline_writer *writer = request->format->timeline;
    struct telling telling = {.request = request, .own = writer->open(out)};
    enum status status;
    size_t unread;

    status = run_traces_visit(&request->options, tell_trace, &telling, &unread, diagnostic);
    writer->close(telling.own);
    if (!status && !telling.gaps.has_thread)
        status = diagnostic_set(diagnostic, STATUS_USAGE,
                                "export: no thread %" PRIu64 " is there; tprof threads shows those "
                                "that are",
                                request->choice.thread);
    if (!status) {
        tell_timeline_gaps(&telling.gaps);
        tell_size(out, "--window, --thread and --min-duration make");
    }
    return status;
}

static void add_metrics(void *of, const struct session *session)
{
    metrics_add(of, session);
}

static enum status write_metrics(const struct request *request, FILE *out,
                                 struct diagnostic *diagnostic)
{
    struct metrics metrics;
    enum status status;
    size_t unread;

    metrics_init(&metrics);
    status = run_traces_read(&request->options, add_metrics, &metrics, &unread, diagnostic);
    if (!status)
        metrics_write(&metrics, request->format->is_open, out);
    metrics_fini(&metrics);
    return status;
}

static void tell_shapes_gaps(const struct shapes_gaps *gaps)
{
    char percent[UNITS_SIZE];
    struct text line;

    if (gaps->rows == 0)
        return;
    text_init(&line);
    text_appendf(&line, "%zu rows have no line here: they have %s of the time in kernels",
                 gaps->rows, units_format_percent(percent, gaps->share));
    cmd_tell(line.bytes);
    text_fini(&line);
}

static enum status write_shapes(const struct request *request, FILE *out,
                                struct diagnostic *diagnostic)
{
    struct shapes_gaps gaps = {0};
    struct session session;
    enum status status =
        cmd_open_session(&session, request->options.trace, &request->options, diagnostic);

    if (status)
        return status;
    request->format->write_shapes(&session, &request->options.analysis, out, &gaps);
    tell_shapes_gaps(&gaps);
    session_close(&session);
    return status;
}

static enum status write_any(const struct request *request, FILE *out,
                             struct diagnostic *diagnostic)
{
    switch (request->format->source) {
    case EXPORT_STACKS: return write_stacks(request, out, diagnostic);
    case EXPORT_TIMELINE: return write_timeline(request, out, diagnostic);
    case EXPORT_METRICS: return write_metrics(request, out, diagnostic);
    case EXPORT_SHAPES: return write_shapes(request, out, diagnostic);
    }
    return STATUS_OK;
}

static enum status write_packed(const struct request *request, FILE *out,
                                struct diagnostic *diagnostic)
{
    FILE *packed = gzip_open(out);
    enum status status = write_any(request, packed, diagnostic);

    fclose(packed); /* what fails leaves its mark on `out` */
    return status;
}

static enum status write_file(const struct request *request, struct diagnostic *diagnostic)
{
    const struct cmd_options *options = &request->options;
    FILE *out;
    enum status status =
        destination_open(&out, options->output, options->may_overwrite, diagnostic);

    if (status)
        return status;
    status = request->format->is_packed && !request->is_plain
                 ? write_packed(request, out, diagnostic)
                 : write_any(request, out, diagnostic);
    if (!status)
        status = render_finish(out, diagnostic);
    status = destination_close(out, status, options->output, diagnostic);
    if (!status)
        cut_tell(NULL);
    return status;
}

static void print_help(const struct option_set *own)
{
    const struct export_format *format;

    cmd_print_help("export", "--format FORMAT [OPTIONS] [TRACE|DIRECTORY...]", help, own);
    printf("\nFormats:\n");
    for (size_t i = 0; (format = export_format_at(i)); i++)
        help_print_row(stdout, format->name, HELP_COLUMN, format->help);
    printf("\nWeights:\n");
    for (enum export_weight i = 0; i < EXPORT_WEIGHTS; i++)
        help_print_row(stdout, export_weight_at(i)->name, HELP_COLUMN,
                      export_weight_at(i)->help);
}

enum status cmd_export(int argc, char **argv, struct cmd_outcome *outcome)
{
    struct request request = {.weight = EXPORT_WEIGHTS}; /* the user chose none */
    const struct option_set own = {rows, sizeof rows / sizeof *rows, &request};
    struct diagnostic *diagnostic = &outcome->diagnostic;
    enum status status = cmd_parse_many(&request.options, &own, argc, argv, diagnostic);

    if (!status && request.options.is_help) {
        print_help(&own);
        return STATUS_OK;
    }
    if (!status)
        status = check(&request, diagnostic);
    if (!status)
        status = choose_weight(&request, diagnostic);
    request.options.calls_most = CALLS_KEPT;
    request.choice.window = request.options.window;
    request.choice.root = request.options.root;
    if (!status && request.options.trace_count > 0)
        request.options.trace = request.options.traces[0];
    if (!status)
        status = write_file(&request, diagnostic);
    return status;
}
