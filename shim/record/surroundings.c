/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files of control groups, of /proc and of /sys.
 *
 * A group without a limit may be inside one that has it, and only the files of that one tell of it.
 * So the nearest group with a limit is read, else the own one.
 *
 * Stacks may be small: the text of a file is static, and one thread at a time reads.  Another one
 * that comes meanwhile leaves it be.
 *
 * Source: admin-guide/cgroup-v2 and cgroup-v1/memory, scheduler/sched-bwc, accounting/psi of the
 * kernel; proc_pid_net(5).
 * Decision: doc/decisions/surroundings.
 */
#include "record/surroundings.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "platform/aside.h"
#include "platform/clock.h"
#include "platform/lock.h"
#include "platform/small_file.h"
#include "record/extended.h"
#include "record/facts.h"
#include "record/process.h"
#include "spec/decimal.h"

enum {
    TEXT_SIZE = 8192,
    FOLDER_SIZE = 512,
    PATH_SIZE = FOLDER_SIZE + 64,
    SHARE = 1000, /* at most a thousandth of the time */
    ZONES = 16,   /* thermal zones that are looked at */
    KIND_SIZE = 64
};

enum surroundings_place { CPU_GROUP, MEMORY_GROUP, MACHINE, PLACES };

/* A control group: its folder, "" for none; version 1 has other files. */
struct group {
    char folder[FOLDER_SIZE];
    bool is_old;
};

struct source {
    const char *key;
    enum surroundings_place place;
    const char *file;
    const char *old_file;
};

static const struct source sources[] = {
#define SOURCE(source, key, place, file, old_file) {key, place, file, old_file},
#include "spec/surrounding_sources.def"
#undef SOURCE
};

static const uint8_t field_sources[] = {
#define SURROUNDING(field, unit, sort, source, help) TRACE_SOURCE_##source,
#include "spec/surroundings.def"
#undef SURROUNDING
};

enum { WORDS = sizeof(struct trace_surroundings) / sizeof(uint64_t) };

_Static_assert(sizeof field_sources == WORDS, "a word a row");

/* Where it takes longer, the thread had no processor meanwhile, which is no cost. */
static const uint64_t longest_pause_ns = 1000000000;

static const uint64_t first_pause_ns = 100000000;

static struct group groups[MACHINE];
static unsigned zone;                /* the thermal zone of the processors */
static int obstacles[TRACE_SOURCES]; /* errno; 0: the file can be read */
static char text[TEXT_SIZE], file_path[PATH_SIZE];
static atomic_flag is_reading;
static bool is_found; /* the groups and the obstacles */
static atomic_uint_fast64_t next_ns;

/* ---- files ----------------------------------------------------------------------------- */

static void make_path(char to[PATH_SIZE], enum trace_source source)
{
    const struct source *row = &sources[source];
    const struct group *group = row->place == MACHINE ? NULL : &groups[row->place];

    if (source == TRACE_SOURCE_TEMPERATURE)
        snprintf(to, PATH_SIZE, "/sys/class/thermal/thermal_zone%u/temp", zone);
    else if (!group)
        snprintf(to, PATH_SIZE, "%s", row->file);
    else
        snprintf(to, PATH_SIZE, "%s/%s", group->folder, group->is_old ? row->old_file : row->file);
}

/* Returns: whether the text has the file.  A text that fills its room may be cut: it is no file. */
static bool read_source(enum trace_source source)
{
    ssize_t size;

    if (obstacles[source] != 0)
        return false;
    make_path(file_path, source);
    size = small_file_read(file_path, text, sizeof text);
    if (size >= (ssize_t)sizeof text - 1)
        errno = EFBIG;
    return size > 0 && size < (ssize_t)sizeof text - 1;
}

/* Returns: the number behind a word at the start of a line; UINT64_MAX without one. */
static uint64_t number_of(const char *word)
{
    size_t size = strlen(word);

    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (strncmp(line, word, size) == 0 && (line[size] == ' ' || line[size] == ':'))
            return decimal_at(line + size + 1, UINT64_MAX);
    return UINT64_MAX;
}

/* Returns: a sum that stays unknown only if both parts are. */
static uint64_t sum_of(uint64_t left, uint64_t right)
{
    if (left == UINT64_MAX || right == UINT64_MAX)
        return left == UINT64_MAX ? right : left;
    return left + right;
}

static uint64_t scaled(uint64_t number, uint64_t factor)
{
    return number == UINT64_MAX ? number : number * factor;
}

/* ---- what the files say ---------------------------------------------------------------- */

/* "QUOTA PERIOD" in microseconds, or "max PERIOD".  Version 1 has two files, and -1 for none. */
static void take_quota(struct trace_surroundings *to)
{
    uint64_t quota = UINT64_MAX, period = 100000;
    const char *rest = decimal_read(text, &quota);

    if (!rest)
        return;
    if (groups[CPU_GROUP].is_old) {
        snprintf(file_path, sizeof file_path, "%s/cpu.cfs_period_us", groups[CPU_GROUP].folder);
        rest = small_file_read(file_path, text, sizeof text) > 0 ? text : NULL;
    }
    if (rest && decimal_read(rest, &period) && period > 0)
        to->quota_ppm = quota * 1000000 / period;
}

static void take_throttled(struct trace_surroundings *to)
{
    to->periods = number_of("nr_periods");
    to->throttled_periods = number_of("nr_throttled");
    to->throttled_ns = groups[CPU_GROUP].is_old ? number_of("throttled_time")
                                                : scaled(number_of("throttled_usec"), 1000);
}

/* "max" is none, and so is the largest number of pages in version 1. */
static uint64_t limit_of(void)
{
    uint64_t limit = decimal_at(text, UINT64_MAX);

    return limit < UINT64_C(1) << 62 ? limit : UINT64_MAX;
}

static void take_memory(struct trace_surroundings *to)
{
    to->memory_bytes = decimal_at(text, UINT64_MAX);
}

static void take_memory_limit(struct trace_surroundings *to)
{
    to->memory_limit_bytes = limit_of();
}

static void take_memory_high(struct trace_surroundings *to)
{
    to->memory_high_bytes = limit_of();
}

/* Before Linux 5.9, refaults were one number. */
static void take_memory_stat(struct trace_surroundings *to)
{
    bool is_old = groups[MEMORY_GROUP].is_old;

    to->file_bytes = sum_of(number_of(is_old ? "total_active_file" : "active_file"),
                            number_of(is_old ? "total_inactive_file" : "inactive_file"));
    to->refaults =
        sum_of(sum_of(number_of("workingset_refault_anon"), number_of("workingset_refault_file")),
               number_of("workingset_refault"));
}

static void take_memory_events(struct trace_surroundings *to)
{
    if (groups[MEMORY_GROUP].is_old) {
        to->limit_events = decimal_at(text, UINT64_MAX);
        return;
    }
    to->high_events = number_of("high");
    to->limit_events = number_of("max");
}

static void take_oom_kills(struct trace_surroundings *to)
{
    to->oom_kills = number_of("oom_kill");
}

/* "some avg10=0.00 avg60=0.00 avg300=0.00 total=MICROSECONDS" */
static uint64_t pressure_of(void)
{
    const char *total = strstr(text, "total=");

    return scaled(decimal_at(total ? total + strlen("total=") : NULL, UINT64_MAX), 1000);
}

static void take_cpu_pressure(struct trace_surroundings *to)
{
    to->cpu_pressure_ns = pressure_of();
}

static void take_memory_pressure(struct trace_surroundings *to)
{
    to->memory_pressure_ns = pressure_of();
}

static void take_io_pressure(struct trace_surroundings *to)
{
    to->group_io_pressure_ns = pressure_of();
}

static void take_machine_cpu_pressure(struct trace_surroundings *to)
{
    to->machine_cpu_pressure_ns = pressure_of();
}

static void take_machine_memory_pressure(struct trace_surroundings *to)
{
    to->machine_memory_pressure_ns = pressure_of();
}

/* Returns: number `index` of a line, from 0 on; UINT64_MAX without it. */
static uint64_t number_at(const char *line, unsigned index)
{
    uint64_t number = UINT64_MAX;

    for (unsigned i = 0; i <= index; i++) {
        line = line ? decimal_read(line, &number) : NULL;
        if (!line)
            return UINT64_MAX;
    }
    return number;
}

/* "  eth0: RECEIVED and seven more, SENT and seven more" */
static void take_network(struct trace_surroundings *to)
{
    enum { SENT = 8 };

    for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
        if (colon - text >= 2 && strncmp(colon - 2, "lo", 2) == 0)
            continue;
        to->received_bytes = sum_of(to->received_bytes, number_at(colon + 1, 0));
        to->sent_bytes = sum_of(to->sent_bytes, number_at(colon + 1, SENT));
    }
}

/* A line of names comes before a line of numbers, both with the same prefix.
 * Returns: the number of a name; UINT64_MAX without one. */
static uint64_t named_number(const char *prefix, const char *name)
{
    const char *names = strstr(text, prefix);
    const char *numbers = names ? strstr(names + 1, prefix) : NULL;
    size_t size = strlen(name);
    unsigned index = 0;

    if (!numbers)
        return UINT64_MAX;
    for (const char *word = strchr(names, ' '); word && word < numbers;
         word = strchr(word + 1, ' '), index++)
        if (strncmp(word + 1, name, size) == 0 && (word[1 + size] == ' ' || word[1 + size] == '\n'))
            return index == 0 ? UINT64_MAX : number_at(strchr(numbers, ' '), index);
    return UINT64_MAX;
}

static void take_tcp(struct trace_surroundings *to)
{
    to->sent_segments = named_number("Tcp: ", "OutSegs");
    to->retransmits = named_number("Tcp: ", "RetransSegs");
}

static void take_listening(struct trace_surroundings *to)
{
    to->listen_overflows = named_number("TcpExt: ", "ListenOverflows");
}

static void take_temperature(struct trace_surroundings *to)
{
    to->temperature_mc = decimal_at(text, UINT64_MAX);
}

static void take_throttles(struct trace_surroundings *to)
{
    to->throttles = decimal_at(text, UINT64_MAX);
}

static void take_frequency(struct trace_surroundings *to)
{
    to->frequency_khz = decimal_at(text, UINT64_MAX);
}

static void take_energy(struct trace_surroundings *to)
{
    to->energy_uj = decimal_at(text, UINT64_MAX);
}

static void (*const takers[])(struct trace_surroundings *to) = {
    [TRACE_SOURCE_QUOTA] = take_quota,
    [TRACE_SOURCE_THROTTLED] = take_throttled,
    [TRACE_SOURCE_MEMORY] = take_memory,
    [TRACE_SOURCE_MEMORY_LIMIT] = take_memory_limit,
    [TRACE_SOURCE_MEMORY_HIGH] = take_memory_high,
    [TRACE_SOURCE_MEMORY_STAT] = take_memory_stat,
    [TRACE_SOURCE_MEMORY_EVENTS] = take_memory_events,
    [TRACE_SOURCE_OOM_KILLS] = take_oom_kills,
    [TRACE_SOURCE_CPU_PRESSURE] = take_cpu_pressure,
    [TRACE_SOURCE_MEMORY_PRESSURE] = take_memory_pressure,
    [TRACE_SOURCE_IO_PRESSURE] = take_io_pressure,
    [TRACE_SOURCE_MACHINE_CPU_PRESSURE] = take_machine_cpu_pressure,
    [TRACE_SOURCE_MACHINE_MEMORY_PRESSURE] = take_machine_memory_pressure,
    [TRACE_SOURCE_NETWORK] = take_network,
    [TRACE_SOURCE_TCP] = take_tcp,
    [TRACE_SOURCE_LISTENING] = take_listening,
    [TRACE_SOURCE_TEMPERATURE] = take_temperature,
    [TRACE_SOURCE_THROTTLES] = take_throttles,
    [TRACE_SOURCE_FREQUENCY] = take_frequency,
    [TRACE_SOURCE_ENERGY] = take_energy,
};

_Static_assert(sizeof takers / sizeof *takers == TRACE_SOURCES, "a source a taker");

static void read_all(void *of)
{
    memset(of, 0xff, sizeof(struct trace_surroundings));
    for (unsigned i = 0; i < TRACE_SOURCES; i++)
        if (read_source((enum trace_source)i))
            takers[i](of);
}

/* ---- finding the groups ---------------------------------------------------------------- */

/* Is there a number in a file of a folder, which is a limit? */
static bool has_limit(const struct group *group, const char *file, const char *old_file)
{
    snprintf(file_path, sizeof file_path, "%s/%s", group->folder, group->is_old ? old_file : file);
    return small_file_read(file_path, text, sizeof text) > 0 && text[0] != '-' &&
           limit_of() != UINT64_MAX;
}

/* Of a hierarchy: its mount, the path of the own group, and the file that each group has. */
struct hierarchy {
    const char *mount;
    const char *path;
    const char *file;
    bool is_old;
};

static bool has_file(const struct group *group, const char *file)
{
    char byte[2];

    snprintf(file_path, sizeof file_path, "%s/%s", group->folder, file);
    return small_file_read(file_path, byte, sizeof byte) > 0;
}

/* From the own group outwards: the first that has a limit, else the first visible one.  In a
 * container the path may name a group outside of the mount, which shows the own group. */
static bool find_in(struct group *found, const struct hierarchy *of, const char *limit)
{
    static struct group group;
    size_t mount = strlen(of->mount);

    group.is_old = of->is_old;
    found->folder[0] = '\0';
    if (snprintf(group.folder, sizeof group.folder, "%s%s", of->mount,
                 strcmp(of->path, "/") == 0 ? "" : of->path) >= FOLDER_SIZE)
        return false;
    while (strlen(group.folder) >= mount) {
        bool is_there = has_file(&group, of->file);

        if (is_there && (found->folder[0] == '\0' || has_limit(&group, limit, limit)))
            *found = group;
        if (is_there && has_limit(&group, limit, limit))
            return true;
        if (strlen(group.folder) == mount)
            break;
        *strrchr(group.folder, '/') = '\0';
    }
    return found->folder[0] != '\0';
}

/* Returns: the path of the own group in a line of /proc/self/cgroup, which is "0::PATH" or
 * "NUMBER:CONTROLLERS:PATH"; NULL without a line.  `controller` is "" for version 2. */
static const char *group_path(char *lines, const char *controller)
{
    size_t size = strlen(controller);

    for (char *line = lines; line && *line; line = strchr(line, '\n'), line += line != NULL) {
        char *names = strchr(line, ':');
        char *path = names ? strchr(names + 1, ':') : NULL;

        if (!path)
            return NULL;
        for (const char *name = names + 1; name <= path; name += strcspn(name, ",:") + 1)
            if (strcspn(name, ",:") == size && strncmp(name, controller, size) == 0)
                return path + 1;
    }
    return NULL;
}

static void copy_line(char *to, size_t size, const char *line)
{
    snprintf(to, size, "%.*s", (int)strcspn(line, "\n"), line);
}

/* The own group of a controller; a hybrid system has version 2 without controllers. */
struct controller {
    const char *name;
    const char *file, *limit;         /* of version 2: a file of all groups but the outermost */
    const char *old_file, *old_limit; /* of version 1 */
    const char *old_mounts[2];
};

static const struct controller controllers[] = {
    [CPU_GROUP] = {"cpu",
                   "cpu.max",
                   "cpu.max",
                   "cpu.stat",
                   "cpu.cfs_quota_us",
                   {"/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct"}},
    [MEMORY_GROUP] = {"memory",
                      "memory.current",
                      "memory.max",
                      "memory.usage_in_bytes",
                      "memory.limit_in_bytes",
                      {"/sys/fs/cgroup/memory", "/sys/fs/cgroup/memory"}},
};

/* Returns: whether the process has a group of the controller in version 2 or 1. */
static bool read_own(char own[FOLDER_SIZE], const char *name)
{
    const char *found;

    if (small_file_read("/proc/self/cgroup", text, sizeof text) <= 0)
        return false;
    found = group_path(text, name);
    if (found)
        copy_line(own, FOLDER_SIZE, found);
    return found != NULL;
}

static void find_group(struct group *group, const struct controller *of)
{
    static char own[FOLDER_SIZE];

    *group = (struct group){0};
    if (read_own(own, "") &&
        find_in(group, &(struct hierarchy){"/sys/fs/cgroup", own, of->file, false}, of->limit))
        return;
    if (!read_own(own, of->name))
        return;
    for (unsigned i = 0; i < 2; i++)
        if (find_in(group, &(struct hierarchy){of->old_mounts[i], own, of->old_file, true},
                    of->old_limit))
            return;
}

/* ---- the start ------------------------------------------------------------------------- */

static bool is_of_processors(const char *kind)
{
    return strncmp(kind, "x86_pkg_temp", strlen("x86_pkg_temp")) == 0 ||
           strncmp(kind, "cpu", strlen("cpu")) == 0 || strncmp(kind, "soc", strlen("soc")) == 0;
}

static void find_zone(void)
{
    char kind[KIND_SIZE];

    for (zone = 0; zone < ZONES; zone++) {
        snprintf(file_path, sizeof file_path, "/sys/class/thermal/thermal_zone%u/type", zone);
        if (small_file_read(file_path, kind, sizeof kind) <= 0)
            break;
        if (is_of_processors(kind))
            return;
    }
    obstacles[TRACE_SOURCE_TEMPERATURE] = ENOENT;
}

static bool has_place(const struct source *source)
{
    const struct group *group = source->place == MACHINE ? NULL : &groups[source->place];

    return !group || (group->folder[0] != '\0' &&
                      (group->is_old ? source->old_file : source->file)[0] != '\0');
}

/* Only what can be read now is read later. */
static void try_sources(void)
{
    for (unsigned i = 0; i < TRACE_SOURCES; i++) {
        errno = 0;
        if (!has_place(&sources[i]))
            obstacles[i] = ENOTSUP;
        else if (obstacles[i] == 0 && !read_source((enum trace_source)i))
            obstacles[i] = errno != 0 ? errno : ENODATA;
    }
}

static void find_all(void *unused)
{
    (void)unused;
    for (unsigned i = 0; i < MACHINE; i++)
        find_group(&groups[i], &controllers[i]);
    find_zone();
    try_sources();
}

/* A process that ends soon pays nothing: the files are looked for with the first record. */
void surroundings_keep(void)
{
    memset(obstacles, 0, sizeof obstacles);
    is_found = false;
    atomic_store(&next_ns, clock_monotonic() + first_pause_ns);
    atomic_flag_clear(&is_reading); /* a fork may have come while another thread was reading */
}

/* ---- later ----------------------------------------------------------------------------- */

static bool is_due(uint64_t now_ns)
{
    return process->file.is_kept && now_ns >= atomic_load(&next_ns) &&
           !atomic_flag_test_and_set(&is_reading);
}

static void find(void)
{
    aside_run(find_all, NULL);
    is_found = true;
    lock_take(&process->lock);
    facts_flush_of(surroundings_write_facts);
    lock_release(&process->lock);
}

void surroundings_write(struct lane *lane)
{
    uint64_t start_ns = clock_monotonic();
    struct trace_latest *latest = &process->file.header->latest;
    struct trace_surroundings surroundings;
    uint64_t pause_ns;

    if (!is_due(start_ns))
        return;
    if (!is_found)
        find();
    aside_run(read_all, &surroundings);
    pause_ns = SHARE * (clock_monotonic() - start_ns);
    atomic_store(&next_ns, start_ns + (pause_ns < longest_pause_ns ? pause_ns : longest_pause_ns));
    latest->surroundings = surroundings;
    latest->surroundings_ticks = clock_read();
    atomic_flag_clear(&is_reading);
    extended_write(lane, latest->surroundings_ticks, TRACE_EXTENDED_SURROUNDINGS,
                   (const uint64_t *)&surroundings, WORDS);
}

void surroundings_publish(uint64_t ticks, const struct trace_reading *reading)
{
    struct trace_latest *latest = &process->file.header->latest;

    if (!process->file.is_kept)
        return;
    atomic_store_explicit((_Atomic uint64_t *)&latest->begun, ticks, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    latest->reading = *reading;
    atomic_store_explicit((_Atomic uint64_t *)&latest->done, ticks, memory_order_release);
}

/* "KEY ERRNO FILE" */
static bool write_obstacle(unsigned source)
{
    static char file[PATH_SIZE], line[PATH_SIZE + KIND_SIZE]; /* under the lock */

    if (obstacles[source] == 0)
        return true;
    file[0] = '\0';
    if (has_place(&sources[source]))
        make_path(file, (enum trace_source)source);
    snprintf(line, sizeof line, "%s %d %s", sources[source].key, obstacles[source], file);
    return facts_write_text("unread", line);
}

bool surroundings_write_facts(unsigned *written)
{
    return !is_found || facts_write_list(written, TRACE_SOURCES, write_obstacle);
}
