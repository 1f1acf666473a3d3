/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs a program to list its hooked symbols.  Its traces go to a temporary folder.
 */
#include "cmd/trial.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "kernels/coverage.h"
#include "launch/launch.h"
#include "launch/run_values.h"
#include "launch/target.h"
#include "model/session.h"
#include "model/session_open.h"

/* Files in it have short names. */
enum { FOLDER_MAX = PATH_MAX - 64 };

enum column_index { NAME, LIBRARY, STATE, SLOTS, CALLER, CALLS };

/* Reasons below the table; a glob may leave out many functions. */
enum { REASONS_MAX = 24 };

static const struct column columns[] = {
    [NAME] = {"name", "symbol", "the function", UNIT_TEXT, 0},
    [LIBRARY] = {"library", "library", "the file that holds it", UNIT_PLACE, 0},
    [STATE] = {"state", "state", "hooked, not hooked, not reachable, or not found", UNIT_TEXT, 0},
    [SLOTS] = {"slots", "slots", "places through which objects call it", UNIT_COUNT, 1},
    [CALLER] = {"module", "called from", "the object whose slots these are", UNIT_PLACE, 2},
    [CALLS] = {"calls", "calls", "in this run", UNIT_COUNT, 0},
};

static const struct table_schema schema = {"kernels", NULL, columns,
                                           sizeof columns / sizeof *columns, NULL};

static const char *state_of(const struct coverage_row *row)
{
    bool is_hooked = row->state == COVERAGE_CALLED || row->state == COVERAGE_NOT_USED;

    return is_hooked ? "hooked" : coverage_state_name(row->state);
}

static void set_row(struct value *values, const struct coverage *coverage,
                    const struct coverage_row *row)
{
    const struct coverage_library *library = coverage_library_of(coverage, row);
    bool is_hooked = row->hooked > 0;

    value_set_text(&values[NAME], row->symbol);
    value_set_unsigned(&values[SLOTS], row->slots);
    if (is_hooked)
        value_set_unsigned(&values[CALLS], row->calls);
    if (library)
        value_set_text(&values[LIBRARY], library->name);
    value_set_text(&values[STATE], state_of(row));
    if (row->caller)
        value_set_text(&values[CALLER], text_base_name(row->caller->path));
}

static void note_reason(struct table *table, const struct coverage *coverage,
                        const struct coverage_row *row)
{
    const struct coverage_library *library = coverage_library_of(coverage, row);

    if (row->hooked > 0 || !row->reason || text_list_count(&table->notes) == REASONS_MAX)
        return;
    table_add_note(table, "%s%s%s: %s.", row->symbol, library ? " in " : "",
                   library ? library->name : "", row->reason);
}

static void add_rows(struct table *table, const struct coverage *coverage,
                     const struct coverage_names *names)
{
    for (size_t i = 0; i < coverage->rows.count; i++) {
        const struct coverage_row *row = array_at(&coverage->rows, i);
        struct value *values;
        bool is_meant;

        if (!coverage_names_find(names, row->symbol, "", &is_meant))
            continue;
        values = table_add_row(table);
        set_row(values, coverage, row);
        note_reason(table, coverage, row);
    }
}

static bool has_row(const struct coverage *coverage, const struct catalog_symbol *symbol)
{
    struct catalog_symbol symbols[] = {*symbol};
    struct catalog_kernel kernel = {.symbols = symbols, .symbol_count = 1};
    struct catalog catalog = {.kernels = &kernel, .kernel_count = 1};
    struct coverage_names names;
    bool is_found = false, is_meant;

    coverage_names_init(&names, &catalog);
    for (size_t i = 0; i < coverage->rows.count && !is_found; i++) {
        const struct coverage_row *row = array_at(&coverage->rows, i);

        is_found = coverage_names_find(&names, row->symbol, "", &is_meant) != NULL;
    }
    return is_found;
}

static void add_missing(struct table *table, const struct catalog_symbol *symbol)
{
    struct value *values = table_add_row(table);

    value_set_text(&values[NAME], symbol->name);
    value_set_text(&values[STATE], "not found");
    if (text_list_count(&table->notes) == REASONS_MAX)
        return;
    table_add_note(table, "%s: no file that was loaded defines it or asks for it.", symbol->name);
}

static void add_all_missing(struct table *table, const struct coverage *coverage,
                            const struct catalog *catalog)
{
    for (unsigned i = 0; i < catalog->kernel_count; i++)
        for (unsigned j = 0; j < catalog->kernels[i].symbol_count; j++)
            if (!has_row(coverage, &catalog->kernels[i].symbols[j]))
                add_missing(table, &catalog->kernels[i].symbols[j]);
}

static void build(struct table *table, const struct coverage *coverage,
                  const struct catalog *catalog)
{
    struct coverage_names names;

    coverage_names_init(&names, catalog);
    table_init(table, &schema);
    add_rows(table, coverage, &names);
    add_all_missing(table, coverage, catalog);
}

static enum status print(const struct session *session, const struct catalog *catalog,
                         struct diagnostic *diagnostic)
{
    struct render_options options = terminal_options(stdout, TERMINAL_AUTO);
    struct coverage coverage;
    struct table table;
    enum status status = STATUS_OK;

    coverage_init(&coverage, session, true);
    table_init(&table, &schema);
    build(&table, &coverage, catalog);
    if (fprintf(stdout, "\nIn %s (process %u):\n", session->process.name, session->process.pid) < 0)
        status = diagnostic_set(diagnostic, STATUS_IO, "cannot write the output");
    if (!status)
        status = renderer_plain.table(&table, &options, stdout, diagnostic);
    table_fini(&table);
    return status;
}

static enum status print_trace(const char *path, const struct catalog *catalog,
                               struct diagnostic *diagnostic)
{
    struct session_options options = session_defaults();
    struct session session;
    enum status status = session_open(&session, path, &options, diagnostic);

    if (status)
        return status;
    status = print(&session, catalog, diagnostic);
    session_close(&session);
    return status;
}

static enum status print_traces(const char *folder, const struct catalog *catalog,
                                struct cmd_outcome *outcome)
{
    char pattern[PATH_MAX];
    glob_t found = {0};
    enum status status = STATUS_OK;

    snprintf(pattern, sizeof pattern, "%s/*.tprof", folder);
    if (glob(pattern, 0, NULL, &found) != 0)
        status = diagnostic_set(&outcome->diagnostic, STATUS_NOT_FOUND,
                                "kernels: the program left no trace, so nothing is known of it");
    for (size_t i = 0; i < found.gl_pathc; i++) {
        if (!status)
            status = print_trace(found.gl_pathv[i], catalog, &outcome->diagnostic);
        unlink(found.gl_pathv[i]);
    }
    globfree(&found);
    return status;
}

static enum status fail(struct cmd_outcome *outcome, enum status status, const char *what,
                        const char *why)
{
    return diagnostic_set(&outcome->diagnostic, status, "kernels: %.200s: %.200s", what, why);
}

static void set_files(char **paths)
{
    struct text list;

    text_init(&list);
    for (; *paths; paths++)
        text_appendf(&list, "%s%s", list.size > 0 ? ":" : "", *paths);
    setenv("TPROF_KERNELS", list.bytes, 1);
    run_values_pin_paths();
    text_fini(&list);
}

/* Allocations say nothing of kernels, and of the events few will do. */
static void set_options(const char *folder)
{
    char output[PATH_MAX];

    snprintf(output, sizeof output, "%s/%%p.tprof", folder);
    setenv("TPROF_OUTPUT", output, 1);
    setenv("TPROF_ALLOC", "off", 1);
    setenv("TPROF_CAPACITY", "1M", 1);
    setenv("TPROF_QUIET", "yes", 1);
}

static enum status prepare(char **command, struct cmd_outcome *outcome)
{
    char program[PATH_MAX], shim[PATH_MAX];
    struct target target = {NULL, false, NULL};
    const char *obstacle = launch_find_shim(shim, sizeof shim);

    if (obstacle)
        return fail(outcome, STATUS_IO, "libtprof.so", obstacle);
    if (launch_find_program(command[0], program, sizeof program))
        target = target_examine(program);
    if (target.obstacle)
        return fail(outcome, STATUS_UNSUPPORTED, command[0], target.obstacle);
    launch_preload(shim);
    return STATUS_OK;
}

/* Sends the program's output to standard error, since standard output has the list. */
static void print_to_error(void *unused)
{
    (void)unused;
    dup2(STDERR_FILENO, STDOUT_FILENO);
}

static enum status run(char **command, struct cmd_outcome *outcome)
{
    const struct launch_hooks hooks = {.prepare = print_to_error};
    struct launched launched = {-1, 0};
    int error, status;

    fflush(stdout);
    error = launch_and_wait(command, &hooks, &launched);
    if (error != 0)
        return fail(outcome, error == ENOENT ? STATUS_NOT_FOUND : STATUS_IO, command[0],
                    strerror(error));
    status = launched.status;
    if (WIFSIGNALED(status))
        fprintf(stderr, "tprof: kernels: %s was ended by signal %d\n", command[0],
                WTERMSIG(status));
    else if (WEXITSTATUS(status) != 0)
        fprintf(stderr, "tprof: kernels: %s ended with status %d\n", command[0],
                WEXITSTATUS(status));
    return STATUS_OK;
}

enum status trial_run(char **paths, const struct catalog *catalog, char **command,
                      struct cmd_outcome *outcome)
{
    const char *place = getenv("TMPDIR");
    char folder[FOLDER_MAX];
    enum status status;

    set_files(paths);
    snprintf(folder, sizeof folder, "%s/tprof-kernels.XXXXXX", place && place[0] ? place : "/tmp");
    status = prepare(command, outcome);
    if (status)
        return status;
    if (!mkdtemp(folder))
        return fail(outcome, STATUS_IO, folder, strerror(errno));
    set_options(folder);
    status = run(command, outcome);
    if (!status)
        status = print_traces(folder, catalog, outcome);
    rmdir(folder);
    return status;
}
