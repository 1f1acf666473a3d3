/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof timing, memory, leaks ...: one analysis, as a table or as a document.
 * tprof insights is bottlenecks by the name that the specification has for it.
 */
#include "analysis/window_words.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "model/session.h"
#include "model/session_unknown.h"

/* Programs read rows and further fields; people may read a better form of the remaining rows. */
static enum status render_rows(const struct session *session, const struct cmd_options *options,
                               const struct analysis *analysis, struct table *table,
                               struct diagnostic *diagnostic)
{
    void (*elaborate)(const struct session *, const struct analysis_options *, const struct table *,
                      struct document *) =
        options->renderer->is_for_programs ? analysis->elaborate_for_programs : analysis->elaborate;
    struct document document;
    enum status status;

    if (!elaborate)
        return cmd_render_table(table, analysis, options, diagnostic);
    status = cmd_arrange(table, analysis, options, diagnostic);
    if (status)
        return status;
    document_init(&document);
    elaborate(session, &options->analysis, table, &document);
    if (document_section_count(&document) > 0)
        status = cmd_render_document(&document, options, diagnostic);
    else
        status = cmd_render_table(table, analysis, options, diagnostic);
    document_fini(&document);
    return status;
}

static enum status report_table(const struct session *session, const struct cmd_options *options,
                                const struct analysis *analysis, struct cmd_outcome *outcome)
{
    struct table table;
    enum status status;

    analysis->build(session, &options->analysis, &table);
    window_words_add_note(&table, session);
    status = render_rows(session, options, analysis, &table, &outcome->diagnostic);
    table_fini(&table);
    return status;
}

/* A bad verdict is no failure: only the exit code reports it. */
static enum status report_document(const struct session *session, const struct cmd_options *options,
                                   const struct analysis *analysis, struct cmd_outcome *outcome)
{
    struct document document;
    enum status status = STATUS_OK;

    analysis->compose(session, &options->analysis, &document);
    window_words_add(&document, session);
    if (analysis->is_arranged)
        status =
            cmd_arrange(document_main_table(&document), analysis, options, &outcome->diagnostic);
    if (!status)
        status = cmd_render_document(&document, options, &outcome->diagnostic);
    if (!status && document.verdict)
        outcome->exit_code = status_exit_code(document.verdict);
    document_fini(&document);
    return status;
}

/* Sorting and filtering rows implies a table. */
static bool is_about_rows(const struct cmd_options *options)
{
    return options->filter || (options->sort && !options->is_measure);
}

/* The analysis cuts the rows itself if no later step needs them, so it finds no names for hidden
 * rows. */
static bool may_cut_early(const struct cmd_options *options)
{
    return !is_about_rows(options);
}

static bool shows_document(const struct analysis *analysis, enum analysis_by by)
{
    return analysis->compose && analysis->composed >> by & 1;
}

enum { ROWS_FOR_PEOPLE = 50 };

/* Output for programs has all rows unless the user sets a limit. */
static void choose_limit(struct cmd_options *options, const struct analysis *analysis)
{
    long asked =
        analysis->asked_rows ? analysis->asked_rows(&options->analysis) : ANALYSIS_ROWS_UNASKED;

    if (options->has_limit)
        return;
    if (asked != ANALYSIS_ROWS_UNASKED) {
        options->limit = (size_t)asked;
    } else if (analysis->long_rows >> options->analysis.by & 1 &&
               !options->renderer->is_for_programs) {
        options->limit =
            analysis->rows_for_people > 0 ? analysis->rows_for_people : ROWS_FOR_PEOPLE;
        options->is_cut_unasked = true;
    }
}

/* An unknown peak sorts nothing; two traces are compared by allocated bytes. */
static void choose_measure(struct cmd_options *options, const struct analysis *analysis,
                           const struct session *session)
{
    if (!options->is_measure && !options->analysis.before &&
        analysis->measured >> options->analysis.by & 1 &&
        session->heap.peak_bytes != SESSION_UNKNOWN)
        options->analysis.measure = analysis->measure;
}

static enum status report_analysis(const struct session *session, const struct cmd_options *options,
                                   const void *of, struct cmd_outcome *outcome)
{
    const struct analysis *analysis = of;
    struct cmd_options own = *options;

    choose_limit(&own, analysis);
    choose_measure(&own, analysis, session);
    own.analysis.limit = may_cut_early(options) ? own.limit : 0;
    own.analysis.shows_all = own.has_limit && own.limit == 0;
    if (shows_document(analysis, own.analysis.by) && !is_about_rows(options))
        return report_document(session, &own, analysis, outcome);
    return report_table(session, &own, analysis, outcome);
}

/* The message lists the measures and the columns. */
static enum status refuse_sort(const char *key, const struct analysis *analysis,
                               struct diagnostic *diagnostic)
{
    struct text words;

    text_init(&words);
    for (int i = 0; i < ANALYSIS_MEASURES; i++)
        text_append_choice(&words, analysis_measure_word((enum analysis_measure)i), (size_t)i,
                           i + 1 == ANALYSIS_MEASURES);
    diagnostic_set(diagnostic, STATUS_USAGE,
                   "%s --sort %.40s: expected %s; with --by also a column, named as in JSON",
                   analysis->name, key, words.bytes);
    text_fini(&words);
    return STATUS_USAGE;
}

/* A screen has an order of its own. */
static enum status check_arrangement(const struct cmd_options *options,
                                     const struct analysis *analysis, struct diagnostic *diagnostic)
{
    bool is_asked = options->filter || (options->sort && !options->is_measure);

    if (!is_asked || analysis->is_arranged || !shows_document(analysis, options->analysis.by))
        return STATUS_OK;
    if (options->sort)
        return refuse_sort(options->sort, analysis, diagnostic);
    return diagnostic_set(diagnostic, STATUS_USAGE,
                          "%s: --filter chooses rows: say with --by what rows are; tprof %s "
                          "--help lists the words",
                          analysis->name, analysis->name);
}

enum status cmd_analysis(int argc, char **argv, struct cmd_outcome *outcome)
{
    const struct analysis *analysis = analysis_find(argv[0]);
    struct cmd_options options;
    enum status status = cmd_parse(&options, NULL, argc, argv, &outcome->diagnostic);

    if (!status)
        status = check_arrangement(&options, analysis, &outcome->diagnostic);
    if (!status)
        status = cmd_check_by(&options, analysis->name, &outcome->diagnostic);
    if (!status && options.is_help) {
        cmd_print_help(argv[0], "[OPTIONS] [TRACE]", analysis->help, NULL);
        return STATUS_OK;
    }
    return status ? status : cmd_report_trace(&options, report_analysis, analysis, outcome);
}

enum status cmd_insights(int argc, char **argv, struct cmd_outcome *outcome)
{
    static char name[] = "bottlenecks";

    argv[0] = name;
    return cmd_analysis(argc, argv, outcome);
}
