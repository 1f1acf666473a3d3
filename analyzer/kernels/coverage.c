/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Coverage: what was hooked, what was called, and what could not be reached.
 * "Not used" and "not seen" are different rows here.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "document/fields.h"
#include "document/table.h"
#include "figures/analysis.h"
#include "figures/coverage.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_process.h"
#include "model/session_unknown.h"

/* ---- kernels ----------------------------------------------------------- */

enum row_index {
    ROW_TARGET,
    ROW_NAME,
    ROW_STATE,
    ROW_CALLS,
    ROW_TIME,
    ROW_SLOTS,
    ROW_HOOKED,
    ROW_CALLER,
    ROW_REASON
};

static const struct column row_columns[] = {
    [ROW_TARGET] = {"library", "library", "the file that holds the function", UNIT_TEXT, 0},
    [ROW_NAME] = {"name", "kernel", "the symbol", UNIT_TEXT, 0},
    [ROW_STATE] = {"state", "state",
                   "called; not used: hooked, and nobody called; not hooked: there are slots, and "
                   "the reason why not; not reachable: no slot leads there",
                   UNIT_TEXT, 0},
    [ROW_CALLS] = {"calls", "calls", "by whatever way", UNIT_COUNT, 0},
    [ROW_TIME] = {"time_ns", "time", "in these calls, without kernels inside them", UNIT_NS, 1},
    [ROW_SLOTS] = {"slots", "slots", "places through which objects call it", UNIT_COUNT, 2},
    [ROW_HOOKED] = {"hooked", "hooked", "of these, those that were hooked", UNIT_COUNT, 4},
    [ROW_CALLER] = {"module", "called from", "the object whose slots these are, or how many are",
                    UNIT_TEXT, 3},
    [ROW_REASON] = {"reason", "why", "why it was not seen", UNIT_TEXT, 5},
};

static const struct table_schema row_schema = {"coverage", "Kernels", row_columns,
                                               sizeof row_columns / sizeof *row_columns, NULL};

static enum status set_caller(struct value *value, const struct coverage_row *row)
{
    char text[32];

    if (row->caller)
        return value_set_text(value, text_base_name(row->caller->path));
    if (row->callers == 0)
        return STATUS_OK;
    snprintf(text, sizeof text, "%u object%s", row->callers, units_choose(row->callers, "", "s"));
    return value_set_text(value, text);
}

static enum status set_row(struct value *values, const struct coverage *coverage,
                           const struct coverage_row *row)
{
    const struct coverage_library *library = coverage_library_of(coverage, row);
    bool is_hooked = row->state == COVERAGE_CALLED || row->state == COVERAGE_NOT_USED;
    enum status status = value_set_text(&values[ROW_NAME], row->symbol);

    value_set_unsigned(&values[ROW_SLOTS], row->slots);
    value_set_unsigned(&values[ROW_HOOKED], row->hooked);
    if (is_hooked) { /* of the others nobody knows */
        value_set_unsigned(&values[ROW_CALLS], row->calls);
        value_set_unsigned(&values[ROW_TIME], row->time_ns);
    }
    if (!status && library)
        status = value_set_text(&values[ROW_TARGET], library->name);
    if (!status)
        status = value_set_text(&values[ROW_STATE], coverage_state_name(row->state));
    if (!status)
        status = set_caller(&values[ROW_CALLER], row);
    return status ? status : value_set_text(&values[ROW_REASON], row->reason);
}

enum status coverage_build_rows(const struct coverage *coverage, coverage_filter is_wanted,
                                struct table *table)
{
    enum status status = STATUS_OK;

    table_init(table, &row_schema);
    for (size_t i = 0; i < coverage->rows.count && !status; i++) {
        const struct coverage_row *row = array_at(&coverage->rows, i);
        struct value *values;

        if (!is_wanted(row))
            continue;
        values = table_add_row(table);
        status = values ? set_row(values, coverage, row) : STATUS_OUT_OF_MEMORY;
    }
    return status ? status : table_sort(table, ROW_CALLS, true);
}

static bool is_known(const struct coverage_row *row)
{
    return row->state != COVERAGE_NOT_MEANT;
}

enum { NAMES_SHOWN = 5 };

/* People look for what was called or went wrong; what nobody called is a number
 * in the table of libraries. */
static bool is_of_interest(const struct coverage_row *row)
{
    return row->state == COVERAGE_CALLED || row->state == COVERAGE_NOT_HOOKED;
}

/* Say of a library to which no slot leads what it has, and why none does. */
static enum status note_unreached(struct table *table, const struct coverage *coverage,
                                  uint32_t library)
{
    const struct coverage_library *of = array_at(&coverage->libraries, library);
    const char *reason = NULL;
    struct text names;
    size_t count = 0;
    enum status status;

    text_init(&names);
    for (size_t i = 0; i < coverage->rows.count; i++) {
        const struct coverage_row *row = array_at(&coverage->rows, i);

        if (row->library != library || row->state != COVERAGE_NOT_REACHABLE)
            continue;
        if (count++ < NAMES_SHOWN)
            text_appendf(&names, "%s%s", count > 1 ? ", " : "", row->symbol);
        reason = reason ? reason : row->reason;
    }
    if (count > NAMES_SHOWN)
        text_appendf(&names, " and %zu more, which tprof coverage --json names",
                     count - NAMES_SHOWN);
    status = text_status(&names);
    if (!status && reason)
        status = table_add_note(table, "%s has %s: %s.", of->name, names.bytes, reason);
    text_fini(&names);
    return status;
}

static enum status note_all_unreached(struct table *table, const struct coverage *coverage)
{
    enum status status = STATUS_OK;

    for (uint32_t i = 0; i < coverage->libraries.count && !status; i++)
        if (((const struct coverage_library *)array_at(&coverage->libraries, i))->hooked == 0)
            status = note_unreached(table, coverage, i);
    return status;
}

static enum status build_shown(const struct coverage *coverage, struct table *table)
{
    enum status status = coverage_build_rows(coverage, is_of_interest, table);
    size_t count = 0;

    for (size_t i = 0; i < coverage->rows.count; i++) {
        const struct coverage_row *row = array_at(&coverage->rows, i);

        count += row->state == COVERAGE_NOT_USED;
    }
    if (!status)
        status = note_all_unreached(table, coverage);
    if (status || count == 0)
        return status;
    if (coverage->session->losses.unmatched > 0)
        return table_add_note(table,
                              "%zu more %s hooked, and no call of %s ended; the trace has calls "
                              "without an end: tprof report tells how many.",
                              count, units_choose(count, "was", "were"),
                              units_choose(count, "it", "them"));
    return table_add_note(
        table, "%zu more %s hooked and never called: tprof coverage --json names %s.", count,
        units_choose(count, "was", "were"), units_choose(count, "it", "them"));
}

/* ---- libraries --------------------------------------------------------- */

/* The last text is the one that is shortened on a narrow page. */
enum library_index {
    LIBRARY_STATE,
    LIBRARY_NAME,
    LIBRARY_KIND,
    LIBRARY_KNOWN,
    LIBRARY_HOOKED,
    LIBRARY_CALLED,
    LIBRARY_INNER,
    LIBRARY_CALLS,
    LIBRARY_TIME,
    LIBRARY_HINT
};

static const struct column library_columns[] = {
    [LIBRARY_NAME] = {"library", "library", "the file", UNIT_PLACE, 0},
    [LIBRARY_KIND] = {"kind", "kind", "what it is, where its name says so", UNIT_TEXT, 3},
    [LIBRARY_STATE] = {"state", "state",
                       "called; not used: slots lead to it, and nobody called; not reachable: no "
                       "slot leads to it, so calls inside it would not be seen; nothing known: it "
                       "defines no function of the catalog",
                       UNIT_TEXT, 0},
    [LIBRARY_KNOWN] = {"known", "known", "functions of the catalog that it exports", UNIT_COUNT, 1},
    [LIBRARY_HOOKED] = {"hooked", "hooked", "of these, those that hooked slots lead to", UNIT_COUNT,
                        2},
    [LIBRARY_CALLED] = {"called", "called", "of these, those that were called", UNIT_COUNT, 2},
    [LIBRARY_INNER] = {"inner", "inside",
                       "functions of the catalog that it holds and does not export; unknown when "
                       "its file was stripped or is not there",
                       UNIT_COUNT, 4},
    [LIBRARY_CALLS] = {"calls", "calls", "of its kernels", UNIT_COUNT, 0},
    [LIBRARY_TIME] = {"time_ns", "time", "in these calls, without kernels inside them", UNIT_NS, 0},
    [LIBRARY_HINT] = {"hint", NULL, "what is to be known of its calls", UNIT_TEXT, 0},
};

static const struct table_schema library_schema = {"libraries", "Libraries", library_columns,
                                                   sizeof library_columns / sizeof *library_columns,
                                                   NULL};

static bool has_inner(const struct coverage_library *library)
{
    return library->inner != SESSION_UNKNOWN && library->inner > 0;
}

static const char *library_state(const struct coverage_library *library)
{
    if (library->calls > 0)
        return coverage_state_name(COVERAGE_CALLED);
    if (library->hooked > 0)
        return coverage_state_name(COVERAGE_NOT_USED);
    if (library->exported > 0 || has_inner(library))
        return coverage_state_name(COVERAGE_NOT_REACHABLE);
    return "nothing known";
}

static bool is_listed(const struct coverage_library *library)
{
    return library->exported > 0 || has_inner(library) || library->kind || library->calls > 0;
}

static enum status set_library(struct value *values, const struct coverage_library *library)
{
    enum status status = value_set_text(&values[LIBRARY_NAME], library->name);

    value_set_unsigned(&values[LIBRARY_KNOWN], library->exported);
    value_set_unsigned(&values[LIBRARY_HOOKED], library->hooked);
    value_set_unsigned(&values[LIBRARY_CALLED], library->called);
    value_set_known(&values[LIBRARY_INNER], library->inner);
    if (library->hooked > 0 || library->calls > 0) { /* of the others nobody knows */
        value_set_unsigned(&values[LIBRARY_CALLS], library->calls);
        value_set_unsigned(&values[LIBRARY_TIME], library->time_ns);
    }
    if (!status)
        status = value_set_text(&values[LIBRARY_KIND], library->kind);
    if (!status)
        status = value_set_text(&values[LIBRARY_STATE], library_state(library));
    return status ? status : value_set_text(&values[LIBRARY_HINT], library->hint);
}

/* The names of all libraries of one hint; none where one before has told it. */
static void append_hinted(struct text *names, const struct coverage *coverage, size_t library)
{
    const struct coverage_library *libraries = coverage->libraries.items;
    size_t count = 0;

    for (size_t i = 0; i < coverage->libraries.count; i++) {
        if (!libraries[i].hint || strcmp(libraries[i].hint, libraries[library].hint) != 0)
            continue;
        if (i < library)
            return;
        if (count++ < NAMES_SHOWN)
            text_appendf(names, "%s%s", count > 1 ? ", " : "", libraries[i].name);
    }
    if (count > NAMES_SHOWN)
        text_appendf(names, " and %zu more", count - NAMES_SHOWN);
}

/* What it computes itself is in the processor time outside of kernels, with all other code. */
static enum status add_hint(struct table *table, const struct coverage *coverage,
                            const struct coverage_library *library, const char *names)
{
    uint64_t outside_ns = coverage_least_outside_ns(coverage);
    char time[UNITS_SIZE];

    if (!library->is_caller || outside_ns == 0 || outside_ns == SESSION_UNKNOWN)
        return table_add_note(table, "%s: %s.", names, library->hint);
    return table_add_note(
        table,
        "%s: %s. At least %s of CPU time is in this, in other code, or in threads that work for a "
        "kernel.",
        names, library->hint, units_format_time(time, (double)outside_ns));
}

static enum status note_hint(struct table *table, const struct coverage *coverage, size_t index)
{
    const struct coverage_library *library = array_at(&coverage->libraries, index);
    struct text names;
    enum status status;

    if (!library->hint)
        return STATUS_OK;
    text_init(&names);
    append_hinted(&names, coverage, index);
    status = text_status(&names);
    if (!status && names.size > 0)
        status = add_hint(table, coverage, library, names.bytes);
    text_fini(&names);
    return status;
}

static enum status note_library(struct table *table, const struct coverage *coverage, size_t index)
{
    const struct coverage_library *library = array_at(&coverage->libraries, index);

    if (note_hint(table, coverage, index))
        return STATUS_OUT_OF_MEMORY;
    if (!has_inner(library))
        return STATUS_OK;
    return table_add_note(table,
                          "%s holds %llu known kernel%s inside that no slot leads to: their calls "
                          "cannot be seen.",
                          library->name, (unsigned long long)library->inner,
                          units_choose(library->inner, "", "s"));
}

/* What was called stands first, then what computes unseen, and last what nobody used. */
enum library_rank { RANK_CALLED, RANK_UNSEEN, RANK_NOT_USED, RANKS };

static enum library_rank library_rank(const struct coverage_library *library)
{
    if (library->calls > 0)
        return RANK_CALLED;
    return library->hooked > 0 ? RANK_NOT_USED : RANK_UNSEEN;
}

static enum status add_library(struct table *table, const struct coverage *coverage, size_t index)
{
    struct value *values = table_add_row(table);
    enum status status =
        values ? set_library(values, array_at(&coverage->libraries, index)) : STATUS_OUT_OF_MEMORY;

    return status ? status : note_library(table, coverage, index);
}

static enum status add_libraries_of(struct table *table, const struct coverage *coverage,
                                    enum library_rank rank)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < coverage->libraries.count && !status; i++) {
        const struct coverage_library *library = array_at(&coverage->libraries, i);

        if (is_listed(library) && library_rank(library) == rank)
            status = add_library(table, coverage, i);
    }
    return status;
}

static enum status build_libraries(const struct coverage *coverage, struct table *table)
{
    enum status status;

    table_init(table, &library_schema);
    status = add_libraries_of(table, coverage, RANK_CALLED);
    if (!status)
        status = table_sort(table, LIBRARY_TIME, true);
    for (int rank = RANK_CALLED + 1; rank < RANKS && !status; rank++)
        status = add_libraries_of(table, coverage, (enum library_rank)rank);
    return status;
}

/* ---- the head ---------------------------------------------------------- */

static const struct column share_column = {"share", "Share", NULL, UNIT_TEXT, 0};
static const struct column others_column = {"others", "Other threads", NULL, UNIT_TEXT, 0};
static const struct column left_out_column = {"left_out", "Left out", NULL, UNIT_TEXT, 0};
static const struct column advice_column = {"advice", "What to do", NULL, UNIT_TEXT, 0};

static bool has_libraries(const struct coverage *coverage)
{
    for (size_t i = 0; i < coverage->libraries.count; i++)
        if (is_listed(array_at(&coverage->libraries, i)))
            return true;
    return false;
}

static bool has_kernels(const struct coverage *coverage)
{
    for (size_t i = 0; i < coverage->rows.count; i++)
        if (is_known(array_at(&coverage->rows, i)))
            return true;
    return false;
}

static void append_nothing(struct text *line, const struct coverage *coverage)
{
    const struct catalog *catalog = &coverage->session->catalog;
    char known[UNITS_SIZE];
    int64_t symbols = 0;

    for (unsigned i = 0; i < catalog->kernel_count; i++)
        symbols += catalog->kernels[i].symbol_count;
    text_appendf(line,
                 "no known kernel was found: in %zu file%s of the process none of the %s functions "
                 "is called or defined that were looked for (tprof list kernels names those that "
                 "tprof knows)",
                 coverage->libraries.count, units_choose(coverage->libraries.count, "", "s"),
                 units_format_count(known, symbols));
    if (coverage->unread > 0)
        text_appendf(line, "; what %llu of these files %s could not be read",
                     (unsigned long long)coverage->unread,
                     units_choose(coverage->unread, "defines", "define"));
}

/* A BLAS has threads of its own: they call no kernel, and work for one. */
static bool has_others(const struct coverage *coverage)
{
    return coverage->kernel_ns > 0 && coverage->silent_cpu_ns != SESSION_UNKNOWN &&
           (double)coverage->silent_cpu_ns >= 0.01 * (double)coverage->cpu_ns;
}

static const char *name_rest(const struct coverage *coverage)
{
    return has_others(coverage) ? "; the rest is other code, and threads that called no kernel"
                                : "; the rest is other code";
}

/* Of a thread that did not have the processor all the time it is not known where it
 * waited, so its processor time in kernels has bounds. */
static void append_cpu_share(struct text *line, const struct coverage *coverage)
{
    char kernels[UNITS_SIZE], cpu[UNITS_SIZE], most[UNITS_SIZE];

    if (coverage->cpu_ns == SESSION_UNKNOWN) {
        text_append(line, "the CPU time of the process is not known");
        return;
    }
    text_appendf(line, "kernels take %s%s of the CPU time of the process (%s of %s)",
                 isnan(coverage_fraction(coverage)) ? "at most " : "",
                 units_format_percent(most, coverage_share(coverage).most),
                 units_format_time(kernels, (double)coverage->most_kernel_cpu_ns),
                 units_format_time(cpu, (double)coverage->cpu_ns));
    text_append(line, isnan(coverage_fraction(coverage))
                          ? ", as threads also waited, inside of them or outside"
                          : name_rest(coverage));
}

static void append_share(struct text *line, const struct coverage *coverage)
{
    char kernels[UNITS_SIZE], whole[UNITS_SIZE], share[UNITS_SIZE];
    double thread_ns = (double)coverage->session->thread_ns;

    if (!has_libraries(coverage) && !has_kernels(coverage)) {
        append_nothing(line, coverage);
    } else if (coverage->kernel_ns == 0) {
        text_append(line, "no call of a known kernel was seen");
    } else {
        if (isnan(coverage_fraction(coverage)))
            text_appendf(line, "%s in known kernels, %s of the thread time (%s); ",
                         units_format_time(kernels, (double)coverage->kernel_ns),
                         units_format_percent(share, (double)coverage->kernel_ns / thread_ns),
                         units_format_time(whole, thread_ns));
        append_cpu_share(line, coverage);
    }
}

static void append_others(struct text *line, const struct coverage *coverage)
{
    char time[UNITS_SIZE];
    uint64_t silent = coverage->silent_cpu_ns;

    if (!has_others(coverage))
        return;
    text_appendf(line,
                 "%s, %.1f %% of the CPU time, belongs to threads that called no kernel, as the "
                 "worker threads of a BLAS are: what they do for a kernel is not in its time",
                 units_format_time(time, (double)silent),
                 100 * (double)silent / (double)coverage->cpu_ns);
}

static void append_left_out(struct text *line, const struct coverage *coverage)
{
    const struct session_process *process = &coverage->session->process;

    if (process->objects_left_out > 0)
        text_appendf(line, "%llu object%s too many to look at: calls from %s are not seen. ",
                     (unsigned long long)process->objects_left_out,
                     units_choose(process->objects_left_out, " was", "s were"),
                     units_choose(process->objects_left_out, "it", "them"));
    if (process->hooks_left_out > 0)
        text_appendf(line, "%llu row%s of this report found no room in the trace. ",
                     (unsigned long long)process->hooks_left_out,
                     units_choose(process->hooks_left_out, "", "s"));
    if (process->namespace_objects > 0)
        text_appendf(line,
                     "%llu object%s in namespaces of dlmopen: kernels there are hooked, what is "
                     "looked up with dlsym and allocated there is not seen. ",
                     (unsigned long long)process->namespace_objects,
                     units_choose(process->namespace_objects, " is", "s are"));
    if (coverage->unread > 0)
        text_appendf(line,
                     "%llu file%s of the process %s not there any more or not the same: what %s "
                     "inside is not known. ",
                     (unsigned long long)coverage->unread, units_choose(coverage->unread, "", "s"),
                     units_choose(coverage->unread, "is", "are"),
                     units_choose(coverage->unread, "it holds", "they hold"));
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

static void append_advice(struct text *line, const struct coverage *coverage)
{
    if (coverage->kernel_ns == 0 && has_linked_kernels(coverage))
        text_append(line, "link the program with shared libraries (libblas.so, liblapack.so, "
                          "libopenblas.so): calls inside one file pass no slot, and TPROF_KERNELS "
                          "cannot reach them either");
    else if (coverage->kernel_ns == 0)
        text_append(line, "write the functions of your own shared libraries down in a file, see "
                          "what would be hooked with tprof kernels FILE -- COMMAND, and record "
                          "with TPROF_KERNELS=FILE; tprof-kernels(5) has the language. Functions "
                          "inside of the program itself cannot be hooked: name its parts with "
                          "tprof_region_begin()");
}

static enum status add_head(struct document *document, const struct coverage *coverage)
{
    static const struct {
        const struct column *column;
        void (*append)(struct text *line, const struct coverage *coverage);
    } lines[] = {{&share_column, append_share},
                 {&others_column, append_others},
                 {&left_out_column, append_left_out},
                 {&advice_column, append_advice}};
    struct record *record = document_add_record(document, "head", "Coverage", SECTION_IN_TEXT);
    enum status status = record ? STATUS_OK : STATUS_OUT_OF_MEMORY;
    struct text line;

    text_init(&line);
    for (size_t i = 0; i < sizeof lines / sizeof *lines && !status; i++) {
        lines[i].append(&line, coverage);
        status = record_add_line(record, lines[i].column, &line);
    }
    text_fini(&line);
    return status;
}

/* ---- for programs ------------------------------------------------------ */

static const struct column record_columns[] = {FIELD("hooked_slots", UNIT_COUNT),
                                               FIELD("missed_slots", UNIT_COUNT),
                                               FIELD("bindings", UNIT_COUNT),
                                               FIELD("called_bindings", UNIT_COUNT),
                                               FIELD("kernel_fraction_of_cpu", UNIT_FRACTION),
                                               FIELD("least_kernel_fraction_of_cpu", UNIT_FRACTION),
                                               FIELD("most_kernel_fraction_of_cpu", UNIT_FRACTION),
                                               FIELD("kernel_ns", UNIT_NS),
                                               FIELD("cpu_ns", UNIT_NS),
                                               FIELD("other_threads_cpu_ns", UNIT_NS),
                                               FIELD("objects_left_out", UNIT_COUNT),
                                               FIELD("rows_left_out", UNIT_COUNT),
                                               FIELD("namespace_objects", UNIT_COUNT)};
static const struct column libraries_column = FIELD("libraries", UNIT_ROWS);

static uint64_t count_called(const struct session *session)
{
    uint64_t called = 0;

    for (size_t i = 0; i < session->bindings.count; i++)
        called += session_binding_at(session, i)->calls > 0;
    return called;
}

/* value_set_table makes an empty one first. */
static enum status add_libraries(struct record *record, const struct coverage *coverage)
{
    struct value *value = record_add_value(record, &libraries_column);
    struct table *table = value ? value_set_table(value, &library_schema) : NULL;

    return table ? build_libraries(coverage, table) : STATUS_OUT_OF_MEMORY;
}

enum status coverage_add_record(struct document *document, const struct coverage *coverage)
{
    const struct session *session = coverage->session;
    struct record *record = document_add_record(document, "coverage", NULL, SECTION_IN_JSON);
    struct coverage_share share = coverage_share(coverage);
    struct fields fields = fields_begin(record, record_columns);

    fields_add_count(&fields, coverage->slots);
    fields_add_count(&fields, coverage->missed);
    fields_add_count(&fields, session->bindings.count);
    fields_add_count(&fields, count_called(session));
    fields_add_real(&fields, coverage_fraction(coverage));
    fields_add_real(&fields, share.least);
    fields_add_real(&fields, share.most);
    fields_add_count(&fields, coverage->kernel_ns);
    fields_add_count(&fields, coverage->cpu_ns);
    fields_add_count(&fields, coverage->silent_cpu_ns);
    fields_add_count(&fields, session->process.objects_left_out);
    fields_add_count(&fields, session->process.hooks_left_out);
    fields_add_count(&fields, session->process.namespace_objects);
    return fields.status ? fields.status : add_libraries(record, coverage);
}

/* ---- the report -------------------------------------------------------- */

static enum status build(const struct session *session, const struct analysis_options *options,
                         struct table *table)
{
    struct coverage coverage;
    enum status status = coverage_init(&coverage, session, true);

    (void)options;
    table_init(table, &row_schema);
    if (!status)
        status = coverage_build_rows(&coverage, is_known, table);
    coverage_fini(&coverage);
    return status;
}

/* A table with nothing in it tells people less than the line that says so. */
static enum status add_shown_libraries(struct document *document, const struct coverage *coverage)
{
    struct table *libraries;

    if (!has_libraries(coverage))
        return STATUS_OK;
    libraries = document_add_table(document, "libraries", SECTION_IN_TEXT);
    return libraries ? build_libraries(coverage, libraries) : STATUS_OUT_OF_MEMORY;
}

static enum status add_shown_rows(struct document *document, const struct coverage *coverage)
{
    struct table *shown;

    if (!has_kernels(coverage))
        return STATUS_OK;
    shown = document_add_table(document, "shown", SECTION_IN_TEXT);
    return shown ? build_shown(coverage, shown) : STATUS_OUT_OF_MEMORY;
}

static enum status add_rows(struct document *document, const struct coverage *coverage)
{
    struct table *rows = document_add_table(document, "rows", SECTION_IN_JSON);

    return rows ? coverage_build_rows(coverage, is_known, rows) : STATUS_OUT_OF_MEMORY;
}

static enum status compose(const struct session *session, const struct analysis_options *options,
                           struct document *document)
{
    struct coverage coverage;
    enum status status = coverage_init(&coverage, session, true);

    (void)options;
    document_init(document);
    document->name = "coverage";
    document->main = "rows";
    if (!status)
        status = add_head(document, &coverage);
    if (!status)
        status = coverage_add_record(document, &coverage);
    if (!status)
        status = add_shown_libraries(document, &coverage);
    if (!status)
        status = add_shown_rows(document, &coverage);
    if (!status)
        status = add_rows(document, &coverage);
    coverage_fini(&coverage);
    return status;
}

const struct analysis analysis_coverage = {
    .name = "coverage",
    .help = "What was hooked and called, and what could not be reached.",
    .sort_key = NULL,
    .build = build,
    .compose = compose,
    .composed = 1 << ANALYSIS_BY_DEFAULT,
};
