/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the chosen trace to the output.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/cut.h"
#include "cmd/destination.h"
#include "cmd/incident.h"
#include "cmd/newest.h"
#include "heap/memory_options.h"
#include "heap/suppressions.h"
#include "model/session.h"
#include "model/session_losses.h"
#include "model/session_open.h"
#include "platform/quote.h"

static void tell_relatives(const char *path, const struct text *relatives, const char *folder)
{
    char word[PATH_MAX] = "";
    struct text line;

    if (relatives->size == 0)
        return;
    if (folder)
        quote_path(folder, word, sizeof word);
    text_init(&line);
    text_appendf(&line,
                 "%s used the most processor time of its run; the others are %s: tprof report "
                 "--job%s%s shows all",
                 path, relatives->bytes, folder ? " " : "", word);
    cmd_tell(line.bytes);
    text_fini(&line);
}

static enum status find_trace(const char *folder, char path[PATH_MAX],
                              struct diagnostic *diagnostic)
{
    struct text relatives;
    enum status status;

    text_init(&relatives);
    status = newest_find(folder, path, &relatives, diagnostic);
    if (!status)
        tell_relatives(path, &relatives, folder);
    text_fini(&relatives);
    return status;
}

enum status cmd_choose_trace(const char **trace, char room[PATH_MAX], const char *named,
                             struct diagnostic *diagnostic)
{
    bool is_named = named && !newest_is_folder(named);

    *trace = is_named ? named : room;
    return is_named ? STATUS_OK : find_trace(named, room, diagnostic);
}

static enum status open_chosen(struct session *session, const char *path,
                               const struct cmd_options *options, struct diagnostic *diagnostic)
{
    struct cmd_progress progress;
    struct session_options how = session_defaults();
    enum status status = STATUS_OK;

    destination_note_input(path);
    how.short_ns = options->analysis.memory->short_ns;
    how.root = options->root;
    if (options->calls_most > 0)
        how.calls_most = options->calls_most;
    how.window = options->window;
    if (options->incident > 0)
        status = incident_find_window(&how.window, path, options->incident, diagnostic);
    if (status)
        return status;
    how.leaves_heap = options->leaves_heap;
    how.symbols = options->symbols;
    how.on_progress = cmd_progress_show;
    how.progress_of = &progress;
    cmd_progress_start(&progress, text_base_name(path));
    status = session_open(session, path, &how, diagnostic);
    cmd_progress_erase(&progress);
    if (!status)
        cut_note(path, &session->cut);
    return status;
}

enum status cmd_open_session(struct session *session, const char *named,
                             const struct cmd_options *options, struct diagnostic *diagnostic)
{
    char room[PATH_MAX];
    const char *trace;
    enum status status = cmd_choose_trace(&trace, room, named, diagnostic);

    return status ? status : open_chosen(session, trace, options, diagnostic);
}

/* Suppressions are for the analysis, and belong to us. */
static enum status open_suppressions(struct suppressions *suppressions, struct cmd_options *options,
                                     struct diagnostic *diagnostic)
{
    FILE *file;
    enum status status;

    if (!options->suppressions)
        return STATUS_OK;
    file = fopen(options->suppressions, "re");
    if (!file)
        return diagnostic_set(diagnostic, STATUS_IO, "cannot read %s: %s", options->suppressions,
                              strerror(errno));
    destination_note_input(options->suppressions);
    status = suppressions_init(suppressions, file, options->suppressions, diagnostic);
    fclose(file);
    if (!status)
        options->analysis.suppressions = suppressions;
    return status;
}

/* A trace without a single thread gives nothing to report. */
static enum status check_rest(const struct session *session, struct diagnostic *diagnostic)
{
    const struct session_cut *cut = &session->cut;

    if (!cut->is_cut || session->threads.count > 0 || session->records_read > 0)
        return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_CORRUPT,
                          "%s: byte %llu: expected %llu bytes, found the end: the trace was cut "
                          "off, and nothing that is left can be reported",
                          session->path, (unsigned long long)cut->bytes,
                          (unsigned long long)cut->whole_bytes);
}

/* Reads the trace, and the second one of a comparison. */
static enum status report_trace(struct cmd_options *options, cmd_reporter report, const void *of,
                                struct cmd_outcome *outcome)
{
    struct session session, before;
    struct cmd_machine machine;
    enum status status = cmd_open_session(&session, options->trace, options, &outcome->diagnostic);

    if (status)
        return status;
    if (!options->has_warmup)
        analysis_take_warmup(&options->analysis, &session);
    status = check_rest(&session, &outcome->diagnostic);
    if (!status)
        status = cmd_machine_open(&machine, &session, options, &outcome->diagnostic);
    if (status) {
        session_close(&session);
        return status;
    }
    if (options->before) {
        status = cmd_open_session(&before, options->before, options, &outcome->diagnostic);
        options->analysis.before = &before;
    }
    if (!status) {
        status = report(&session, options, of, outcome);
        if (options->before)
            session_close(&before);
    }
    cmd_machine_close(&machine);
    session_close(&session);
    return status;
}

enum status cmd_report_trace(struct cmd_options *options, cmd_reporter report, const void *of,
                             struct cmd_outcome *outcome)
{
    struct suppressions suppressions;
    enum status status = open_suppressions(&suppressions, options, &outcome->diagnostic);

    if (!status)
        status = report_trace(options, report, of, outcome);
    if (options->analysis.suppressions)
        suppressions_fini(&suppressions);
    options->analysis.suppressions = NULL;
    return status;
}

enum status cmd_run_reporter(int argc, char **argv, const char *help, cmd_reporter report,
                             const void *of, struct cmd_outcome *outcome)
{
    struct cmd_options options;
    enum status status = cmd_parse(&options, NULL, argc, argv, &outcome->diagnostic);

    if (!status && options.is_help) {
        cmd_print_help(argv[0], "[OPTIONS] [TRACE]", help, NULL);
        return STATUS_OK;
    }
    return status ? status : cmd_report_trace(&options, report, of, outcome);
}

/* A page of a trace that was cut off begins with that. */
static enum status open_output(FILE **out, const struct cmd_options *options,
                               struct diagnostic *diagnostic)
{
    bool is_for_people = options->renderer && !options->renderer->is_for_programs;
    enum status status = destination_open(out, options->output, options->may_overwrite, diagnostic);

    if (!status)
        cut_tell(is_for_people ? *out : NULL);
    return status;
}

static enum status close_output(FILE *out, enum status status, const struct cmd_options *options,
                                struct diagnostic *diagnostic)
{
    return destination_close(out, status, options->output, diagnostic);
}

enum status cmd_write_text(const char *bytes, const struct cmd_options *options,
                           struct diagnostic *diagnostic)
{
    FILE *out;
    enum status status = open_output(&out, options, diagnostic);

    if (status)
        return status;
    fputs(bytes, out);
    status = render_finish(out, diagnostic);
    return close_output(out, status, options, diagnostic);
}

static bool is_analysis(const char *name)
{
    return analysis_find(name) != NULL;
}

enum status cmd_render_document(const struct document *document, const struct cmd_options *options,
                                struct diagnostic *diagnostic)
{
    struct render_options how;
    FILE *out;
    enum status status = open_output(&out, options, diagnostic);

    if (status)
        return status;
    how = terminal_options(out, options->colour);
    how.is_command = is_analysis;
    status = options->renderer->document(document, &how, out, diagnostic);
    return close_output(out, status, options, diagnostic);
}

/* A number that names something is a text in this. */
static bool value_matches(const struct value *value, enum unit unit, const regex_t *pattern)
{
    char number[24];
    const char *text = value->kind == VALUE_TEXT ? value->text : NULL;

    if (value->kind == VALUE_INTEGER && unit == UNIT_NUMBER) {
        snprintf(number, sizeof number, "%" PRId64, value->integer);
        text = number;
    }
    return text && regexec(pattern, text, 0, NULL, 0) == 0;
}

static bool row_matches(const struct table *table, const struct value *row, const void *of)
{
    const regex_t *pattern = of;

    for (size_t i = 0; i < table->schema->column_count; i++)
        if (value_matches(&row[i], table->schema->columns[i].unit, pattern))
            return true;
    return false;
}

static enum status filter_rows(struct table *table, const char *filter,
                               struct diagnostic *diagnostic)
{
    regex_t pattern;
    int error = regcomp(&pattern, filter, REG_EXTENDED | REG_NOSUB);

    if (error != 0) {
        char why[128];

        regerror(error, &pattern, why, sizeof why);
        return diagnostic_set(diagnostic, STATUS_USAGE, "--filter %.100s: %s", filter, why);
    }
    table_keep_rows(table, row_matches, &pattern);
    regfree(&pattern);
    return STATUS_OK;
}

static enum status refuse_column(const struct table *table, const char *key,
                                 struct diagnostic *diagnostic)
{
    struct text known;

    text_init(&known);
    for (size_t i = 0; i < table->schema->column_count; i++)
        text_appendf(&known, "%s%s", i ? ", " : "", table->schema->columns[i].key);
    diagnostic_set(diagnostic, STATUS_USAGE, "--sort %.60s: %s has no such column; it has %s", key,
                   table->schema->name, known.bytes);
    text_fini(&known);
    return STATUS_USAGE;
}

/* Texts from A to Z, numbers from the largest down; a column by its key or its title. */
static enum status sort_rows(struct table *table, const char *key, struct diagnostic *diagnostic)
{
    size_t column = table_find_column(table, key);

    for (size_t i = 0; column == table->schema->column_count && i < column; i++)
        if (table->schema->columns[i].title && strcmp(table->schema->columns[i].title, key) == 0)
            column = i;
    if (column == table->schema->column_count)
        return refuse_column(table, key, diagnostic);
    table_sort(table, column, table->schema->columns[column].unit != UNIT_TEXT);
    return STATUS_OK;
}

/* The order of an analysis is that of its usual table. */
static const char *own_order(const struct table *table, const struct analysis *analysis)
{
    const char *key = table ? analysis->sort_key : NULL;

    return key && table_find_column(table, key) < table->schema->column_count ? key : NULL;
}

/* Returns: how many of the sorted rows are large enough to be seen. */
static size_t count_large(const struct table *table, const char *key, double least_share)
{
    size_t column = table_find_column(table, key), count = table_row_count(table);
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += fmax(0, value_number(&table_row(table, i)[column]));
    while (count > 1 && !(value_number(&table_row(table, count - 1)[column]) > sum * least_share))
        count--;
    return count;
}

static void cut_rows(struct table *table, const struct analysis *analysis,
                     const struct cmd_options *options)
{
    const char *key = own_order(table, analysis);

    if (options->limit > 0)
        table_truncate(table, options->limit);
    if (options->is_cut_unasked && analysis->least_share > 0 && key && !options->sort)
        table_truncate(table, count_large(table, key, analysis->least_share));
    if (options->is_cut_unasked && table->rows_cut > 0)
        table_add_note(table, "-n 0 shows all rows, -n N so many.");
}

enum status cmd_arrange(struct table *table, const struct analysis *analysis,
                        const struct cmd_options *options, struct diagnostic *diagnostic)
{
    const char *asked = options->is_measure ? NULL : options->sort;
    const char *key = asked ? asked : own_order(table, analysis);
    enum status status = STATUS_OK;

    if (!table)
        return STATUS_OK;
    if (options->filter)
        status = filter_rows(table, options->filter, diagnostic);
    if (!status && key)
        status = sort_rows(table, key, diagnostic);
    if (status)
        return status;
    cut_rows(table, analysis, options);
    return STATUS_OK;
}

enum status cmd_render_table(struct table *table, const struct analysis *analysis,
                             const struct cmd_options *options, struct diagnostic *diagnostic)
{
    struct render_options how;
    FILE *out;
    enum status status = cmd_arrange(table, analysis, options, diagnostic);

    if (!status)
        status = open_output(&out, options, diagnostic);
    if (status)
        return status;
    how = terminal_options(out, options->colour);
    status = options->renderer->table(table, &how, out, diagnostic);
    return close_output(out, status, options, diagnostic);
}

enum status cmd_finish_document(struct document *document, const struct cmd_options *options,
                                struct diagnostic *diagnostic)
{
    enum status status = cmd_render_document(document, options, diagnostic);

    document_fini(document);
    return status;
}
