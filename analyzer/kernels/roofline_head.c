/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a roofline is judged by: a record for programs, lines for people.
 */
#include <math.h>

#include "base/units.h"
#include "document/fields.h"
#include "figures/utilization.h"
#include "kernels/roofline_parts.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_unknown.h"

/* Sums over the rows. */
struct sums {
    double kernel_ns; /* of calls that own their FLOPs, see group_work_ns */
    double judged_ns; /* of these, with a roof */
    double wasted_ns;
    double bound_ns[JUDGE_LATENCY + 1];
    double level_ns[MACHINE_LEVELS + 1];
    size_t invalid;
    double invalid_ns;
    double lacking_ns[JUDGE_LACKS]; /* by what there is no roof for; those of a peak: */
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

/* ---- for programs ------------------------------------------------------------ */

static const struct column level_columns[] = {
    FIELD("L1", UNIT_BYTES_PER_SECOND), FIELD("L2", UNIT_BYTES_PER_SECOND),
    FIELD("L3", UNIT_BYTES_PER_SECOND), FIELD("DRAM", UNIT_BYTES_PER_SECOND)};

static const struct column time_columns[] = {FIELD("L1", UNIT_NS), FIELD("L2", UNIT_NS),
                                             FIELD("L3", UNIT_NS), FIELD("DRAM", UNIT_NS)};

static const struct column precision_columns[] = {
#define PRECISION(id, name, bytes, reason) FIELD(name, UNIT_FLOPS_PER_SECOND),
#include "spec/precisions.def"
#undef PRECISION
};

static const struct column machine_columns[] = {
    FIELD("calibration", UNIT_TEXT),
    FIELD("reason", UNIT_TEXT),
    FIELD("date", UNIT_TEXT),
    FIELD("host", UNIT_TEXT),
    FIELD("cpu", UNIT_TEXT),
    FIELD("threads", UNIT_COUNT),
    FIELD("threads_from", UNIT_TEXT),
    FIELD("peak_flops_per_second", UNIT_FLOPS_PER_SECOND),
    FIELD("gemm_flops_per_second", UNIT_FLOPS_PER_SECOND),
    FIELD("bandwidth_bytes_per_second", UNIT_BYTES_PER_SECOND),
    FIELD("stream_triad_bytes_per_second", UNIT_BYTES_PER_SECOND),
    FIELD("ridge_flops_per_byte", UNIT_REAL),
    FIELD("allowed_threads", UNIT_COUNT),
    FIELD("mfu", UNIT_FRACTION),
    FIELD("hfu", UNIT_FRACTION),
    FIELD("mfu_of", UNIT_TEXT),
    FIELD("wasted_ns", UNIT_NS),
    FIELD("judged_ns", UNIT_NS),
    FIELD("kernel_ns", UNIT_NS),
    FIELD("invalid_rows", UNIT_COUNT),
    FIELD("level_ns", UNIT_NS),
};

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

static void add_precisions(struct fields *outer, const struct judge *judge,
                           double (*of)(const struct judge *, enum machine_precision))
{
    struct fields fields = fields_add_record(outer, precision_columns);

    for (int i = 0; i < MACHINE_PRECISIONS; i++)
        fields_add_real(&fields, of(judge, (enum machine_precision)i));
    if (fields.status)
        outer->status = fields.status;
}

static void add_levels(struct fields *outer, const struct judge *judge)
{
    struct fields fields = fields_add_record(outer, level_columns);

    for (int i = 0; i < MACHINE_LEVELS; i++)
        fields_add_real(&fields, bandwidth_of(judge, (enum machine_level)i));
    if (fields.status)
        outer->status = fields.status;
}

static void add_times(struct fields *outer, const struct sums *sums)
{
    struct fields fields = fields_add_record(outer, time_columns);

    for (int i = 0; i < MACHINE_LEVELS; i++)
        fields_add_count(&fields,
                         sums->judged_ns > 0 ? (uint64_t)sums->level_ns[i] : SESSION_UNKNOWN);
    if (fields.status)
        outer->status = fields.status;
}

static void add_sums(struct fields *fields, const struct roofline *roofline)
{
    struct sums sums = sum(roofline);
    bool is_judged = sums.judged_ns > 0;

    if (is_judged)
        fields_add_count(fields, (uint64_t)sums.wasted_ns);
    else
        fields_add_null(fields);
    fields_add_count(fields, (uint64_t)sums.judged_ns);
    fields_add_count(fields, (uint64_t)sums.kernel_ns);
    fields_add_count(fields, sums.invalid);
    add_times(fields, &sums);
}

static const char *const from_names[] = {"option", "environment", "processor time"};

static enum status add_record(struct document *document, const struct roofline *roofline)
{
    const struct judge *judge = &roofline->judge;
    const struct machine *machine = judge->machine;
    struct utilization utilization = utilization_of(roofline->session, roofline->options);
    struct fields fields = fields_begin(
        document_add_record(document, "machine", NULL, SECTION_IN_JSON), machine_columns);

    fields_add_text(&fields, machine ? machine->source : NULL);
    fields_add_text(&fields, machine ? NULL : roofline->options->no_machine);
    fields_add_text(&fields, machine && machine->date[0] ? machine->date : NULL);
    fields_add_text(&fields, machine && machine->host[0] ? machine->host : NULL);
    fields_add_text(&fields, machine && machine->cpu[0] ? machine->cpu : NULL);
    fields_add_count(&fields, judge->threads);
    fields_add_text(&fields, from_names[judge->threads_from]);
    add_precisions(&fields, judge, peak_of);
    add_precisions(&fields, judge, gemm_of);
    add_levels(&fields, judge);
    fields_add_real(&fields,
                    machine ? machine_triad(machine, MACHINE_DRAM, judge->threads) : (double)NAN);
    add_precisions(&fields, judge, ridge_of);
    fields_add_count(&fields, utilization.threads > 0 ? utilization.threads : SESSION_UNKNOWN);
    fields_add_real(&fields, utilization.mfu);
    fields_add_real(&fields, utilization.hfu);
    fields_add_text(&fields, utilization_model_name(&utilization));
    add_sums(&fields, roofline);
    return fields.status;
}

/* ---- for people ---------------------------------------------------------------- */

static void append_machine(struct text *line, const void *of)
{
    const struct roofline *roofline = of;
    const struct machine *machine = roofline->judge.machine;

    if (!machine)
        text_append(line, roofline->options->no_machine ? roofline->options->no_machine
                                                        : "no calibration");
    else if (machine->host[0])
        text_appendf(line, "%s on %s, calibrated %s", machine->cpu, machine->host, machine->date);
    else
        text_appendf(line, "as %s says", machine->source);
    for (size_t i = 0; machine && i < text_list_count(&machine->warnings); i++)
        text_appendf(line, "; doubtful: %s", text_list_at(&machine->warnings, i));
}

static void append_threads(struct text *line, const void *of)
{
    const struct roofline *roofline = of;
    static const char *const reasons[] = {
        "as --threads says", "as the environment set it (--threads N says otherwise)",
        "by processor time beyond that of the calling threads (--threads N says otherwise)"};
    const struct judge *judge = &roofline->judge;

    if (!judge->machine)
        return;
    text_appendf(line, "%u thread%s a call, %s", judge->threads,
                 units_choose(judge->threads, "", "s"), reasons[judge->threads_from]);
}

static void append_peaks(struct text *line, const void *of)
{
    const struct roofline *roofline = of;
    const struct judge *judge = &roofline->judge;

    for (int i = 0; i < MACHINE_PRECISIONS; i++) {
        enum machine_precision precision = (enum machine_precision)i;
        double peak = peak_of(judge, precision), gemm = gemm_of(judge, precision);
        char rate[UNITS_SIZE], best[UNITS_SIZE];

        if (isnan(peak))
            continue;
        text_appendf(line, "%s%s %s", line->size ? "; " : "", machine_precision_name(precision),
                     units_format_flop_rate(rate, peak));
        if (isfinite(gemm))
            text_appendf(line, " (best product of matrices %s)",
                         units_format_flop_rate(best, gemm));
        if (isfinite(ridge_of(judge, precision)))
            text_appendf(line, ", ridge %.1f FLOP/B", ridge_of(judge, precision));
    }
}

static void append_bandwidths(struct text *line, const void *of)
{
    const struct roofline *roofline = of;

    for (int i = 0; i < MACHINE_LEVELS; i++) {
        double rate = bandwidth_of(&roofline->judge, (enum machine_level)i);
        char text[UNITS_SIZE];

        if (isfinite(rate))
            text_appendf(line, "%s%s %s", line->size ? ", " : "",
                         machine_level_name((enum machine_level)i),
                         units_format_byte_rate(text, rate));
    }
}

static void append_wasted(struct text *line, const void *of)
{
    const struct roofline *roofline = of;
    struct sums sums = sum(roofline);
    char wasted[UNITS_SIZE], judged[UNITS_SIZE], share[UNITS_SIZE];

    if (sums.judged_ns <= 0)
        return;
    text_appendf(line, "%s of %s in kernels with a roof, against that roof",
                 units_format_time(wasted, sums.wasted_ns),
                 units_format_time(judged, sums.judged_ns));
    for (int i = JUDGE_COMPUTE; i <= JUDGE_LATENCY; i++)
        text_appendf(line, "%s %s %s", i == JUDGE_COMPUTE ? "; time bound by" : ",",
                     judge_bound_name((enum judge_bound)i),
                     units_format_percent(share, sums.bound_ns[i] / sums.judged_ns));
}

/* A share of the time without a roof, by its reason. */
static void append_part(struct text *line, const struct sums *sums, double ns, const char *reason)
{
    const char *separator = line->bytes[line->size - 1] == ')' ? "," : ":";
    char share[UNITS_SIZE];

    if (ns > 0)
        text_appendf(line, "%s %s (%s)", separator, reason,
                     units_format_percent(share, ns / sums->kernel_ns));
}

static void append_peakless(struct text *line, const struct sums *sums)
{
    for (int i = 0; i <= MACHINE_PRECISIONS; i++) {
        struct text reason;

        text_init(&reason);
        judge_append_lack(&reason, JUDGE_LACKS_PEAK, (enum machine_precision)i);
        append_part(line, sums, sums->peakless_ns[i], reason.bytes);
        text_fini(&reason);
    }
}

static void append_unjudged(struct text *line, const void *of)
{
    const struct roofline *roofline = of;
    struct sums sums = sum(roofline);
    char unjudged[UNITS_SIZE], kernels[UNITS_SIZE], share[UNITS_SIZE];
    double ns = sums.kernel_ns - sums.judged_ns;

    if (!roofline->judge.machine || ns <= 0)
        return;
    text_appendf(line, "%s of %s in kernels, %s", units_format_time(unjudged, ns),
                 units_format_time(kernels, sums.kernel_ns),
                 units_format_percent(share, ns / sums.kernel_ns));
    append_peakless(line, &sums);
    append_part(line, &sums, sums.lacking_ns[JUDGE_LACKS_WORK], "FLOPs or bytes are unknown");
    append_part(line, &sums, sums.lacking_ns[JUDGE_LACKS_BANDWIDTH], "no bandwidth is known");
    append_part(line, &sums, sums.lacking_ns[JUDGE_LACKS_LOOP],
                "the calibration has no loop that moves memory so; run tprof calibrate again");
    append_part(line, &sums, sums.invalid_ns, "invalid");
}

static void append_levels(struct text *line, const void *of)
{
    const struct roofline *roofline = of;
    struct sums sums = sum(roofline);

    for (int i = 0; i < MACHINE_LEVELS && sums.judged_ns > 0; i++) {
        enum machine_level level = (enum machine_level)i;
        char share[UNITS_SIZE];

        if (isfinite(bandwidth_of(&roofline->judge, level)))
            text_appendf(line, "%s%s %s", line->size ? ", " : "calls with their bytes in ",
                         machine_level_name(level),
                         units_format_percent(share, sums.level_ns[i] / sums.judged_ns));
    }
    if (line->size > 0)
        text_append(line, " of that time");
}

/* Missed loads by loads; NAN when either was not counted. */
static double miss_rate(const struct session *session, enum trace_counter_id misses,
                        enum trace_counter_id loads)
{
    const struct session_counter *missed = &session->counters[misses];
    const struct session_counter *all = &session->counters[loads];

    return missed->is_known && all->is_known ? missed->value / all->value : (double)NAN;
}

/* What the processor counted of the whole process stands beside what working sets
 * let expect. */
static void append_misses(struct text *line, const void *of)
{
    const struct roofline *roofline = of;
    const struct session *session = roofline->session;
    double nearest = miss_rate(session, TRACE_COUNTER_L1D_MISSES, TRACE_COUNTER_L1D_LOADS);
    double last = miss_rate(session, TRACE_COUNTER_LLC_MISSES, TRACE_COUNTER_LLC_LOADS);
    char share[UNITS_SIZE];

    if (isfinite(nearest))
        text_appendf(line, "%s of loads missed L1", units_format_percent(share, nearest));
    if (isfinite(last))
        text_appendf(line, "%s%s of the loads that came to it missed the last cache",
                     line->size ? ", " : "", units_format_percent(share, last));
    if (line->size > 0)
        text_append(line, ", counted over the whole process");
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

static enum status add_lines(struct document *document, const struct roofline *roofline)
{
    struct record *record = document_add_record(document, "head", "Roofs", SECTION_IN_TEXT);

    return record_add_lines(record, head_rows, sizeof head_rows / sizeof *head_rows, roofline);
}

enum status roofline_add_head(struct document *document, const struct roofline *roofline)
{
    enum status status = add_record(document, roofline);

    return status ? status : add_lines(document, roofline);
}
