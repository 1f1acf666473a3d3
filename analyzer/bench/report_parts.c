/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Helpers that all parts of a benchmark's report share.
 */
#include "bench/report_parts.h"

#include <stdlib.h>

void bench_report_init(struct bench_report *report, const struct results *results)
{
    *report = (struct bench_report){.results = results};
    document_init(&report->document);
    array_init(&report->sweeps, sizeof(struct bench_sweep));
    array_init(&report->scalings, sizeof(struct scaling));
    array_init(&report->blocks, sizeof(void *));
}

void bench_report_fini(struct bench_report *report)
{
    struct bench_sweep *sweep = report->sweeps.items;
    struct scaling *scaling = report->scalings.items;
    void **block = report->blocks.items;

    document_fini(&report->document);
    for (size_t i = 0; i < report->sweeps.count; i++)
        bench_sweep_fini(&sweep[i]);
    for (size_t i = 0; i < report->scalings.count; i++)
        scaling_fini(&scaling[i]);
    for (size_t i = 0; i < report->blocks.count; i++)
        free(block[i]);
    array_fini(&report->sweeps);
    array_fini(&report->scalings);
    array_fini(&report->blocks);
}

void report_keep_block(struct bench_report *report, void *block)
{
    void **place = block ? array_add(&report->blocks) : NULL;

    *place = block;
}
