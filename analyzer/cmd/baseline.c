/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof baseline: runs in one file, for later gates.
 */
#include <string.h>

#include "base/text.h"
#include "cmd/sides.h"
#include "compare/endings.h"
#include "runs/baseline.h"

static const char arguments[] = "[-o FILE] TRACE...";
static const char help[] =
    "Store the measurements of runs in a JSON file, for tprof gate --baseline and tprof compare.";

static enum status write_runs(const struct run_side *side, const struct cmd_options *options,
                              struct diagnostic *diagnostic)
{
    struct text text;
    enum status status;

    text_init(&text);
    baseline_append(side, &text);
    status = cmd_write_text(text.bytes, options, diagnostic);
    text_fini(&text);
    return status;
}

/* A failed run is no measure of success. */
static void tell_bad_endings(const struct run_side *side)
{
    struct text_list lines;

    text_list_init(&lines);
    endings_add(&lines, side);
    for (size_t i = 0; i < text_list_count(&lines); i++)
        cmd_tell(text_list_at(&lines, i));
    text_list_fini(&lines);
}

static enum status keep(const struct cmd_options *options, struct diagnostic *diagnostic)
{
    struct run_side side;
    bool is_minimal = false;
    enum status status = STATUS_OK;

    if (options->trace_count == 0)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "baseline: expected traces; tprof baseline --help says more");
    run_side_init(&side, "the baseline");
    for (size_t i = 0; i < options->trace_count && !status; i++)
        status = sides_read(&side, &is_minimal, options->traces[i], options, diagnostic);
    if (!status && is_minimal)
        status = diagnostic_set(diagnostic, STATUS_USAGE,
                                "baseline: a file with one number an operation is one already");
    if (!status)
        status = sides_check_ends(&side, "baseline", diagnostic);
    if (!status)
        status = write_runs(&side, options, diagnostic);
    if (!status)
        tell_bad_endings(&side);
    run_side_fini(&side);
    return status;
}

enum status cmd_baseline(int argc, char **argv, struct cmd_outcome *outcome)
{
    struct cmd_options options;
    enum status status = cmd_parse_many(&options, NULL, argc, argv, &outcome->diagnostic);

    if (status || !options.is_help)
        return status ? status : keep(&options, &outcome->diagnostic);
    cmd_print_help(argv[0], arguments, help, NULL);
    return STATUS_OK;
}
