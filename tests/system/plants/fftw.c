/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: planted_fftw NAME planted|repaired ROUNDS
 *
 * As plants.c, of FFTW.
 */
#include <complex.h>
#include <fftw3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIGNAL = 9000, FILTER = 1008, NEEDED = SIGNAL + FILTER - 1 /* 10007, a prime */ };

/* A signal through a filter: as many zeros as the transforms are longer. */
struct filtering {
    int length;
    double *signal, *filter, *result;
    fftw_complex *spectrum, *response;
    fftw_plan forward, backward;
};

static void init(struct filtering *of, int length)
{
    size_t bins = (size_t)length / 2 + 1;

    of->length = length;
    of->signal = fftw_alloc_real((size_t)length);
    of->filter = fftw_alloc_real((size_t)length);
    of->result = fftw_alloc_real((size_t)length);
    of->spectrum = fftw_alloc_complex(bins);
    of->response = fftw_alloc_complex(bins);
    for (int i = 0; i < length; i++) {
        of->signal[i] = i < SIGNAL ? 1.0 / (1 + i % 7) : 0;
        of->filter[i] = i < FILTER ? 1.0 / FILTER : 0;
    }
}

static void plan(struct filtering *of)
{
    of->forward = fftw_plan_dft_r2c_1d(of->length, of->signal, of->spectrum, FFTW_ESTIMATE);
    of->backward = fftw_plan_dft_c2r_1d(of->length, of->spectrum, of->result, FFTW_ESTIMATE);
}

static void destroy(struct filtering *of)
{
    fftw_destroy_plan(of->forward);
    fftw_destroy_plan(of->backward);
}

static void filter(struct filtering *of)
{
    fftw_execute(of->forward);
    for (int i = 0; i <= of->length / 2; i++)
        of->spectrum[i] *= of->response[i];
    fftw_execute(of->backward);
}

static double sum_result(const struct filtering *of)
{
    double sum = 0;

    for (int i = 0; i < NEEDED; i++)
        sum += of->result[i] / of->length;
    return sum;
}

/* A prime length, although zeros are appended anyway. */
static double run_length(bool is_planted, int rounds)
{
    struct filtering of;

    init(&of, is_planted ? NEEDED : 10080);
    plan(&of);
    fftw_execute_dft_r2c(of.forward, of.filter, of.response);
    for (int i = 0; i < rounds; i++)
        filter(&of);
    return sum_result(&of);
}

/* New plans for every few uses. */
static double run_plans(bool is_planted, int rounds)
{
    enum { USES = 4 };
    struct filtering of;

    init(&of, 10080);
    plan(&of);
    fftw_execute_dft_r2c(of.forward, of.filter, of.response);
    for (int i = 0; i < rounds; i++) {
        if (is_planted && i % USES == 0) {
            destroy(&of);
            plan(&of);
        }
        filter(&of);
    }
    return sum_result(&of);
}

int main(int count, char **arguments)
{
    bool is_planted = count == 4 && strcmp(arguments[2], "planted") == 0;

    if (count == 4 && strcmp(arguments[1], "length") == 0)
        printf("%.3g\n", run_length(is_planted, atoi(arguments[3])));
    else if (count == 4 && strcmp(arguments[1], "plans") == 0)
        printf("%.3g\n", run_plans(is_planted, atoi(arguments[3])));
    else
        return EXIT_FAILURE;
    return EXIT_SUCCESS;
}
