/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The system's data on the machine, from synthetic trees of files: the conditions of a run, the
 * used energy, and why either is unknown.
 */
#include "machine/conditions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/checkup.h"
#include "machine/control_groups.h"
#include "machine/meters.h"
#include "model/session.h"
#include "model/session_open.h"
#include "reader/append.h"
#include "suite.h"
#include "trace_builder.h"
#include "tree_fixture.h"

static char root[] = "check_conditions.XXXXXX";

static void setup(void)
{
    tree_make(root);
}

static void teardown(void)
{
    tree_remove(root);
}

static void put(const char *name, const char *content)
{
    tree_put(root, name, content);
}

/* ---- conditions ------------------------------------------------------------ */

static void put_machine(void)
{
    put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
    put("/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n");
    put("/sys/devices/system/cpu/cpu2/cpufreq/scaling_governor", "performance\n");
    put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver", "intel_pstate\n");
    put("/sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
    put("/sys/devices/system/cpu/smt/control", "on\n");
    put("/sys/devices/system/node/online", "0-1,4\n");
    put("/proc/sys/kernel/numa_balancing", "1\n");
    put("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    put("/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu hypervisor avx512_bf16 sse amx_bf16\n");
    put("/proc/loadavg", "1.25 1.00 0.50 1/100 4711\n");
}

static const struct {
    enum trace_condition_id condition;
    const char *value;
} expected[] = {
    {TRACE_CONDITION_GOVERNOR, "performance,powersave"},
    {TRACE_CONDITION_DRIVER, "intel_pstate"},
    {TRACE_CONDITION_TURBO, "off"},
    {TRACE_CONDITION_SMT, "on"},
    {TRACE_CONDITION_NUMA_NODES, "3"},
    {TRACE_CONDITION_NUMA_BALANCING, "on"},
    {TRACE_CONDITION_THP, "madvise"},
    {TRACE_CONDITION_HYPERVISOR, "yes"},
    {TRACE_CONDITION_LOAD, "1.25"},
    {TRACE_CONDITION_SHORT_TYPES, "amx_bf16,avx512_bf16"},
    {TRACE_CONDITION_CLOCKSOURCE, ""},
};

START_TEST(conditions_are_what_the_files_say)
{
    struct conditions conditions;

    put_machine();
    conditions_read(&conditions, root);
    ck_assert_str_eq(conditions.values[expected[_i].condition], expected[_i].value);
}
END_TEST

START_TEST(the_other_file_for_turbo_means_the_opposite)
{
    struct conditions conditions;

    put("/sys/devices/system/cpu/cpufreq/boost", "1\n");
    conditions_read(&conditions, root);
    ck_assert_str_eq(conditions.values[TRACE_CONDITION_TURBO], "on");
}
END_TEST

START_TEST(without_files_conditions_are_unknown)
{
    struct conditions conditions;

    conditions_read(&conditions, root);
    ck_assert_str_eq(conditions.values[TRACE_CONDITION_GOVERNOR], "");
    ck_assert_str_eq(conditions.values[TRACE_CONDITION_THP], "");
    ck_assert_str_eq(conditions.values[TRACE_CONDITION_HYPERVISOR], "");
    ck_assert_str_eq(conditions.values[TRACE_CONDITION_SHORT_TYPES], "");
}
END_TEST

START_TEST(conditions_come_back_out_of_the_trace)
{
    struct session_options options = session_defaults();
    char path[BUILDER_PATH_SIZE];
    struct conditions conditions;
    struct trace_builder builder;
    struct diagnostic diagnostic;
    struct session session;
    struct text facts;

    put_machine();
    conditions_read(&conditions, root);
    text_init(&facts);
    conditions_append(&conditions, &facts);
    trace_builder_init(&builder);
    trace_builder_chunk(&builder, TRACE_FACTS, 0, 0, 4096, 1000);
    trace_builder_header(&builder)->size = builder.size;
    trace_builder_write(&builder, builder.size, path);
    ck_assert_int_eq(append_facts(path, facts.bytes, facts.size, &diagnostic), STATUS_OK);
    ck_assert_int_eq(session_open(&session, path, &options, &diagnostic), STATUS_OK);
    ck_assert_uint_eq(session.losses.bad_records, 0);
    ck_assert_str_eq(session.process.conditions[TRACE_CONDITION_THP], "madvise");
    ck_assert_str_eq(session.process.conditions[TRACE_CONDITION_TURBO], "off");
    ck_assert_ptr_null(session.process.conditions[TRACE_CONDITION_CLOCKSOURCE]);
    session_close(&session);
    trace_builder_fini(&builder);
    text_fini(&facts);
    unlink(path);
}
END_TEST

/* ---- energy ---------------------------------------------------------------- */

static void put_zone(const char *zone, const char *name, const char *energy)
{
    char path[256];

    snprintf(path, sizeof path, "/sys/class/powercap/%s/name", zone);
    put(path, name);
    snprintf(path, sizeof path, "/sys/class/powercap/%s/max_energy_range_uj", zone);
    put(path, "1000000\n");
    snprintf(path, sizeof path, "/sys/class/powercap/%s/energy_uj", zone);
    put(path, energy);
}

/* Two packages, with a part that one of them already includes, and memory. */
static void put_energy(const char *package, const char *dram)
{
    put_zone("intel-rapl:0", "package-0\n", package);
    put_zone("intel-rapl:0:0", "core\n", package);
    put_zone("intel-rapl:0:1", "dram\n", dram);
    put_zone("intel-rapl:1", "package-1\n", package);
    put_zone("intel-rapl:2", "psys\n", package);
}

START_TEST(energy_is_that_of_all_packages_and_their_parts_are_not_counted_twice)
{
    struct meter_value values[METERS];
    struct meters *meters;

    put_energy("100\n", "7\n");
    meters = meters_start(root);
    put_energy("600\n", "10\n");
    meters_stop(meters, values);
    ck_assert(values[METER_PACKAGES].is_known);
    ck_assert_uint_eq(values[METER_PACKAGES].value, 1000);
    ck_assert(values[METER_DRAM].is_known);
    ck_assert_uint_eq(values[METER_DRAM].value, 3);
}
END_TEST

/* From 900,000 past 1,000,000 to 100,000 twice: 200,000 and a whole round more. */
START_TEST(energy_goes_on_when_its_counter_starts_again)
{
    struct meter_value values[METERS];
    struct meters *meters;

    put_zone("intel-rapl:0", "package-0\n", "900000\n");
    meters = meters_start(root);
    put_zone("intel-rapl:0", "package-0\n", "100000\n");
    meters_read(meters);
    put_zone("intel-rapl:0", "package-0\n", "950000\n");
    meters_read(meters);
    put_zone("intel-rapl:0", "package-0\n", "100000\n");
    meters_stop(meters, values);
    ck_assert_uint_eq(values[METER_PACKAGES].value, 1200000);
}
END_TEST

START_TEST(a_package_that_cannot_be_read_makes_the_sum_unknown)
{
    struct meter_value values[METERS];
    char reason[METERS_REASON_SIZE];
    struct meters *meters;

    put_zone("intel-rapl:0", "package-0\n", "100\n");
    put_zone("intel-rapl:1", "package-1\n", "no number\n");
    ck_assert(!meters_can_read_energy(root, reason));
    meters = meters_start(root);
    meters_stop(meters, values);
    ck_assert(!values[METER_PACKAGES].is_known);
    ck_assert_ptr_nonnull(strstr(values[METER_PACKAGES].reason, "energy_uj"));
}
END_TEST

START_TEST(a_package_that_vanishes_makes_the_sum_unknown)
{
    struct meter_value values[METERS];
    struct meters *meters;

    put_zone("intel-rapl:0", "package-0\n", "100\n");
    meters = meters_start(root);
    put_zone("intel-rapl:0", "package-0\n", "gone\n");
    meters_stop(meters, values);
    ck_assert(!values[METER_PACKAGES].is_known);
}
END_TEST

START_TEST(a_machine_without_meters_has_reasons)
{
    struct meter_value values[METERS];

    meters_stop(meters_start(root), values);
    for (int i = 0; i < METERS; i++) {
        ck_assert(!values[i].is_known);
        ck_assert_str_ne(values[i].reason, "");
    }
    meters_stop(NULL, values);
    ck_assert_str_ne(values[METER_PACKAGES].reason, "");
}
END_TEST

START_TEST(throttles_are_summed_over_processors)
{
    struct meter_value values[METERS];
    struct meters *meters;

    put("/sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "5\n");
    put("/sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "6\n");
    meters = meters_start(root);
    put("/sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "8\n");
    meters_stop(meters, values);
    ck_assert(values[METER_THROTTLES].is_known);
    ck_assert_uint_eq(values[METER_THROTTLES].value, 2);
}
END_TEST

/* ---- control groups ------------------------------------------------------------ */

#define UNIFIED "31 23 0:28 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup rw,nsdelegate\n"
#define OWN                                                                                        \
    "20 1 8:1 / / rw,relatime shared:1 - ext4 /dev/root rw\n"                                      \
    "33 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"                  \
    "34 31 0:30 / /sys/fs/cgroup/memory rw shared:9 - cgroup cgroup rw,memory\n"
#define MEMORY "/sys/fs/cgroup/memory"
#define CPU "/sys/fs/cgroup/cpu,cpuacct"

/* Group: /proc/self/cgroup; mounts: /proc/self/mountinfo; then files with their contents.  A quota
 * or bytes below 0: unknown. */
static const struct {
    const char *group;
    const char *mounts;
    const char *files[13]; /* up to NULL */
    double quota;
    double free_bytes;
} group_rows[] = {
    /* Version 2: the group itself, and its outer group. */
    {"0::/a/b\n",
     UNIFIED,
     {"/sys/fs/cgroup/cgroup.controllers", "cpuset cpu io memory pids\n",
      "/sys/fs/cgroup/a/b/cpu.max", "max 100000\n", "/sys/fs/cgroup/a/cpu.max", "150000 100000\n",
      "/sys/fs/cgroup/a/b/memory.max", "1000\n", "/sys/fs/cgroup/a/b/memory.current", "400\n"},
     1.5,
     600},
    {"0::/\n",
     UNIFIED,
     {"/sys/fs/cgroup/cgroup.controllers", "cpu memory\n", "/sys/fs/cgroup/cpu.max",
      "50000 100000\n"},
     0.5,
     (double)INFINITY},
    /* Version 1: each controller has a hierarchy. */
    {"9:memory:/a\n4:cpu,cpuacct:/a/b\n0::/x\n",
     OWN,
     {CPU "/a/b/cpu.cfs_quota_us", "-1\n", CPU "/a/b/cpu.cfs_period_us", "100000\n",
      CPU "/a/cpu.cfs_quota_us", "250000\n", CPU "/a/cpu.cfs_period_us", "100000\n",
      MEMORY "/a/memory.limit_in_bytes", "2000\n", MEMORY "/a/memory.usage_in_bytes", "500\n"},
     2.5,
     1500},
    {"9:memory:/\n4:cpuacct,cpu:/\n",
     OWN,
     {CPU "/cpu.cfs_quota_us", "-1\n", CPU "/cpu.cfs_period_us", "100000\n"},
     (double)INFINITY,
     (double)INFINITY},
    /* Memory of cached files counts as free: in version 2, and in version 1 with groups below. */
    {"0::/a\n",
     UNIFIED,
     {"/sys/fs/cgroup/cgroup.controllers", "cpu memory\n", "/sys/fs/cgroup/a/memory.max", "1000\n",
      "/sys/fs/cgroup/a/memory.current", "990\n", "/sys/fs/cgroup/a/memory.stat",
      "anon 90\nfile 900\ninactive_file 700\nactive_file 150\nslab 5\n"},
     (double)INFINITY,
     860},
    {"9:memory:/a\n4:cpu,cpuacct:/a\n",
     OWN,
     {MEMORY "/a/memory.limit_in_bytes", "2000\n", MEMORY "/a/memory.usage_in_bytes", "1900\n",
      MEMORY "/a/memory.stat",
      "cache 9\nactive_file 1\ntotal_inactive_file 1000\ntotal_active_file 500\n"},
     (double)INFINITY,
     1600},
    /* A container whose mount is its group, and one whose path is not below its mount. */
    {"4:cpu,cpuacct:/docker/c1\n",
     "33 31 0:29 /docker/c1 " CPU " rw - cgroup cgroup rw,cpu\n",
     {CPU "/cpu.cfs_quota_us", "50000\n", CPU "/cpu.cfs_period_us", "100000\n"},
     0.5,
     -1},
    {"4:cpu,cpuacct:/docker/c1/d\n",
     "33 31 0:29 /docker/c1 " CPU " rw - cgroup cgroup rw,cpu\n",
     {CPU "/d/cpu.cfs_quota_us", "25000\n", CPU "/d/cpu.cfs_period_us", "100000\n"},
     0.25,
     -1},
    {"4:cpu,cpuacct:/../other\n",
     OWN,
     {CPU "/cpu.cfs_quota_us", "50000\n", CPU "/cpu.cfs_period_us", "100000\n"},
     0.5,
     -1},
    /* Both: version 2 has no controllers of its own. */
    {"4:cpu,cpuacct:/a\n0::/a\n",
     OWN "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 none rw\n",
     {"/sys/fs/cgroup/unified/cgroup.controllers", "\n", CPU "/a/cpu.cfs_quota_us", "300000\n",
      CPU "/a/cpu.cfs_period_us", "100000\n"},
     3,
     -1},
    {"0::/a\n",
     OWN "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 none rw\n",
     {"/sys/fs/cgroup/unified/cgroup.controllers", "\n"},
     -1,
     -1},
    {"", OWN, {NULL}, -1, -1},
};

static void ck_assert_known(double found, double wanted)
{
    if (wanted < 0)
        ck_assert(isnan(found));
    else
        ck_assert_msg(found == wanted, "found %g, expected %g", found, wanted);
}

START_TEST(control_groups_of_both_versions_are_asked_up_to_their_mount)
{
    put("/proc/self/cgroup", group_rows[_i].group);
    put("/proc/self/mountinfo", group_rows[_i].mounts);
    for (size_t i = 0; group_rows[_i].files[i]; i += 2)
        put(group_rows[_i].files[i], group_rows[_i].files[i + 1]);
    ck_assert_known(control_groups_quota(root), group_rows[_i].quota);
    ck_assert_known(control_groups_free_memory(root), group_rows[_i].free_bytes);
}
END_TEST

/* ---- doctor ------------------------------------------------------------------ */

static struct checks checks;

static const struct check *find_check(enum check_id id)
{
    for (size_t i = 0; i < checks.items.count; i++) {
        const struct check *check = array_at(&checks.items, i);

        if (check->id == id)
            return check;
    }
    ck_abort_msg("check %d was not made", id);
    return NULL;
}

static void check_up(void)
{
    checks_init(&checks);
    checkup_machine(&checks, root);
}

static const struct {
    enum check_id id;
    enum check_state state;
} states[] = {
    {CHECK_GOVERNOR, CHECK_WARN}, {CHECK_TURBO, CHECK_OK},  {CHECK_SMT, CHECK_OK},
    {CHECK_NUMA, CHECK_WARN},     {CHECK_THP, CHECK_OK},    {CHECK_CLOCK, CHECK_WARN},
    {CHECK_MEMORY, CHECK_WARN},   {CHECK_SWAP, CHECK_WARN}, {CHECK_HEAT, CHECK_WARN},
    {CHECK_LOAD, CHECK_WARN},
};

START_TEST(what_disturbs_is_warned_of)
{
    put_machine();
    put("/sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n");
    put("/proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 100 kB\nSwapTotal: 10 kB\n"
                         "SwapFree: 9 kB\n");
    put("/proc/loadavg", "99999 1 1 1/1 1\n");
    put("/sys/class/thermal/thermal_zone0/temp", "95000\n");
    check_up();
    ck_assert_int_eq(find_check(states[_i].id)->state, states[_i].state);
}
END_TEST

START_TEST(quota_and_limit_of_version_1_are_told)
{
    put("/proc/self/cgroup", group_rows[2].group);
    put("/proc/self/mountinfo", group_rows[2].mounts);
    for (size_t i = 0; group_rows[2].files[i]; i += 2)
        put(group_rows[2].files[i], group_rows[2].files[i + 1]);
    put("/proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 900 kB\n");
    check_up();
    ck_assert_ptr_nonnull(strstr(find_check(CHECK_QUOTA)->found, "2.5 processors"));
    ck_assert_ptr_nonnull(strstr(find_check(CHECK_MEMORY)->found, "1.46 KiB of 1.95 KiB"));
    ck_assert_int_eq(find_check(CHECK_MEMORY)->state, CHECK_OK);
}
END_TEST

START_TEST(a_machine_that_says_nothing_is_unknown)
{
    static const enum check_id ids[] = {CHECK_GOVERNOR, CHECK_TURBO, CHECK_SMT,     CHECK_NUMA,
                                        CHECK_THP,      CHECK_CLOCK, CHECK_LOAD,    CHECK_MEMORY,
                                        CHECK_SWAP,     CHECK_HEAT,  CHECK_VIRTUAL, CHECK_QUOTA};

    check_up();
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        ck_assert_int_eq(find_check(ids[i])->state, CHECK_UNKNOWN);
}
END_TEST

START_TEST(a_cool_machine_is_well)
{
    put("/sys/class/thermal/thermal_zone0/temp", "45000\n");
    put("/sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "0\n");
    check_up();
    ck_assert_int_eq(find_check(CHECK_HEAT)->state, CHECK_OK);
    ck_assert_ptr_nonnull(strstr(find_check(CHECK_HEAT)->found, "45 degrees"));
}
END_TEST

int check_conditions(void)
{
    Suite *suite = suite_create("conditions");
    TCase *conditions = tcase_create("conditions"), *meters = tcase_create("meters"),
          *groups = tcase_create("groups"), *checkup = tcase_create("checkup");

    tcase_add_checked_fixture(conditions, setup, teardown);
    tcase_add_loop_test(conditions, conditions_are_what_the_files_say, 0,
                        sizeof expected / sizeof *expected);
    tcase_add_test(conditions, the_other_file_for_turbo_means_the_opposite);
    tcase_add_test(conditions, without_files_conditions_are_unknown);
    tcase_add_test(conditions, conditions_come_back_out_of_the_trace);
    suite_add_tcase(suite, conditions);
    tcase_add_checked_fixture(meters, setup, teardown);
    tcase_add_test(meters, energy_is_that_of_all_packages_and_their_parts_are_not_counted_twice);
    tcase_add_test(meters, energy_goes_on_when_its_counter_starts_again);
    tcase_add_test(meters, a_package_that_cannot_be_read_makes_the_sum_unknown);
    tcase_add_test(meters, a_package_that_vanishes_makes_the_sum_unknown);
    tcase_add_test(meters, a_machine_without_meters_has_reasons);
    tcase_add_test(meters, throttles_are_summed_over_processors);
    suite_add_tcase(suite, meters);
    tcase_add_checked_fixture(groups, setup, teardown);
    tcase_add_loop_test(groups, control_groups_of_both_versions_are_asked_up_to_their_mount, 0,
                        sizeof group_rows / sizeof *group_rows);
    suite_add_tcase(suite, groups);
    tcase_add_checked_fixture(checkup, setup, teardown);
    tcase_add_test(checkup, quota_and_limit_of_version_1_are_told);
    tcase_add_loop_test(checkup, what_disturbs_is_warned_of, 0, sizeof states / sizeof *states);
    tcase_add_test(checkup, a_machine_that_says_nothing_is_unknown);
    tcase_add_test(checkup, a_cool_machine_is_well);
    suite_add_tcase(suite, checkup);
    return suite_run(suite);
}
