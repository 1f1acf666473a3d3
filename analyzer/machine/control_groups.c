/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each hierarchy of groups is a file system: /proc/self/mountinfo finds it, and /proc/self/cgroup
 * says which of its folders is ours.  The limits of outer groups hold, too, so all groups up to the
 * mount are read.
 */
#include "machine/control_groups.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/first_line.h"

enum { PATH_SIZE = 1024, FILE_SIZE = PATH_SIZE + 64 };

/* A question to each group of a hierarchy. */
struct question {
    const char *controller;
    bool is_unified; /* version 2: one hierarchy has all controllers */
    double (*ask)(const char *root, const char *folder);
};

struct hierarchy {
    const char *root; /* root of all files: "", except in tests */
    const struct question *question;
    char mount[PATH_SIZE]; /* where it is mounted */
    char top[PATH_SIZE];   /* the group at the mount */
    char group[PATH_SIZE]; /* ours */
};

/* Is the word in a list with commas? */
static bool is_listed(const char *list, size_t size, const char *word)
{
    size_t length = strlen(word);

    for (const char *end = list + size; list < end; list++) {
        const char *comma = memchr(list, ',', (size_t)(end - list));
        size_t part = (size_t)((comma ? comma : end) - list);

        if (part == length && memcmp(list, word, length) == 0)
            return true;
        list += part;
    }
    return false;
}

/* A line of /proc/self/cgroup: number:controllers:path.  Returns: whether it is of this
 * hierarchy. */
static bool take_group(struct hierarchy *of, const char *line)
{
    const struct question *question = of->question;
    const char *list = strchr(line, ':');
    const char *path = list ? strchr(list + 1, ':') : NULL;
    size_t size = path ? (size_t)(path - list) - 1 : 0;

    if (!path ||
        (question->is_unified ? size != 0 : !is_listed(list + 1, size, question->controller)))
        return false;
    snprintf(of->group, sizeof of->group, "%.*s", (int)strcspn(path + 1, "\n"), path + 1);
    return true;
}

/* A line of /proc/self/mountinfo: number, parent, device, top, mount, options …, "-", kind of file
 * system, source, options.
 * Returns: whether it mounts this hierarchy. */
static bool take_mount(struct hierarchy *of, const char *line)
{
    const struct question *question = of->question;
    const char *rest = strstr(line, " - ");
    char sort[16] = "", options[256] = "";

    if (!rest || sscanf(rest + 3, "%15s %*s %255s", sort, options) != 2 ||
        strcmp(sort, question->is_unified ? "cgroup2" : "cgroup") != 0)
        return false;
    if (!question->is_unified && !is_listed(options, strlen(options), question->controller))
        return false;
    return sscanf(line, "%*s %*s %*s %1023s %1023s", of->top, of->mount) == 2;
}

/* Returns: whether a line of the file was of this hierarchy. */
static bool search(struct hierarchy *of, const char *name,
                   bool (*take)(struct hierarchy *of, const char *line))
{
    char path[FILE_SIZE];
    size_t size = 0;
    char *line = NULL;
    bool is_found = false;
    FILE *file;

    snprintf(path, sizeof path, "%.500s%s", of->root, name);
    file = fopen(path, "re");
    while (file && !is_found && getline(&line, &size, file) > 0)
        is_found = take(of, line);
    free(line);
    if (file)
        fclose(file);
    return is_found;
}

/* The folder of our group.  In a container the mount may show only our group, or the path may name
 * a group outside of the mount: then the group at the mount is the nearest visible one. */
static void find_folder(const struct hierarchy *of, char *folder, size_t size)
{
    size_t top = strcmp(of->top, "/") == 0 ? 0 : strlen(of->top);
    const char *below = of->group + top;
    bool is_below = strncmp(of->group, of->top, top) == 0 && below[0] == '/' && below[1] != '\0' &&
                    strncmp(below, "/..", 3) != 0;

    snprintf(folder, size, "%s%s", of->mount, is_below ? below : "");
}

static double read_number(const char *root, const char *folder, const char *name)
{
    char path[3 * PATH_SIZE], line[64], *end;
    double number;

    snprintf(path, sizeof path, "%s%s/%s", root, folder, name);
    if (!first_line_read(path, line, sizeof line))
        return (double)NAN;
    number = strtod(line, &end);
    return end == line ? (double)NAN : number;
}

/* cpu.max: "50000 100000" microseconds of a period, or "max 100000". */
static double quota_of_unified(const char *root, const char *folder)
{
    char path[3 * PATH_SIZE], line[64];
    unsigned long long quota, period;

    snprintf(path, sizeof path, "%s%s/cpu.max", root, folder);
    if (first_line_read(path, line, sizeof line) &&
        sscanf(line, "%llu %llu", &quota, &period) == 2 && period > 0)
        return (double)quota / (double)period;
    return (double)INFINITY;
}

/* A quota of -1 is none. */
static double quota_of_cpu(const char *root, const char *folder)
{
    double quota = read_number(root, folder, "cpu.cfs_quota_us");
    double period = read_number(root, folder, "cpu.cfs_period_us");

    return quota > 0 && period > 0 ? quota / period : (double)INFINITY;
}

static double limit_of(double limit)
{
    return isnan(limit) ? (double)INFINITY : limit;
}

static double limit_of_unified(const char *root, const char *folder)
{
    return limit_of(read_number(root, folder, "memory.max"));
}

/* Without a limit, the file has a huge number. */
static double limit_of_memory(const char *root, const char *folder)
{
    return limit_of(read_number(root, folder, "memory.limit_in_bytes"));
}

/* Returns: whether a line of memory.stat is of files; the keys begin with a prefix. */
static bool is_of_files(const char *line, const char *prefix, double *bytes)
{
    size_t size = strlen(prefix);
    char key[64];

    return sscanf(line, "%63s %lf", key, bytes) == 2 && strncmp(key, prefix, size) == 0 &&
           (strcmp(key + size, "active_file") == 0 || strcmp(key + size, "inactive_file") == 0);
}

static double sum_files(const char *root, const char *folder, const char *prefix)
{
    char path[3 * PATH_SIZE], line[256];
    double sum = 0, bytes;
    FILE *file;

    snprintf(path, sizeof path, "%s%s/memory.stat", root, folder);
    file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file))
        if (is_of_files(line, prefix, &bytes))
            sum += bytes;
    if (file)
        fclose(file);
    return sum;
}

/* Memory of cached files counts as free, as in MemAvailable of /proc/meminfo: the kernel frees it
 * on demand. */
static double left_of(double limit, double used, double files)
{
    if (!isfinite(limit) || !isfinite(used))
        return (double)INFINITY;
    return fmax(0, limit - fmax(0, used - files));
}

static double memory_of_unified(const char *root, const char *folder)
{
    return left_of(limit_of_unified(root, folder), read_number(root, folder, "memory.current"),
                   sum_files(root, folder, ""));
}

static double memory_of_memory(const char *root, const char *folder)
{
    return left_of(limit_of_memory(root, folder),
                   read_number(root, folder, "memory.usage_in_bytes"),
                   sum_files(root, folder, "total_"));
}

/* A hierarchy of version 2 may have left controllers to those of version 1. */
static bool has_controller(const struct hierarchy *of)
{
    char path[3 * PATH_SIZE], line[256];

    snprintf(path, sizeof path, "%s%s/cgroup.controllers", of->root, of->mount);
    if (!first_line_read(path, line, sizeof line))
        return false;
    for (char *space = strchr(line, ' '); space; space = strchr(space, ' '))
        *space = ',';
    return is_listed(line, strlen(line), of->question->controller);
}

/* Returns: the least answer of our group and its outer groups; NAN without such a hierarchy. */
static double ask_groups(const char *root, const struct question *question)
{
    struct hierarchy of = {.root = root, .question = question};
    char folder[2 * PATH_SIZE];
    double least = (double)INFINITY;

    if (!search(&of, "/proc/self/cgroup", take_group) ||
        !search(&of, "/proc/self/mountinfo", take_mount) ||
        (question->is_unified && !has_controller(&of)))
        return (double)NAN;
    find_folder(&of, folder, sizeof folder);
    while (strlen(folder) >= strlen(of.mount)) {
        char *slash = strrchr(folder, '/');

        least = fmin(least, question->ask(root, folder));
        if (!slash)
            break;
        *slash = '\0';
    }
    return least;
}

/* fmin takes the number where one is NAN. */
double control_groups_quota(const char *root)
{
    static const struct question unified = {"cpu", true, quota_of_unified};
    static const struct question own = {"cpu", false, quota_of_cpu};

    return fmin(ask_groups(root, &unified), ask_groups(root, &own));
}

double control_groups_memory(const char *root)
{
    static const struct question unified = {"memory", true, limit_of_unified};
    static const struct question own = {"memory", false, limit_of_memory};

    return fmin(ask_groups(root, &unified), ask_groups(root, &own));
}

double control_groups_free_memory(const char *root)
{
    static const struct question unified = {"memory", true, memory_of_unified};
    static const struct question own = {"memory", false, memory_of_memory};

    return fmin(ask_groups(root, &unified), ask_groups(root, &own));
}
