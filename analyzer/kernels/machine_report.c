/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of a calibration.
 */
#include "kernels/machine_report.h"
#include "kernels/texts.h"

#include <math.h>
#include <string.h>

enum peak_column { PRECISION_NAME, PEAK_THREADS, PEAK, SET, PEAK_SPREAD, GEMM, GEMM_SHARE };

static const struct column peak_columns[] = {
    [PRECISION_NAME] = {"precision", "precision", "of the numbers", UNIT_TEXT, 0},
    [PEAK_THREADS] = {"threads", "threads", "threads that ran at once", UNIT_COUNT, 0},
    [PEAK] = {"flops_per_second", "peak", "multiply-adds in registers", UNIT_FLOPS_PER_SECOND, 0},
    [SET] = {"instruction_set", "by", "the instructions that were fastest", UNIT_TEXT, 3},
    [PEAK_SPREAD] = {"spread", "spread", "of the trials: (best - median) / best", UNIT_FRACTION, 2},
    [GEMM] = {"gemm_flops_per_second", "GEMM", "the best product of matrices of the BLAS",
              UNIT_FLOPS_PER_SECOND, 0},
    [GEMM_SHARE] = {"gemm_share", "of peak", "GEMM by peak", UNIT_FRACTION, 1},
};

static const struct table_schema peak_schema = {"peaks", "Peak", peak_columns,
                                                sizeof peak_columns / sizeof *peak_columns, NULL};

static void add_peak(struct table *table, const struct machine_peak *peak)
{
    struct value *row = table_add_row(table);

    value_set_text(&row[PRECISION_NAME], machine_precision_name(peak->precision));
    value_set_text(&row[SET], peak->instruction_set);
    if (peak->threads > 0)
        value_set_unsigned(&row[PEAK_THREADS], peak->threads);
    value_set_real(&row[PEAK], peak->flops_per_second);
    value_set_real(&row[PEAK_SPREAD], peak->spread);
    value_set_real(&row[GEMM], peak->gemm_flops_per_second);
    value_set_real(&row[GEMM_SHARE], peak->gemm_flops_per_second / peak->flops_per_second);
}

static void note_unmeasured(struct table *table, const struct machine *machine)
{
    for (int i = 0; i < MACHINE_PRECISIONS; i++) {
        const char *reason = machine_no_peak_reason(machine, (enum machine_precision)i);

        if (reason)
            table_say(table, calibrate_no_peak_text,
                      said_words(machine_precision_name((enum machine_precision)i)),
                      said_words(reason));
    }
}

static void add_peaks(struct document *document, const struct machine *machine)
{
    struct table *table = document_start_table(document, "peaks", SECTION_IN_BOTH, &peak_schema);

    for (size_t i = 0; i < machine->peaks.count; i++)
        add_peak(table, array_at(&machine->peaks, i));
    if (machine->blas[0])
        table_say(table, calibrate_gemm_text, said_words(machine->blas));
    else if (machine->blas_reason[0])
        table_say(table, calibrate_no_gemm_text, said_words(machine->blas_reason));
    note_unmeasured(table, machine);
}

enum bandwidth_column { LEVEL, BANDWIDTH_THREADS, SIZE, STREAMS };

static const struct column bandwidth_columns[] = {
    [LEVEL] = {"level", "level", "cache or memory that holds the bytes", UNIT_TEXT, 0},
    [BANDWIDTH_THREADS] = {"threads", "threads", "threads that ran at once", UNIT_COUNT, 0},
    [SIZE] = {"working_set_bytes", "arrays", "size of all threads' arrays together", UNIT_BYTES, 2},
#define MACHINE_STREAM(id, name, words, help)                                                      \
    [STREAMS + MACHINE_##id] = {name "_bytes_per_second", name, help, UNIT_BYTES_PER_SECOND, 0},
#include "model/machine_streams.def"
#undef MACHINE_STREAM
    [STREAMS +
        MACHINE_STREAMS] = {"spread", "spread", "largest spread of these trials", UNIT_FRACTION, 1},
};

static const struct table_schema bandwidth_schema = {
    "bandwidths", "Bandwidth", bandwidth_columns,
    sizeof bandwidth_columns / sizeof *bandwidth_columns, NULL};

static void add_bandwidth(struct table *table, const struct machine_bandwidth *bandwidth)
{
    struct value *row = table_add_row(table);

    value_set_text(&row[LEVEL], machine_level_name(bandwidth->level));
    if (bandwidth->threads > 0)
        value_set_unsigned(&row[BANDWIDTH_THREADS], bandwidth->threads);
    if (bandwidth->working_set_bytes > 0)
        value_set_unsigned(&row[SIZE], bandwidth->working_set_bytes);
    for (int i = 0; i < MACHINE_STREAMS; i++)
        value_set_real(&row[STREAMS + i], bandwidth->bytes_per_second[i]);
    value_set_real(&row[STREAMS + MACHINE_STREAMS], bandwidth->spread);
}

static void add_bandwidths(struct document *document, const struct machine *machine)
{
    struct table *table =
        document_start_table(document, "bandwidths", SECTION_IN_BOTH, &bandwidth_schema);

    for (size_t i = 0; i < machine->bandwidths.count; i++)
        add_bandwidth(table, array_at(&machine->bandwidths, i));
    table_say(table, calibrate_stream_text);
}

static const struct column fact_columns[] = {
#define MACHINE_TEXT(field, title, help) {#field, title, help, UNIT_TEXT, 0},
#define MACHINE_NUMBER(field, title, unit, help) {#field, title, help, unit, 0},
#include "model/machine_facts.def"
#undef MACHINE_TEXT
#undef MACHINE_NUMBER
};

static void add_text_field(struct record *record, const struct column *column, const char *text)
{
    struct value *value = text[0] ? record_add_value(record, column) : NULL;

    if (!text[0])
        return;
    value_set_text(value, text);
}

static void add_number_field(struct record *record, const struct column *column, double number)
{
    struct value *value = isfinite(number) ? record_add_value(record, column) : NULL;

    if (!isfinite(number))
        return;
    if (number == rint(number) && number < 0x1p53)
        value_set_integer(value, (int64_t)number);
    else
        value_set_real(value, number);
}

static void add_facts(struct document *document, const struct machine *machine)
{
    struct record *record = document_add_record(document, "machine", "Machine", SECTION_IN_BOTH);
    const struct column *column = fact_columns;

#define MACHINE_TEXT(field, title, help) add_text_field(record, column++, machine->field);
#define MACHINE_NUMBER(field, title, unit, help) add_number_field(record, column++, machine->field);
#include "model/machine_facts.def"
#undef MACHINE_TEXT
#undef MACHINE_NUMBER
}

static void add_warnings(struct document *document, const struct machine *machine)
{
    struct text_list *lines = document_add_lines(document, NULL);

    for (size_t i = 0; i < text_list_count(&machine->warnings); i++)
        text_list_say(lines, calibrate_doubtful_text,
                      said_words(text_list_at(&machine->warnings, i)));
    text_list_say(lines, calibrate_kept_text, said_words(machine->source));
}

void machine_report_build(const struct machine *machine, struct document *document)
{
    document_init(document);
    document->name = "machine";
    add_facts(document, machine);
    add_peaks(document, machine);
    add_bandwidths(document, machine);
    add_warnings(document, machine);
}
