/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof timing, memory, leaks ...: one analysis, as a table or as a document.
 */
#include "base/text.h"
#include "cmd/cmd.h"

static enum status report_table(const struct session *session, const struct cmd_options *options,
                                const struct analysis *analysis, struct cmd_outcome *outcome)
{
    struct table table;
    enum status status = analysis->build(session, &options->analysis, &table);

    if (status)
        status = diagnostic_set_out_of_memory(&outcome->diagnostic);
    else
        status = cmd_render_table(&table, analysis, options, &outcome->diagnostic);
    table_fini(&table);
    return status;
}

/* A verdict is no failure: it is the exit code alone. */
static enum status report_document(const struct session *session, const struct cmd_options *options,
                                   const struct analysis *analysis, struct cmd_outcome *outcome)
{
    struct document document;
    enum status status = analysis->compose(session, &options->analysis, &document);

    if (status)
        status = diagnostic_set_out_of_memory(&outcome->diagnostic);
    else
        status = cmd_render_document(&document, options, &outcome->diagnostic);
    if (!status && document.verdict)
        outcome->exit_code = status_exit_code(document.verdict);
    document_fini(&document);
    return status;
}

/* The analysis cuts the rows itself where nothing is to be done with them after
 * it, so that names need not be found for rows that nobody sees. */
static bool may_cut_early(const struct cmd_options *options)
{
    return !options->filter && (!options->sort || options->is_measure);
}

static enum status report_analysis(const struct session *session, const struct cmd_options *options,
                                   const void *of, struct cmd_outcome *outcome)
{
    const struct analysis *analysis = of;
    struct cmd_options own = *options;

    own.analysis.limit = may_cut_early(options) ? options->limit : 0;
    if (analysis->compose && own.analysis.by == ANALYSIS_BY_DEFAULT)
        return report_document(session, &own, analysis, outcome);
    return report_table(session, &own, analysis, outcome);
}

/* ---- rows that an analysis has ------------------------------------------------------ */

static enum status refuse_by(const struct analysis *analysis, enum analysis_by by,
                             struct cmd_outcome *outcome)
{
    struct text words;

    text_init(&words);
    for (unsigned i = 1; analysis->rows >> i; i++)
        if (analysis->rows >> i & 1)
            text_appendf(&words, "%s%s", words.size ? ", " : "",
                         analysis_by_word((enum analysis_by)i));
    diagnostic_set(&outcome->diagnostic, STATUS_USAGE, "%s --by %s: its rows can be by %s",
                   analysis->name, analysis_by_word(by), words.bytes);
    text_fini(&words);
    return STATUS_USAGE;
}

enum status cmd_analysis(int argc, char **argv, struct cmd_outcome *outcome)
{
    const struct analysis *analysis = analysis_find(argv[0]);
    struct cmd_options options;
    enum status status = cmd_parse(&options, argc, argv, &outcome->diagnostic);

    if (!status && options.analysis.by && !(analysis->rows >> options.analysis.by & 1))
        status = refuse_by(analysis, options.analysis.by, outcome);
    if (status)
        return status;
    return cmd_run_reporter(argc, argv, analysis->help, report_analysis, analysis, outcome);
}
