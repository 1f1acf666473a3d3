/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The order of a calibration: for each number of threads the peaks, then the bandwidth of each
 * level.  The products of a BLAS library come last, as its threads may go on spinning.
 */
#include "machine/calibrate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "config.h"
#include "machine/gemm.h"
#include "machine/loops.h"
#include "machine/processors.h"
#include "machine/quiet.h"
#include "machine/team.h"
#include "machine/trials.h"

enum {
    ARRAYS = 3,        /* arrays of a stream */
    STREAM_FACTOR = 4, /* size of a STREAM array, in last caches */
    MEMORY_PART = 8,   /* part of the free memory that all arrays may use */
    PAD = 1088,        /* bytes between arrays: equal places in a page would collide */
    PLACES = 8,        /* offsets of a cached working set, used in turn */
    PLACE_PAGES = 9,
    PAGE = 4096
};

static const double trial_seconds = 0.5e-3; /* at least, so that the clock's resolution does not
                                               matter */
static const double gemm_part = 0.3;        /* share of the time */
static const size_t array_most = (size_t)512 << 20;

/* All that the parts of a calibration share. */
struct calibration {
    struct machine *machine;
    const struct calibrate_plan *plan;
    struct processors processors;
    struct team *team;
    double step_seconds; /* time for one figure */
    unsigned steps;      /* in all */
    unsigned step;
    char *memory; /* memory of all members' arrays */
    size_t memory_size;
    size_t member_size; /* bytes of it for each */
};

/* Report the next measurement, and its number of all steps. */
static void tell(struct calibration *work, const char *what, unsigned steps)
{
    if (work->plan->on_progress)
        work->plan->on_progress(work->plan->progress_of, what,
                                (double)work->step / (double)work->steps);
    work->step += steps;
}

/* Results are stored here, so the compiler keeps the loops. */
static volatile double sink;

/* Measure figures of one kind, in turn. */
static void measure_figures(struct calibration *work, const char *what,
                            struct trials_figure *figures, unsigned count)
{
    tell(work, what, count);
    trials_repeat(figures, count, work->step_seconds * count);
}

struct peak_trial {
    struct team *team;
    loop_fma loop;
    double flops_each;
    uint64_t rounds;
};

static void peak_job(void *of, unsigned member)
{
    static const struct loop_seeds seeds = {1, 0.999, 0.001};
    const struct peak_trial *trial = of;

    sink = trial->loop(&seeds, trial->rounds) + member;
}

static double peak_rate(void *of)
{
    struct peak_trial *trial = of;
    double seconds = team_run(trial->team, peak_job, trial);

    for (; seconds < trial_seconds; seconds = team_run(trial->team, peak_job, trial))
        trial->rounds *= 2;
    return trial->flops_each * (double)trial->rounds * team_size(trial->team) / seconds;
}

/* The widest instructions are not always the fastest: each set is tried. */
static void add_peak(struct calibration *work, enum machine_precision precision)
{
    struct machine_peak *peak = array_add(&work->machine->peaks);
    struct trials_figure figures[LOOP_PEAKS];
    struct peak_trial trials[LOOP_PEAKS];
    const struct loop_peak *loop;
    unsigned count = 0;

    for (; count < LOOP_PEAKS && (loop = loops_peak_at(precision, count)) != NULL; count++) {
        trials[count] = (struct peak_trial){work->team, loop->fma, (double)loop->flops_each, 1000};
        figures[count] = (struct trials_figure){.rate = peak_rate, .of = &trials[count]};
    }
    measure_figures(work, machine_precision_name(precision), figures, count);
    *peak = (struct machine_peak){.precision = precision,
                                  .threads = team_size(work->team),
                                  .gemm_flops_per_second = (double)NAN};
    for (unsigned i = 0; i < count; i++)
        if (figures[i].best > peak->flops_per_second) {
            peak->flops_per_second = figures[i].best;
            peak->spread = figures[i].spread;
            snprintf(peak->instruction_set, sizeof peak->instruction_set, "%s",
                     loops_peak_at(precision, i)->name);
        }
}

static void add_peaks(struct calibration *work)
{
    for (int i = 0; i < MACHINE_PRECISIONS; i++)
        if (loops_peak_at((enum machine_precision)i, 0))
            add_peak(work, (enum machine_precision)i);
}

struct stream_trial {
    const struct calibration *work;
    loop_stream loop;
    size_t count; /* doubles of an array of one member */
    uint64_t passes;
    double bytes;   /* bytes that one pass of one member counts */
    unsigned place; /* place of the arrays in memory */
};

/* Caches that predict the way from a hash of the address are slow if two arrays share the hash: on
 * Zen, L1 took a quarter of its usual rate in whole runs.  So each trial has its arrays at another
 * place, if all places fit. */
static size_t offset_of(const struct calibration *work, const struct stream_trial *trial)
{
    size_t distance = (size_t)PLACE_PAGES * PAGE;
    size_t size = ARRAYS * (trial->count * sizeof(double) + PAD);

    return size + PLACES * distance < work->member_size ? trial->place * distance : 0;
}

static struct loop_arrays arrays_of(const struct stream_trial *trial, unsigned member)
{
    const struct calibration *work = trial->work;
    size_t count = trial->count;
    char *base = work->memory + member * work->member_size + offset_of(work, trial);
    size_t step = count * sizeof(double) + PAD;

    return (struct loop_arrays){.a = (double *)(void *)base,
                                .b = (double *)(void *)(base + step),
                                .c = (double *)(void *)(base + 2 * step),
                                .count = count,
                                .factor = 3,
                                .shrink = 1e-6,
                                .flip = -1};
}

static void stream_job(void *of, unsigned member)
{
    const struct stream_trial *trial = of;
    struct loop_arrays arrays = arrays_of(trial, member);

    sink = trial->loop(&arrays, trial->passes);
}

static double stream_rate(void *of)
{
    struct stream_trial *trial = of;
    double seconds;

    trial->place = (trial->place + 1) % PLACES;
    seconds = team_run(trial->work->team, stream_job, trial);
    for (; seconds < trial_seconds; seconds = team_run(trial->work->team, stream_job, trial))
        trial->passes *= 2;
    return trial->bytes * (double)trial->passes * team_size(trial->work->team) / seconds;
}

/* Each member touches its own part first, so that its pages are near it. */
static void touch_job(void *of, unsigned member)
{
    struct calibration *work = of;
    double *memory = (double *)(void *)(work->memory + member * work->member_size);

    for (size_t i = 0; i < work->member_size / sizeof *memory; i++)
        memory[i] = 1;
}

static size_t round_down(size_t count)
{
    return count / LOOP_STEP * LOOP_STEP;
}

/* Loops over one array have one as long as the three together. */
static struct stream_trial make_stream(const struct calibration *work, enum machine_stream stream,
                                       size_t count)
{
    static const double words[] = {
#define MACHINE_STREAM(id, name, words, help) words,
#include "model/machine_streams.def"
#undef MACHINE_STREAM
    };
    struct stream_trial trial = {
        .work = work,
        .loop = loops_widest()->streams[stream],
        .count = stream == MACHINE_READ || stream == MACHINE_RESCALE ? ARRAYS * count : count,
        .passes = 1};

    trial.bytes = words[stream] * sizeof(double) * (double)trial.count;
    return trial;
}

static void add_bandwidth(struct calibration *work, enum machine_level level, size_t size)
{
    struct machine_bandwidth *bandwidth = array_add(&work->machine->bandwidths);
    struct trials_figure figures[MACHINE_STREAMS];
    struct stream_trial trials[MACHINE_STREAMS];
    size_t count = round_down(size / ARRAYS / sizeof(double));

    for (int i = 0; i < MACHINE_STREAMS; i++) {
        trials[i] = make_stream(work, (enum machine_stream)i, count);
        figures[i] = (struct trials_figure){.rate = stream_rate, .of = &trials[i]};
    }
    measure_figures(work, machine_level_name(level), figures, MACHINE_STREAMS);
    *bandwidth = (struct machine_bandwidth){.level = level,
                                            .threads = team_size(work->team),
                                            .working_set_bytes = ARRAYS * count * sizeof(double) *
                                                                 team_size(work->team)};
    for (int i = 0; i < MACHINE_STREAMS; i++) {
        bandwidth->bytes_per_second[i] = figures[i].best;
        bandwidth->spread = fmax(bandwidth->spread, figures[i].spread);
    }
}

/* Returns: each thread's part of a cache, for a number of threads; 0 without such a cache. */
static double share_of(const struct calibration *work, enum machine_level level, unsigned threads)
{
    double capacity = machine_capacity(work->machine, level, threads);

    return isfinite(capacity) ? capacity / threads : 0;
}

/* Half of the cache, so nothing else competes for it.  But it must be well beyond the cache before
 * it, which may be as large if caches hold no copies. */
static double working_set(const struct calibration *work, enum machine_level level)
{
    unsigned threads = team_size(work->team);
    double size = share_of(work, level, threads) / 2;
    double nearer = level > MACHINE_L1 ? share_of(work, level - 1, threads) : 0;

    return size > 0 && size < 2 * nearer ? size + nearer : size;
}

static void add_bandwidths(struct calibration *work)
{
    for (int i = 0; i < MACHINE_DRAM; i++) {
        enum machine_level level = (enum machine_level)i;
        double size = working_set(work, level);

        if (size > 0 && size < (double)work->member_size)
            add_bandwidth(work, level, (size_t)size);
    }
    add_bandwidth(work, MACHINE_DRAM, work->member_size - ARRAYS * PAD - ARRAYS);
}

static double last_cache(const struct calibration *work)
{
    double size = 0;

    for (int i = 0; i < MACHINE_DRAM; i++)
        size = fmax(
            size, machine_capacity(work->machine, (enum machine_level)i, work->processors.allowed));
    return size > 0 ? size : 32 << 20;
}

/* As STREAM requires, unless memory is short. */
static size_t choose_memory(const struct calibration *work)
{
    double array = fmin(STREAM_FACTOR * last_cache(work), (double)array_most);

    return (size_t)fmin(ARRAYS * array, processors_free_memory() / MEMORY_PART);
}

static void map_memory(struct calibration *work)
{
    work->memory_size = choose_memory(work);
    work->memory = mmap(NULL, work->memory_size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (work->memory == MAP_FAILED)
        memory_ran_out();
}

static enum status measure_threads(struct calibration *work, unsigned threads)
{
    enum status status;

    map_memory(work);
    status = team_start(&work->team, work->processors.ids, threads);
    if (status) {
        munmap(work->memory, work->memory_size);
        return status;
    }
    work->member_size = work->memory_size / threads / PAGE * PAGE;
    team_run(work->team, touch_job, work);
    add_peaks(work);
    add_bandwidths(work);
    team_stop(work->team);
    munmap(work->memory, work->memory_size);
    return status;
}

static unsigned next_count(unsigned threads, unsigned most)
{
    return threads < most && 2 * threads > most ? most : 2 * threads;
}

static unsigned most_threads(const struct calibration *work)
{
    unsigned allowed = work->processors.allowed;

    return work->plan->threads > 0 && work->plan->threads < allowed ? work->plan->threads : allowed;
}

static unsigned count_steps(const struct calibration *work)
{
    unsigned each = (unsigned)(work->machine->caches.count + 1) * MACHINE_STREAMS, counts = 0;

    for (int i = 0; i < MACHINE_PRECISIONS; i++)
        for (size_t j = 0; loops_peak_at((enum machine_precision)i, j); j++)
            each++;
    for (unsigned threads = 1; threads <= most_threads(work);
         threads = next_count(threads, most_threads(work)))
        counts++;
    return each * counts;
}

static enum status measure_all(struct calibration *work)
{
    unsigned most = most_threads(work);
    enum status status = STATUS_OK;

    work->steps = count_steps(work);
    work->step_seconds = work->plan->seconds * (1 - gemm_part) / work->steps;
    for (unsigned threads = 1; threads <= most && !status; threads = next_count(threads, most))
        status = measure_threads(work, threads);
    return status;
}

static void measure_product(struct calibration *work, const struct gemm *gemm,
                            struct machine_peak *peak, double seconds)
{
    bool is_told = gemm_set_threads(gemm, peak->threads);

    if (!is_told && peak->threads != most_threads(work))
        return;
    tell(work, "matrix product", 0);
    peak->gemm_flops_per_second = gemm_measure(gemm, peak->precision, seconds);
}

static void measure_all_products(struct calibration *work, const struct gemm *gemm)
{
    struct array *peaks = &work->machine->peaks;
    unsigned count = 0;

    for (size_t i = 0; i < peaks->count; i++)
        count += gemm_has(gemm, ((const struct machine_peak *)array_at(peaks, i))->precision);
    for (size_t i = 0; i < peaks->count; i++) {
        struct machine_peak *peak = array_at(peaks, i);

        if (gemm_has(gemm, peak->precision))
            measure_product(work, gemm, peak, work->plan->seconds * gemm_part / count);
    }
}

static void measure_products(struct calibration *work)
{
    struct gemm *gemm;

    if (!work->plan->wants_gemm) {
        snprintf(work->machine->blas_reason, sizeof work->machine->blas_reason, "not asked for");
        return;
    }
    gemm = gemm_open(work->plan->blas, work->machine);
    if (!gemm)
        return;
    measure_all_products(work, gemm);
    gemm_close(gemm);
}

static void measure_clock(struct machine *machine)
{
    enum { READS = 20000 };
    double start = trials_now(), last = start, least = 1, end = start;

    for (int i = 0; i < READS; i++) {
        end = trials_now();
        if (end > last && end - last < least)
            least = end - last;
        last = end;
    }
    machine->clock_resolution_ns = round(1e9 * least);
    machine->clock_cost_ns = 1e9 * (end - start) / READS;
}

static void describe(struct calibration *work)
{
    struct machine *machine = work->machine;
    time_t seconds = time(NULL);
    struct tm utc;

    processors_find(&work->processors);
    processors_describe(machine, &work->processors);
    snprintf(machine->tprof_version, sizeof machine->tprof_version, "%s", PACKAGE_VERSION);
    snprintf(machine->instruction_set, sizeof machine->instruction_set, "%s", loops_widest()->name);
    if (gmtime_r(&seconds, &utc))
        strftime(machine->date, sizeof machine->date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    measure_clock(machine);
}

enum status calibrate_machine(struct machine *machine, const struct calibrate_plan *plan,
                              struct diagnostic *diagnostic)
{
    struct calibration work = {.machine = machine, .plan = plan};
    double start = trials_now();
    struct quiet quiet;
    enum status status;

    describe(&work);
    quiet_begin(&quiet, &work.processors);
    processors_add_caches(machine, &work.processors);
    status = measure_all(&work);
    if (!status) {
        measure_products(&work);
        machine->seconds = trials_now() - start;
        quiet_end(&quiet, machine);
        status = STATUS_OK;
    }
    if (status == STATUS_IO)
        return diagnostic_set(diagnostic, status, "calibrate: the system gives no more threads");
    return status;
}
