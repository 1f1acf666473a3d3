/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads Linux's files about processors.
 */
#include "machine/processors.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/units.h"
#include "machine/control_groups.h"
#include "machine/first_line.h"
#include "platform/cpu.h"

enum { LINE_SIZE = 4096, PATH_SIZE = 512 };

static double read_number(const char *path)
{
    char line[64];
    char *end;
    double number;

    if (!first_line_read(path, line, sizeof line))
        return (double)NAN;
    number = strtod(line, &end);
    return end == line ? (double)NAN : number;
}

/* Read a list such as "0-3,8" into a set. */
static void read_list(const char *text, cpu_set_t *set)
{
    CPU_ZERO(set);
    while (*text) {
        char *end;
        unsigned long first = strtoul(text, &end, 10), last = first;

        if (end == text)
            return;
        if (*end == '-')
            last = strtoul(end + 1, &end, 10);
        for (; first <= last && first < CPU_SETSIZE; first++)
            CPU_SET(first, set);
        text = end + (*end == ',');
    }
}

/* How many threads of the same core come before this one: 0 for the first. */
static unsigned rank_in_core(unsigned id)
{
    char path[PATH_SIZE], line[LINE_SIZE];
    cpu_set_t siblings;
    unsigned rank = 0;

    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/topology/thread_siblings_list", id);
    if (!first_line_read(path, line, sizeof line))
        return 0;
    read_list(line, &siblings);
    for (unsigned i = 0; i < id && i < CPU_SETSIZE; i++)
        rank += CPU_ISSET(i, &siblings) != 0;
    return rank;
}

double processors_free_memory(void)
{
    double available = (double)INFINITY;
    char line[LINE_SIZE];
    FILE *file = fopen("/proc/meminfo", "re");

    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "MemAvailable:", 13) == 0)
            available = strtod(line + 13, NULL) * 1024; /* the file has KiB */
    if (file)
        fclose(file);
    return fmin(available, control_groups_free_memory(""));
}

static unsigned within_quota(unsigned count)
{
    double quota = control_groups_quota("");

    return quota < count ? (unsigned)ceil(fmax(quota, 1)) : count;
}

void processors_find(struct processors *processors)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        CPU_SET(0, &set);
    processors->count = 0;
    for (unsigned rank = 0; rank < 8; rank++)
        for (unsigned id = 0; id < CPU_SETSIZE && processors->count < PROCESSORS_MAX; id++)
            if (CPU_ISSET(id, &set) && rank_in_core(id) == rank)
                processors->ids[processors->count++] = id;
    processors->allowed = within_quota(processors->count);
}

struct cache_place {
    unsigned processor;
    unsigned index;
};

static bool read_cache_line(struct cache_place place, const char *name, char *line, size_t size)
{
    char path[PATH_SIZE];

    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/cache/index%u/%s", place.processor,
             place.index, name);
    return first_line_read(path, line, size);
}

static uint32_t count_sharers(struct cache_place place)
{
    char line[LINE_SIZE];
    cpu_set_t sharers;

    if (!read_cache_line(place, "shared_cpu_list", line, sizeof line))
        return 1;
    read_list(line, &sharers);
    return CPU_COUNT(&sharers) > 0 ? (uint32_t)CPU_COUNT(&sharers) : 1;
}

static void add_cache(struct machine *machine, unsigned level, uint64_t size_bytes,
                      uint32_t sharers)
{
    struct machine_cache *cache;

    if (level < 1 || level > MACHINE_DRAM || size_bytes == 0)
        return;
    cache = array_add(&machine->caches);
    *cache = (struct machine_cache){(enum machine_level)(level - 1), size_bytes, sharers};
}

/* Used if sysfs has no caches, as in some virtual machines. */
static void add_caches_of_libc(struct machine *machine)
{
    static const int names[] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE,
                                _SC_LEVEL3_CACHE_SIZE};

    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        long size = sysconf(names[i]);

        add_cache(machine, i + 1, size > 0 ? (uint64_t)size : 0, 1);
    }
}

void processors_add_caches(struct machine *machine, const struct processors *processors)
{
    struct cache_place place = {processors->ids[0], 0};
    char line[64];

    for (; read_cache_line(place, "type", line, sizeof line); place.index++) {
        char level[16] = "", size[64] = "";
        uint64_t bytes;
        struct diagnostic unused;

        if (strcmp(line, "Instruction") == 0 ||
            !read_cache_line(place, "level", level, sizeof level) ||
            !read_cache_line(place, "size", size, sizeof size) ||
            units_parse_size(size, &bytes, &unused))
            continue;
        add_cache(machine, (unsigned)strtoul(level, NULL, 10), bytes, count_sharers(place));
    }
    if (machine->caches.count == 0)
        add_caches_of_libc(machine);
}

static bool is_ours(const char *line, const struct processors *processors)
{
    char *end;
    unsigned long id = strtoul(line + 3, &end, 10);

    if (strncmp(line, "cpu", 3) != 0 || end == line + 3)
        return false;
    for (unsigned i = 0; i < processors->count; i++)
        if (processors->ids[i] == id)
            return true;
    return false;
}

/* user nice system idle iowait irq softirq steal; guests are in user. */
static void add_times(struct processors_time *time, const char *line)
{
    double ticks[8] = {0};
    const char *place = strchr(line, ' ');
    char *end;

    for (int i = 0; i < 8 && place; i++) {
        ticks[i] = strtod(place, &end);
        place = end;
        time->all += ticks[i];
    }
    time->stolen += ticks[7];
    time->busy += ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6];
}

struct processors_time processors_read_time(const struct processors *processors)
{
    struct processors_time time = {0, 0, 0};
    char line[LINE_SIZE];
    FILE *file = fopen("/proc/stat", "re");

    while (file && fgets(line, sizeof line, file))
        if (is_ours(line, processors))
            add_times(&time, line);
    if (file)
        fclose(file);
    return time;
}

#if defined(__x86_64__)
static bool is_virtual(void)
{
    char line[LINE_SIZE];
    bool found = false;
    FILE *file = fopen("/proc/cpuinfo", "re");

    while (file && !found && fgets(line, sizeof line, file))
        found = strncmp(line, "flags", 5) == 0 && strstr(line, " hypervisor");
    if (file)
        fclose(file);
    return found;
}

#endif

/* Two files for the same setting, with opposite meanings. */
static const char *find_turbo(void)
{
    double no_turbo = read_number("/sys/devices/system/cpu/intel_pstate/no_turbo");
    double boost = read_number("/sys/devices/system/cpu/cpufreq/boost");

    if (isfinite(no_turbo))
        return no_turbo != 0 ? "no" : "yes";
    if (isfinite(boost))
        return boost != 0 ? "yes" : "no";
    return "";
}

static void describe_compiler(struct machine *machine)
{
#if defined(__OPTIMIZE__)
    const char *optimized = "optimized";
#else
    const char *optimized = "not optimized";
#endif

#if defined(__clang__)
    snprintf(machine->compiler, sizeof machine->compiler, "clang %s, %s", __clang_version__,
             optimized);
#else
    snprintf(machine->compiler, sizeof machine->compiler, "gcc %s, %s", __VERSION__, optimized);
#endif
}

void processors_describe(struct machine *machine, const struct processors *processors)
{
    static const char frequency[] = "/sys/devices/system/cpu/cpu%u/cpufreq/scaling_cur_freq";
    static const char governor[] = "/sys/devices/system/cpu/cpu%u/cpufreq/scaling_governor";
    double quota = control_groups_quota("");
    char path[PATH_SIZE];
    struct utsname names;

    if (uname(&names) == 0)
        snprintf(machine->host, sizeof machine->host, "%s", names.nodename);
    cpu_name(machine->cpu, sizeof machine->cpu);
    describe_compiler(machine);
    snprintf(path, sizeof path, governor, processors->ids[0]);
    if (!first_line_read(path, machine->governor, sizeof machine->governor))
        machine->governor[0] = '\0';
    snprintf(path, sizeof path, frequency, processors->ids[0]);
    machine->frequency_hz = read_number(path) * 1000; /* the file has kHz */
    snprintf(machine->turbo, sizeof machine->turbo, "%s", find_turbo());
#if defined(__x86_64__)
    snprintf(machine->hypervisor, sizeof machine->hypervisor, "%s", is_virtual() ? "yes" : "no");
#endif
    machine->processors_online = (double)sysconf(_SC_NPROCESSORS_ONLN);
    machine->processors_allowed = processors->allowed;
    machine->quota_processors = isfinite(quota) ? quota : (double)NAN;
    machine->memory_bytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    machine->load_before = read_number("/proc/loadavg"); /* the mean of the last minute */
}
