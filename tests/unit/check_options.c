/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of options/: rows of tables, read by one parser.
 */
#include <getopt.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/array.h"
#include "options/parse.h"
#include "options/readers.h"
#include "suite.h"

struct asked {
    bool is_brief;
    const char *name;
    const char *folder;
    struct array words;
    size_t count;
    double share;
};

/* Of the commands "draw" and "paint". */
static const struct option_row own_rows[] = {
    OPTION_ROW(struct asked, name, option_text, 0, 'n', "name", "NAME", NULL, NULL, "draw's own"),
    OPTION_ROW(struct asked, folder, option_text, 0, 0, "sources", "[=DIR]", NULL, NULL, "maybe"),
};

static const struct option_row shared_rows[] = {
    OPTION_ROW(struct asked, is_brief, option_yes, 0, 'b', "brief", NULL, "draw", "words", "less"),
    OPTION_ROW(struct asked, folder, option_text, 0, 0, "name", "NAME", NULL, NULL, "not of draw"),
    OPTION_ROW(struct asked, words, option_texts, 0, 'w', "words", "WORD", "but paint", NULL,
               "more"),
    OPTION_ROW(struct asked, count, option_rows, 0, 0, "rows", "N", "paint", NULL, "foreign"),
    OPTION_ROW(struct asked, share, option_percent, 100, 0, "share", "P", NULL, NULL, "a share"),
};

static struct diagnostic diagnostic;

/* Reads words, "draw" before them. */
static enum status read_words(struct asked *asked, bool ends_at_a_word, const char *const *words)
{
    const struct option_set sets[] = {{own_rows, sizeof own_rows / sizeof *own_rows, asked},
                                      {shared_rows, sizeof shared_rows / sizeof *shared_rows,
                                       asked}};
    const struct options_asked how = {"draw", sets, 2, ends_at_a_word};
    static char room[8][32];
    char *argv[9] = {room[0]};
    int argc = 1;

    strcpy(room[0], "draw");
    for (; *words; words++, argc++)
        argv[argc] = strcpy(room[argc], *words);
    argv[argc] = NULL;
    *asked = (struct asked){.share = -1};
    array_init(&asked->words, sizeof(const char *));
    return options_parse(&how, argc, argv, &diagnostic);
}

#define READ(asked, ...) read_words(asked, false, (const char *const[]){__VA_ARGS__, NULL})

START_TEST(options_are_read_into_their_fields)
{
    struct asked asked;

    ck_assert(!READ(&asked, "one", "-b", "--sources=here", "--share", "5", "two"));
    ck_assert(asked.is_brief);
    ck_assert_str_eq(asked.folder, "here");
    ck_assert_double_eq_tol(asked.share, 0.05, 1e-12);
    ck_assert_int_eq(optind, 5);
    ck_assert(!READ(&asked, "-wx", "--words=y"));
    ck_assert_uint_eq(asked.words.count, 2);
    array_fini(&asked.words);
}
END_TEST

START_TEST(a_commands_own_row_comes_before_a_shared_one_of_its_name)
{
    struct asked asked;

    ck_assert(!READ(&asked, "--name", "x"));
    ck_assert_str_eq(asked.name, "x");
    ck_assert_ptr_null(asked.folder);
}
END_TEST

START_TEST(an_argument_that_may_be_missing_is_only_taken_behind_an_equals_sign)
{
    struct asked asked;

    ck_assert(!READ(&asked, "--sources", "here"));
    ck_assert_ptr_null(asked.folder);
    ck_assert_int_eq(optind, 2);
}
END_TEST

START_TEST(words_end_the_options_where_they_are_to)
{
    struct asked asked;

    ck_assert(!read_words(&asked, true, (const char *const[]){"-b", "ls", "-l", NULL}));
    ck_assert(asked.is_brief);
    ck_assert_int_eq(optind, 2);
    ck_assert(!read_words(&asked, false, (const char *const[]){"-b", "--", "-l", NULL}));
    ck_assert_int_eq(optind, 3);
}
END_TEST

static const struct {
    const char *words[4];
    const char *said;
} refused[] = {
    {{"--none"}, "draw: there is no option '--none'; tprof draw --help lists the options"},
    {{"-x"}, "draw: there is no option '-x'; tprof draw --help lists the options"},
    {{"--share"}, "draw: a value is missing after '--share'; tprof draw --help lists the options"},
    {{"-n", "--", "x"}, "draw: a value is missing after '-n'; tprof draw --help lists the options"},
    {{"--brief=3"},
     "draw: no value is expected in '--brief=3'; tprof draw --help lists the options"},
    {{"--rows=3"}, "draw: --rows is an option of tprof paint; tprof draw --help lists the options"},
    {{"-b", "--words", "x"}, "draw: --brief and --words exclude one another"},
    {{"--share", "x"}, "--share x: expected a number between 0 and 100"},
};

START_TEST(what_cannot_be_is_refused_with_its_name)
{
    struct asked asked;

    ck_assert_int_eq(read_words(&asked, false, refused[_i].words), STATUS_USAGE);
    ck_assert_str_eq(diagnostic.text, refused[_i].said);
    array_fini(&asked.words);
}
END_TEST

START_TEST(every_word_of_by_is_of_a_command)
{
    for (unsigned by = 1; by < ANALYSIS_BYS; by++) {
        size_t commands = analysis_has_rows("report", (enum analysis_by)by);

        for (size_t i = 0; analysis_at(i); i++)
            commands += analysis_has_rows(analysis_at(i)->name, (enum analysis_by)by);
        ck_assert_msg(commands > 0, "%s", analysis_by_word((enum analysis_by)by));
    }
}
END_TEST

int check_options(void)
{
    Suite *suite = suite_create("options");
    TCase *all = tcase_create("all");

    tcase_add_test(all, options_are_read_into_their_fields);
    tcase_add_test(all, a_commands_own_row_comes_before_a_shared_one_of_its_name);
    tcase_add_test(all, an_argument_that_may_be_missing_is_only_taken_behind_an_equals_sign);
    tcase_add_test(all, words_end_the_options_where_they_are_to);
    tcase_add_loop_test(all, what_cannot_be_is_refused_with_its_name, 0,
                        sizeof refused / sizeof *refused);
    tcase_add_test(all, every_word_of_by_is_of_a_command);
    suite_add_tcase(suite, all);
    return suite_run_in_pool(suite);
}
