/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof lines: the processor time of source lines, by samples, with their text.
 */
#include <math.h>

#include "analysis/analysis.h"
#include "analysis/name_notes.h"
#include "base/text.h"
#include "cpu/cpu_sort.h"
#include "cpu/cpu_time.h"
#include "cpu/line_rows.h"
#include "cpu/texts.h"
#include "document/table.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_samples.h"
#include "model/session_unknown.h"
#include "options/readers.h"
#include "places/source_text.h"
#include "symbols/symbols.h"

/* Rows of fewer samples are marked: their shares may be off by a third. */
enum { SAMPLES_FEW = 30 };

enum column_index {
    PLACE,
    SELF,
    TOTAL,
    INTERPRETER,
    NATIVE,
    INTERVAL,
    SELF_TIME,
    TOTAL_TIME,
    SAMPLES,
    LIBRARY,
    FILE_PATH,
    LINE, /* only for rows by line: this column and the next */
    FUNCTION,
    SOURCE
};

static const struct column columns[] = {
    [PLACE] = {"place", "place",
               "the line, of a kernel the line that calls it; or the function where none is known",
               UNIT_PLACE, 0},
    [SELF] = {"self_share", "self", "of the processor time, in the row itself",
              UNIT_FRACTION, 0},
    [TOTAL] = {"total_share", "total", "of the processor time, with what it calls",
               UNIT_FRACTION, 0},
    [INTERPRETER] = {"interpreter_share", "interpreter",
                     "of the processor time, where the interpreter runs this Python code itself",
                     UNIT_FRACTION, 2},
    [NATIVE] = {"native_share", "native",
                "of the processor time, in native code that this Python code calls itself",
                UNIT_FRACTION, 2},
    [INTERVAL] = {"self_share_ci", "self from to", "interval of the share itself", UNIT_FRACTION,
                  3},
    [SELF_TIME] = {"self_ns", "self time", "processor time in the row itself", UNIT_NS, 4},
    [TOTAL_TIME] = {"total_ns", "total time", "processor time with what it calls", UNIT_NS, 5},
    [SAMPLES] = {"samples", "samples", "that were in the row itself", UNIT_COUNT, 4},
    [LIBRARY] = {"library", "library", "file that has the code", UNIT_TEXT, 6},
    [FILE_PATH] = {"file", NULL, "of the source, as the debug information has it; null: unknown",
                   UNIT_TEXT, 0},
    [LINE] = {"line", NULL, "number in that file; null: unknown", UNIT_NUMBER, 0},
    [FUNCTION] = {"function", "function", "that has the line; null: `place` is it",
                  UNIT_PLACE, 2},
    [SOURCE] = {"source", "source", "text of the line, where the file is here and unchanged",
                UNIT_TEXT, 1},
};

static const struct table_schema line_schema = {"lines", "Lines", columns,
                                                sizeof columns / sizeof *columns, "self_share"};
static const struct table_schema other_schema = {"lines", "Lines", columns, LINE, "self_share"};

struct lines_options {
    double least_fraction; /* rows whose total is below are left out */
    bool is_verbose;       /* functions have their full names */
};

/* The state while the table is built. */
struct lines_work {
    const struct session *session;
    const struct analysis_options *options;
    struct line_rows rows;
    struct source_text source;
    double samples;    /* in all rows */
    double sampled_ns; /* processor time that the samples represent */
};

static void append_function(struct text *text, const struct lines_work *work,
                            const struct line_row *row)
{
    bool is_verbose = work->options->lines->is_verbose;

    places_append_called(text, row->place.function, row->caller, is_verbose);
}

static void append_place(struct text *text, const struct lines_work *work,
                         const struct line_row *row)
{
    const struct place *place = &row->place;
    const char *module = place->function->module;
    enum analysis_by by = work->rows.by;

    if (by == ANALYSIS_BY_LIBRARY || (by == ANALYSIS_BY_FILE && !place->file))
        text_append(text, module ? module : lines_no_file_text.words);
    else if (by == ANALYSIS_BY_FILE)
        text_append(text, text_base_name(place->file));
    else if (by == ANALYSIS_BY_LINE && place->file)
        text_appendf(text, "%s:%u", text_base_name(place->file), place->line);
    else
        append_function(text, work, row);
}

typedef void (*appender)(struct text *text, const struct lines_work *work,
                         const struct line_row *row);

static void set_words(struct value *value, appender append, const struct lines_work *work,
                      const struct line_row *row)
{
    struct text text;

    text_init(&text);
    append(&text, work, row);
    value_take_text(value, &text);
}

static void set_source(struct value *value, struct lines_work *work,
                       const struct line_row *row)
{
    struct text text;

    text_init(&text);
    source_text_append(&work->source, &text, row->place.file, row->place.line);
    value_take_text(value, &text);
}

/* The row's kind decides which of these cells it has. */
static void set_place(struct value *cells, struct lines_work *work,
                      const struct line_row *row)
{
    enum analysis_by by = work->rows.by;
    bool has_file = row->place.file && (by == ANALYSIS_BY_LINE || by == ANALYSIS_BY_FILE);
    bool has_function = has_file && by == ANALYSIS_BY_LINE; /* without a line, it is the place */
    set_words(&cells[PLACE], append_place, work, row);
    if (has_function)
        set_words(&cells[FUNCTION], append_function, work, row);
    if (by != ANALYSIS_BY_FILE)
        value_set_text(&cells[LIBRARY], row->place.function->module);
    if (has_file)
        value_set_text(&cells[FILE_PATH], row->place.file);
    if (!has_file || by != ANALYSIS_BY_LINE || row->place.line == 0)
        return;
    value_set_unsigned(&cells[LINE], row->place.line);
    set_source(&cells[SOURCE], work, row);
}

/* A sample without a call chain. */
static void set_bare(struct value *cells, const struct session *session, uint32_t slot)
{
    struct text text;

    text_init(&text);
    if (slot == SESSION_NONE)
        say(&text, lines_no_chain_text);
    else
        say(&text, lines_kernel_text,
            said_words(session_name_slot(session, session_slot_at(session, slot))));
    value_take_text(&cells[PLACE], &text);
}

/* The interval is that of the row's part of the samples.  Its samples may stand for more time than
 * others, or less: those that kernels' clocks correct, and those of several periods. */
static double scale_of(const struct lines_work *work, const struct line_row *row)
{
    double part = (double)row->self_samples / (double)work->samples;
    double whole_ns = work->rows.time.cpu_ns;

    return row->self_samples > 0 && whole_ns > 0 ? row->self_ns / whole_ns / part : (double)NAN;
}

static void set_numbers(struct value *cells, const struct lines_work *work,
                        const struct line_row *row)
{
    const struct cpu_time *time = &work->rows.time;
    const struct cpu_sort sort = {(double)row->self_samples, work->samples,
                                  row->runs > 0 ? (double)row->runs : (double)NAN};
    const struct statistics_interval share = cpu_sort_interval(&sort, work->options->confidence);
    double scale = scale_of(work, row);

    value_set_ratio(&cells[SELF], row->self_ns, time->cpu_ns);
    value_set_ratio(&cells[TOTAL], row->total_ns, time->cpu_ns);
    if (row->self_samples > 0)
        value_set_interval(&cells[INTERVAL], share.low * scale, fmin(1, share.high * scale));
    if (row->place.function && row->place.function->is_python) {
        value_set_ratio(&cells[INTERPRETER], row->interpreter_ns, time->cpu_ns);
        value_set_ratio(&cells[NATIVE], row->native_ns, time->cpu_ns);
    }
    value_set_rounded(&cells[SELF_TIME], row->self_ns);
    value_set_rounded(&cells[TOTAL_TIME], row->total_ns);
    value_set_unsigned(&cells[SAMPLES], row->self_samples);
    value_mark_estimate(&cells[SELF], row->self_samples > 0 && row->self_samples < SAMPLES_FEW);
    value_mark_estimate(&cells[TOTAL], row->total_samples < SAMPLES_FEW);
}

static void add_row(struct table *table, struct lines_work *work, const struct line_row *row)
{
    double least = work->options->lines->least_fraction;

    if (row->total_ns < least * work->rows.time.cpu_ns)
        return;
    struct value *cells = table_add_row(table);
    set_numbers(cells, work, row);
    if (row->place.function)
        set_place(cells, work, row);
    else
        set_bare(cells, work->session, row->slot);
}

static void add_notes(struct table *table, const struct lines_work *work)
{
    const struct cpu_time *time = &work->rows.time;

    table_say(table, lines_whole_text, said_time(time->cpu_ns), said_count((uint64_t)work->samples),
              said_time(work->sampled_ns));
    table_say(table, lines_few_text, said_count(SAMPLES_FEW));
    if (work->source.changed > 0)
        table_say(table, lines_changed_text, said_count(work->source.changed));
    name_notes_add(table, work->session);
}

static void fill(struct table *table, struct lines_work *work)
{
    const struct line_row *rows = work->rows.rows.items;

    for (size_t i = 0; i < work->rows.rows.count; i++) {
        work->samples += (double)rows[i].self_samples;
        work->sampled_ns += rows[i].self_ns;
    }
    for (size_t i = 0; i < work->rows.rows.count; i++)
        add_row(table, work, &rows[i]);
    add_notes(table, work);
}

static void say_none(struct table *table, const struct session *session)
{
    const char *off = session->sampling.off;

    if (off) {
        table_say(table, lines_off_text, said_words(off));
        return;
    }
    table_say(table, lines_none_text);
}

static void build(const struct session *session, const struct analysis_options *options,
                  struct table *table)
{
    struct lines_work work = {.session = session, .options = options};
    bool has_lines = options->by == ANALYSIS_BY_DEFAULT || options->by == ANALYSIS_BY_LINE;

    table_init(table, has_lines ? &line_schema : &other_schema);
    if (session->sampling.count == 0) {
        say_none(table, session);
        return;
    }
    source_text_init(&work.source, session);
    line_rows_init(&work.rows, session, options);
    fill(table, &work);
}

static const struct option_row own_options[] = {
#define OPTION(field, ...) OPTION_ROW(struct lines_options, field, __VA_ARGS__),
#include "cpu/lines_options.def"
#undef OPTION
};

static const struct lines_options defaults = {.least_fraction = 0};

const struct analysis analysis_lines = {
    .name = "lines",
    .help = "Which source lines the processor time goes to, by samples, with their text.",
    .sort_key = "self_share",
    .build = build,
    .long_rows = 1 << ANALYSIS_BY_DEFAULT | 1 << ANALYSIS_BY_LINE | 1 << ANALYSIS_BY_FUNCTION |
                 1 << ANALYSIS_BY_FILE | 1 << ANALYSIS_BY_LIBRARY | 1 << ANALYSIS_BY_CALLER |
                 1 << ANALYSIS_BY_PYTHON,
    .own = {own_options, sizeof own_options / sizeof *own_options, &defaults, sizeof defaults},
};
