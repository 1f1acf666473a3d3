/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Facts of the process itself: its command, environment and options, and its machine.
 */
#include "record/process_facts.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "platform/cpu.h"
#include "platform/environment.h"
#include "platform/memory.h"
#include "platform/small_file.h"
#include "record/facts.h"
#include "record/settings.h"
#include "spec/decimal.h"

enum { COMMAND_SIZE = 65536 + 1 };

static void write_command(void)
{
    char *command = memory_map(COMMAND_SIZE);
    ssize_t size = command ? small_file_read("/proc/self/cmdline", command, COMMAND_SIZE) : -1;

    if (size > 0)
        facts_write_property("command", command, (size_t)size);
    if (command)
        memory_unmap(command, COMMAND_SIZE);
}

static bool is_of_interest(const char *variable)
{
    static const char *const patterns[] = {
#define VARIABLE(name) name,
#include "spec/environment.def"
#undef VARIABLE
    };
    size_t length = strcspn(variable, "=");

    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        size_t known = strlen(patterns[i]);

        if (patterns[i][known - 1] == '*'
                ? strncmp(variable, patterns[i], known - 1) == 0
                : known == length && memcmp(variable, patterns[i], known) == 0)
            return true;
    }
    return false;
}

static void write_environment(void)
{
    for (char **variable = environ; variable && *variable; variable++)
        if (is_of_interest(*variable))
            facts_write_text("environment", *variable);
}

static void write_options(void)
{
    static char text[512]; /* under the lock */

    for (unsigned i = 0; i < SETTINGS_COUNT; i++) {
        snprintf(text, sizeof text, "%s=%s", settings_variable((enum settings_id)i),
                 settings.text[i]);
        facts_write_text("option", text);
    }
}

/* Read a file that starts with a number below 2^63.  Returns: 0 when it has none, such as "max" and
 * -1. */
static uint64_t read_number(const char *path)
{
    char text[64];

    if (small_file_read(path, text, sizeof text) <= 0 || text[0] < '0' || text[0] > '9')
        return 0;
    return decimal_at(text, 0);
}

/* The quota of the control group at the mount point, which a container sees, in version 2 or else
 * 1.  Returns: processors, rounded up; 0 when there is none. */
static uint64_t quota_cpus(void)
{
    uint64_t quota = 0, period = 0;
    char text[64];
    const char *rest;

    if (small_file_read("/sys/fs/cgroup/cpu.max", text, sizeof text) > 0) {
        rest = decimal_read(text, &quota);
        if (!rest || !decimal_read(rest, &period))
            return 0;
    } else {
        quota = read_number("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
        period = read_number("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
    }
    return period > 0 ? (quota + period - 1) / period : 0;
}

/* The processors this process may use: its affinity, and no more than the quota. */
static uint64_t allowed_cpus(void)
{
    cpu_set_t set;
    uint64_t count = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t quota = quota_cpus();

    if (sched_getaffinity(0, sizeof set, &set) == 0)
        count = (uint64_t)CPU_COUNT(&set);
    return quota > 0 && quota < count ? quota : count;
}

/* The memory limit of the same control group, in bytes; 0 when there is none.  Version 1 writes the
 * largest number of pages for none. */
static uint64_t memory_limit(void)
{
    static const uint64_t none = UINT64_C(1) << 62;
    uint64_t limit = read_number("/sys/fs/cgroup/memory.max");

    if (limit == 0)
        limit = read_number("/sys/fs/cgroup/memory/memory.limit_in_bytes");
    return limit < none ? limit : 0;
}

/* Of the machine, in bytes; 0 when it is unknown. */
static uint64_t memory_total(void)
{
    struct sysinfo memory;

    return sysinfo(&memory) == 0 ? (uint64_t)memory.totalram * memory.mem_unit : 0;
}

uint64_t process_facts_memory(void)
{
    uint64_t limit = memory_limit(), total = memory_total();

    return limit > 0 && (total == 0 || limit < total) ? limit : total;
}

static void write_machine(void)
{
    static struct utsname names; /* under the lock, as is the text */
    static char text[256];
    uint64_t limit = memory_limit(), total = memory_total();

    if (uname(&names) == 0) {
        facts_write_text("host", names.nodename);
        facts_write_text("kernel", names.release);
    }
    cpu_name(text, sizeof text);
    facts_write_text("cpu", text);
    facts_write_number("cpu_count", allowed_cpus());
    if (limit > 0)
        facts_write_number("memory_limit", limit);
    if (total > 0)
        facts_write_number("memory_total", total);
}

/* Under the lock, so the buffer may be static: stacks may be small. */
static void write_all(void)
{
    static char path[PATH_MAX];

    write_command();
    environment_program_path(path, sizeof path);
    facts_write_text("program", path);
    write_machine();
    write_environment();
    write_options();
}

bool process_facts_write(unsigned *written)
{
    if (*written == 0 && facts_have_room()) {
        *written = 1;
        write_all();
    }
    return *written == 1;
}
