/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands of a benchmark from a file of YAML or JSON, which is a part of YAML:
 *
 *     runs: 10                    settings of all commands: runs, warmup, plain, timeout,
 *     metrics:                    prepare, items, batches, metrics, parameters, data
 *       accuracy: 'ACC: ([0-9.]+)'
 *     data:                       test data: {data} stands for the file
 *       small: data/small.bin
 *     parameters:
 *       batch: [16, 32]           or 16..128x2
 *     commands:
 *       - label: mlp
 *         command: [./mlp, --batch, '{batch}', '{data}']
 *       - label: cnn
 *         command: ./cnn {data} | tail -n 1      a text is for the shell
 *         runs: 20                               overrides the settings of all commands
 */
#ifndef BENCH_SUITE_H
#define BENCH_SUITE_H

#include "bench/plan.h"

/* Add the commands of a file to a plan that is not expanded.
 * Errors: STATUS_IO; STATUS_USAGE with a diagnostic that names file, line and key. */
enum status suite_read(struct plan *plan, const char *path,
                       struct diagnostic *diagnostic) MUST_CHECK;

#endif
