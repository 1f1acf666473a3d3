/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Placing kernels on another roofline.
 *
 * Decision: doc/decisions/other-machines.
 */
#include "money/whatif.h"

#include <math.h>
#include <stdlib.h>

#include "model/session.h"

const char *whatif_bound_name(enum whatif_bound bound)
{
    static const char *const names[] = {NULL, "compute", "memory", "launch"};

    return names[bound];
}

void whatif_place_init(struct whatif_place *place)
{
    *place = (struct whatif_place){.link_bytes_per_second = (double)NAN};
    machine_init(&place->machine);
    for (int i = 0; i < MACHINE_PRECISIONS; i++)
        place->product_peaks[i] = (double)NAN;
}

void whatif_place_fini(struct whatif_place *place)
{
    machine_fini(&place->machine);
}

double whatif_peak(const struct whatif_place *place, enum machine_precision precision,
                   bool is_product)
{
    if (is_product && precision < MACHINE_PRECISIONS && isfinite(place->product_peaks[precision]))
        return place->product_peaks[precision];
    return judge_peak(&place->machine, precision, place->threads);
}

/* The part of the roof here that a call reaches, if it is credible. */
static double find_efficiency(const struct judgement *here)
{
    bool is_judged = !here->is_invalid && here->roof_fraction > 0;

    if (here->bound == JUDGE_LATENCY || !is_judged)
        return 1;
    return fmin(1, here->roof_fraction);
}

static bool is_judged(const struct whatif_row *row)
{
    return !row->here.is_invalid && row->here.roof_fraction > 0;
}

/* The time of a call beyond its least time, if the roof is not its cause. */
static double find_overhead(const struct whatif_row *row, const struct whatif_place *place)
{
    if (row->here.bound != JUDGE_LATENCY || place->is_accelerator)
        return 0;
    return fmax(0, row->here_ns - row->here.least_ns);
}

static enum whatif_bound find_bound(const struct whatif_row *row, double least_ns, double launch_ns)
{
    if (isnan(least_ns))
        return WHATIF_UNKNOWN;
    if (launch_ns > least_ns)
        return WHATIF_LAUNCH;
    return row->here.intensity >= machine_ridge(&row->roof) ? WHATIF_COMPUTE : WHATIF_MEMORY;
}

static void place_row(struct whatif_row *row, const struct whatif_place *place)
{
    const struct group *group = row->group;
    double launch_ns = (double)group->owning_calls * place->launch_ns;
    double least_ns;

    row->roof =
        machine_find_roof(&place->machine, MACHINE_F32, row->here.call_bytes, place->threads);
    row->roof.peak = whatif_peak(place, row->here.precision, group_is_product(group));
    least_ns = 1e9 * machine_least_seconds(&row->roof, group->executed_flops, group->bytes);
    row->best_ns = least_ns + launch_ns;
    row->there_ns = least_ns / find_efficiency(&row->here) + find_overhead(row, place) + launch_ns;
    row->transfer_ns = 1e9 * (double)group->bytes / place->link_bytes_per_second;
    row->bound = find_bound(row, least_ns, launch_ns);
}

static void sum(struct whatif *whatif, const struct wall *wall)
{
    struct whatif_sums *sums = &whatif->sums;

    *sums = (struct whatif_sums){.wall_ns = (double)whatif->session->process.wall_ns};
    for (size_t i = 0; i < whatif->rows.count; i++) {
        const struct whatif_row *row = array_at(&whatif->rows, i);
        bool has_roof = isfinite(row->best_ns);

        sums->here_ns += row->here_ns;
        sums->there_ns += has_roof ? row->there_ns : row->here_ns;
        sums->best_ns += has_roof ? row->best_ns : row->here_ns;
        sums->roofless_ns += has_roof ? 0 : row->here_ns;
        sums->unjudged_ns += has_roof && !is_judged(row) ? row->here_ns : 0;
        sums->transfer_ns += has_roof ? row->transfer_ns : 0;
    }
    sums->kernel_fraction = sums->here_ns > 0
                                ? fmin(1, wall_of_threads(wall, sums->here_ns) / sums->wall_ns)
                                : (double)NAN;
    sums->whole_there_ns =
        sums->wall_ns * (1 - sums->kernel_fraction * (1 - sums->there_ns / sums->here_ns));
    sums->whole_best_ns =
        sums->wall_ns * (1 - sums->kernel_fraction * (1 - sums->best_ns / sums->here_ns));
}

static int compare_rows(const void *a, const void *b)
{
    const struct whatif_row *left = a, *right = b;

    if (left->here_ns != right->here_ns)
        return left->here_ns < right->here_ns ? 1 : -1;
    return (left->group > right->group) - (left->group < right->group);
}

static void add_row(struct whatif *whatif, const struct group *group)
{
    struct whatif_row *row;

    if (group->owning_calls == 0)
        return;
    row = array_add(&whatif->rows);
    *row = (struct whatif_row){.group = group,
                               .here = judge_group(&whatif->judge, group),
                               .here_ns = (double)group_work_ns(&group->work)};
    place_row(row, whatif->place);
}

void whatif_init(struct whatif *whatif, const struct whatif_source *source,
                 const struct whatif_place *place)
{
    const struct array *groups = &source->groups->rows;

    *whatif = (struct whatif){.session = source->session,
                              .place = place,
                              .judge = judge_init(source->session, source->options)};
    array_init(&whatif->rows, sizeof(struct whatif_row));
    for (size_t i = 0; i < groups->count; i++)
        add_row(whatif, array_at(groups, i));
    if (whatif->rows.count > 0)
        qsort(whatif->rows.items, whatif->rows.count, sizeof(struct whatif_row), compare_rows);
    sum(whatif, source->wall);
}

