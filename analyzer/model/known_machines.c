/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Looking known machines up.
 */
#include "model/known_machines.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { NAME_SIZE = 64, CANDIDATES = 6 };

#define UNKNOWN ((double)NAN)

/* A row of the table, in its units. */
struct row {
    const char *name;
    const char *words;
    unsigned cores;                                     /* 0: an accelerator */
    double f64, f64_matrix, f32, f32_matrix, bf16, f16; /* TFLOP/s, of all cores */
    double gigabytes, watts, link;
    const char *source;
};

static const struct row rows[] = {
#define KNOWN_GPU(name, f64, f64_matrix, f32, f32_matrix, bf16, f16, gigabytes, watts, link,       \
                  source)                                                                          \
    {name, NULL, 0, f64, f64_matrix, f32, f32_matrix, bf16, f16, gigabytes, watts, link, source},
#define KNOWN_CPU(name, words, cores, ghz, f64, bf16, gigabytes, watts, source)                    \
    {name,    words,                                                                               \
     cores,   1e-3 * (cores) * (ghz) * (f64),                                                      \
     UNKNOWN, 2e-3 * (cores) * (ghz) * (f64),                                                      \
     UNKNOWN, 1e-3 * (cores) * (ghz) * (bf16),                                                     \
     UNKNOWN, gigabytes,                                                                           \
     watts,   UNKNOWN,                                                                             \
     source},
#include "model/known_machines.def"
#undef KNOWN_GPU
#undef KNOWN_CPU
};

enum { ROWS = sizeof rows / sizeof *rows };

/* The peaks of bf16 and f16 are those of matrix units, which keep these precisions.  f32 on matrix
 * units would be TF32, which is less precise. */
static struct known_machine describe(const struct row *row)
{
    struct known_machine machine = {.name = row->name,
                                    .words = row->words,
                                    .is_accelerator = row->cores == 0,
                                    .cores = row->cores,
                                    .bytes_per_second = 1e9 * row->gigabytes,
                                    .watts = row->watts,
                                    .link_bytes_per_second = 1e9 * row->link,
                                    .source = row->source};

    for (int i = 0; i < MACHINE_PRECISIONS; i++)
        machine.peaks[i] = machine.matrix_peaks[i] = UNKNOWN;
    machine.peaks[MACHINE_F64] = 1e12 * row->f64;
    machine.peaks[MACHINE_F32] = 1e12 * row->f32;
    machine.peaks[MACHINE_BF16] = 1e12 * row->bf16;
    machine.peaks[MACHINE_F16] = 1e12 * row->f16;
    machine.matrix_peaks[MACHINE_F64] = 1e12 * row->f64_matrix;
    machine.matrix_peaks[MACHINE_F32] = 1e12 * row->f32_matrix;
    return machine;
}

bool known_machine_at(size_t index, struct known_machine *machine)
{
    if (index >= ROWS)
        return false;
    *machine = describe(&rows[index]);
    return true;
}

/* Letters and digits, in lower case. */
static void simplify(char simple[NAME_SIZE], const char *name)
{
    size_t used = 0;

    for (; *name && used + 1 < NAME_SIZE; name++)
        if (isalnum((unsigned char)*name))
            simple[used++] = (char)tolower((unsigned char)*name);
    simple[used] = '\0';
}

/* How well a name fits: best if its end is the model, as in "l4", which "l40s" also contains. */
enum fit { FIT_NONE, FIT_PART, FIT_END, FITS };

static enum fit fit_of(const struct row *row, const char *simple)
{
    char own[NAME_SIZE];

    simplify(own, row->name);
    if (simple[0] == '\0')
        return FIT_NONE;
    if (text_ends_with(own, strlen(own), simple))
        return FIT_END;
    return strstr(own, simple) ? FIT_PART : FIT_NONE;
}

static enum status refuse_several(const char *name, const char *simple,
                                  struct diagnostic *diagnostic)
{
    char list[300] = "";
    unsigned count = 0;

    for (size_t i = 0; i < ROWS; i++)
        if (fit_of(&rows[i], simple) != FIT_NONE && count++ < CANDIDATES) {
            size_t used = strlen(list);

            snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", rows[i].name);
        }
    return diagnostic_set(diagnostic, STATUS_USAGE, "--machine %.40s: which of %s%s?", name, list,
                          count > CANDIDATES ? " ..." : "");
}

enum status known_machine_find(const char *name, struct known_machine *machine,
                               struct diagnostic *diagnostic)
{
    char simple[NAME_SIZE];
    size_t found[FITS] = {0}, counts[FITS] = {0};
    enum fit best = FIT_END;

    simplify(simple, name);
    for (size_t i = 0; i < ROWS; i++) {
        enum fit fit = fit_of(&rows[i], simple);

        found[fit] = i;
        counts[fit]++;
    }
    if (counts[FIT_END] != 1)
        best = FIT_PART;
    if (best == FIT_PART && counts[FIT_PART] + counts[FIT_END] > 1)
        return refuse_several(name, simple, diagnostic);
    if (counts[best] == 0)
        return diagnostic_set(diagnostic, STATUS_NOT_FOUND,
                              "--machine %.100s: neither a file of tprof calibrate nor a machine "
                              "that tprof list machines knows",
                              name);
    *machine = describe(&rows[found[best]]);
    return STATUS_OK;
}

bool known_machine_of_cpu(const char *cpu, struct known_machine *machine)
{
    for (size_t i = 0; cpu && i < ROWS; i++)
        if (rows[i].words && strcasestr(cpu, rows[i].words)) {
            *machine = describe(&rows[i]);
            return true;
        }
    return false;
}

static double share_of(const struct known_machine *known, unsigned cores)
{
    if (known->cores == 0 || cores == 0 || cores >= known->cores)
        return 1;
    return (double)cores / known->cores;
}

static void add_bandwidth(const struct known_machine *known, struct machine *machine)
{
    struct machine_bandwidth *bandwidth = array_add(&machine->bandwidths);

    *bandwidth = (struct machine_bandwidth){.level = MACHINE_DRAM, .spread = UNKNOWN};
    for (int i = 0; i < MACHINE_STREAMS; i++)
        bandwidth->bytes_per_second[i] = known->bytes_per_second;
}

void known_machine_describe(const struct known_machine *known, unsigned cores,
                            struct machine *machine)
{
    machine_init(machine);
    snprintf(machine->source, sizeof machine->source, "%s", known->source);
    snprintf(machine->cpu, sizeof machine->cpu, "%s", known->name);
    for (int i = 0; i < MACHINE_PRECISIONS; i++) {
        struct machine_peak *peak;

        if (isnan(known->peaks[i]))
            continue;
        peak = array_add(&machine->peaks);
        *peak = (struct machine_peak){.precision = (enum machine_precision)i,
                                      .flops_per_second = known->peaks[i] * share_of(known, cores),
                                      .spread = UNKNOWN,
                                      .gemm_flops_per_second = UNKNOWN};
    }
    add_bandwidth(known, machine);
}
