/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads a dozen files of sysfs and procfs in the parent, before the program starts; this takes
 * tprof run less than a millisecond.  In a container, all of them may be missing.
 */
#include "machine/conditions.h"

#include <glob.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>

#include "machine/control_groups.h"
#include "machine/first_line.h"

enum { PATH_SIZE = 512, LINE_SIZE = 4096 };

/* The first line of a file below the root.  Returns: false when there is none. */
static bool read_line(const char *root, const char *name, char *line, size_t size)
{
    char path[PATH_SIZE];

    snprintf(path, sizeof path, "%.200s%.300s", root, name);
    return first_line_read(path, line, size);
}

static void copy_line(char *value, const char *root, const char *name)
{
    char line[LINE_SIZE];

    if (read_line(root, name, line, sizeof line))
        snprintf(value, CONDITION_SIZE, "%.60s", line);
}

/* A file that holds 0 or 1. */
static void read_switch(char *value, const char *root, const char *name, bool on)
{
    char line[LINE_SIZE];

    if (read_line(root, name, line, sizeof line) && (line[0] == '0' || line[0] == '1'))
        snprintf(value, CONDITION_SIZE, "%s", (line[0] == '1') == on ? "on" : "off");
}

static bool has_part(const char *list, const char *part)
{
    size_t size = strlen(part);

    for (const char *at = list; (at = strstr(at, part)); at += size)
        if ((at == list || at[-1] == ',') && (at[size] == ',' || at[size] == '\0'))
            return true;
    return false;
}

/* Processors of one kind share a policy; a machine may have several kinds. */
static void read_governor(char *value, const char *root)
{
    char pattern[PATH_SIZE], line[LINE_SIZE];
    glob_t found = {0};

    snprintf(pattern, sizeof pattern,
             "%.200s/sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor", root);
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++) {
            size_t used = strlen(value);

            if (read_line("", found.gl_pathv[i], line, sizeof line) && !has_part(value, line))
                snprintf(value + used, CONDITION_SIZE - used, "%s%.20s", used ? "," : "", line);
        }
    globfree(&found);
}

/* Two files for the same setting, with opposite meanings. */
static void read_turbo(char *value, const char *root)
{
    read_switch(value, root, "/sys/devices/system/cpu/intel_pstate/no_turbo", false);
    if (value[0] == '\0')
        read_switch(value, root, "/sys/devices/system/cpu/cpufreq/boost", true);
}

/* A list such as "0-1,4". */
static void read_nodes(char *value, const char *root)
{
    char line[LINE_SIZE];
    const char *place = line;
    unsigned long count = 0;

    if (!read_line(root, "/sys/devices/system/node/online", line, sizeof line))
        return;
    while (*place) {
        char *end;
        unsigned long first = strtoul(place, &end, 10);
        unsigned long last = *end == '-' ? strtoul(end + 1, &end, 10) : first;

        if (end == place || last < first)
            return;
        count += last - first + 1;
        place = end + (*end == ',');
    }
    snprintf(value, CONDITION_SIZE, "%lu", count);
}

/* "always [madvise] never" */
static void read_huge_pages(char *value, const char *root)
{
    char line[LINE_SIZE];
    const char *word;

    if (!read_line(root, "/sys/kernel/mm/transparent_hugepage/enabled", line, sizeof line))
        return;
    word = strchr(line, '[');
    if (word)
        snprintf(value, CONDITION_SIZE, "%.*s", (int)strcspn(word + 1, "]"), word + 1);
}

/* The program inherits the personality of this process, as by setarch -R. */
static void read_randomization(char *value, const char *root)
{
    static const char *const words[] = {"off", "partial", "full"};
    char line[LINE_SIZE];
    int own = personality(0xffffffff);

    if (read_line(root, "/proc/sys/kernel/randomize_va_space", line, sizeof line) &&
        line[0] >= '0' && line[0] <= '2')
        snprintf(value, CONDITION_SIZE, "%s", words[line[0] - '0']);
    if (own != -1 && (own & ADDR_NO_RANDOMIZE))
        snprintf(value, CONDITION_SIZE, "off");
}

/* The abilities of the first processor, as a line of words: flags on x86, Features on Arm.
 * Returns: false when there is none. */
static bool read_flags(const char *root, const char *key, char *line, size_t size)
{
    char path[PATH_SIZE];
    bool was_found = false;
    FILE *file;

    snprintf(path, sizeof path, "%.200s/proc/cpuinfo", root);
    file = fopen(path, "re");
    while (file && !was_found && fgets(line, (int)size, file))
        was_found = strncmp(line, key, strlen(key)) == 0;
    if (file)
        fclose(file);
    return was_found;
}

/* Only x86 reports it. */
static void read_hypervisor(char *value, const char *root)
{
    char line[LINE_SIZE];

    if (read_flags(root, "flags", line, sizeof line))
        snprintf(value, CONDITION_SIZE, "%s", strstr(line, " hypervisor") ? "yes" : "no");
}

static bool has_word(const char *line, const char *word)
{
    size_t size = strlen(word);

    for (const char *at = line; (at = strstr(at, word)); at += size)
        if (at != line && at[-1] == ' ' && strchr(" \n", at[size]))
            return true;
    return false;
}

static void read_short_types(char *value, const char *root)
{
    static const char *const words[] = {"amx_bf16",    "amx_fp16", "avx512_bf16",
                                        "avx512_fp16", "bf16",     "svebf16"};
    char line[LINE_SIZE];

    if (!read_flags(root, "flags", line, sizeof line) &&
        !read_flags(root, "Features", line, sizeof line))
        return;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t used = strlen(value);

        if (has_word(line, words[i]))
            snprintf(value + used, CONDITION_SIZE - used, "%s%s", used ? "," : "", words[i]);
    }
    if (value[0] == '\0')
        snprintf(value, CONDITION_SIZE, "none");
}

static void read_quota(char *value, const char *root)
{
    double quota = control_groups_quota(root);

    if (isfinite(quota))
        snprintf(value, CONDITION_SIZE, "%g", quota);
}

static void read_load(char *value, const char *root)
{
    char line[LINE_SIZE];

    if (read_line(root, "/proc/loadavg", line, sizeof line))
        snprintf(value, CONDITION_SIZE, "%.*s", (int)strcspn(line, " "), line);
}

void conditions_read(struct conditions *conditions, const char *root)
{
    char(*values)[CONDITION_SIZE] = conditions->values;

    memset(conditions, 0, sizeof *conditions);
    read_governor(values[TRACE_CONDITION_GOVERNOR], root);
    copy_line(values[TRACE_CONDITION_DRIVER], root,
              "/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver");
    read_turbo(values[TRACE_CONDITION_TURBO], root);
    copy_line(values[TRACE_CONDITION_SMT], root, "/sys/devices/system/cpu/smt/control");
    read_nodes(values[TRACE_CONDITION_NUMA_NODES], root);
    read_switch(values[TRACE_CONDITION_NUMA_BALANCING], root, "/proc/sys/kernel/numa_balancing",
                true);
    read_huge_pages(values[TRACE_CONDITION_THP], root);
    read_randomization(values[TRACE_CONDITION_ASLR], root);
    copy_line(values[TRACE_CONDITION_CLOCKSOURCE], root,
              "/sys/devices/system/clocksource/clocksource0/current_clocksource");
    read_hypervisor(values[TRACE_CONDITION_HYPERVISOR], root);
    read_quota(values[TRACE_CONDITION_QUOTA], root);
    read_load(values[TRACE_CONDITION_LOAD], root);
    read_short_types(values[TRACE_CONDITION_SHORT_TYPES], root);
}

static const char *const keys[] = {
#define CONDITION(id, key, title, help) key,
#include "spec/conditions.def"
#undef CONDITION
};

void conditions_append(const struct conditions *conditions, struct text *facts)
{
    static const char zeros[8];

    for (int i = 0; i < TRACE_CONDITIONS; i++) {
        size_t key = strlen(keys[i]) + 1, value = strlen(conditions->values[i]);
        struct trace_fact head = {TRACE_FACT_PROPERTY, (uint32_t)(key + value)};

        if (value == 0)
            continue;
        text_append_bytes(facts, (const char *)&head, sizeof head);
        text_append_bytes(facts, keys[i], key);
        text_append_bytes(facts, conditions->values[i], value);
        text_append_bytes(facts, zeros, (8 - head.size % 8) % 8);
    }
}
