/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a run costs in money, energy and carbon, and what it would cost at another
 * utilization.  Prices come from the user; nothing is assumed of them.
 *
 * Energy is that of the machine where tprof run could meter it, whoever used it; else an
 * estimate, and always told as one: the watts that the user gave over the wall time, or
 * the thermal design power of a known processor for its cores' share of processor time.
 * Neither holds cooling, conversion and what else a data centre takes.
 */
#ifndef MONEY_COST_H
#define MONEY_COST_H

#include "document/document.h"
#include "figures/analysis.h"
#include "figures/utilization.h"
#include "model/known_machines.h"

enum { COST_CURRENCY_SIZE = 12 };

/* What the user says.  NAN what was not said. */
struct cost_terms {
    double price_per_hour;
    bool is_per_processor;             /* of each allowed processor, not of the machine */
    char currency[COST_CURRENCY_SIZE]; /* may be empty */
    double items;                      /* of a run, in place of those that were counted */
    double runs_per_day;
    double grams_per_kwh;
    double watts;                        /* of the machine while it runs */
    double target;                       /* utilization to aim at, of 1 */
    double job_flops;                    /* a job to predict */
    double peak;                         /* FLOP/s, for a job without a run */
    const struct known_machine *machine; /* whose TDP is meant; NULL: that of the trace */
};

enum cost_energy_from {
    COST_ENERGY_UNKNOWN,
    COST_ENERGY_METERED, /* whole machine */
    COST_ENERGY_WATTS,   /* estimate: the watts given */
    COST_ENERGY_TDP      /* estimate: of a known processor */
};

/* Numbers are NAN when unknown.  Money is in the unit of the price. */
struct cost {
    const char *path;
    double wall_seconds;
    double processors;
    double price_per_hour; /* of all that is paid for */
    double run;
    double used_fraction; /* of the paid processor time, spent on a processor */
    bool is_use_unread;   /* at the end, as of a process that was killed: it is not known */
    double items;
    double per_1000_items;
    double flops;
    double unknown_flops_fraction; /* of kernel time */
    double per_tflop;
    double per_year;
    double machines; /* busy all the time, for so many runs a day */
    struct utilization utilization;
    double target_run; /* the same products at the utilization aimed at */
    double target_year;
    enum cost_energy_from energy_from;
    double energy_joules;
    double carbon_grams; /* of a run */
    double carbon_year_grams;
    double job_hours; /* at the rate of this run */
    double job;
    double target_job_hours;
    double target_job;
};

/* Reckon what a run cost.  Errors: STATUS_OUT_OF_MEMORY. */
enum status cost_of_run(struct cost *cost, const struct session *session,
                        const struct analysis_options *options,
                        const struct cost_terms *terms) MUST_CHECK;

/* Reckon a job by its FLOPs, the peak and the utilization alone. */
void cost_of_job(struct cost *cost, const struct cost_terms *terms);

/* Fill a document that was not initialized with `count` runs or jobs.
 * Errors: STATUS_OUT_OF_MEMORY; the document may be finished all the same. */
enum status cost_report_build(const struct cost *costs, size_t count,
                              const struct cost_terms *terms, struct document *document) MUST_CHECK;

#endif
