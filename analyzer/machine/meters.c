/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading powercap and thermal_throttle of sysfs.
 *
 * Decision: doc/decisions/counters-by-the-parent.
 */
#include "machine/meters.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "machine/texts.h"

enum { ZONES_MAX = 64, PATH_SIZE = 400, PERIOD_SECONDS = 30 };

/* A counter of energy. */
struct zone {
    char path[PATH_SIZE]; /* path of energy_uj */
    enum meter_id meter;
    uint64_t range; /* the counter wraps beyond this */
    uint64_t last;
    uint64_t total;
};

struct meters {
    char root[PATH_SIZE];
    struct zone zones[ZONES_MAX];
    unsigned zone_count;
    struct meter_value values[METERS];
    uint64_t throttles; /* count at the start */
    pthread_mutex_t lock;
    pthread_cond_t stopped;
    pthread_t reader;
    bool has_reader;
    bool is_stopping;
};

/* Returns: 0, or why not. */
static int read_number(const char *path, uint64_t *number)
{
    FILE *file = fopen(path, "re");
    int error = file ? 0 : errno;

    if (file && fscanf(file, "%" SCNu64, number) != 1)
        error = EIO;
    if (file)
        fclose(file);
    return error;
}

/* Packages are "package-0" and "package-0-die-1"; parts of a package, such as "core", are included
 * in it, except its memory. */
static bool find_meter(const char *folder, enum meter_id *meter)
{
    char path[PATH_SIZE + 8], name[32] = "";
    FILE *file;
    int fields;

    snprintf(path, sizeof path, "%.390s/name", folder);
    file = fopen(path, "re");
    fields = file ? fscanf(file, "%31s", name) : 0;
    if (file)
        fclose(file);
    *meter = strncmp(name, "package", 7) == 0 ? METER_PACKAGES : METER_DRAM;
    return fields == 1 && (*meter == METER_PACKAGES || strcmp(name, "dram") == 0);
}

static void explain(struct meter_value *value, int error)
{
    if (error == EACCES || error == EPERM)
        snprintf(value->reason, sizeof value->reason, "%s", meter_forbidden_text.words);
    else
        snprintf(value->reason, sizeof value->reason, "energy_uj of /sys/class/powercap: %.80s",
                 strerror(error));
}

/* A meter with an unreadable zone would be too low, so it is unknown. */
static void add_zone(struct meters *meters, const char *folder)
{
    struct zone *zone = &meters->zones[meters->zone_count];
    struct meter_value *value;
    char range[PATH_SIZE];
    int error;

    if (meters->zone_count == ZONES_MAX || !find_meter(folder, &zone->meter))
        return;
    value = &meters->values[zone->meter];
    zone->total = 0;
    snprintf(zone->path, sizeof zone->path, "%.380s/energy_uj", folder);
    snprintf(range, sizeof range, "%.370s/max_energy_range_uj", folder);
    error = read_number(zone->path, &zone->last);
    if (error == 0)
        error = read_number(range, &zone->range);
    if (error != 0)
        explain(value, error);
    else
        meters->zone_count++;
    value->is_known = error == 0 && (value->is_known || value->reason[0] == '\0');
}

/* intel-rapl has all zones, and intel-rapl-mmio has some of them again. */
static void find_zones(struct meters *meters)
{
    char pattern[PATH_SIZE + 64];
    glob_t found = {0};

    snprintf(pattern, sizeof pattern, "%.380s/sys/class/powercap/intel-rapl:*", meters->root);
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            add_zone(meters, found.gl_pathv[i]);
    globfree(&found);
    for (int i = METER_PACKAGES; i <= METER_DRAM; i++)
        if (!meters->values[i].is_known && meters->values[i].reason[0] == '\0')
            snprintf(meters->values[i].reason, sizeof meters->values[i].reason, "%s",
                     meter_missing_text.words);
}

static void read_zone(struct meters *meters, struct zone *zone)
{
    uint64_t now;
    int error = read_number(zone->path, &now);

    if (error != 0) {
        meters->values[zone->meter].is_known = false;
        explain(&meters->values[zone->meter], error);
        return;
    }
    zone->total += now >= zone->last ? now - zone->last : zone->range - zone->last + now;
    zone->last = now;
}

void meters_read(struct meters *meters)
{
    for (unsigned i = 0; i < meters->zone_count; i++)
        read_zone(meters, &meters->zones[i]);
}

bool meters_can_read_energy(const char *root, char reason[METERS_REASON_SIZE])
{
    struct meters meters = {.zone_count = 0};

    snprintf(meters.root, sizeof meters.root, "%s", root);
    find_zones(&meters);
    snprintf(reason, METERS_REASON_SIZE, "%s", meters.values[METER_PACKAGES].reason);
    return meters.values[METER_PACKAGES].is_known;
}

/* Returns: whether any processor counts. */
static bool read_throttles(const char *root, uint64_t *sum)
{
    char pattern[PATH_SIZE + 96];
    glob_t found = {0};
    bool is_known = false;

    *sum = 0;
    snprintf(pattern, sizeof pattern,
             "%.380s/sys/devices/system/cpu/cpu[0-9]*/thermal_throttle/core_throttle_count", root);
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++) {
            uint64_t count;

            if (read_number(found.gl_pathv[i], &count) != 0)
                continue;
            *sum += count;
            is_known = true;
        }
    globfree(&found);
    return is_known;
}

static void begin_throttles(struct meters *meters)
{
    struct meter_value *value = &meters->values[METER_THROTTLES];

    value->is_known = read_throttles(meters->root, &meters->throttles);
    if (!value->is_known)
        snprintf(value->reason, sizeof value->reason, "%s", meter_no_throttles_text.words);
}

static void end_throttles(struct meters *meters)
{
    struct meter_value *value = &meters->values[METER_THROTTLES];
    uint64_t now;

    if (value->is_known && read_throttles(meters->root, &now) && now >= meters->throttles)
        value->value = now - meters->throttles;
}

static void *run_reader(void *of)
{
    struct meters *meters = of;
    struct timespec when;

    clock_gettime(CLOCK_MONOTONIC, &when);
    pthread_mutex_lock(&meters->lock);
    while (!meters->is_stopping) {
        when.tv_sec += PERIOD_SECONDS;
        while (!meters->is_stopping &&
               pthread_cond_timedwait(&meters->stopped, &meters->lock, &when) == 0)
            continue;
        if (!meters->is_stopping)
            meters_read(meters);
    }
    pthread_mutex_unlock(&meters->lock);
    return NULL;
}

static void start_reader(struct meters *meters)
{
    pthread_condattr_t attributes;

    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&meters->stopped, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&meters->lock, NULL);
    meters->has_reader =
        meters->zone_count > 0 && pthread_create(&meters->reader, NULL, run_reader, meters) == 0;
}

static void stop_reader(struct meters *meters)
{
    pthread_mutex_lock(&meters->lock);
    meters->is_stopping = true;
    pthread_cond_signal(&meters->stopped);
    pthread_mutex_unlock(&meters->lock);
    if (meters->has_reader)
        pthread_join(meters->reader, NULL);
    pthread_cond_destroy(&meters->stopped);
    pthread_mutex_destroy(&meters->lock);
}

struct meters *meters_start(const char *root)
{
    struct meters *meters = memory_get_zeros(1, sizeof *meters);

    snprintf(meters->root, sizeof meters->root, "%s", root);
    find_zones(meters);
    begin_throttles(meters);
    start_reader(meters);
    return meters;
}

static void refuse(struct meter_value values[METERS])
{
    for (int i = 0; i < METERS; i++) {
        values[i] = (struct meter_value){.is_known = false};
        snprintf(values[i].reason, sizeof values[i].reason, "nobody metered");
    }
}

void meters_stop(struct meters *meters, struct meter_value values[METERS])
{
    if (!meters) {
        refuse(values);
        return;
    }
    stop_reader(meters);
    meters_read(meters);
    end_throttles(meters);
    for (unsigned i = 0; i < meters->zone_count; i++)
        meters->values[meters->zones[i].meter].value += meters->zones[i].total;
    memcpy(values, meters->values, sizeof meters->values);
    free(meters);
}
