/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads the current state from Linux.
 */
#include "cmd/checkup.h"

#include <glob.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "machine/conditions.h"
#include "machine/control_groups.h"
#include "machine/gemm.h"
#include "machine/processors.h"
#include "platform/cpu.h"

enum { PATH_SIZE = 512, LINE_SIZE = 512 };

static const double busy_load = 0.5;      /* load for each allowed processor */
static const double much_stolen = 0.02;   /* part of processor time */
static const double little_memory = 0.15; /* part of all memory (an alert is due at 85 %) */
static const double hot_celsius = 90;

/* The conditions, and the processors that have them. */
struct subject {
    struct checks *checks;
    const char *root;
    struct processors processors;
    struct conditions conditions;
};

static const char *value_of(const struct subject *of, enum trace_condition_id id)
{
    return of->conditions.values[id];
}

static void say_unknown(const struct subject *of, enum check_id id)
{
    checks_say(of->checks, id, CHECK_UNKNOWN, "the system does not say");
}

static void check_processors(const struct subject *of)
{
    unsigned online = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
    char name[MACHINE_TEXT_SIZE];

    cpu_name(name, sizeof name);
    checks_say(of->checks, CHECK_PROCESSORS, of->processors.count < online ? CHECK_WARN : CHECK_OK,
               "%.120s: %u of %u allowed", name[0] ? name : "a processor without a name",
               of->processors.count, online);
}

static void check_quota(const struct subject *of)
{
    double quota = control_groups_quota(of->root);

    if (isnan(quota))
        checks_say(of->checks, CHECK_QUOTA, CHECK_UNKNOWN,
                   "the control groups of this system cannot be seen");
    else if (isinf(quota))
        checks_say(of->checks, CHECK_QUOTA, CHECK_OK, "none");
    else
        checks_say(of->checks, CHECK_QUOTA, quota < of->processors.count ? CHECK_WARN : CHECK_OK,
                   "%g processors by the control group, %u by affinity", quota,
                   of->processors.count);
}

static void check_governor(const struct subject *of)
{
    const char *governor = value_of(of, TRACE_CONDITION_GOVERNOR);

    if (!governor[0])
        say_unknown(of, CHECK_GOVERNOR);
    else
        checks_say(of->checks, CHECK_GOVERNOR,
                   strcmp(governor, "performance") == 0 ? CHECK_OK : CHECK_WARN, "%s: clocks %s",
                   governor,
                   strcmp(governor, "performance") == 0 ? "stay high" : "follow the load");
}

static void check_turbo(const struct subject *of)
{
    const char *turbo = value_of(of, TRACE_CONDITION_TURBO);

    if (!turbo[0])
        say_unknown(of, CHECK_TURBO);
    else
        checks_say(of->checks, CHECK_TURBO, strcmp(turbo, "on") == 0 ? CHECK_WARN : CHECK_OK, "%s",
                   turbo);
}

static void check_threads_of_cores(const struct subject *of)
{
    const char *smt = value_of(of, TRACE_CONDITION_SMT);

    if (!smt[0])
        say_unknown(of, CHECK_SMT);
    else
        checks_say(of->checks, CHECK_SMT, CHECK_OK, "%s%s", smt,
                   strcmp(smt, "on") == 0 ? ": two processors may share the units of one core"
                                          : "");
}

static void check_nodes(const struct subject *of)
{
    const char *nodes = value_of(of, TRACE_CONDITION_NUMA_NODES);
    const char *balancing = value_of(of, TRACE_CONDITION_NUMA_BALANCING);

    if (!nodes[0])
        say_unknown(of, CHECK_NUMA);
    else if (strcmp(nodes, "1") == 0)
        checks_say(of->checks, CHECK_NUMA, CHECK_OK, "one node");
    else
        checks_say(of->checks, CHECK_NUMA, CHECK_WARN, "%s nodes: memory may be remote%s", nodes,
                   strcmp(balancing, "on") == 0 ? ", and the kernel moves pages meanwhile" : "");
}

static void check_word(const struct subject *of, enum check_id id,
                       enum trace_condition_id condition)
{
    const char *word = value_of(of, condition);

    if (!word[0])
        say_unknown(of, id);
    else
        checks_say(of->checks, id, CHECK_OK, "%s", word);
}

/* Clocks that are read by a system call. */
static void check_clock(const struct subject *of)
{
    static const char *const slow[] = {"hpet", "acpi_pm", "jiffies", "refined-jiffies", "xen"};
    const char *source = value_of(of, TRACE_CONDITION_CLOCKSOURCE);
    bool is_slow = false;

    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++)
        is_slow |= strcmp(source, slow[i]) == 0;
    if (!source[0])
        say_unknown(of, CHECK_CLOCK);
    else
        checks_say(of->checks, CHECK_CLOCK, is_slow ? CHECK_WARN : CHECK_OK, "%s", source);
}

static void check_virtual(const struct subject *of)
{
    struct processors_time time = processors_read_time(&of->processors);
    const char *virtual = value_of(of, TRACE_CONDITION_HYPERVISOR);
    double stolen = time.all > 0 ? time.stolen / time.all : (double)NAN;
    char share[UNITS_SIZE];

    if (!virtual[0])
        say_unknown(of, CHECK_VIRTUAL);
    else if (strcmp(virtual, "no") == 0)
        checks_say(of->checks, CHECK_VIRTUAL, CHECK_OK, "no");
    else
        checks_say(of->checks, CHECK_VIRTUAL, stolen > much_stolen ? CHECK_WARN : CHECK_OK,
                   "yes; %s of processor time since it started was stolen",
                   isfinite(stolen) ? units_format_percent(share, stolen) : "an unknown part");
}

static void check_load(const struct subject *of)
{
    const char *text = value_of(of, TRACE_CONDITION_LOAD);
    double load = strtod(text, NULL);

    if (!text[0])
        say_unknown(of, CHECK_LOAD);
    else
        checks_say(of->checks, CHECK_LOAD,
                   load > busy_load * of->processors.count ? CHECK_WARN : CHECK_OK,
                   "%s on %u processor%s, mean of a minute", text, of->processors.count,
                   units_choose(of->processors.count, "", "s"));
}

/* A line of /proc/meminfo, in bytes; NAN. */
static double read_memory(const struct subject *of, const char *key)
{
    char path[PATH_SIZE], line[LINE_SIZE];
    double bytes = (double)NAN;
    FILE *file;

    snprintf(path, sizeof path, "%.200s/proc/meminfo", of->root);
    file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, key, strlen(key)) == 0 && line[strlen(key)] == ':')
            bytes = strtod(line + strlen(key) + 1, NULL) * 1024; /* the file has KiB */
    if (file)
        fclose(file);
    return bytes;
}

static void check_memory(const struct subject *of)
{
    double all = read_memory(of, "MemTotal"), free = read_memory(of, "MemAvailable");
    char total[UNITS_SIZE], available[UNITS_SIZE];

    if (!isnan(all))
        all = fmin(all, control_groups_memory(of->root));
    if (!isnan(free))
        free = fmin(free, control_groups_free_memory(of->root));
    if (isnan(all) || isnan(free)) {
        say_unknown(of, CHECK_MEMORY);
        return;
    }
    checks_say(of->checks, CHECK_MEMORY, free < little_memory * all ? CHECK_WARN : CHECK_OK,
               "%s of %s may be taken", units_format_bytes(available, free),
               units_format_bytes(total, all));
}

static void check_swap(const struct subject *of)
{
    double all = read_memory(of, "SwapTotal");
    double used = all - read_memory(of, "SwapFree");
    char total[UNITS_SIZE], taken[UNITS_SIZE];

    if (isnan(used))
        say_unknown(of, CHECK_SWAP);
    else if (all == 0)
        checks_say(of->checks, CHECK_SWAP, CHECK_OK, "none");
    else
        checks_say(of->checks, CHECK_SWAP, used > 0 ? CHECK_WARN : CHECK_OK, "%s of %s in use",
                   units_format_bytes(taken, used), units_format_bytes(total, all));
}

enum reduction { SUM, HIGHEST };

/* The sum of the numbers in all files of a pattern; NAN without such files. */
static double read_all(const struct subject *of, const char *pattern, enum reduction reduction)
{
    char path[PATH_SIZE];
    glob_t found = {0};
    double result = (double)NAN;

    snprintf(path, sizeof path, "%.200s%.300s", of->root, pattern);
    if (glob(path, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++) {
            FILE *file = fopen(found.gl_pathv[i], "re");
            double number;

            if (file && fscanf(file, "%lf", &number) == 1)
                result = isnan(result)      ? number
                         : reduction == SUM ? result + number
                                            : fmax(result, number);
            if (file)
                fclose(file);
        }
    globfree(&found);
    return result;
}

static void check_heat(const struct subject *of)
{
    double throttles =
        read_all(of, "/sys/devices/system/cpu/cpu[0-9]*/thermal_throttle/core_throttle_count", SUM);
    double celsius = fmax(read_all(of, "/sys/class/thermal/thermal_zone*/temp", HIGHEST),
                          read_all(of, "/sys/class/hwmon/hwmon*/temp*_input", HIGHEST)) /
                     1000; /* the files have thousandths */
    bool is_hot = celsius >= hot_celsius || throttles > 0;
    char hottest[60] = "";

    if (isnan(celsius) && isnan(throttles)) {
        checks_say(of->checks, CHECK_HEAT, CHECK_UNKNOWN,
                   "neither temperatures nor thermal throttles are told here");
        return;
    }
    if (isfinite(celsius))
        snprintf(hottest, sizeof hottest, "%.0f degrees Celsius at the hottest place%s", celsius,
                 isfinite(throttles) ? ", " : "");
    if (isfinite(throttles))
        checks_say(of->checks, CHECK_HEAT, is_hot ? CHECK_WARN : CHECK_OK,
                   "%s%.0f thermal throttles since it started", hottest, throttles);
    else
        checks_say(of->checks, CHECK_HEAT, is_hot ? CHECK_WARN : CHECK_OK, "%s", hottest);
}

void checkup_machine(struct checks *checks, const char *root)
{
    struct subject of = {.checks = checks, .root = root};

    processors_find(&of.processors);
    conditions_read(&of.conditions, root);
    check_processors(&of);
    check_quota(&of);
    check_governor(&of);
    check_turbo(&of);
    check_threads_of_cores(&of);
    check_nodes(&of);
    check_word(&of, CHECK_THP, TRACE_CONDITION_THP);
    check_word(&of, CHECK_ASLR, TRACE_CONDITION_ASLR);
    check_clock(&of);
    check_virtual(&of);
    check_load(&of);
    check_memory(&of);
    check_swap(&of);
    check_heat(&of);
}

static void check_blas(struct checks *checks)
{
    struct machine machine;
    struct gemm *gemm;

    machine_init(&machine);
    gemm = gemm_open(NULL, &machine);
    if (gemm)
        checks_say(checks, CHECK_BLAS, CHECK_OK, "the loader finds %s", machine.blas);
    else
        checks_say(checks, CHECK_BLAS, CHECK_UNKNOWN,
                   "the loader finds none of those that are known by name: %s",
                   machine.blas_reason);
    if (gemm)
        gemm_close(gemm);
    machine_fini(&machine);
}

static void check_threads(struct checks *checks)
{
    static const char *const names[] = {"OMP_NUM_THREADS",  "OPENBLAS_NUM_THREADS",
                                        "MKL_NUM_THREADS",  "BLIS_NUM_THREADS",
                                        "GOTO_NUM_THREADS", "NUMEXPR_NUM_THREADS"};
    struct processors processors;
    struct text set;
    bool is_too_many = false;

    processors_find(&processors);
    text_init(&set);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);

        if (!value)
            continue;
        text_appendf(&set, "%s%s=%.20s", set.size ? ", " : "", names[i], value);
        is_too_many |= strtoul(value, NULL, 10) > processors.allowed;
    }
    if (set.size == 0)
        is_too_many = processors.allowed < processors.count;
    checks_say(checks, CHECK_THREADS, is_too_many ? CHECK_WARN : CHECK_OK,
               "%s; %u processor%s allowed",
               set.size ? set.bytes
                        : "no *_NUM_THREADS is set, so libraries take every processor they see",
               processors.allowed, units_choose(processors.allowed, " is", "s are"));
    text_fini(&set);
}

void checkup_libraries(struct checks *checks)
{
    check_blas(checks);
    check_threads(checks);
}
