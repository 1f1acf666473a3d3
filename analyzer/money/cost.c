/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reckoning costs.
 */
#include "money/cost.h"

#include <math.h>

#include "kernels/compute.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_unknown.h"

static const double seconds_per_hour = 3600, seconds_per_day = 86400;
static const double days_per_year = 365.25, joules_per_kwh = 3.6e6;

static struct cost start(void)
{
    const double unknown = (double)NAN;

    return (struct cost){.wall_seconds = unknown,
                         .processors = unknown,
                         .price_per_hour = unknown,
                         .run = unknown,
                         .used_fraction = unknown,
                         .items = unknown,
                         .per_1000_items = unknown,
                         .flops = unknown,
                         .unknown_flops_fraction = unknown,
                         .per_tflop = unknown,
                         .per_year = unknown,
                         .machines = unknown,
                         .utilization = {.mfu = unknown, .hfu = unknown},
                         .target_run = unknown,
                         .target_year = unknown,
                         .energy_joules = unknown,
                         .carbon_grams = unknown,
                         .carbon_year_grams = unknown,
                         .job_hours = unknown,
                         .job = unknown,
                         .target_job_hours = unknown,
                         .target_job = unknown};
}

/* For a killed process the last reading is only a lower bound. */
static double processor_seconds(const struct session_process *process)
{
    if (!process->has_last || process->last.user_ns == SESSION_UNKNOWN)
        return (double)NAN;
    return 1e-9 * ((double)process->last.user_ns + (double)process->last.system_ns);
}

/* Memory has a meter of its own on some machines only. */
static double metered_joules(const struct session *session)
{
    const struct session_counter *packages = &session->counters[TRACE_COUNTER_PACKAGE_ENERGY];
    const struct session_counter *memory = &session->counters[TRACE_COUNTER_DRAM_ENERGY];

    if (!packages->is_known)
        return (double)NAN;
    return 1e-6 * (packages->value + (memory->is_known ? memory->value : 0));
}

static double tdp_joules(const struct session *session, const struct cost_terms *terms)
{
    struct known_machine own;
    const struct known_machine *machine = terms->machine;

    if (!machine && known_machine_of_cpu(session->process.cpu, &own))
        machine = &own;
    if (!machine || machine->cores == 0)
        return (double)NAN;
    return machine->watts / machine->cores * processor_seconds(&session->process);
}

static void find_energy(struct cost *cost, const struct session *session,
                        const struct cost_terms *terms)
{
    const double joules[] = {
        [COST_ENERGY_UNKNOWN] = (double)NAN,
        [COST_ENERGY_METERED] = metered_joules(session),
        [COST_ENERGY_WATTS] = terms->watts * cost->wall_seconds,
        [COST_ENERGY_TDP] = tdp_joules(session, terms),
    };

    for (int from = COST_ENERGY_METERED; from <= COST_ENERGY_TDP; from++)
        if (cost->energy_from == COST_ENERGY_UNKNOWN && isfinite(joules[from]))
            cost->energy_from = (enum cost_energy_from)from;
    cost->energy_joules = joules[cost->energy_from];
    cost->carbon_grams = cost->energy_joules / joules_per_kwh * terms->grams_per_kwh;
    cost->carbon_year_grams = cost->carbon_grams * terms->runs_per_day * days_per_year;
}

static void find_price(struct cost *cost, const struct cost_terms *terms)
{
    cost->price_per_hour = terms->price_per_hour * (terms->is_per_processor ? cost->processors : 1);
    cost->run = cost->price_per_hour * cost->wall_seconds / seconds_per_hour;
    cost->per_1000_items = 1000 * cost->run / cost->items;
    cost->per_tflop = cost->flops > 0 ? cost->run / (1e-12 * cost->flops) : (double)NAN;
    cost->per_year = cost->run * terms->runs_per_day * days_per_year;
    cost->machines = cost->wall_seconds * terms->runs_per_day / seconds_per_day;
}

/* Assumes that all time is that of the products, as utilization does. */
static void find_target(struct cost *cost, const struct cost_terms *terms)
{
    double share = cost->utilization.mfu / terms->target;

    cost->target_run = cost->run * share;
    cost->target_year = cost->per_year * share;
}

static void find_job(struct cost *cost, const struct cost_terms *terms, double rate,
                     double target_rate)
{
    cost->job_hours = terms->job_flops / rate / seconds_per_hour;
    cost->job = cost->job_hours * cost->price_per_hour;
    cost->target_job_hours = terms->job_flops / target_rate / seconds_per_hour;
    cost->target_job = cost->target_job_hours * cost->price_per_hour;
}

static void find_use(struct cost *cost, const struct session *session,
                     const struct cost_terms *terms)
{
    const struct session_process *process = &session->process;

    cost->wall_seconds = 1e-9 * (double)process->wall_ns;
    if (process->cpu_count != SESSION_UNKNOWN)
        cost->processors = (double)process->cpu_count;
    cost->is_use_unread = !process->has_last;
    cost->used_fraction = processor_seconds(process) / (cost->processors * cost->wall_seconds);
    cost->items = isfinite(terms->items) ? terms->items
                  : session->items > 0   ? (double)session->items
                                         : (double)NAN;
}

static void find_work(struct cost *cost, const struct session *session,
                      const struct analysis_options *options)
{
    struct groups groups;
    struct compute compute;

    groups_init(&groups, session, options);
    compute = compute_find(session, &groups, options);
    cost->flops = (double)compute.flops;
    cost->unknown_flops_fraction = compute.unknown_fraction;
    cost->utilization = compute.utilization;
}

void cost_of_run(struct cost *cost, const struct session *session,
                 const struct analysis_options *options, const struct cost_terms *terms)
{
    double rate;

    *cost = start();
    cost->path = session->path;
    find_use(cost, session, terms);
    find_work(cost, session, options);
    find_price(cost, terms);
    find_target(cost, terms);
    find_energy(cost, session, terms);
    rate = cost->flops > 0 ? cost->flops / cost->wall_seconds : (double)NAN;
    find_job(cost, terms, rate, rate * terms->target / cost->utilization.mfu);
}

void cost_of_job(struct cost *cost, const struct cost_terms *terms)
{
    *cost = start();
    cost->price_per_hour = terms->is_per_processor ? (double)NAN : terms->price_per_hour;
    find_job(cost, terms, (double)NAN, terms->peak * terms->target);
}
