/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts that are put together from paths.
 */
#include "base/text.h"

#include <check.h>

#include "suite.h"

static const struct {
    const char *from, *to, *way;
} ways[] = {
    {"/usr/bin", "/usr/lib", "../lib"},
    {"/usr/bin", "/usr/lib/x86_64-linux-gnu", "../lib/x86_64-linux-gnu"},
    {"/usr/local/bin", "/usr/lib/aarch64-linux-gnu", "../../lib/aarch64-linux-gnu"},
    {"/opt/tprof/bin", "/opt/tprof/bin", "."},
    {"/opt/tprof", "/opt/tprof/lib", "lib"},
    {"/opt/tprof/lib", "/opt/tprof", ".."},
    {"//usr//bin/", "/usr/lib64/", "../lib64"},
    {"/usr/bin", "/usr/binary", "../binary"},
    {"/bin", "/lib", "../lib"},
    {"/", "/lib", "lib"},
    {"/", "/", "."},
};

START_TEST(a_way_leads_from_one_folder_to_another)
{
    struct text text;

    text_init(&text);
    text_append(&text, "at ");
    text_append_way(&text, ways[_i].from, ways[_i].to);
    ck_assert_str_eq(text.bytes + 3, ways[_i].way);
    text_fini(&text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("text");
    TCase *tests = tcase_create("text");

    tcase_add_loop_test(tests, a_way_leads_from_one_folder_to_another, 0,
                        sizeof ways / sizeof *ways);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
