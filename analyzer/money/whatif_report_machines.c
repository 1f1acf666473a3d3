/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A row of tprof whatif for each other machine, and notes on its assumptions.
 */
#include <math.h>
#include <stdio.h>

#include "model/session.h"
#include "money/texts.h"
#include "money/whatif_report_parts.h"

enum machine_column {
#define COLUMN(name, key, title, help, unit, priority) name,
#include "money/machine_columns.def"
#undef COLUMN
};

static const struct column columns[] = {
#define COLUMN(name, key, title, help, unit, priority) {key, title, help, unit, priority},
#include "money/machine_columns.def"
#undef COLUMN
};

static const struct table_schema schema = {"machines", "The same kernels elsewhere", columns,
                                           sizeof columns / sizeof *columns, NULL};

/* The bound of most kernel time there. */
static void set_bound(struct value *row, const struct whatif *whatif)
{
    double ns[WHATIF_LAUNCH + 1] = {0}, all_ns = 0;
    enum whatif_bound most = WHATIF_UNKNOWN;

    for (size_t i = 0; i < whatif->rows.count; i++) {
        const struct whatif_row *kernel = array_at(&whatif->rows, i);

        if (kernel->bound == WHATIF_UNKNOWN)
            continue;
        ns[kernel->bound] += kernel->there_ns;
        all_ns += kernel->there_ns;
        if (ns[kernel->bound] > ns[most])
            most = kernel->bound;
    }
    if (all_ns > 0)
        value_set_real(&row[BOUND_SHARE], ns[most] / all_ns);
    value_set_text(&row[BOUND], whatif_bound_name(most));
}

/* A call on another processor costs as much as here, as its cost is unknown. */
static struct crossover_line line_of(const struct whatif_report *report,
                                     const struct whatif_place *place)
{
    const struct crossover_line *here = &report->line;
    double best = machine_gemm(&place->machine, here->precision, place->threads);

    if (isnan(best))
        best = whatif_peak(place, here->precision, true);
    if (here->precision == MACHINE_PRECISIONS)
        best = (double)NAN;
    return (struct crossover_line){
        .precision = here->precision,
        .call_ns = place->is_accelerator ? place->launch_ns : here->call_ns + place->launch_ns,
        .flop_ns = 1e9 / best,
    };
}

static void set_crossover(struct value *text, struct value *order,
                          const struct crossover *crossover)
{
    static const char *const kinds[] = {"n = ", "up to n = ", "always", "never", NULL};
    char words[40];

    if (isnan(crossover->order)) {
        value_set_text(text, kinds[crossover->kind]);
        return;
    }
    snprintf(words, sizeof words, "%s%.0f", kinds[crossover->kind], crossover->order);
    value_set_rounded(order, crossover->order);
    value_set_text(text, words);
}

static void set_crossovers(struct value *row, const struct whatif_report *report,
                           const struct whatif_place *place)
{
    struct crossover_line there = line_of(report, place);
    struct crossover stays = crossover_find(&report->line, &there, (double)NAN);
    struct crossover moves = crossover_find(&report->line, &there, place->link_bytes_per_second);

    set_crossover(&row[CROSSOVER], &row[ORDER], &stays);
    if (isfinite(place->link_bytes_per_second))
        set_crossover(&row[CROSSOVER_MOVED], &row[ORDER_MOVED], &moves);
}

static void set_limits(struct value *row, const struct whatif_place *place)
{
    const struct machine *machine = &place->machine;

    if (place->threads > 0)
        value_set_unsigned(&row[THREADS], place->threads);
    value_set_real(&row[PEAK_F32], machine_peak(machine, MACHINE_F32, place->threads));
    value_set_real(&row[PEAK_F64], machine_peak(machine, MACHINE_F64, place->threads));
    value_set_real(&row[BANDWIDTH], machine_bandwidth(machine, MACHINE_DRAM, place->threads));
    value_set_real(&row[LINK], place->link_bytes_per_second);
    value_set_rounded(&row[LAUNCH], place->launch_ns);
}

static void set_times(struct value *row, const struct whatif_sums *sums)
{
    value_set_real(&row[SPEEDUP], sums->wall_ns / sums->whole_there_ns);
    value_set_real(&row[SPEEDUP_BEST], sums->wall_ns / sums->whole_best_ns);
    value_set_rounded(&row[WHOLE], sums->whole_there_ns);
    value_set_rounded(&row[WHOLE_BEST], sums->whole_best_ns);
    if (isnan(sums->kernel_fraction))
        return;
    value_set_rounded(&row[KERNELS], sums->there_ns);
    value_set_rounded(&row[KERNELS_BEST], sums->best_ns);
    value_set_rounded(&row[TRANSFER], sums->transfer_ns);
    value_set_rounded(&row[ROOFLESS], sums->roofless_ns);
    value_set_rounded(&row[UNJUDGED], sums->unjudged_ns);
}

static void set_machine(struct value *row, const struct whatif_report *report,
                        const struct whatif *whatif)
{
    const struct whatif_place *place = whatif->place;
    value_set_text(&row[NAME], place->name);

    set_times(row, &whatif->sums);
    set_limits(row, place);
    set_bound(row, whatif);
    value_set_text(&row[KIND], place->is_accelerator ? "accelerator" : "processor");
    value_set_text(&row[SOURCE], place->machine.source);
    set_crossovers(row, report, place);
}

static void note_roofless(struct table *table, const struct whatif *whatif)
{
    const struct whatif_sums *sums = &whatif->sums;

    if (sums->roofless_ns <= 0)
        return;
    table_say(table, whatif_roofless_text, said_words(whatif->place->name),
              said_time(sums->roofless_ns), said_time(sums->here_ns));
}

static void note_whole(struct table *table, const struct whatif *whatif)
{
    double fraction = whatif->sums.kernel_fraction;

    if (isnan(fraction)) {
        table_say(table, whatif_no_kernel_text);
        return;
    }
    table_say(table, whatif_whole_text, said_share(fraction), said_speedup(1 / (1 - fraction)));
}

static void note_efficiency(struct table *table, const struct whatif_report *report,
                            const struct whatif *whatif)
{
    const struct analysis_options *options = report->question->options;

    if (!options->machine) {
        table_say(table, whatif_uncalibrated_text,
                  said_words(options->no_machine ? options->no_machine : "no calibration"));
        return;
    }
    if (whatif->sums.unjudged_ns <= 0)
        return;
    table_say(table, whatif_unjudged_text);
}

/* The launch cost is one for all of them. */
static void note_accelerators(struct table *table, const struct whatif_question *question)
{
    for (size_t i = 0; i < question->place_count; i++)
        if (question->places[i].is_accelerator) {
            table_say(table, whatif_accelerators_text, said_time(question->places[i].launch_ns));
            return;
        }
}

/* Kernels that fit a cache there are judged too slow. */
static void note_caches(struct table *table, const struct whatif_question *question)
{
    for (size_t i = 0; i < question->place_count; i++)
        if (question->places[i].machine.caches.count == 0) {
            table_say(table, whatif_caches_text);
            return;
        }
}

static void note_crossover(struct table *table, const struct crossover_line *line)
{
    struct said precision = said_words(machine_precision_name(line->precision)),
                rate = said_flop_rate(1e9 / line->flop_ns);

    if (line->precision == MACHINE_PRECISIONS)
        return;
    if (line->refusal) {
        table_say(table, whatif_crossover_mean_text, precision, rate, said_words(line->refusal));
        return;
    }
    table_say(table, whatif_crossover_text, precision, said_time(line->call_ns), rate,
              said_count(line->sizes));
}

/* Notes on all machines come once, before the first machine's own. */
static void add_notes(struct table *table, const struct whatif_report *report,
                      const struct whatif *whatif)
{
    bool is_first = whatif->place == report->question->places;

    if (is_first)
        note_whole(table, whatif);
    if (is_first)
        note_efficiency(table, report, whatif);
    if (is_first)
        note_crossover(table, &report->line);
    if (is_first)
        note_caches(table, report->question);
    if (is_first)
        note_accelerators(table, report->question);
    note_roofless(table, whatif);
}

struct table *whatif_start_machines(struct document *document)
{
    return document_start_table(document, "machines", SECTION_IN_BOTH, &schema);
}

void whatif_add_machine(struct table *table, const struct whatif_report *report,
                        const struct whatif *whatif)
{
    struct value *row = table_add_row(table);

    set_machine(row, report, whatif);
    add_notes(table, report, whatif);
}
