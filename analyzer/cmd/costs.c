/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof costs: check files of well-known costs.  A mistake is reported as FILE: line N, with its
 * reason.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "findings/cost_catalog.h"

static void print_help(void)
{
    printf("Usage: tprof costs FILE...\n"
           "Check files of well-known costs, and list their costs.  With TPROF_COSTS,\n"
           "tprof bottlenecks asks such a file before its own catalog.  tprof(1) explains\n"
           "the language; tprof list costs prints the costs that tprof knows.\n");
}

static enum status check_file(const char *path, struct diagnostic *diagnostic)
{
    struct cost_catalog catalog;

    if (!cost_catalog_read_file(&catalog, path))
        return diagnostic_set(diagnostic, STATUS_IO, "%.200s: %s", path, strerror(errno));
    if (catalog.mistake.size > 0)
        return diagnostic_set(diagnostic, STATUS_CORRUPT, "%.200s: %.200s", path,
                              catalog.mistake.bytes);
    if (catalog.costs.count == 0)
        return diagnostic_set(diagnostic, STATUS_CORRUPT, "%.200s: there is no cost in it", path);
    for (size_t i = 0; i < catalog.costs.count; i++) {
        const struct cost *cost = array_at(&catalog.costs, i);

        printf("%s: %s, %zu pattern%s\n", cost->name.bytes, cost->what.bytes, cost->frames.count,
               cost->frames.count == 1 ? "" : "s");
    }
    return STATUS_OK;
}

enum status cmd_costs(int argc, char **argv, struct cmd_outcome *outcome)
{
    enum status status = STATUS_OK;

    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        print_help();
        return STATUS_OK;
    }
    if (argc < 2)
        return diagnostic_set(&outcome->diagnostic, STATUS_USAGE,
                              "costs: no file was given; tprof costs FILE...");
    for (int i = 1; i < argc && !status; i++)
        status = check_file(argv[i], &outcome->diagnostic);
    return status ? status : render_finish(stdout, &outcome->diagnostic);
}
