/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The peaks that a roofline compares kernels with: a record for programs, lines for people.
 */
#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "document/fields.h"
#include "kernels/roofline_parts.h"
#include "kernels/texts.h"
#include "kernels/utilization.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_unknown.h"

/* Sums over the rows. */
struct sums {
    double kernel_ns; /* time of calls that own their FLOPs, see group_work_ns */
    double judged_ns; /* part of these with a roof */
    double wasted_ns;
    double bound_ns[JUDGE_LATENCY + 1];
    double level_ns[MACHINE_LEVELS + 1];
    size_t invalid;
    double invalid_ns;
    double lacking_ns[JUDGE_LACKS]; /* by the missing part of a roof; for missing peaks: */
    double peakless_ns[MACHINE_PRECISIONS + 1];
};

static struct sums sum(const struct roofline *roofline)
{
    struct sums sums = {0};

    for (size_t i = 0; i < roofline->rows.count; i++) {
        const struct roofline_row *row = array_at(&roofline->rows, i);
        double ns = (double)group_work_ns(&row->group->work);

        sums.kernel_ns += ns;
        sums.bound_ns[row->judgement.bound] += ns;
        sums.invalid += row->judgement.is_invalid;
        sums.invalid_ns += row->judgement.is_invalid ? ns : 0;
        sums.lacking_ns[row->judgement.lack] += ns;
        if (row->judgement.lack == JUDGE_LACKS_PEAK)
            sums.peakless_ns[row->judgement.precision] += ns;
        if (isnan(row->judgement.wasted_ns) || row->judgement.is_invalid)
            continue;
        sums.judged_ns += ns;
        sums.level_ns[row->judgement.roof.level] += ns;
        sums.wasted_ns += row->judgement.wasted_ns;
    }
    return sums;
}

static double peak_of(const struct judge *judge, enum machine_precision precision)
{
    return judge->machine ? machine_peak(judge->machine, precision, judge->threads) : (double)NAN;
}

static double gemm_of(const struct judge *judge, enum machine_precision precision)
{
    return judge->machine ? machine_gemm(judge->machine, precision, judge->threads) : (double)NAN;
}

static double bandwidth_of(const struct judge *judge, enum machine_level level)
{
    return judge->machine ? machine_bandwidth(judge->machine, level, judge->threads) : (double)NAN;
}

static double ridge_of(const struct judge *judge, enum machine_precision precision)
{
    struct machine_roof roof = {peak_of(judge, precision), bandwidth_of(judge, MACHINE_DRAM),
                                MACHINE_DRAM};

    return machine_ridge(&roof);
}

static void put_precisions(struct record *outer, const char *key, const struct judge *judge,
                           double (*of)(const struct judge *, enum machine_precision))
{
    struct record *record = fields_put_record(outer, key);

    for (enum machine_precision i = 0; i < MACHINE_PRECISIONS; i++)
        fields_put_real(record, machine_precision_name(i), UNIT_FLOPS_PER_SECOND, of(judge, i));
}

static void put_levels(struct record *outer, const struct judge *judge)
{
    struct record *record = fields_put_record(outer, "bandwidth_bytes_per_second");

    for (enum machine_level i = 0; i < MACHINE_LEVELS; i++)
        fields_put_real(record, machine_level_name(i), UNIT_BYTES_PER_SECOND,
                        bandwidth_of(judge, i));
}

static void put_times(struct record *outer, const struct sums *sums)
{
    struct record *record = fields_put_record(outer, "level_ns");

    for (enum machine_level i = 0; i < MACHINE_LEVELS; i++)
        fields_put_count(record, machine_level_name(i), UNIT_NS,
                         sums->judged_ns > 0 ? (uint64_t)sums->level_ns[i] : SESSION_UNKNOWN);
}

static void add_sums(struct record *fields, const struct roofline *roofline)
{
    struct sums sums = sum(roofline);
    bool is_judged = sums.judged_ns > 0;

    if (is_judged)
        fields_put_count(fields, "wasted_ns", UNIT_NS, (uint64_t)sums.wasted_ns);
    else
        fields_put_null(fields, "wasted_ns");
    fields_put_count(fields, "judged_ns", UNIT_NS, (uint64_t)sums.judged_ns);
    fields_put_count(fields, "kernel_ns", UNIT_NS, (uint64_t)sums.kernel_ns);
    fields_put_count(fields, "invalid_rows", UNIT_COUNT, sums.invalid);
    put_times(fields, &sums);
}

static const char *const from_names[] = {"option", "environment", "processor time"};

static void add_record(struct document *document, const struct roofline *roofline)
{
    const struct judge *judge = &roofline->judge;
    const struct machine *machine = judge->machine;
    struct utilization utilization = utilization_of(roofline->session, roofline->options);
    struct record *fields = document_add_record(document, "machine", NULL, SECTION_IN_JSON);

    fields_put_text(fields, "calibration", machine ? machine->source : NULL);
    fields_put_text(fields, "reason", machine ? NULL : roofline->options->no_machine);
    fields_put_text(fields, "date", machine && machine->date[0] ? machine->date : NULL);
    fields_put_text(fields, "host", machine && machine->host[0] ? machine->host : NULL);
    fields_put_text(fields, "cpu", machine && machine->cpu[0] ? machine->cpu : NULL);
    fields_put_count(fields, "threads", UNIT_COUNT, judge->threads);
    fields_put_text(fields, "threads_from", from_names[judge->threads_from]);
    put_precisions(fields, "peak_flops_per_second", judge, peak_of);
    put_precisions(fields, "gemm_flops_per_second", judge, gemm_of);
    put_levels(fields, judge);
    fields_put_real(fields, "stream_triad_bytes_per_second", UNIT_BYTES_PER_SECOND,
                    machine ? machine_triad(machine, MACHINE_DRAM, judge->threads) : (double)NAN);
    put_precisions(fields, "ridge_flops_per_byte", judge, ridge_of);
    fields_put_count(fields, "allowed_threads", UNIT_COUNT,
                     utilization.threads > 0 ? utilization.threads : SESSION_UNKNOWN);
    fields_put_real(fields, "mfu", UNIT_FRACTION, utilization.mfu);
    fields_put_real(fields, "hfu", UNIT_FRACTION, utilization.hfu);
    fields_put_text(fields, "mfu_of", utilization_model_name(&utilization));
    add_sums(fields, roofline);
}

static void append_machine(struct text *line, const void *of)
{
    const struct roofline *roofline = of;
    const struct machine *machine = roofline->judge.machine;
    const char *reason = roofline->options->no_machine;

    if (!machine)
        say(line, roofline_uncalibrated_text, said_words(reason ? reason : "no calibration"));
    else if (machine->host[0])
        say(line, roofline_calibrated_text, said_words(machine->cpu), said_words(machine->host),
            said_words(machine->date));
    else
        say(line, roofline_given_text, said_words(machine->source));
    for (size_t i = 0; machine && i < text_list_count(&machine->warnings); i++)
        say(line, calibrate_doubtful_text, said_words(text_list_at(&machine->warnings, i)));
}

static void append_threads(struct text *line, const void *of)
{
    static const struct said *const texts[] = {
        &roofline_threads_given_text, &roofline_threads_set_text, &roofline_threads_used_text};
    const struct judge *judge = &((const struct roofline *)of)->judge;

    if (judge->machine)
        say(line, *texts[judge->threads_from], said_count(judge->threads));
}

/* Between items of a list: nothing before the first. */
static struct said separator(const struct text *line, const char *words)
{
    return said_words(line->size > 0 ? words : "");
}

static void append_peak(struct text *line, const struct judge *judge,
                        enum machine_precision precision)
{
    double gemm = gemm_of(judge, precision), ridge = ridge_of(judge, precision);
    char intensity[UNITS_SIZE];

    say_part(line, roofline_peak_text, separator(line, "; "),
             said_words(machine_precision_name(precision)),
             said_flop_rate(peak_of(judge, precision)));
    if (isfinite(gemm))
        say_part(line, roofline_gemm_text, said_flop_rate(gemm));
    snprintf(intensity, sizeof intensity, "%.1f", ridge);
    if (isfinite(ridge))
        say_part(line, roofline_ridge_text, said_words(intensity));
}

static void append_peaks(struct text *line, const void *of)
{
    const struct judge *judge = &((const struct roofline *)of)->judge;

    for (int i = 0; i < MACHINE_PRECISIONS; i++)
        if (isfinite(peak_of(judge, (enum machine_precision)i)))
            append_peak(line, judge, (enum machine_precision)i);
}

static void append_bandwidths(struct text *line, const void *of)
{
    const struct judge *judge = &((const struct roofline *)of)->judge;

    for (int i = 0; i < MACHINE_LEVELS; i++) {
        enum machine_level level = (enum machine_level)i;
        double rate = bandwidth_of(judge, level);

        if (isfinite(rate))
            say_part(line, roofline_bandwidth_text, separator(line, ", "),
                     said_words(machine_level_name(level)), said_byte_rate(rate));
    }
}

static void append_wasted(struct text *line, const void *of)
{
    struct sums sums = sum(of);
    struct said share[JUDGE_LATENCY + 1], name[JUDGE_LATENCY + 1];

    if (sums.judged_ns <= 0)
        return;
    say(line, roofline_wasted_text, said_time(sums.wasted_ns), said_time(sums.judged_ns));
    for (int i = JUDGE_COMPUTE; i <= JUDGE_LATENCY; i++) {
        share[i] = said_share(sums.bound_ns[i] / sums.judged_ns);
        name[i] = said_words(judge_bound_name((enum judge_bound)i));
    }
    say(line, roofline_bounds_text, name[JUDGE_COMPUTE], share[JUDGE_COMPUTE], name[JUDGE_MEMORY],
        share[JUDGE_MEMORY], name[JUDGE_LATENCY], share[JUDGE_LATENCY]);
}

/* A share of the time without a roof, by its reason. */
static void append_part(struct text *line, const struct sums *sums, double ns, const char *reason)
{
    bool is_first = line->bytes[line->size - 1] != ')';

    if (ns > 0)
        say_part(line, roofline_lack_text, said_words(is_first ? ":" : ","), said_words(reason),
                 said_share(ns / sums->kernel_ns));
}

static void append_lack(struct text *line, const struct sums *sums, enum judge_lack lack,
                        enum machine_precision precision)
{
    double ns = lack == JUDGE_LACKS_PEAK ? sums->peakless_ns[precision] : sums->lacking_ns[lack];
    struct text reason;

    text_init(&reason);
    judge_append_lack(&reason, lack, precision);
    append_part(line, sums, ns, reason.bytes);
}

static void append_unjudged(struct text *line, const void *of)
{
    const struct roofline *roofline = of;
    struct sums sums = sum(roofline);
    double ns = sums.kernel_ns - sums.judged_ns;

    if (!roofline->judge.machine || ns <= 0)
        return;
    say(line, roofline_unjudged_text, said_time(ns), said_time(sums.kernel_ns),
        said_share(ns / sums.kernel_ns));
    for (int i = 0; i <= MACHINE_PRECISIONS; i++)
        append_lack(line, &sums, JUDGE_LACKS_PEAK, (enum machine_precision)i);
    append_lack(line, &sums, JUDGE_LACKS_WORK, MACHINE_PRECISIONS);
    append_lack(line, &sums, JUDGE_LACKS_BANDWIDTH, MACHINE_PRECISIONS);
    append_lack(line, &sums, JUDGE_LACKS_LOOP, MACHINE_PRECISIONS);
    append_part(line, &sums, sums.invalid_ns, "invalid");
    text_append(line, ".");
}

static void append_levels(struct text *line, const void *of)
{
    const struct roofline *roofline = of;
    struct sums sums = sum(roofline);

    for (int i = 0; i < MACHINE_LEVELS && sums.judged_ns > 0; i++) {
        enum machine_level level = (enum machine_level)i;

        if (isfinite(bandwidth_of(&roofline->judge, level)))
            say_part(line, roofline_set_text, line->size > 0 ? said_words(",") : roofline_sets_text,
                     said_words(machine_level_name(level)),
                     said_share(sums.level_ns[i] / sums.judged_ns));
    }
    if (line->size > 0)
        say_part(line, roofline_sets_whole_text);
}

/* Missed loads divided by loads; NAN when either was not counted. */
static double miss_rate(const struct session *session, enum trace_counter_id misses,
                        enum trace_counter_id loads)
{
    const struct session_counter *missed = &session->counters[misses];
    const struct session_counter *all = &session->counters[loads];

    return missed->is_known && all->is_known ? missed->value / all->value : (double)NAN;
}

/* Misses that the processor counted for the whole process, next to those expected from working
 * sets. */
static void append_misses(struct text *line, const void *of)
{
    const struct roofline *roofline = of;
    const struct session *session = roofline->session;
    double nearest = miss_rate(session, TRACE_COUNTER_L1D_MISSES, TRACE_COUNTER_L1D_LOADS);
    double last = miss_rate(session, TRACE_COUNTER_LLC_MISSES, TRACE_COUNTER_LLC_LOADS);

    if (isfinite(nearest))
        say(line, roofline_misses_nearest_text, said_share(nearest));
    if (isfinite(last))
        say(line, roofline_misses_last_text, said_share(last));
    if (line->size > 0)
        say(line, roofline_misses_whole_text);
}

static void append_utilization(struct text *line, const void *of)
{
    const struct roofline *roofline = of;
    struct utilization used = utilization_of(roofline->session, roofline->options);

    utilization_append(line, &used);
}

static const struct record_line head_rows[] = {
    {{"machine", "Machine", NULL, UNIT_TEXT, 0}, append_machine},
    {{"threads", "Threads", NULL, UNIT_TEXT, 0}, append_threads},
    {{"peaks", "Peak", NULL, UNIT_TEXT, 0}, append_peaks},
    {{"bandwidths", "Bandwidth", NULL, UNIT_TEXT, 0}, append_bandwidths},
    {{"wasted", "Wasted", NULL, UNIT_TEXT, 0}, append_wasted},
    {{"no_roof", "No roof", NULL, UNIT_TEXT, 0}, append_unjudged},
    {{"levels", "Working sets", NULL, UNIT_TEXT, 0}, append_levels},
    {{"misses", "Misses", NULL, UNIT_TEXT, 0}, append_misses},
    {{"utilization", "Utilization", NULL, UNIT_TEXT, 0}, append_utilization},
};

static void add_lines(struct document *document, const struct roofline *roofline)
{
    struct record *record = document_add_record(document, "head", "Roofs", SECTION_IN_TEXT);

    record_add_lines(record, head_rows, sizeof head_rows / sizeof *head_rows, roofline);
}

void roofline_add_head(struct document *document, const struct roofline *roofline)
{
    add_record(document, roofline);

    add_lines(document, roofline);
}
