/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Warns of processor time that other processes and virtual machines took.
 */
#include "machine/quiet.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "machine/texts.h"

static const double doubtful_spread = 0.1; /* a warning from this spread on */
static const double doubtful_fraction = 0.02;
static const double doubtful_load = 0.5; /* load for each processor */

static double own_seconds(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

void quiet_begin(struct quiet *quiet, const struct processors *processors)
{
    quiet->processors = processors;
    quiet->time = processors_read_time(processors);
    quiet->own_seconds = own_seconds();
}

static void measure(const struct quiet *quiet, struct machine *machine)
{
    struct processors_time after = processors_read_time(quiet->processors);
    double all = after.all - quiet->time.all;
    double own_ticks = (own_seconds() - quiet->own_seconds) * (double)sysconf(_SC_CLK_TCK);

    if (all <= 0)
        return;
    machine->steal_fraction = (after.stolen - quiet->time.stolen) / all;
    machine->other_fraction = fmax(0, (after.busy - quiet->time.busy - own_ticks) / all);
}

static void warn_of_spread(struct machine *machine)
{
    double most = 0;

    for (size_t i = 0; i < machine->peaks.count; i++)
        most = fmax(most, ((struct machine_peak *)array_at(&machine->peaks, i))->spread);
    for (size_t i = 0; i < machine->bandwidths.count; i++)
        most = fmax(most, ((struct machine_bandwidth *)array_at(&machine->bandwidths, i))->spread);
    if (most < doubtful_spread)
        return;
    text_list_say(&machine->warnings, machine_spread_text, said_share(most));
}

static void warn_of_fraction(struct machine *machine, double fraction, struct said sentence)
{
    if (!(fraction > doubtful_fraction))
        return;
    text_list_say(&machine->warnings, sentence, said_share(fraction));
}

static void warn_of_load(struct machine *machine)
{
    if (!(machine->load_before > doubtful_load * machine->processors_online))
        return;
    text_list_say(&machine->warnings, machine_load_text, said_real(machine->load_before),
                  said_real(machine->processors_online));
}

void quiet_end(const struct quiet *quiet, struct machine *machine)
{
    warn_of_spread(machine);

    measure(quiet, machine);
    warn_of_fraction(machine, machine->steal_fraction, machine_stolen_text);
    warn_of_fraction(machine, machine->other_fraction, machine_shared_text);
    warn_of_load(machine);
    if (strstr(machine->compiler, "not optimized"))
        text_list_say(&machine->warnings, machine_unoptimized_text);
}
