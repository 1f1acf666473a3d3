/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cost of a run in money, energy and carbon, also at another utilization.  The user gives the
 * price; tprof assumes none.
 *
 * Energy is metered for the whole machine if tprof run can do that.  Otherwise it is marked as an
 * estimate: the user's watts times the wall time, or the thermal design power of a known processor,
 * by its cores' share of processor time.  Neither estimate includes cooling, power conversion or
 * other losses of a data centre.
 */
#ifndef MONEY_COST_H
#define MONEY_COST_H

#include "analysis/analysis.h"
#include "document/document.h"
#include "kernels/utilization.h"
#include "model/known_machines.h"

enum { COST_CURRENCY_SIZE = 12 };

/* Options of the user.  NAN: not given. */
struct cost_terms {
    double price_per_hour;
    bool is_per_processor; /* the price is of each allowed processor, not of the machine */
    char currency[COST_CURRENCY_SIZE]; /* may be empty */
    double items;                      /* items of a run, instead of counted ones */
    double runs_per_day;
    double grams_per_kwh;
    double watts;                        /* power of the machine while it runs */
    double target;                       /* utilization to aim at, of 1 */
    double job_flops;                    /* a job to predict */
    double peak;                         /* FLOP/s, for a job without a run */
    const struct known_machine *machine; /* its TDP counts; NULL: the machine of the trace */
};

enum cost_energy_from {
    COST_ENERGY_UNKNOWN,
    COST_ENERGY_METERED, /* for the whole machine */
    COST_ENERGY_WATTS,   /* estimate: from the given watts */
    COST_ENERGY_TDP      /* estimate: from the TDP of a known processor */
};

/* Numbers are NAN when unknown.  Money is in the unit of the price. */
struct cost {
    const char *path;
    double wall_seconds;
    double processors;
    double price_per_hour; /* price of the machine, or of all paid processors */
    double run;
    double used_fraction; /* processor time over paid processor time */
    bool
        is_use_unread; /* used_fraction is unknown: no reading at the end, as in a killed process */
    double items;
    double per_1000_items;
    double flops;
    double unknown_flops_fraction; /* share of kernel time */
    double per_tflop;
    double per_year;
    double machines; /* machines that runs_per_day keeps busy */
    struct utilization utilization;
    double target_run; /* the same products at the utilization aimed at */
    double target_year;
    enum cost_energy_from energy_from;
    double energy_joules;
    double carbon_grams; /* carbon of a run */
    double carbon_year_grams;
    double job_hours; /* at the rate of this run */
    double job;
    double target_job_hours;
    double target_job;
};

/* Compute the cost of a run. */
void cost_of_run(struct cost *cost, const struct session *session,
                 const struct analysis_options *options, const struct cost_terms *terms);

/* Compute the cost of a job from only its FLOPs, the peak and the utilization. */
void cost_of_job(struct cost *cost, const struct cost_terms *terms);

/* Fill a document that was not initialized with `count` runs or jobs. */
void cost_report_build(const struct cost *costs, size_t count, const struct cost_terms *terms,
                       struct document *document);

#endif
