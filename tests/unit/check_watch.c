/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of a watch: what the machine tells, from synthetic trees of files, and how times are
 * written.
 */
#include "watch/watch_parts.h"

#include <string.h>

#include "suite.h"
#include "tree_fixture.h"

static char root[] = "check_watch.XXXXXX";
static struct text told;

static void setup(void)
{
    tree_make(root);
    text_init(&told);
}

static void teardown(void)
{
    tree_remove(root);
    text_fini(&told);
}

static void put(const char *name, const char *content)
{
    tree_put(root, name, content);
}

static void assert_tells(const char *line)
{
    ck_assert_msg(strstr(told.bytes, line), "%s is not in %s", line, told.bytes);
}

START_TEST(machine_tells_pressure_in_seconds)
{
    put("/proc/pressure/io", "some avg10=0.00 avg60=0.00 avg300=0.12 total=624338043\n"
                             "full avg10=0.00 avg60=0.00 avg300=0.00 total=500000\n");
    watch_append_machine(&told, root);
    assert_tells("tprof_machine_pressure_seconds{resource=\"io\",tasks=\"some\"} 624.338043\n");
    assert_tells("tprof_machine_pressure_seconds{resource=\"io\",tasks=\"full\"} 0.5\n");
}
END_TEST

START_TEST(machine_tells_disks_that_have_a_device)
{
    put("/proc/diskstats", " 254 0 vda 10 0 2000 1 20 0 4000 2 0 1500 3 0 0 0 0 0 0\n"
                           " 254 1 vda1 10 0 2000 1 20 0 4000 2 0 1500 3 0 0 0 0 0 0\n"
                           "   7 0 loop0 10 0 2000 1 20 0 4000 2 0 1500 3 0 0 0 0 0 0\n");
    put("/sys/block/vda/device/vendor", "");
    put("/sys/block/loop0/size", "1");
    watch_append_machine(&told, root);
    assert_tells("tprof_machine_disk_busy_seconds{disk=\"vda\"} 1.5\n");
    assert_tells("tprof_machine_disk_read_bytes{disk=\"vda\"} 1024000\n");
    assert_tells("tprof_machine_disk_written_bytes{disk=\"vda\"} 2048000\n");
    ck_assert_ptr_null(strstr(told.bytes, "vda1"));
    ck_assert_ptr_null(strstr(told.bytes, "loop0"));
}
END_TEST

START_TEST(machine_tells_each_sensor_by_its_name)
{
    put("/sys/class/thermal/thermal_zone0/temp", "45500\n");
    put("/sys/class/hwmon/hwmon1/temp2_input", "-2000\n");
    watch_append_machine(&told, root);
    assert_tells("tprof_machine_temperature_celsius{sensor=\"thermal_zone0\"} 45.5\n");
    assert_tells("tprof_machine_temperature_celsius{sensor=\"hwmon1/temp2\"} -2\n");
}
END_TEST

START_TEST(machine_without_files_tells_nothing)
{
    watch_append_machine(&told, root);
    ck_assert_uint_eq(told.size, 0);
}
END_TEST

START_TEST(times_are_written_in_utc)
{
    const uint64_t time_ns = UINT64_C(1796041128649034773);
    char text[WATCH_TIME_SIZE];

    ck_assert_str_eq(watch_format_time(text, time_ns, false), "2026-11-30T12:18:48Z");
    ck_assert_str_eq(watch_format_time(text, time_ns, true), "20261130T121848Z");
}
END_TEST

int check_watch(void)
{
    TCase *machine = tcase_create("machine");
    TCase *times = tcase_create("times");
    Suite *suite = suite_create("watch");

    tcase_add_checked_fixture(machine, setup, teardown);
    tcase_add_test(machine, machine_tells_pressure_in_seconds);
    tcase_add_test(machine, machine_tells_disks_that_have_a_device);
    tcase_add_test(machine, machine_tells_each_sensor_by_its_name);
    tcase_add_test(machine, machine_without_files_tells_nothing);
    tcase_add_test(times, times_are_written_in_utc);
    suite_add_tcase(suite, machine);
    suite_add_tcase(suite, times);
    return suite_run(suite);
}
