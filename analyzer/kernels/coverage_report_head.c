/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The head of coverage: the share of kernels, what tprof did not see, and advice.
 */
#include <math.h>

#include "document/document.h"
#include "kernels/coverage.h"
#include "kernels/coverage_report_parts.h"
#include "kernels/texts.h"
#include "model/python.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_ops.h"
#include "model/session_process.h"
#include "model/session_unknown.h"

static void append_nothing(struct text *line, const struct coverage *coverage)
{
    const struct catalog *catalog = session_read_catalog(coverage->session);
    uint64_t symbols = 0;

    for (unsigned i = 0; i < catalog->kernel_count; i++)
        symbols += catalog->kernels[i].symbol_count;
    say(line, coverage_nothing_text, said_count(symbols), said_count(coverage->libraries.count));
    if (coverage->unread > 0)
        say(line, coverage_unread_files_text, said_count(coverage->unread));
}

/* A BLAS has threads of its own: they call no kernel, and work for one. */
static bool has_others(const struct coverage *coverage)
{
    return coverage->kernel_ns > 0 && coverage->silent_cpu_ns != SESSION_UNKNOWN &&
           (double)coverage->silent_cpu_ns >= 0.01 * (double)coverage->cpu_ns;
}

/* A thread that was off the processor for a while waited at an unknown place, so its processor time
 * in kernels has bounds. */
static void append_cpu_share(struct text *line, const struct coverage *coverage)
{
    bool is_bound = isnan(coverage_fraction(coverage));

    if (coverage->cpu_ns == SESSION_UNKNOWN) {
        say(line, coverage_no_cpu_time_text);
        return;
    }
    say(line, is_bound ? coverage_cpu_most_text : coverage_cpu_share_text,
        said_share(coverage_share(coverage).most), said_time((double)coverage->most_kernel_cpu_ns),
        said_time((double)coverage->cpu_ns));
    if (!is_bound)
        say(line, has_others(coverage) ? coverage_rest_threads_text : coverage_rest_text);
}

static void append_share(struct text *line, const void *of)
{
    const struct coverage *coverage = of;
    double kernel_ns = (double)coverage->kernel_ns;
    double thread_ns = (double)coverage->session->thread_ns;

    if (!coverage_report_has_libraries(coverage) && !coverage_report_has_kernels(coverage)) {
        append_nothing(line, coverage);
        return;
    }
    if (coverage->kernel_ns == 0) {
        say(line, coverage_no_call_text);
        return;
    }
    if (isnan(coverage_fraction(coverage)))
        say(line, coverage_time_text, said_time(kernel_ns), said_share(kernel_ns / thread_ns),
            said_time(thread_ns));
    append_cpu_share(line, coverage);
}

static void append_others(struct text *line, const void *of)
{
    const struct coverage *coverage = of;
    double silent_ns = (double)coverage->silent_cpu_ns;

    if (has_others(coverage))
        say(line, coverage_others_text, said_time(silent_ns),
            said_share(silent_ns / (double)coverage->cpu_ns));
}

static void append_named(struct text *line, const void *of)
{
    const struct coverage *coverage = of;

    if (!isnan(coverage->placed))
        say(line, coverage_named_text, said_share(coverage->placed), said_share(coverage->named));
}

static void append_left_out(struct text *line, const void *of)
{
    const struct coverage *coverage = of;
    const struct session_process *process = &coverage->session->process;

    if (process->objects_left_out > 0)
        say(line, coverage_objects_left_out_text, said_count(process->objects_left_out));
    if (process->hooks_left_out > 0)
        say(line, coverage_rows_left_out_text, said_count(process->hooks_left_out));
    if (process->namespace_objects > 0)
        say(line, coverage_namespaces_text, said_count(process->namespace_objects));
    if (coverage->unread > 0)
        say(line, coverage_files_gone_text, said_count(coverage->unread));
}

static void append_python_losses(struct text *line, const struct session_process *process)
{
    if (process->python_unread > 0)
        say(line, coverage_python_unread_text, said_count(process->python_unread));
    if (process->codes_refused > 0)
        say(line, coverage_codes_refused_text, said_count(process->codes_refused));
}

static void append_python_objects(struct text *line, const struct session *session)
{
    uint64_t state = session->process.python_objects;

    if (state == TRACE_PYTHON_OBJECTS_ON)
        say(line, coverage_objects_on_text);
    else if (state != TRACE_PYTHON_OBJECTS_OFF)
        say(line, coverage_objects_off_text, said_words(python_objects_words(state)));
    else if (session->python.fact.off == TRACE_PYTHON_OFF_NONE)
        say(line, coverage_objects_arenas_text);
}

static void append_python(struct text *line, const void *of)
{
    const struct coverage *coverage = of;
    const struct session_python *python = &coverage->session->python;
    struct text version;

    if (!python->is_there)
        return;
    text_init(&version);
    if (python->fact.version != 0)
        python_append_version(&version, python->fact.version);
    else
        text_append(&version, coverage_python_old_text.words);
    if (python->fact.off == TRACE_PYTHON_OFF_PYPY)
        say(line, coverage_pypy_text, said_words(python_off_words(python->fact.off)));
    else if (python->fact.off == TRACE_PYTHON_OFF_NONE)
        say(line, coverage_python_on_text, said_words(version.bytes));
    else
        say(line, coverage_python_off_text, said_words(version.bytes),
            said_words(python_off_words(python->fact.off)));
    append_python_objects(line, coverage->session);
    append_python_losses(line, &coverage->session->process);
}

static void append_ops(struct text *line, const void *of)
{
    const struct coverage *coverage = of;
    const struct session_framework *framework = &coverage->session->framework;

    if (!framework->is_there)
        return;
    if (framework->fact.off == TRACE_OPS_OFF_BUDGET)
        say(line, coverage_ops_stopped_text, said_time((double)framework->off_ns));
    else if (framework->fact.off != TRACE_OPS_OFF_NONE)
        say(line, coverage_ops_off_text, said_words(session_ops_off_words(framework->fact.off)));
    else if (framework->fact.inputs_off != TRACE_OPS_OFF_NONE)
        say(line, coverage_ops_names_text,
            said_words(session_ops_off_words(framework->fact.inputs_off)));
    else
        say(line, coverage_ops_on_text);
}

/* Known functions that are part of the program's own file. */
static bool has_linked_kernels(const struct coverage *coverage)
{
    for (size_t i = 0; i < coverage->rows.count; i++) {
        const struct coverage_row *row = array_at(&coverage->rows, i);
        const struct coverage_library *library = coverage_library_of(coverage, row);

        if (row->state == COVERAGE_NOT_REACHABLE && library && library->is_program)
            return true;
    }
    return false;
}

static void append_advice(struct text *line, const void *of)
{
    const struct coverage *coverage = of;

    if (coverage->kernel_ns == 0)
        say(line,
            has_linked_kernels(coverage) ? coverage_link_shared_text : coverage_write_catalog_text);
}

static const struct record_line lines[] = {
    {{"share", "Share", NULL, UNIT_TEXT, 0}, append_share},
    {{"others", "Other threads", NULL, UNIT_TEXT, 0}, append_others},
    {{"named", "Named", NULL, UNIT_TEXT, 0}, append_named},
    {{"python", "Python", NULL, UNIT_TEXT, 0}, append_python},
    {{"ops", "PyTorch", NULL, UNIT_TEXT, 0}, append_ops},
    {{"left_out", "Left out", NULL, UNIT_TEXT, 0}, append_left_out},
    {{"advice", "What to do", NULL, UNIT_TEXT, 0}, append_advice},
};

void coverage_report_add_head(struct document *document, const struct coverage *coverage)
{
    record_add_lines(document_add_record(document, "head", "Coverage", SECTION_IN_TEXT), lines,
                     sizeof lines / sizeof *lines, coverage);
}
