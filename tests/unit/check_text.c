/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts composed from paths, and sentences from rows and values.
 */
#include "base/text.h"

#include <check.h>
#include <math.h>
#include <string.h>

#include "base/plain_path.h"
#include "base/say.h"

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

static const struct {
    const char *path, *plain;
} paths[] = {
    {"/src/build/../nn.c", "/src/nn.c"},
    {"/src/./a//b/../../nn.c", "/src/nn.c"},
    {"/../../nn.c", "/nn.c"},
    {"/src/..", "/"},
    {"./run.py", "run.py"},
    {"a/../../run.py", "../run.py"},
    {"../../run.py", "../../run.py"},
    {"a/..b/...", "a/..b/..."},
    {"nn.c", "nn.c"},
};

START_TEST(a_plain_path_makes_no_detours)
{
    struct text text;

    text_init(&text);
    text_append(&text, "at ../");
    plain_path_append(&text, paths[_i].path);
    ck_assert_str_eq(text.bytes + strlen("at ../"), paths[_i].plain);
    text_fini(&text);
}
END_TEST

START_TEST(the_last_of_several_words_stands_behind_or)
{
    static const char *const words[] = {"a", "a or b", "a, b or c"};
    static const char *const letters[] = {"a", "b", "c"};

    for (size_t count = 1; count <= 3; count++) {
        struct text text;

        text_init(&text);
        for (size_t i = 0; i < count; i++)
            text_append_choice(&text, letters[i], i, i + 1 == count);
        ck_assert_str_eq(text.bytes, words[count - 1]);
        text_fini(&text);
    }
}
END_TEST

START_TEST(no_bytes_may_be_nowhere)
{
    struct text text;

    text_init(&text);
    text_append_bytes(&text, NULL, 0);
    text_append(&text, "a");
    text_append_bytes(&text, NULL, 0);
    ck_assert_str_eq(text.bytes, "a");
    text_fini(&text);
}
END_TEST

START_TEST(an_end_may_be_all_and_never_reaches_before_the_bytes)
{
    ck_assert(text_ends_with("a.json", 6, ".json"));
    ck_assert(text_ends_with(".json", 5, ".json"));
    ck_assert(text_ends_with("a", 1, ""));
    ck_assert(!text_ends_with("json", 4, ".json"));
    ck_assert(!text_ends_with("a.json.gz", 9, ".json"));
    ck_assert(text_ends_with("a.json.gz", 6, ".json"));
}
END_TEST

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

static const struct said gaps = {
    .as = SAID_WORDS,
    .words = "{time} passed in {gaps} gap{|s} between {it|them}{limit}, {share}."};
static const struct said nothing = {.as = SAID_WORDS, .words = ""};
static const struct said at_most = {.as = SAID_WORDS, .words = " at most"};

START_TEST(a_sentence_has_its_values_with_their_units)
{
    struct text text;

    text_init(&text);
    say(&text, gaps, said_time(1500), said_count(1), nothing, said_share(0.5));
    ck_assert_str_eq(text.bytes, "1.50 us passed in 1 gap between it, 50.0 %.");
    text_fini(&text);
}
END_TEST

START_TEST(a_sentence_stands_behind_another_with_a_space)
{
    struct text text;

    text_init(&text);
    say(&text, said_words("First."));
    say(&text, gaps, said_time(NAN), said_count(2000), at_most, said_share(1));
    say_part(&text, said_words("!"));
    ck_assert_str_eq(text.bytes, "First. - passed in 2,000 gaps between them at most, 100.0 %.!");
    text_fini(&text);
}
END_TEST

START_TEST(an_estimate_has_a_mark_and_the_unknown_has_none)
{
    struct text text;

    text_init(&text);
    say(&text, gaps, said_about(said_time(1500), true), said_about(said_count(1), true),
        said_about(nothing, false), said_about(said_share(NAN), true));
    ck_assert_str_eq(text.bytes, "~1.50 us passed in ~1 gap between it, -.");
    text_fini(&text);
}
END_TEST

int check_text(void)
{
    Suite *suite = suite_create("text");
    TCase *tests = tcase_create("text");

    tcase_add_loop_test(tests, a_way_leads_from_one_folder_to_another, 0,
                        sizeof ways / sizeof *ways);
    tcase_add_loop_test(tests, a_plain_path_makes_no_detours, 0, sizeof paths / sizeof *paths);
    tcase_add_test(tests, the_last_of_several_words_stands_behind_or);
    tcase_add_test(tests, an_end_may_be_all_and_never_reaches_before_the_bytes);
    tcase_add_test(tests, no_bytes_may_be_nowhere);
    tcase_add_test(tests, a_sentence_has_its_values_with_their_units);
    tcase_add_test(tests, a_sentence_stands_behind_another_with_a_space);
    tcase_add_test(tests, an_estimate_has_a_mark_and_the_unknown_has_none);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
