/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Looking a machine's limits up, and the roofline model.
 */
#include "model/machine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const precision_names[] = {
#define PRECISION(id, name, bytes, reason) name,
#include "spec/precisions.def"
#undef PRECISION
};

static const char *const stream_names[] = {
#define MACHINE_STREAM(id, name, words, help) name,
#include "model/machine_streams.def"
#undef MACHINE_STREAM
};

static const char *const level_names[] = {"L1", "L2", "L3", "DRAM"};

void machine_init(struct machine *machine)
{
    *machine = (struct machine){0};
#define MACHINE_TEXT(field, title, help)
#define MACHINE_NUMBER(field, title, unit, help) machine->field = (double)NAN;
#include "model/machine_facts.def"
#undef MACHINE_TEXT
#undef MACHINE_NUMBER
    array_init(&machine->caches, sizeof(struct machine_cache));
    array_init(&machine->peaks, sizeof(struct machine_peak));
    array_init(&machine->bandwidths, sizeof(struct machine_bandwidth));
    text_list_init(&machine->warnings);
}

void machine_fini(struct machine *machine)
{
    array_fini(&machine->caches);
    array_fini(&machine->peaks);
    array_fini(&machine->bandwidths);
    text_list_fini(&machine->warnings);
}

void machine_init_given(struct machine *machine, double flops_per_second, double bytes_per_second)
{
    struct machine_bandwidth *bandwidth;

    machine_init(machine);
    snprintf(machine->source, sizeof machine->source, "the command line");
    for (int i = 0; i < MACHINE_PRECISIONS && isfinite(flops_per_second); i++) {
        struct machine_peak *peak = array_add(&machine->peaks);

        *peak = (struct machine_peak){.precision = (enum machine_precision)i,
                                      .flops_per_second = flops_per_second,
                                      .spread = (double)NAN,
                                      .gemm_flops_per_second = (double)NAN};
    }
    if (!isfinite(bytes_per_second))
        return;
    bandwidth = array_add(&machine->bandwidths);
    *bandwidth = (struct machine_bandwidth){.level = MACHINE_DRAM, .spread = (double)NAN};
    for (int i = 0; i < MACHINE_STREAMS; i++)
        bandwidth->bytes_per_second[i] = bytes_per_second;
}

const char *machine_precision_name(enum machine_precision precision)
{
    return precision < MACHINE_PRECISIONS ? precision_names[precision] : NULL;
}

const char *machine_no_peak_reason(const struct machine *machine, enum machine_precision precision)
{
    static const char *const reasons[] = {
#define PRECISION(id, name, bytes, reason) reason,
#include "spec/precisions.def"
#undef PRECISION
    };

    for (size_t i = 0; i < machine->peaks.count; i++)
        if (((const struct machine_peak *)array_at(&machine->peaks, i))->precision == precision)
            return NULL;
    return reasons[precision];
}

const char *machine_level_name(enum machine_level level)
{
    return level < MACHINE_LEVELS ? level_names[level] : NULL;
}

const char *machine_stream_name(enum machine_stream stream)
{
    return stream_names[stream];
}

double machine_precision_bytes(enum machine_precision precision)
{
    static const double sizes[] = {
#define PRECISION(id, name, bytes, reason) bytes,
#include "spec/precisions.def"
#undef PRECISION
    };

    return precision < MACHINE_PRECISIONS ? sizes[precision] : (double)NAN;
}

static int find_name(const char *const *names, int count, const char *name)
{
    int i = 0;

    while (i < count && strcmp(names[i], name) != 0)
        i++;
    return i;
}

enum machine_precision machine_find_precision(const char *name)
{
    return (enum machine_precision)find_name(precision_names, MACHINE_PRECISIONS, name);
}

enum machine_level machine_find_level(const char *name)
{
    return (enum machine_level)find_name(level_names, MACHINE_LEVELS, name);
}

bool machine_is(const struct machine *machine, const char *host, const char *cpu)
{
    return host && cpu && strcmp(machine->host, host) == 0 && strcmp(machine->cpu, cpu) == 0;
}

/* A rate that was measured with some numbers of threads. */
struct curve {
    unsigned below; /* the largest number measured that is not above `threads` */
    unsigned above; /* the smallest that is not below */
    double rate_below;
    double rate_above;
    unsigned threads; /* asked for */
};

static void curve_take(struct curve *curve, unsigned threads, double rate)
{
    if (!isfinite(rate))
        return;
    if (threads == 0)
        threads = curve->threads;
    if (threads <= curve->threads && threads >= curve->below) {
        curve->below = threads;
        curve->rate_below = rate;
    }
    if (threads >= curve->threads && (curve->above == 0 || threads <= curve->above)) {
        curve->above = threads;
        curve->rate_above = rate;
    }
}

static double curve_value(const struct curve *curve)
{
    double part;

    if (curve->below == 0)
        return curve->above > 0 ? curve->rate_above : (double)NAN;
    if (curve->above == 0 || curve->above == curve->below)
        return curve->rate_below;
    part = (double)(curve->threads - curve->below) / (double)(curve->above - curve->below);
    return curve->rate_below + part * (curve->rate_above - curve->rate_below);
}

static struct curve curve_begin(unsigned threads)
{
    return (struct curve){.threads = threads > 0 ? threads : 1};
}

double machine_peak(const struct machine *machine, enum machine_precision precision,
                    unsigned threads)
{
    struct curve curve = curve_begin(threads);

    for (size_t i = 0; i < machine->peaks.count; i++) {
        const struct machine_peak *peak = array_at(&machine->peaks, i);

        if (peak->precision == precision)
            curve_take(&curve, peak->threads, peak->flops_per_second);
    }
    return curve_value(&curve);
}

double machine_peak_spread(const struct machine *machine, enum machine_precision precision,
                           unsigned threads)
{
    struct curve curve = curve_begin(threads);

    for (size_t i = 0; i < machine->peaks.count; i++) {
        const struct machine_peak *peak = array_at(&machine->peaks, i);

        if (peak->precision == precision)
            curve_take(&curve, peak->threads, peak->spread);
    }
    return curve_value(&curve);
}

double machine_bandwidth_spread(const struct machine *machine, enum machine_level level,
                                unsigned threads)
{
    struct curve curve = curve_begin(threads);

    for (size_t i = 0; i < machine->bandwidths.count; i++) {
        const struct machine_bandwidth *bandwidth = array_at(&machine->bandwidths, i);

        if (bandwidth->level == level)
            curve_take(&curve, bandwidth->threads, bandwidth->spread);
    }
    return curve_value(&curve);
}

double machine_gemm(const struct machine *machine, enum machine_precision precision,
                    unsigned threads)
{
    struct curve curve = curve_begin(threads);

    for (size_t i = 0; i < machine->peaks.count; i++) {
        const struct machine_peak *peak = array_at(&machine->peaks, i);

        if (peak->precision == precision)
            curve_take(&curve, peak->threads, peak->gemm_flops_per_second);
    }
    return curve_value(&curve);
}

/* Updates in place are faster, and few kernels do them: moves.def lists them. */
static bool is_in_place(enum machine_stream stream)
{
    return stream == MACHINE_UPDATE || stream == MACHINE_RESCALE;
}

static double highest(const struct machine_bandwidth *bandwidth)
{
    double most = (double)NAN;

    for (int i = 0; i < MACHINE_STREAMS; i++)
        if (!is_in_place((enum machine_stream)i))
            most = fmax(most, bandwidth->bytes_per_second[i]);
    return most;
}

double machine_bandwidth(const struct machine *machine, enum machine_level level, unsigned threads)
{
    struct curve curve = curve_begin(threads);

    for (size_t i = 0; i < machine->bandwidths.count; i++) {
        const struct machine_bandwidth *bandwidth = array_at(&machine->bandwidths, i);

        if (bandwidth->level == level)
            curve_take(&curve, bandwidth->threads, highest(bandwidth));
    }
    return curve_value(&curve);
}

double machine_stream(const struct machine *machine, enum machine_stream stream,
                      enum machine_level level, unsigned threads)
{
    struct curve curve = curve_begin(threads);

    for (size_t i = 0; i < machine->bandwidths.count; i++) {
        const struct machine_bandwidth *bandwidth = array_at(&machine->bandwidths, i);

        if (bandwidth->level == level)
            curve_take(&curve, bandwidth->threads, bandwidth->bytes_per_second[stream]);
    }
    return curve_value(&curve);
}

double machine_triad(const struct machine *machine, enum machine_level level, unsigned threads)
{
    return machine_stream(machine, MACHINE_TRIAD, level, threads);
}

double machine_working_set(const struct machine *machine, enum machine_level level)
{
    double most = 0;

    for (size_t i = 0; i < machine->bandwidths.count; i++) {
        const struct machine_bandwidth *bandwidth = array_at(&machine->bandwidths, i);

        if (bandwidth->level == level)
            most = fmax(most, (double)bandwidth->working_set_bytes);
    }
    return most;
}

/* Threads that share a cache do not have it twice. */
double machine_capacity(const struct machine *machine, enum machine_level level, unsigned threads)
{
    for (size_t i = 0; i < machine->caches.count; i++) {
        const struct machine_cache *cache = array_at(&machine->caches, i);
        unsigned sharers = cache->sharers > 0 ? cache->sharers : 1;
        unsigned asked = threads > 0 ? threads : 1;

        if (cache->level == level)
            return (double)cache->size_bytes * ((asked + sharers - 1) / sharers);
    }
    return (double)NAN;
}

enum machine_level machine_find_home(const struct machine *machine, double bytes, unsigned threads)
{
    for (int i = 0; i < MACHINE_DRAM; i++) {
        enum machine_level level = (enum machine_level)i;

        if (bytes <= machine_capacity(machine, level, threads) &&
            isfinite(machine_bandwidth(machine, level, threads)))
            return level;
    }
    return MACHINE_DRAM;
}

struct machine_roof machine_find_roof(const struct machine *machine,
                                      enum machine_precision precision, double bytes,
                                      unsigned threads)
{
    enum machine_level level = machine_find_home(machine, bytes, threads);

    return (struct machine_roof){.peak = machine_peak(machine, precision, threads),
                                 .bandwidth = machine_bandwidth(machine, level, threads),
                                 .level = level};
}

double machine_ridge(const struct machine_roof *roof)
{
    return roof->peak / roof->bandwidth;
}

double machine_attainable(const struct machine_roof *roof, double flops_per_byte)
{
    double by_bytes = flops_per_byte * roof->bandwidth;

    if (isnan(by_bytes) || isnan(roof->peak))
        return (double)NAN;
    return fmin(roof->peak, by_bytes);
}

double machine_least_seconds(const struct machine_roof *roof, long double flops, long double bytes)
{
    double compute = flops == 0 ? 0 : (double)(flops / roof->peak);
    double transfer = (double)(bytes / roof->bandwidth);

    if (isnan(compute) || isnan(transfer))
        return (double)NAN;
    return fmax(compute, transfer);
}
