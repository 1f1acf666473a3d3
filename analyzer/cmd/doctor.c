/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof doctor: what this machine and a program allow, and whether a trace can carry
 * conclusions.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/units.h"
#include "cmd/checkup.h"
#include "cmd/cmd.h"
#include "launch/counters.h"
#include "launch/launch.h"
#include "launch/target.h"
#include "machine/meters.h"
#include "model/machine_file.h"
#include "model/session.h"
#include "model/session_open.h"
#include "platform/cpu.h"
#include "screen/checks.h"

enum { SCRIPTS_MAX = 4 };
enum { NFS = 0x6969, SMB2 = 0xFE534D42, LUSTRE = 0x0BD00BD0 }; /* numbers of statfs(2) */

static const double little_room = 1e9; /* bytes: a trace of ten million events is 250 MB */

static void check_shim(struct checks *checks)
{
    char path[PATH_MAX];
    const char *obstacle = launch_find_shim(path, sizeof path);

    checks_say(checks, CHECK_SHIM, obstacle ? CHECK_WARN : CHECK_OK, "%.300s",
               obstacle ? obstacle : path);
}

static void check_counters(struct checks *checks)
{
    struct counters_system system = counters_this_system();
    struct counters counters;
    unsigned known = 0;
    const char *reason = "";

    counters_open(&counters, getpid(), &system);
    counters_read(&counters);
    for (int i = 0; i < TRACE_COUNTER_PACKAGE_ENERGY; i++) {
        known += counters.reasons[i][0] == '\0';
        if (!reason[0])
            reason = counters.reasons[i];
    }
    if (counters.reasons[TRACE_COUNTER_CYCLES][0] == '\0')
        checks_say(checks, CHECK_COUNTERS, CHECK_OK, "%u of %d can be counted", known,
                   TRACE_COUNTER_PACKAGE_ENERGY);
    else
        checks_say(checks, CHECK_COUNTERS,
                   strstr(reason, "not permitted") ? CHECK_WARN : CHECK_UNKNOWN,
                   "%u of %d can be counted, cycles not: %s", known, TRACE_COUNTER_PACKAGE_ENERGY,
                   counters.reasons[TRACE_COUNTER_CYCLES]);
}

static void check_energy(struct checks *checks)
{
    char reason[METERS_REASON_SIZE];

    if (meters_can_read_energy("", reason))
        checks_say(checks, CHECK_ENERGY, CHECK_OK, "RAPL meters that of all processors");
    else
        checks_say(checks, CHECK_ENERGY, strstr(reason, "superuser") ? CHECK_WARN : CHECK_UNKNOWN,
                   "%s", reason);
}

/* The folder of future traces, as far as the pattern names it. */
static void find_folder(char *folder, size_t size)
{
    const char *output = getenv("TPROF_OUTPUT");
    const char *slash = output ? strrchr(output, '/') : NULL;

    if (slash == output && slash)
        snprintf(folder, size, "/");
    else if (slash)
        snprintf(folder, size, "%.*s", (int)(slash - output), output);
    else
        snprintf(folder, size, ".");
}

static bool is_remote(const struct statfs *status)
{
    unsigned long type = (unsigned long)status->f_type & 0xFFFFFFFF;

    return type == NFS || type == SMB2 || type == LUSTRE;
}

static void check_output(struct checks *checks)
{
    struct statfs status;
    char folder[PATH_MAX], room[UNITS_SIZE];
    double bytes;

    find_folder(folder, sizeof folder);
    if (strchr(folder, '%')) {
        checks_say(checks, CHECK_OUTPUT, CHECK_UNKNOWN, "%.200s depends on the program", folder);
        return;
    }
    if (access(folder, W_OK | X_OK) != 0 || statfs(folder, &status) != 0) {
        checks_say(checks, CHECK_OUTPUT, CHECK_WARN, "%.200s: %s", folder, strerror(errno));
        return;
    }
    bytes = (double)status.f_bavail * (double)status.f_bsize;
    checks_say(checks, CHECK_OUTPUT,
               bytes < little_room || is_remote(&status) ? CHECK_WARN : CHECK_OK,
               "%.200s can be written, with %s free%s", folder, units_format_bytes(room, bytes),
               is_remote(&status) ? ", on a file system of the network" : "");
}

static void check_calibration(struct checks *checks)
{
    char path[PATH_MAX], cpu[MACHINE_TEXT_SIZE];
    struct diagnostic diagnostic;
    struct machine machine;
    struct utsname names;
    bool is_ours;

    if (uname(&names) != 0 || machine_file_path(path, sizeof path, names.nodename) ||
        machine_file_read(&machine, path, &diagnostic)) {
        checks_say(checks, CHECK_CALIBRATION, CHECK_WARN,
                   "there is none of this host: kernels have no roof");
        return;
    }
    cpu_name(cpu, sizeof cpu);
    is_ours = machine_is(&machine, names.nodename, cpu);
    checks_say(checks, CHECK_CALIBRATION,
               is_ours && text_list_count(&machine.warnings) == 0 ? CHECK_OK : CHECK_WARN,
               "%s of %s%s%s", is_ours ? "" : "of another processor,", machine.date,
               text_list_count(&machine.warnings) ? "; doubtful: " : "",
               text_list_count(&machine.warnings) ? text_list_at(&machine.warnings, 0) : "");
    machine_fini(&machine);
}

static void check_file(struct checks *checks, const char *path)
{
    struct target target = target_examine(path);

    if (target.obstacle) {
        checks_say(checks, CHECK_PRELOAD, CHECK_WARN, "%s", target.obstacle);
        return;
    }
    checks_say(checks, CHECK_PRELOAD, CHECK_OK, "nothing in its file hinders the preloading");
    if (target.library)
        checks_say(checks, CHECK_LINKED, CHECK_OK, "its file names %s", target.library);
    else
        checks_say(checks, CHECK_LINKED, CHECK_UNKNOWN,
                   "its file names no library of linear algebra; it may load one later, as Python "
                   "does");
}

/* A script is run by another program, which may be a script, too; the last program is the one that
 * will be recorded. */
static void check_program(struct checks *checks, const char *name)
{
    char first[PATH_MAX], path[PATH_MAX], interpreter[PATH_MAX], next[PATH_MAX];

    if (!launch_find_program(name, first, sizeof first)) {
        checks_say(checks, CHECK_PROGRAM, CHECK_WARN, "%.200s: there is no such program", name);
        return;
    }
    snprintf(path, sizeof path, "%s", first);
    for (int i = 0; i < SCRIPTS_MAX; i++) {
        if (!target_find_interpreter(path, interpreter, sizeof interpreter) ||
            !launch_find_program(interpreter, next, sizeof next))
            break;
        snprintf(path, sizeof path, "%s", next);
    }
    if (strcmp(first, path) == 0)
        checks_say(checks, CHECK_PROGRAM, CHECK_OK, "%.300s", path);
    else
        checks_say(checks, CHECK_PROGRAM, CHECK_OK, "%.200s, a script that %.150s runs", first,
                   path);
    check_file(checks, path);
}

static void check_recording(struct checks *checks)
{
    check_shim(checks);
    check_counters(checks);
    check_energy(checks);
    check_output(checks);
    check_calibration(checks);
}

static enum status check_traces(struct checks *checks, const struct cmd_options *options,
                                struct diagnostic *diagnostic)
{
    struct session session;
    enum status status;

    if (options->trace_count > 1)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "doctor: one trace at a time; the second is '%.60s'.  A program "
                              "stands behind --",
                              options->traces[1]);
    if (options->trace_count == 0)
        return STATUS_OK;
    status = cmd_open_session(&session, options->traces[0], options, diagnostic);
    if (status)
        return status;
    checks_of_trace(checks, &session, &options->analysis);
    session_close(&session);
    return STATUS_OK;
}

static enum status render(const struct checks *checks, const struct cmd_options *options,
                          struct diagnostic *diagnostic)
{
    struct document document;

    checks_report_build(checks, &document);
    return cmd_finish_document(&document, options, diagnostic);
}

static enum status examine(const struct cmd_options *options, const char *program,
                           struct diagnostic *diagnostic)
{
    struct checks checks;
    enum status status;

    checks_init(&checks);
    checkup_machine(&checks, "");
    check_recording(&checks);
    checkup_libraries(&checks);
    if (program)
        check_program(&checks, program);
    status = check_traces(&checks, options, diagnostic);
    if (!status)
        status = render(&checks, options, diagnostic);
    return status;
}

enum status cmd_doctor(int argc, char **argv, struct cmd_outcome *outcome)
{
    struct cmd_options options;
    const char *program = NULL;
    enum status status;
    int own = 1;

    while (own < argc && strcmp(argv[own], "--") != 0)
        own++;
    if (own < argc)
        program = argv[own + 1]; /* NULL at the end */
    status = cmd_parse_many(&options, NULL, own, argv, &outcome->diagnostic);
    if (!status && own + 1 == argc)
        status = diagnostic_set(&outcome->diagnostic, STATUS_USAGE,
                                "doctor: no program stands behind --");
    if (status)
        return status;
    if (!options.is_help)
        return examine(&options, program, &outcome->diagnostic);
    cmd_print_help(
        "doctor", "[OPTIONS] [TRACE] [-- PROGRAM]",
        "Check what this machine and a program let tprof record, and what a trace lacks.", NULL);
    return STATUS_OK;
}
