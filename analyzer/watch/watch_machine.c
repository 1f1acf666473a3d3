/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Readings of the machine, as metrics.  A file that cannot be read has no row.
 */
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "watch/watch_parts.h"

enum family {
#define MACHINE(id, name, help) MACHINE_##id,
#include "watch/machine.def"
#undef MACHINE
    MACHINES
};

static const struct {
    const char *name, *help;
} rows[MACHINES] = {
#define MACHINE(id, name, help) {name, help},
#include "watch/machine.def"
#undef MACHINE
};

enum { PATH_SIZE = 512, LINE_SIZE = 512, NAME_SIZE = 64, SECTOR_BYTES = 512 };

struct machine {
    const char *root;
    struct text families[MACHINES];
};

/* A label of a sample. */
struct label {
    const char *key, *value;
};

static void add(struct machine *machine, enum family family, const struct label labels[2],
                double value)
{
    struct text *text = &machine->families[family];

    text_append(text, rows[family].name);
    metrics_append_label(text, "{", labels[0].key, labels[0].value);
    if (labels[1].key)
        metrics_append_label(text, ",", labels[1].key, labels[1].value);
    text_appendf(text, "} %.15g\n", value);
}

static FILE *open_file(const struct machine *machine, const char *name)
{
    char path[PATH_SIZE];

    snprintf(path, sizeof path, "%s%s", machine->root, name);
    return fopen(path, "re");
}

/* ---- pressure -------------------------------------------------------------------------- */

/* "some avg10=0.00 avg60=0.00 avg300=0.00 total=1234": microseconds. */
static void read_pressure(struct machine *machine, const char *resource)
{
    char name[NAME_SIZE], line[LINE_SIZE], kind[NAME_SIZE];
    uint64_t total_us;
    FILE *file;

    snprintf(name, sizeof name, "/proc/pressure/%s", resource);
    file = open_file(machine, name);
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "%63s %*s %*s %*s total=%" SCNu64, kind, &total_us) == 2)
            add(machine, MACHINE_PRESSURE,
                (struct label[]){{"resource", resource}, {"tasks", kind}}, (double)total_us / 1e6);
    if (file)
        fclose(file);
}

/* ---- disks ----------------------------------------------------------------------------- */

/* Disks that only stand for memory, files or other disks have no device. */
static bool is_disk(const struct machine *machine, const char *name)
{
    char path[PATH_SIZE];

    snprintf(path, sizeof path, "%s/sys/block/%s/device", machine->root, name);
    return access(path, F_OK) == 0;
}

static void read_disks(struct machine *machine)
{
    char line[LINE_SIZE], name[NAME_SIZE];
    uint64_t read, written, busy_ms;
    FILE *file = open_file(machine, "/proc/diskstats");

    while (file && fgets(line, sizeof line, file)) {
        const struct label labels[2] = {{"disk", name}};

        if (sscanf(line,
                   "%*s %*s %63s %*s %*s %" SCNu64 " %*s %*s %*s %" SCNu64 " %*s %*s %" SCNu64,
                   name, &read, &written, &busy_ms) != 4 ||
            !is_disk(machine, name))
            continue;
        add(machine, MACHINE_DISK_BUSY, labels, (double)busy_ms / 1e3);
        add(machine, MACHINE_DISK_READ, labels, (double)read * SECTOR_BYTES);
        add(machine, MACHINE_DISK_WRITTEN, labels, (double)written * SECTOR_BYTES);
    }
    if (file)
        fclose(file);
}

/* ---- temperatures ---------------------------------------------------------------------- */

/* ".../thermal_zone0/temp" is the sensor thermal_zone0, ".../hwmon1/temp2_input" hwmon1/temp2. */
static void name_sensor(struct text *sensor, const char *path)
{
    const char *file = text_base_name(path), *folder = file - 1;

    while (folder > path && folder[-1] != '/')
        folder--;
    text_append_bytes(sensor, folder, (size_t)(file - folder) - 1);
    if (strncmp(folder, "hwmon", 5) == 0)
        text_appendf(sensor, "/%.*s", (int)strcspn(file, "_"), file);
}

static void read_temperature(struct machine *machine, const char *path)
{
    FILE *file = fopen(path, "re");
    struct text sensor;
    long thousandths;

    if (!file)
        return;
    text_init(&sensor);
    name_sensor(&sensor, path);
    if (fscanf(file, "%ld", &thousandths) == 1)
        add(machine, MACHINE_TEMPERATURE, (struct label[2]){{"sensor", sensor.bytes}},
            (double)thousandths / 1e3);
    fclose(file);
    text_fini(&sensor);
}

static void read_temperatures(struct machine *machine, const char *pattern)
{
    char path[PATH_SIZE];
    glob_t found;

    snprintf(path, sizeof path, "%s%s", machine->root, pattern);
    if (glob(path, 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        read_temperature(machine, found.gl_pathv[i]);
    globfree(&found);
}

/* ---- all ------------------------------------------------------------------------------- */

static void read_all(struct machine *machine)
{
    read_pressure(machine, "cpu");
    read_pressure(machine, "memory");
    read_pressure(machine, "io");
    read_disks(machine);
    read_temperatures(machine, "/sys/class/thermal/thermal_zone*/temp");
    read_temperatures(machine, "/sys/class/hwmon/hwmon*/temp*_input");
}

void watch_append_machine(struct text *text, const char *root)
{
    struct machine machine = {.root = root};

    for (int i = 0; i < MACHINES; i++)
        text_init(&machine.families[i]);
    read_all(&machine);
    for (int i = 0; i < MACHINES; i++) {
        if (machine.families[i].size > 0)
            text_appendf(text, "# HELP %s %s\n# TYPE %s gauge\n%s", rows[i].name, rows[i].help,
                         rows[i].name, machine.families[i].bytes);
        text_fini(&machine.families[i]);
    }
}
