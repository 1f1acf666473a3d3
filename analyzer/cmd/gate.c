/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof gate: whether new runs are worse than a baseline, as an exit status.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/units.h"
#include "cmd/sides.h"
#include "cmd/step_summary.h"
#include "compare/gate_report.h"
#include "options/readers.h"
#include "render/checks.h"

static const char arguments[] = "--baseline FILE [OPTIONS] TRACE...  or  BASE... -- NEW...";
static const char help[] =
    "Check whether runs are worse than a baseline.  Exit status: 0 not worse, 1 worse, 4 too few "
    "runs to tell.  A failed or crashed run fails, unless runs of the baseline ended so, too.  "
    "Calls, FLOPs, bytes and allocations must be the same if all runs of the baseline agree.  A "
    "time fails if it is significantly slower than the noise margin, and a slowdown as large as "
    "the threshold cannot be ruled out.";

enum { BASELINES_MAX = 256 };

struct request {
    struct cmd_options options;
    struct gate_policy policy;
    const char *baselines[BASELINES_MAX];
    size_t baseline_count;
};

/* "5%", or 0.05. */
static enum status read_share(const struct option_value *value, struct diagnostic *diagnostic)
{
    char *end;
    double share = strtod(value->text, &end);
    bool is_number = end != value->text;

    while (*end == ' ')
        end++;
    if (strcmp(end, "%") == 0)
        share /= 100;
    else if (*end != '\0' || share >= 1)
        is_number = false;
    if (!is_number || !(share >= 0) || !isfinite(share))
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "--%s %.40s: expected a percentage such as 5%%, or a fraction such "
                              "as 0.05",
                              value->row->name, value->text);
    *(double *)value->field = share;
    return STATUS_OK;
}

static enum status read_inconclusive(const struct option_value *value,
                                     struct diagnostic *diagnostic)
{
    const char *text = value->text;

    if (strcmp(text, "pass") != 0 && strcmp(text, "fail") != 0)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "--inconclusive %.40s: expected pass or fail", text);
    *(enum gate_inconclusive *)value->field = text[0] == 'p' ? GATE_PASS : GATE_FAIL;
    return STATUS_OK;
}

static enum status add_baseline(const struct option_value *value, struct diagnostic *diagnostic)
{
    struct request *request = value->fields;

    if (request->baseline_count == BASELINES_MAX)
        return diagnostic_set(diagnostic, STATUS_USAGE, "--baseline: at most %d files",
                              BASELINES_MAX);
    request->baselines[request->baseline_count++] = value->text;
    return STATUS_OK;
}

static const struct option_row rows[] = {
#define OPTION(field, ...) OPTION_ROW(struct request, field, __VA_ARGS__),
#include "cmd/gate_options.def"
#undef OPTION
};

/* With --baseline all traces are new, and the baseline is the first side. */
static enum status read_baselines(struct run_side *base, const struct request *request,
                                  bool *is_minimal, struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < request->baseline_count && !status; i++)
        status = sides_read(base, is_minimal, request->baselines[i], &request->options, diagnostic);
    if (!status && *is_minimal && base->runs.count > 1)
        status = diagnostic_set(diagnostic, STATUS_USAGE,
                                "--baseline: a file with one number an operation stands alone");
    return status;
}

static enum status read_new(struct run_side *side, const struct request *request,
                            struct diagnostic *diagnostic)
{
    bool is_minimal = false;
    enum status status = STATUS_OK;

    if (request->options.trace_count == 0)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "gate: expected traces of the new program; tprof gate --help says "
                              "more");
    for (size_t i = 0; i < request->options.trace_count && !status; i++)
        status = sides_read(side, &is_minimal, request->options.traces[i], &request->options,
                            diagnostic);
    if (!status && is_minimal)
        status = diagnostic_set(diagnostic, STATUS_USAGE,
                                "gate: one number an operation can only be the --baseline");
    return status;
}

static enum status read_with_baseline(struct sides *sides, struct request *request,
                                      struct diagnostic *diagnostic)
{
    for (int i = 0; i < 2; i++) {
        struct run_side *side = array_add(&sides->all);

        run_side_init(side, i == 0 ? "the baseline" : "new");
    }
    if (read_baselines(array_at(&sides->all, 0), request, &request->policy.is_minimal, diagnostic))
        return diagnostic->status;
    return read_new(array_at(&sides->all, 1), request, diagnostic);
}

static enum status read_groups(struct sides *sides, struct request *request,
                               struct diagnostic *diagnostic)
{
    enum status status = sides_read_all(sides, &request->options, diagnostic);

    if (!status && sides->all.count != 2)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "gate: expected --baseline FILE and traces, or BASE... -- NEW...; "
                              "found %zu side%s",
                              sides->all.count, units_choose(sides->all.count, "", "s"));
    return status ? status : sides_label(sides, NULL, diagnostic);
}

/* Exact values differ from an estimate in every program. */
static enum status check_exactness(const struct gate *gate, struct diagnostic *diagnostic)
{
    const struct run *run = gate_find_drawn(gate);

    if (!run)
        return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_NOT_ENOUGH_DATA,
                          "gate cannot tell at a threshold of 0 %%: the heap of %.200s is an "
                          "estimate; pass a --threshold above 0, or record all with "
                          "TPROF_OVERHEAD=none TPROF_DISK=none",
                          run->path ? run->path : run->label);
}

/* Checks without a line of the project have no place in a Code Quality report. */
static void tell_left_out(const struct document *document)
{
    struct diagnostic unused;
    struct checks checks;
    struct text line;
    size_t left_out = 0;
    long number;

    if (checks_find(&checks, document_main_table(document), "codequality", &unused))
        return;
    for (size_t i = 0; i < table_row_count(checks.table); i++)
        left_out += *checks_text(&checks, i, CHECKS_LEVEL) && !checks_file(&checks, i, &number);
    if (left_out == 0)
        return;
    text_init(&line);
    text_appendf(&line, "%zu check%s left out: no line of the project is known", left_out,
                 units_choose(left_out, " is", "s are"));
    cmd_tell(line.bytes);
    text_fini(&line);
}

/* The other pages of a build. */
static enum status finish_build(struct document *document, const struct renderer *renderer,
                                struct diagnostic *diagnostic)
{
    if (renderer == &renderer_codequality)
        tell_left_out(document);
    return renderer == &renderer_github ? step_summary_add(document, "tprof gate", diagnostic)
                                        : STATUS_OK;
}

static enum status render(const struct gate *gate, const struct request *request,
                          struct cmd_outcome *outcome)
{
    static const struct analysis shape = {.name = "gate", .help = help};
    struct document document;
    enum status status;

    gate_report_build(gate, &document);
    status = cmd_arrange(document_main_table(&document), &shape, &request->options,
                         &outcome->diagnostic);
    if (!status)
        status = cmd_render_document(&document, &request->options, &outcome->diagnostic);
    if (!status)
        status = finish_build(&document, request->options.renderer, &outcome->diagnostic);
    if (!status && document.verdict)
        outcome->exit_code = status_exit_code(document.verdict);
    document_fini(&document);
    return status;
}

static enum status judge(const struct run_side *base, const struct run_side *changed,
                         const struct request *request, struct cmd_outcome *outcome)
{
    struct pair pair;
    struct gate gate;
    enum status status;

    pair_init(&pair, base, changed);
    gate_init(&gate, &pair, &request->policy);
    status = check_exactness(&gate, &outcome->diagnostic);
    if (!status)
        status = render(&gate, request, outcome);
    gate_fini(&gate);
    pair_fini(&pair);
    return status;
}

static enum status judge_minimal(struct run_side *base, const struct run_side *changed,
                                 const struct request *request, struct cmd_outcome *outcome)
{
    struct run_side reduced;
    enum status status;

    gate_reduce(&reduced, changed, array_at(&base->runs, 0));
    status = judge(base, &reduced, request, outcome);
    run_side_fini(&reduced);
    return status;
}

/* Fewer calls in half a trace are no regression, and half a baseline is none to keep. */
static enum status check_ends(const struct run_side *base, const struct run_side *changed,
                              struct diagnostic *diagnostic)
{
    enum status status = sides_check_ends(base, "gate", diagnostic);

    return status ? status : sides_check_ends(changed, "gate", diagnostic);
}

static enum status gate(struct request *request, struct cmd_outcome *outcome)
{
    struct sides sides;
    enum status status;

    sides_init(&sides);
    request->policy.figure.confidence = request->options.analysis.confidence;
    status = request->baseline_count > 0 ? read_with_baseline(&sides, request, &outcome->diagnostic)
                                         : read_groups(&sides, request, &outcome->diagnostic);
    if (!status) {
        struct run_side *base = array_at(&sides.all, 0), *changed = array_at(&sides.all, 1);

        status = check_ends(base, changed, &outcome->diagnostic);
        if (!status)
            status = request->policy.is_minimal ? judge_minimal(base, changed, request, outcome)
                                                : judge(base, changed, request, outcome);
    }
    sides_fini(&sides);
    return status;
}

/* The folder that a build or a user starts from. */
static const char *find_source_root(char folder[PATH_MAX])
{
    static const char *const variables[] = {"GITHUB_WORKSPACE", "CI_PROJECT_DIR"};

    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);

        if (value && *value)
            return value;
    }
    return getcwd(folder, PATH_MAX);
}

enum status cmd_gate(int argc, char **argv, struct cmd_outcome *outcome)
{
    struct request request = {.policy = gate_defaults()};
    const struct option_set own = {rows, sizeof rows / sizeof *rows, &request};
    char folder[PATH_MAX];
    enum status status;

    request.policy.source_root = find_source_root(folder);
    sides_mark_separators(argc, argv);
    status = cmd_parse_many(&request.options, &own, argc, argv, &outcome->diagnostic);
    if (!status && request.options.is_help)
        cmd_print_help(argv[0], arguments, help, &own);
    else if (!status)
        status = gate(&request, outcome);
    return status;
}
