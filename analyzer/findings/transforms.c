/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lengths that make a fast Fourier transform slow: FFT-SIZE.
 *
 * FFTW has code for the factors 2, 3, 5, 7, 11 and 13.  For larger primes it uses Rader's and
 * Bluestein's algorithms, which turn the transform into a convolution: two transforms of nearly
 * that length or more instead of one.
 *
 * Sources: FFTW 3.3.10, manual, 4.3.1: sizes that it is best at; C. Rader, Discrete Fourier
 * transforms when the number of data samples is prime, Proc. IEEE 56, 1968.
 */
#include <math.h>
#include <string.h>

#include "findings/targets.h"
#include "findings/texts.h"
#include "model/session_kernels.h"
#include "model/slots.h"

static const double least_share = 0.1; /* share of the wall time in such transforms */

/* A convolution takes two transforms for one, at least. */
static const double saved_of_convolution = 0.5;

/* The share of the roof that good lengths reach at best, by the cache or memory level of their
 * data: each of their passes moves the data.  FFTW 3.3.10 on a Zen 4, planned by FFTW_ESTIMATE, 15
 * lengths from 120 to 1,008,000 with the factors 2, 3, 5 and 7. */
static const double good_shares[MACHINE_LEVELS] = {
    [MACHINE_L1] = 0.45, [MACHINE_L2] = 0.4, [MACHINE_L3] = 0.33, [MACHINE_DRAM] = 0.17};

/* No good length is searched beyond this. */
static const int64_t most_length = INT32_MAX;

/* A length without its prime factors up to `most`. */
static int64_t without_factors(int64_t length, int64_t most)
{
    for (int64_t factor = 2; factor <= most && length > 1; factor++)
        while (length % factor == 0)
            length /= factor;
    return length;
}

/* FFTW's documented factors.  The advice leaves out the two largest factors, which are good only if
 * they occur once at most. */
static int64_t slow_part(int64_t length)
{
    return without_factors(length, 13);
}

static int64_t next_fast(int64_t length)
{
    while (without_factors(length, 7) > 1)
        length++;
    return length;
}

static const char *const lengths[] = {"n0", "n1", "n2", "n3"};

enum { LENGTHS = sizeof lengths / sizeof *lengths };

/* Real-to-real transforms of n numbers are complex ones of another length. */
static bool is_transform(const struct group *group)
{
    const char *adapter = group->kernel ? group->kernel->adapter : NULL;

    return adapter && strcmp(adapter, "fftw") == 0 && !strstr(group->kernel->name, "r2r");
}

static bool has_slow_length(const struct session_slot *slot)
{
    for (int i = 0; i < LENGTHS; i++) {
        int64_t length = slots_find_term(slot, lengths[i]);

        if (length > 1 && slow_part(length) > 1)
            return true;
    }
    return false;
}

/* The least time of all transforms of a row with good lengths; half, without a roof. */
static double good_ns(const struct findings_context *context, size_t index)
{
    const struct judgement *judgement = findings_judgement(context, index);
    const struct machine *machine = context->judge.machine;
    double rate = judgement->attainable_flops_per_second * context->wall.processor;
    double now_ns = (double)findings_group(context, index)->self_ns;

    if (!machine || isnan(rate))
        return saved_of_convolution * now_ns;
    rate *= good_shares[machine_find_home(machine, judgement->call_bytes, context->judge.threads)];
    return 1e9 * (double)findings_group(context, index)->flops / rate;
}

/* Give the first slow length of a row as an example. */
static void say_example(struct text *text, const struct session_slot *slot)
{
    for (int i = 0; i < LENGTHS; i++) {
        int64_t length = slots_find_term(slot, lengths[i]);

        if (length < 1 || length > most_length || slow_part(length) == 1)
            continue;
        say(text, fft_size_example_text, said_count((uint64_t)next_fast(length)),
            said_count((uint64_t)length));
        return;
    }
}

static void add_slow(const struct findings_context *context, struct findings *findings,
                     const struct targets *rows)
{
    struct finding *finding = targets_claim(findings, rows, context, FINDING_CONFIDENCE_LOW);

    say(&finding->evidence, fft_size_primes_text);
    say(&finding->limit,
        context->judge.machine ? fft_size_best_rate_text : fft_size_one_for_two_text);
    say_example(&finding->action, findings_slot(context, rows->named[0]));
}

void rule_fft_size(const struct findings_context *context, struct findings *findings)
{
    struct targets rows = {0};
    size_t transforms = 0;

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);

        if (!is_transform(group))
            continue;
        transforms++;
        if (has_slow_length(findings_slot(context, group)))
            targets_add(&rows, group, (double)group->self_ns - good_ns(context, i));
    }
    if (transforms == 0)
        findings_skip(findings, fft_size_skipped_text);
    else if (findings_fraction(context, rows.thread_ns) >= least_share)
        add_slow(context, findings, &rows);
    else
        findings_pass(findings, fft_size_passed_text,
                      said_share(findings_fraction(context, rows.thread_ns)));
}
