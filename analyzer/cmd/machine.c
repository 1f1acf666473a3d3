/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A trace uses the calibration of its host, if the processor is still the same.  A limit is never
 * invented.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/destination.h"
#include "model/machine_file.h"
#include "model/session.h"
#include "model/session_process.h"

static void explain(struct cmd_machine *machine, const char *what)
{
    snprintf(machine->reason, sizeof machine->reason,
             "%.450s: rates are shown without a roof; tprof calibrate, on that machine, makes one",
             what);
}

/* A default file may be missing or damaged; that is no failure. */
static void open_own(struct cmd_machine *machine, const struct session_process *process)
{
    struct diagnostic diagnostic;
    char path[4096], what[400];
    const char *host = process->host ? process->host : "an unknown host";
    enum status status =
        process->host ? machine_file_path(path, sizeof path, process->host) : STATUS_NOT_FOUND;

    if (!status)
        status = machine_file_read(&machine->machine, path, &diagnostic);
    machine->is_known = !status;
    snprintf(what, sizeof what, "there is no calibration of %.200s", host);
    if (machine->is_known && !machine_is(&machine->machine, process->host, process->cpu)) {
        machine_fini(&machine->machine);
        machine->is_known = false;
        snprintf(what, sizeof what, "the calibration of %.100s is of another processor", host);
    }
    if (status && status != STATUS_NOT_FOUND)
        snprintf(what, sizeof what, "%.390s", diagnostic.text);
    if (!machine->is_known)
        explain(machine, what);
}

enum status cmd_machine_open(struct cmd_machine *machine, const struct session *session,
                             struct cmd_options *options, struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;

    if (options->machine)
        destination_note_input(options->machine);
    machine->is_known = true;
    machine->reason[0] = '\0';
    if (isfinite(options->peak) || isfinite(options->bandwidth)) {
        machine_init_given(&machine->machine, options->peak, options->bandwidth);
    } else if (options->machine)
        status = machine_file_read(&machine->machine, options->machine, diagnostic);
    else
        open_own(machine, &session->process);
    if (status == STATUS_NOT_FOUND)
        status = STATUS_IO;
    options->analysis.machine = machine->is_known ? &machine->machine : NULL;
    options->analysis.no_machine = machine->is_known ? NULL : machine->reason;
    return status;
}

void cmd_machine_close(struct cmd_machine *machine)
{
    if (machine->is_known)
        machine_fini(&machine->machine);
}
